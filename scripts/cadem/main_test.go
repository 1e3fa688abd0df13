package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func command(t *testing.T, args ...string) (string, string, error) {
	t.Helper()
	var out, log bytes.Buffer
	err := execute(t.Context(), args, &out, &log)
	return out.String(), log.String(), err
}

// The published data: the shorthand names what the option does, and neither is a file.
func TestTrainOnPublishedData(t *testing.T) {
	hash := func(args ...string) (string, string) {
		t.Helper()
		out, _, err := command(t, append(args, "-json", "-set", "epochs=2", "-set", "eval_epochs=2")...)
		if err != nil {
			t.Fatal(err)
		}
		var o output
		if err := json.Unmarshal([]byte(out), &o); err != nil {
			t.Fatal(err)
		}
		return o.Hash, o.Data
	}
	short, name := hash("train", "-data", "syn1:published")
	long, _ := hash("train", "-data", "syn1", "-set", "instance=published")
	drawn, _ := hash("train", "-data", "syn1", "-data-seed", "3")
	if short != long || short == drawn || name != "syn1:published" {
		t.Errorf("hashes %s by the shorthand, %s by the option, %s drawn; called %s", short, long, drawn, name)
	}
	if _, _, err := command(t, "train", "-data", "syn1:lost"); err == nil || err.Error() != `instance: found "lost", expected one of drawn, published` {
		t.Error(err)
	}
}

// With -json one object goes to standard output, with the fields other tools rely on, and
// flags may stand anywhere. The same run has the same bits.
func TestTrainPrintsOneObject(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.zip")
	first := printed(t, "train", "-set", "epochs=3", "-data", "syn1", "-json", "-seed", "4", "-set", "nodes=40", "-cv-seed", "2", "-set", "eval_epochs=5",
		"-out", file)
	checkPrinted(t, first)
	again := printed(t, "train", "-data", "syn1", "-set", "nodes=40", "-set", "epochs=3", "-json", "-seed", "4", "-cv-seed", "2", "-set", "eval_epochs=5")
	if again["hash"] != first["hash"] {
		t.Errorf("the same run twice: hashes %v and %v", first["hash"], again["hash"])
	}
	checkRunFile(t, file)
}

// printed runs a command that prints one object in one line.
func printed(t *testing.T, args ...string) (object map[string]any) {
	t.Helper()
	out, _, err := command(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(out), &object); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("%v in %q", err, out)
	}
	return object
}

func checkPrinted(t *testing.T, first map[string]any) {
	t.Helper()
	for _, key := range []string{"data", "preset", "seed", "data_seed", "cv_seed", "precision", "steps", "seconds", "losses", "first_losses", "rank_S",
		"hash", "scores"} {
		if first[key] == nil {
			t.Errorf("no field %s", key)
		}
	}
	if first["steps"] != 45. || first["seed"] != 4. || first["cv_seed"] != 2. || first["precision"] != 32. {
		t.Errorf("steps %v, seeds %v and %v", first["steps"], first["seed"], first["cv_seed"])
	}
	names := map[string]bool{}
	for _, s := range first["scores"].([]any) {
		row := s.(map[string]any)
		names[row["embedding"].(string)+"/"+row["target"].(string)+"/"+row["metric"].(string)] = true
		for _, key := range []string{"value", "fold_std", "untrained", "untrained_standardised"} {
			if _, ok := row[key].(float64); !ok {
				t.Fatalf("row without %s: %v", key, row)
			}
		}
	}
	for _, want := range []string{"combined/final/macro_f1", "common/layer_2/micro_f1", "private_3/layer_3/macro_f1"} {
		if !names[want] {
			t.Errorf("no score %s", want)
		}
	}
}

func checkRunFile(t *testing.T, file string) {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	members := ""
	for _, f := range z.File {
		members += f.Name + " "
	}
	for _, want := range []string{"run.json", "checkpoint.bin", "losses.npy", "embeddings/common.npy", "embeddings/private_3.npy"} {
		if !strings.Contains(members, want) {
			t.Errorf("%s is not in the run file: %s", want, members)
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.edges")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"-data":              {"train"},
		"no_such_file":       {"train", "-data", "no_such_file"},
		"empty.edges":        {"train", "-data", empty},
		"a folder":           {"train", "-data", t.TempDir()},
		"epochs: found":      {"train", "-data", "syn1", "-set", "epochs=0"},
		"temperature":        {"train", "-data", "syn1", "-set", "temperature=1"},
		"gamma: found":       {"train", "-data", "syn2", "-set", "gamma=2"},
		"name=value":         {"train", "-data", "syn1", "-set", "epochs"},
		"preset: found":      {"train", "-data", "syn1", "-preset", "other"},
		"precision: found":   {"train", "-data", "syn1", "-precision", "16"},
		"invalid value":      {"train", "-data", "syn1", "-seed", "-1"},
		"an unknown flag":    {"train", "-data", "syn1", "-colour", "red"},
		"no edges":           {"train", "-data", "syn1", "-set", "p_intra=0", "-set", "p_inter=0"},
		`found "fly"`:        {"fly"},
		"found 0 folders":    {"parity"},
		"no_such_folder":     {"parity", "no_such_folder"},
		"heads: found":       {"train", "-data", "syn1", "-set", "dim=6", "-set", "epochs=1"},
		"study: found":       {"study", "table9"},
		"found no name":      {"study"},
		"about data of one":  {"study", "table6"},
		"an unknown option":  {"study", "table1", "-set", "colour=red"},
		"augmented: found 0": {"train", "-data", "syn1", "-set", "graphs=augmented", "-set", "augmented=0"},
	} {
		_, _, err := command(t, args...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", args, err, want)
		}
	}
}

func TestParityCommand(t *testing.T) {
	out, _, err := command(t, "parity", "../parity/testdata", "-json")
	var report struct {
		Cases []struct {
			File      string
			Precision int
			Pass      bool
		}
		Skipped []string
		Pass    bool
	}
	if err != nil || json.Unmarshal([]byte(out), &report) != nil || !report.Pass || len(report.Cases) < 100 {
		t.Errorf("error %v, pass %v, %d cases", err, report.Pass, len(report.Cases))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "later.json"), []byte(`{"blobs":[]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _, err = command(t, "parity", dir)
	if !errors.Is(err, errReported) || !strings.Contains(out, "later.json") {
		t.Errorf("a folder without a known case: error %v, %q", err, out)
	}
	one := `{"method": "dgi", "cases": [{"name": "loops of 3", "hyper": {"self_loop": 3}}]}`
	if err := os.WriteFile(filepath.Join(dir, "one.json"), []byte(one), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _, _ = command(t, "parity", dir)
	for _, line := range []string{
		"later.json: skipped, no reader for files of this kind yet\n",
		"one.json: loops of 3, setting self_loop = 3: skipped, the program has no such setting\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("%q lacks %q", out, line)
		}
	}
}

func TestOptionsAreDescribed(t *testing.T) {
	out, _, err := command(t, "options")
	var c struct {
		Groups struct {
			Training, Evaluation []struct{ Name, Doc, Kind string }
			Data                 map[string][]struct{ Name string }
		}
		Presets  map[string]map[string]any
		Examples []struct{ Name, Expect string }
	}
	if err != nil || json.Unmarshal([]byte(out), &c) != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range append(c.Groups.Training, c.Groups.Evaluation...) {
		if seen[p.Name] || p.Doc == "" || p.Kind == "" {
			t.Errorf("option %+v: twice or without a sentence", p)
		}
		seen[p.Name] = true
		if c.Presets["released"][p.Name] == nil || c.Presets["printed"][p.Name] == nil {
			t.Errorf("option %s is in no preset", p.Name)
		}
	}
	for example, table := range c.Groups.Data {
		for _, p := range table {
			if seen[p.Name] {
				t.Errorf("%s: data option %s is also one of training or evaluation", example, p.Name)
			}
		}
	}
	if len(c.Examples) < 3 || c.Examples[0].Name != "town" {
		t.Errorf("examples %+v", c.Examples)
	}
}

func TestStudyPrintsOneObject(t *testing.T) {
	dir := t.TempDir()
	args := []string{"study", "ablation", "-seeds", "2", "-json", "-cache", filepath.Join(dir, "kept"), "-out", filepath.Join(dir, "report.html"),
		"-set", "nodes=30", "-set", "epochs=2", "-set", "inner_steps=2", "-set", "eval_epochs=3"}
	out, _, err := command(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	var first struct {
		Study   string
		Rows    []map[string]any
		Seconds float64
	}
	if err := json.Unmarshal([]byte(out), &first); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("%v in %q", err, out)
	}
	if first.Study != "ablation" || len(first.Rows) != 8 || first.Seconds <= 0 {
		t.Errorf("%+v", first)
	}
	for _, key := range []string{"table", "dataset", "method", "embedding", "target", "metric", "variant", "ours", "fold_std", "seed_std", "untrained",
		"paper", "paper_std", "status"} {
		if first.Rows[0][key] == nil {
			t.Errorf("no field %s in %v", key, first.Rows[0])
		}
	}
	html, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || !strings.Contains(string(html), "</svg>") || strings.Contains(string(html), "<script") || strings.Contains(string(html), "src=") {
		t.Errorf("%v in a report of %d bytes", err, len(html))
	}
	// Stored results are not computed again; unreadable ones are.
	files, err := filepath.Glob(filepath.Join(dir, "kept", "*.json"))
	if err != nil || len(files) != 8 {
		t.Fatalf("%d kept, %v", len(files), err)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	again, log, err := command(t, args...)
	if err != nil || !strings.Contains(log, filepath.Base(files[0])) {
		t.Errorf("%v, %q", err, log)
	}
	if rows, _, _ := strings.Cut(again, `"seconds"`); !strings.HasPrefix(out, rows) {
		t.Errorf("%s\n%s", out, again)
	}
}

// -cv-seed deals the folds of an experiment, as it does those of a training.
func TestStudyTakesAnEvaluationSeed(t *testing.T) {
	figures := func(seed ...string) string {
		out, _, err := command(
			t,
			append([]string{"study", "table2", "-seeds", "1", "-json", "-set", "nodes=40", "-set", "epochs=2", "-set", "eval_epochs=5"}, seed...)...)
		if err != nil {
			t.Fatal(err)
		}
		rows, _, _ := strings.Cut(out, `"seconds"`)
		return rows
	}
	if usual := figures(); figures("-cv-seed", "1") != usual || figures("-cv-seed", "2") == usual {
		t.Error("the folds are not those of the seed: 1 is the usual one, 2 another")
	}
	if _, _, err := command(t, "study", "table2", "-cv-seed", "-1"); err == nil || !strings.Contains(err.Error(), "cv-seed") {
		t.Errorf("-1: %v", err)
	}
}

// No command replaces what it reads, whatever it is called there.
func TestNoInputIsReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	const edges = "source,target,layer\na,b,1\nb,c,1\nc,a,1\nc,d,1\nd,e,2\ne,f,2\nf,d,2\n"
	if err := os.WriteFile("e.csv", []byte(edges), 0o644); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("e.csv")
	if err == nil {
		_, err = w.Write([]byte(edges))
	}
	if err = errors.Join(err, z.Close(), os.WriteFile("e.zip", b.Bytes(), 0o644), os.Symlink("e.zip", "link.zip"), os.Link("e.csv", "hard.csv")); err != nil {
		t.Fatal(err)
	}
	few := []string{"-set", "epochs=1"}
	if _, _, err := command(t, append([]string{"train", "-data", "e.csv", "-out", "run.zip"}, few...)...); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("run.zip", "run.csv"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := command(t, "study", "plan", "sweep", "-data", "e.csv", "-set", "epochs=1,2", "-seeds", "1", "-dir", "plan"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("plan/plan.json", "plan.html"); err != nil {
		t.Fatal(err)
	}
	files := []string{"e.csv", "e.zip", "run.zip", "plan/plan.json"}
	before := map[string][]byte{}
	for _, name := range files {
		if before[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		append([]string{"train", "-data", "e.zip", "-out", "./link.zip"}, few...),
		append([]string{"train", "-data", "e.csv", "-embeddings", "hard.csv"}, few...),
		append([]string{"train", "-data", "link.zip", "-method", "mean", "-out", "e.zip"}, few...),
		append([]string{"train", "-data", "e.csv", "-out", "new.zip", "-embeddings", "e.csv"}, few...),
		{"train", "-resume", "run.zip", "-embeddings", "run.csv"},
		{"study", "sweep", "-data", "e.csv", "-set", "epochs=1,2", "-seeds", "1", "-out", "hard.csv"},
		{"study", "merge", "plan", "-out", "hard.csv"},
		{"study", "merge", "plan", "-out", "plan.html"},
	} {
		if _, _, err := command(t, args...); err == nil || status(err, io.Discard) != 2 || !strings.Contains(err.Error(), "would be replaced") {
			t.Errorf("cadem %s: %v, expected that it is refused", strings.Join(args, " "), err)
		}
		for _, name := range files {
			if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, before[name]) {
				t.Fatalf("cadem %s has replaced %s (%v)", strings.Join(args, " "), name, err)
			}
		}
	}
}

// execute runs the program.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return (&program{ctx: ctx, stdout: stdout, stderr: stderr}).execute(args)
}
