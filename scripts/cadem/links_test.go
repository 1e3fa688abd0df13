package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
)

// Data without labels are scored by links where that is asked for, and by nothing otherwise; the line that says so names the option.
func TestTrainOnLinks(t *testing.T) {
	var edges strings.Builder
	for i := range 40 {
		for _, d := range []int{1, 2, 5} {
			for layer := range 2 {
				edges.WriteString(strings.Join([]string{string(rune('1' + layer)), strconv.Itoa(i + 1), strconv.Itoa((i+d+layer)%40 + 1), "1"}, " ") + "\n")
			}
		}
	}
	file := filepath.Join(t.TempDir(), "ring.edges")
	if err := os.WriteFile(file, []byte(edges.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	quick := []string{"train", "-data", file, "-set", "epochs=2", "-json"}
	_, log, err := command(t, quick...)
	if err != nil || !strings.Contains(log, "-links 5") {
		t.Errorf("%v, %q", err, log)
	}
	text, log, err := command(t, append(quick, "-links", "3")...)
	if err != nil || strings.Contains(log, "nothing is scored") {
		t.Fatalf("%v, %q", err, log)
	}
	var o output
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	if len(o.Links) != 30 || len(o.Scores) != 0 || o.Links[0].Target != run.OfLinks || len(o.Links[0].Folds) != 3 {
		t.Errorf("%d scores of links, the first %+v, and %d of labels", len(o.Links), o.Links[0], len(o.Scores))
	}
	text, _, err = command(t, "train", "-data", file, "-method", "modularity", "-links", "2")
	if err != nil || !strings.Contains(text, "AUC, degrees matched") || !strings.Contains(text, "degrees alone") {
		t.Errorf("%v, %s", err, text)
	}
	for want, args := range map[string][]string{
		"-links: found 0, expected a number of at least 1": {"train", "-data", file, "-links", "0"},
		"links: found 2 for table1":                        {"study", "table1", "-links", "2"},
	} {
		if _, _, err := command(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", args, err, want)
		}
	}
}

// Two groups, in which a layer lacks every third pair, and one more. No pair that is linked comes, and the names are those of the files; of what
// counts neighbours or learns groups, all pairs are inside a group.
func TestPredictLinks(t *testing.T) {
	dir := t.TempDir()
	var files []string
	missing := [][2]int{{2, 5}, {21, 24}}
	for l := range missing {
		var edges strings.Builder
		for i := range 40 {
			for j := i + 1; j < 40; j++ {
				if i/20 == j/20 && [2]int{i, j} != missing[l] && (i+j+l)%3 > 0 || [2]int{i, j} == [2]int{0, 39} {
					fmt.Fprintf(&edges, "n%d n%d\n", i, j)
				}
			}
		}
		files = append(files, filepath.Join(dir, "layer"+strconv.Itoa(l)+".edges"))
		if err := os.WriteFile(files[l], []byte(edges.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, by := range []string{"evidence", "adamic-adar", "resource-allocation", "preferential-attachment"} {
		out := filepath.Join(dir, by+".csv")
		if _, _, err := command(t, "study", "links", "-data", files[0], files[1], "-top", "7", "-by", by, "-out", out); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r", "")), "\n")
		if len(lines) != 15 || lines[0] != "layer,source,target,score" || !strings.HasPrefix(lines[1], "layer0,n") || !strings.HasPrefix(lines[8], "layer1,n") {
			t.Fatalf("by %s: %s", by, text)
		}
		for k, line := range lines[1:] {
			var i, j int
			var score float64
			if _, err := fmt.Sscanf(line[len("layer0,"):], "n%d,n%d,%g", &i, &j, &score); err != nil {
				t.Fatal(err)
			}
			inside, pair := i/20 == j/20, [2]int{i, j}
			if !inside && by != "preferential-attachment" || inside && (i+j+k/7)%3 > 0 && pair != missing[k/7] || pair == [2]int{0, 39} || score <= 0 {
				t.Errorf("by %s: %s", by, line)
			}
		}
	}
	for want, args := range map[string][]string{
		"layers: found 1, expected at least 2":        {"-data", files[0]},
		"-seed: found a flag without effect":          {"-data", files[0], "-by", "adamic-adar", "-seed", "2"},
		`-by: found "nearest"`:                        {"-data", files[0], "-by", "nearest"},
		"-top: found 0, expected a number of":         {"-data", files[0], "-top", "0"},
		"found no -data":                              {},
		"-binary: found a flag without effect, expec": {"-data", "town", "-binary"},
	} {
		if _, _, err := command(t, append([]string{"study", "links"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", args, err, want)
		}
	}
}
