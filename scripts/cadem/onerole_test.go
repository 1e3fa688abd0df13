package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Labels are no features in the command: topics, a column for each class, train as neither before it is said what they are, are scored
// without being an input, and a comparison of methods is refused as a training is.
func TestOneRole(t *testing.T) {
	const n, classes = 40, 4
	list := []matrixOfMAT{{name: "paper", rows: n, cols: n}, {name: "venue", rows: n, cols: n}, {name: "topic", rows: n, cols: classes},
		{name: "y", rows: n, cols: 1}}
	for k := range list {
		list[k].values = make([]float64, list[k].rows*list[k].cols)
	}
	for i := range n {
		for k := range 2 {
			j := (i + 1 + k) % n
			list[k].values[i*n+j], list[k].values[j*n+i] = 1, 1
		}
		list[2].values[i*7%classes*n+i], list[3].values[i] = 1, float64(i*7%classes)
	}
	write := func(name string, list []matrixOfMAT) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, matFile(list), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	alone, beside := write("biblio.mat", list[:3]), write("both.mat", list)
	brief := []string{"-set", "epochs=1", "-set", "eval_epochs=1"}
	for _, c := range []struct{ args, want string }{
		{"train -data ALONE", "-features topic"}, {"inspect ALONE", "-features topic"}, {"study table6 -seeds 1 -methods features -data ALONE", "-features topic"},
		{"train -data BOTH -labels y", "-features topic"}, {"train -data BOTH -labels y -features topic", "which the features hold, too"},
		{"train -data ALONE -labels topic -features topic", "which are the features, too"},
		{"study table6 -seeds 1 -methods features -data BOTH -labels y -features topic", "which the features hold, too"},
		{"inspect BOTH -labels y -features topic", "which the features hold, too"},
	} {
		args := strings.Fields(strings.NewReplacer("ALONE", alone, "BOTH", beside).Replace(c.args))
		if args[0] != "inspect" {
			args = append(args, brief...)
		}
		if out, _, err := command(t, args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\n%s", c.args, err, out)
		}
	}
	for _, c := range []struct {
		args         string
		want, refuse string
	}{
		{"train -data ALONE -labels topic", "target topic", "features topic"}, {"train -data ALONE -features none", "target topic", "features topic"},
		{"train -data BOTH -features topic", "topic were made to sum to 1", "target"}, {"inspect ALONE -labels topic", "classes: 10 10 10 10", "features topic"},
	} {
		args := strings.Fields(strings.NewReplacer("ALONE", alone, "BOTH", beside).Replace(c.args))
		if args[0] == "train" {
			args = append(args, brief[:2]...)
		}
		out, notes, err := command(t, args...)
		if said := out + notes; err != nil || !strings.Contains(said, c.want) || strings.Contains(said, c.refuse) {
			t.Errorf("%s: %v\n%s", c.args, err, said)
		}
	}
}
