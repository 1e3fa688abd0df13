package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
	"cadem.example/core/train"
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
	for i, m := range train.Methods() {
		row := list.Methods[i]
		levels, _ := row["levels"].([]any)
		if _, ok := row["needs"].([]any); row["name"] != m.Name || row["family"] == "" || row["fusion"] != string(m.Fusion) || levels[0] != m.Levels[0].Name || !ok {
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
	if lite := printed(t, append([]string{"train", "-method", "random", "-level", "lite", "-set", "dim=4"}, short...)...); lite["level"] != "official" ||
		lite["hash"] != ours["hash"] {
		t.Errorf("lite settings, which it has not, gave level %v and hash %v", lite["level"], lite["hash"])
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
		"epochs: found an unknown option":                   {"-method", "random", "-set", "epochs=3"},
		`propagation: found "twice", expected one of squar`: {"-method", "random", "-set", "propagation=twice"},
	} {
		if _, _, err := command(t, append([]string{"train", "-data", "syn1"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// A run of a method that is interrupted anywhere, in a step or after one, goes on to the bits of one that was not, by the advice that
// is given; its file opens again when it is done.
func TestInterruptedMethod(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("e.csv", []byte("source,target,layer\na,b,1\nb,c,1\nc,a,1\nc,d,1\nd,e,2\ne,f,2\nf,d,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	line := []string{"train", "-method", "deepwalk", "-level", "lite", "-data", "e.csv", "-set", "epochs=4", "-json"}
	want := printed(t, line...)
	for _, looks := range []int64{0, 1, 3, 1000} {
		var again map[string]any
		if looks < 1000 {
			_, log := interruptedCommand(t, looks, line...)
			again = printed(t, advice(t, log)...)
		} else {
			printed(t, append(line, "-out", "whole.zip")...)
			again = printed(t, "train", "-resume", "whole.zip", "-json")
		}
		for _, key := range []string{"data", "method", "level", "steps", "hash", "losses", "first_losses", "figures"} {
			if fmt.Sprint(again[key]) != fmt.Sprint(want[key]) {
				t.Errorf("interrupted at look %d: %s is %v, expected %v", looks, key, again[key], want[key])
			}
		}
	}
	data, err := os.ReadFile("whole.zip")
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if u, err := run.Unpack(a); err != nil || u.Of != nil || u.Record.Method != "deepwalk" || u.Record.State != run.Finished {
		t.Errorf("unpacked as %+v: %v", u, err)
	}
	a.Blobs["checkpoint.bin"] = a.Blobs["checkpoint.bin"][:100]
	var b bytes.Buffer
	if err := archive.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("cut.zip", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := command(t, "train", "-resume", "cut.zip"); err == nil || !strings.Contains(err.Error(), "cut") {
		t.Errorf("a checkpoint that was cut: %v", err)
	}
}

// The table of the documentation has the methods in their families, fusions and levels as the command prints them, each once.
func TestMethodsAreDocumented(t *testing.T) {
	out, _, err := command(t, "methods", "-json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Methods []struct {
			Name, Family, Fusion string
			Levels               []string
		}
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/methods.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Methods {
		row := fmt.Sprintf("\n| `%s` | %s | %s | %s | ", m.Name, m.Family, m.Fusion, strings.Join(m.Levels, ", "))
		if n := strings.Count(string(page), row); n != 1 {
			t.Errorf("docs/methods.md has %d times the row %q", n, row)
		}
	}
	if rows := strings.Count(string(page), "\n| `"); rows != len(list.Methods) {
		t.Errorf("docs/methods.md has %d rows for %d methods", rows, len(list.Methods))
	}
}

// The preset closed is the method of that name: one run, one file, one hash.
func TestPresetClosed(t *testing.T) {
	preset, _, err := command(t, "train", "-data", "syn2", "-set", "nodes=40", "-set", "kmeans_runs=1", "-preset", "closed")
	if err != nil {
		t.Fatal(err)
	}
	method, _, err := command(t, "train", "-data", "syn2", "-set", "nodes=40", "-set", "kmeans_runs=1", "-method", "closed")
	timed := regexp.MustCompile(`in [0-9.]+ s`)
	a, b := timed.ReplaceAllString(preset, ""), timed.ReplaceAllString(method, "")
	if err != nil || a != b || !strings.Contains(a, "method closed, level official") {
		t.Errorf("%s\n%s\n%v", a, b, err)
	}
	if _, _, err := command(t, "train", "-data", "syn2", "-method", "dgi", "-preset", "closed"); err == nil || !strings.Contains(err.Error(), "dgi has none") {
		t.Errorf("a preset beside a method: %v", err)
	}
	if _, _, err := command(t, "train", "-data", "syn2", "-preset", "close"); err == nil || !strings.Contains(err.Error(), "released") {
		t.Error(err)
	}
}

// On files, the table of scores has what methods without training get, under their names; neither an example nor one of these methods has it.
func TestWithoutTraining(t *testing.T) {
	ring, labels := writeGraph(t, "ring")
	short := []string{"-set", "eval_epochs=2", "-set", "folds=2"}
	rows := func(args ...string) (list []any) {
		list, _ = printed(t, slices.Concat([]string{"train", "-json"}, short, args)...)["no_training"].([]any)
		return list
	}
	files := rows("-data", ring, labels, "-set", "epochs=1")
	for _, name := range train.Without {
		if !slices.ContainsFunc(files, func(row any) bool { return row.(map[string]any)["embedding"] == name }) {
			t.Errorf("%s has no row: %v", name, files)
		}
	}
	if list := rows("-data", "syn1", "-set", "nodes=40", "-set", "epochs=1"); list != nil {
		t.Errorf("an example has %v", list)
	}
	if list := rows("-data", ring, labels, "-method", "pooled"); list != nil {
		t.Errorf("beside itself: %v", list)
	}
	text, _, err := command(t, slices.Concat([]string{"train", "-data", ring, labels, "-set", "epochs=1"}, short)...)
	if err != nil || !strings.Contains(text, "no training: pooled") || !strings.Contains(text, "no training: union") {
		t.Errorf("%v in\n%s", err, text)
	}
}
