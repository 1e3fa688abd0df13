package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeGraph writes the edges and labels of a ring of 20 nodes: half, and quarter.
func writeGraph(t *testing.T, name string) (edges, labels string) {
	t.Helper()
	dir, ring, table := t.TempDir(), "", "nodeID,half,quarter\n"
	for i := range 20 {
		ring += fmt.Sprintf("1 %d %d 1\n2 %d %d 1\n", i, (i+1)%20, i, (i+2)%20)
		table += fmt.Sprintf("%d,h%d,q%d\n", i, i/10, i/5)
	}
	edges, labels = filepath.Join(dir, name+".edges"), filepath.Join(dir, name+".csv")
	for path, text := range map[string]string{edges: ring, labels: table} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return edges, labels
}

// Each -data is a data set, and choices after it hold for it alone; those before the first hold for all.
func TestStudyOfSeveralDataSets(t *testing.T) {
	edges, labels := writeGraph(t, "one")
	more, others := writeGraph(t, "two")
	small := []string{"-json", "-set", "epochs=1", "-set", "eval_epochs=2", "-set", "hidden=4", "-set", "folds=2"}
	for _, c := range []struct {
		args []string
		want string // data sets and targets
	}{
		{[]string{"table7", edges, labels}, "one half, one quarter"},
		{[]string{"table7", "-data", edges + "," + labels}, "one half, one quarter"},
		{[]string{"table7", "-data", edges, labels, "-labels", "half"}, "one half"},
		{[]string{"table11", "-data", edges + "," + labels, "-labels", "half", "-data", more + "," + others, "-labels", "quarter"}, "one half, two quarter"},
		{[]string{"table6", "-data", edges + "," + labels, "-data", more + "," + others, "-labels", "half"}, "one half, one quarter, two half"},
		{[]string{"table11", "-labels", "half", "-data", edges + "," + labels, "-data", more + "," + others, "-splits", "none"}, "one half, two half"},
		{[]string{"augmentation", "-labels", "half", "-data", edges + "," + labels, "-data", more + "," + others, "-labels", "quarter"}, "one half, two quarter"},
	} {
		out, _, err := command(t, slices.Concat([]string{"study"}, c.args, small)...)
		if err != nil {
			t.Errorf("%v: %v", c.args, err)
			continue
		}
		var r struct {
			Rows []struct{ Dataset, Target string }
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, row := range r.Rows {
			if of := row.Dataset + " " + row.Target; !slices.Contains(found, of) {
				found = append(found, of)
			}
		}
		if got := strings.Join(found, ", "); got != c.want {
			t.Errorf("%v: %s, expected %s", c.args, got, c.want)
		}
	}
	for want, args := range map[string][]string{
		"found -data 2 times, expected it once":               {"table1", "-data", "drawn", "-data", "published"},
		"expected it in one of them: -data A,B":               {"table6", "-data", edges, "-data", more, others},
		"sets 1 and 2 with the same files":                    {"table6", "-data", edges, "-data", edges},
		"-layers: found a flag without effect":                {"table7", "-layers", "A"},
		"found \"synthetic\", expected drawn or published":    {"table7", "-data", "synthetic"},
		"data: found \"drawn\", expected files":               {"table6", "-data", "drawn"},
		"-binary: found a flag without effect, expected none": {"all", "-binary"},
		"found \"elsewhere\", expected drawn or published":    {"all", "-data", "elsewhere"},
	} {
		if _, _, err := command(t, append([]string{"study"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", args, err, want)
		}
	}
}
