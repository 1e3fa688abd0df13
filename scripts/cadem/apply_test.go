package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A node that has the links of another one is new to a model, gets a class, and is flagged in the file of embeddings; what does not fit is
// refused in words.
func TestApply(t *testing.T) {
	t.Chdir(t.TempDir())
	edges, labels := "", "node,group\n"
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 24 {
		for j := range i {
			if i%2 == j%2 {
				edges += "1 " + line(i, j) + "2 " + line(i, (j+2)%24)
			}
		}
		labels += strings.Fields(line(i, i))[0] + "," + string(rune('a'+i%2)) + "\n"
	}
	write("my.edges", edges)
	write("labels.csv", labels)
	more := edges
	for j := 1; j < 24; j += 2 { // node 99 has links to odd ones
		more += "1 " + line(99, j) + "2 " + line(99, j)
	}
	write("more.edges", more+"1 "+line(98, 99)+"1 "+line(98, 98))
	if _, _, err := command(t, "train", "-data", "my.edges", "labels.csv", "-set", "epochs=20", "-model", "model.npz"); err != nil {
		t.Fatal(err)
	}
	out, log, err := command(t, "apply", "model.npz", "-data", "more.edges", "-embeddings", "all.csv", "-json")
	if err != nil {
		t.Fatal(err, log)
	}
	var got struct {
		New []struct {
			Node    string            `json:"node"`
			Links   int               `json:"links"`
			Classes map[string]string `json:"classes"`
		} `json:"new"`
		Known     int `json:"known"`
		Unknown   int `json:"unknown_neighbours"`
		Apart     int `json:"without_links"`
		Predicted []struct {
			Score float64 `json:"macro_f1"`
		} `json:"predicted"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, n := range got.New {
		found[n.Node] = n.Classes["group"]
	}
	if len(got.New) != 2 || found["99"] != "b" || got.Known != 24 || got.Unknown != 2 || got.Apart != 1 || len(got.Predicted) != 1 ||
		got.Predicted[0].Score <= .5 {
		t.Errorf("%s", out)
	}
	pooledApplies(t)
	checkFlags(t)
	write("three.edges", more+"3 "+line(1, 2))
	write("other.csv", "from,to,type\n1,99,work\n2,99,lunch\n")
	for want, args := range map[string][]string{
		"layers":             {"apply", "model.npz", "-data", "other.csv"},
		"a model and":        {"apply", "model.npz"},
		"array \"about\"":    {"apply", "embeddings.npz", "-data", "more.edges"},
		"CaDeM, whose":       {"train", "-data", "my.edges", "-method", "random", "-model", "other.npz"},
		"the 2 of the model": {"apply", "model.npz", "-data", "three.edges"},
	} {
		if want == "array \"about\"" {
			if _, _, err := command(t, "train", "-data", "my.edges", "-set", "epochs=1", "-embeddings", "embeddings.npz"); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := command(t, args...); err == nil || !strings.Contains(strings.Join(strings.Fields(err.Error()), " "), want) {
			t.Errorf("%q: %v, expected %q", args, err, want)
		}
	}
}

// checkFlags looks for what tells new nodes in a file of embeddings.
func checkFlags(t *testing.T) {
	t.Helper()
	f, err := os.Open("all.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if isNew := row[1] == "99" || row[1] == "98"; isNew != (row[2] == "new") {
			t.Errorf("%q", row)
		}
	}
}

// line is a link as files of edges have it, after the number of its layer.
func line(i, j int) string { return fmt.Sprintf("%d %d 1\n", i, j) }

// pooledApplies writes the model of all layers together and asks it about the same nodes: they have a place in R, and none in S.
func pooledApplies(t *testing.T) {
	t.Helper()
	if _, _, err := command(t, "train", "-data", "my.edges", "labels.csv", "-method", "pooled", "-score", "none", "-model", "pooled.npz"); err != nil {
		t.Fatal(err)
	}
	out, _, err := command(t, "apply", "pooled.npz", "-data", "more.edges", "-embeddings", "pooled.csv", "-json")
	if err != nil {
		t.Fatal(err)
	}
	header, err := os.ReadFile("pooled.csv")
	if err != nil {
		t.Fatal(err)
	}
	top, _, _ := strings.Cut(string(header), "\n")
	if !strings.Contains(out, `"R"`) || strings.Contains(out, `"S"`) || !strings.Contains(top, "fused_1") || strings.Contains(top, "common") {
		t.Errorf("%s\n%s", top, out)
	}
}
