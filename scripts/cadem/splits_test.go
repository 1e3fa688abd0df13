package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/study"
)

// ACM, IMDB and Freebase are scored on the test nodes of their published splits by one command, beside the paper's figures, which are of folds: that is said in
// a sentence. A repeat has the same bytes.
func TestPublishedSplits(t *testing.T) {
	const data = "../../../shared/data/"
	if _, err := os.Stat(data + "acm"); err != nil {
		t.Skip("the data are not beside the repository: ", err)
	}
	if os.Getenv("CADEM_LONG") == "" {
		t.Skip("takes minutes: CADEM_LONG=1")
	}
	freebase := []string{"mam.npz", "mdm.npz", "mwm.npz", "labels.npy"}
	for _, part := range []string{"train", "val", "test"} {
		for _, n := range []string{"20", "40", "60"} {
			freebase = append(freebase, part+"_"+n+".npy")
		}
	}
	within := func(folder string, names []string) string {
		return data + folder + "/" + strings.Join(names, ","+data+folder+"/")
	}
	args := []string{"study", "table6", "-data", data + "acm/ACM3025.mat", "-layers", "PLP,PAP", "-features", "feature",
		"-data", within("imdb", []string{"mdm.npz", "mam.npz", "feature.npz", "labels.npy", "splits.npz"}), "-data", within("freebase", freebase),
		"-untimed", "-json", "-predictions", "-set", "epochs=1", "-set", "inner_steps=1", "-set", "augmented=1", "-set", "eval_epochs=20"}
	first, _, err := command(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	if again, _, err := command(t, args...); err != nil || again != first {
		t.Errorf("a repeat has other bytes: %v", err)
	}
	var o studyOutput
	if err := json.Unmarshal([]byte(first), &o); err != nil {
		t.Fatal(err)
	}
	for name, splits := range map[string]int{"ACM": 1, "IMDB": 1, "Freebase": 3} {
		i := slices.IndexFunc(o.Rows, func(row study.Row) bool {
			return row.Dataset == name && row.Method == "CaDeM" && row.Embedding == "combined" && row.Metric == "macro_f1" && row.Paper != nil
		})
		if i < 0 {
			t.Fatalf("%s: no figure beside the paper's", name)
		}
		if row := &o.Rows[i]; len(row.Folds[0]) != splits || row.Status != study.OtherSettings {
			t.Errorf("%s: %d splits, expected %d; %s", name, len(row.Folds[0]), splits, row.Status)
		}
	}
	if !strings.Contains(o.Settings[0], "test nodes of ACM, the data's own split: 600 training, 300 validation, 2,125 test nodes") ||
		!strings.Contains(o.Settings[0], "; the paper's are means over five folds of all labelled nodes.") {
		t.Errorf("the protocol is not told: %s", o.Settings[0])
	}
}
