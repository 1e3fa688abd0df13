package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem/core/baseline"
)

func TestMethodsAreListed(t *testing.T) {
	out, _, err := command(t, "methods", "-json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Methods []map[string]any }
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	for i, m := range baseline.Methods() {
		row := list.Methods[i]
		levels, _ := row["levels"].([]any)
		if _, ok := row["needs"].([]any); row["name"] != m.Name || row["family"] == "" || row["fusion"] != string(m.Fusion) || levels[0] != "official" || !ok {
			t.Errorf("%s is listed as %v", m.Name, row)
		}
	}
	if out, _, err = command(t, "methods"); err != nil || !strings.Contains(out, "cadem") {
		t.Errorf("%s, %v", out, err)
	}
}

// A method has the JSON of a training of CaDeM, whose default it leaves alone.
func TestTrainAMethod(t *testing.T) {
	csv := filepath.Join(t.TempDir(), "e.csv")
	short := []string{"-data", "syn1", "-set", "nodes=40", "-set", "eval_epochs=2", "-json"}
	usual := printed(t, append([]string{"train", "-set", "epochs=2"}, short...)...)
	ours := printed(t, append([]string{"train", "-method", "random", "-set", "dim=4", "-embeddings", csv}, short...)...)
	for key := range usual {
		if _, ok := ours[key]; !ok && key != "interventions" { // of psi, which CaDeM alone has
			t.Errorf("%s is missing", key)
		}
	}
	if usual["method"] != "cadem" || usual["reader"] != "combiner" || ours["method"] != "random" || ours["reader"] != "combiner" || ours["level"] != "official" {
		t.Errorf("%v by %v, and %v by %v", usual["method"], usual["reader"], ours["method"], ours["reader"])
	}
	first, _ := ours["scores"].([]any)[0].(map[string]any)
	if first["embedding"] != "combined" || first["value"] != first["untrained"] {
		t.Errorf("the first score is %v", first)
	}
	if text, err := os.ReadFile(csv); err != nil || !strings.Contains(string(text), "layer_3_4") || strings.Contains(string(text), "layer_3_5") {
		t.Errorf("the embeddings: %v", err)
	}
	if again := printed(t, append([]string{"train", "-method", "random", "-set", "dim=4"}, short...)...); again["hash"] != ours["hash"] {
		t.Errorf("the same training twice: hashes %v and %v", ours["hash"], again["hash"])
	}
}

func TestWhatAMethodRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		`method: found "randon", expected one of`:           {"-method", "randon"},
		`level: found "huge" for the method random`:         {"-method", "random", "-level", "huge"},
		"-level: found a flag without effect":               {"-level", "lite"},
		"-preset: found a flag without effect":              {"-method", "random", "-preset", "printed"},
		"-out: found a flag without effect":                 {"-method", "random", "-out", "run.zip"},
		"epochs: found an unknown option":                   {"-method", "random", "-set", "epochs=3"},
		`propagation: found "twice", expected one of squar`: {"-method", "random", "-set", "propagation=twice"},
	} {
		if _, _, err := command(t, append([]string{"train", "-data", "syn1"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
