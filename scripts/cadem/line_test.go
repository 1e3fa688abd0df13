package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"cadem.example/core/synth/examples"
	"cadem.example/scripts/cadem/console"
)

// wide returns the first line that is too long for people to read.
func wide(text string) string {
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > console.Columns {
			return line
		}
	}
	return ""
}

// Help that was asked for is a result: it goes to standard output and ends with 0.
func TestHelpIsPrinted(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"--help"}, {"-help"}, {"help"}} {
		out, log, err := command(t, args...)
		if status(err, &bytes.Buffer{}) != 0 || log != "" || !strings.HasPrefix(out, "usage: cadem COMMAND") || !strings.Contains(out, "  study ") {
			t.Errorf("%v: %q and %q, %v", args, out, log, err)
		}
	}
	for _, v := range verbs() {
		for _, args := range [][]string{{v.name, "-h"}, {v.name, "--help"}, {"help", v.name}, {v.name, "x", "-h"}} {
			out, log, err := command(t, args...)
			if status(err, &bytes.Buffer{}) != 0 || log != "" || !strings.HasPrefix(out, "usage: cadem "+v.name) {
				t.Errorf("%v: %q and %q, %v", args, out, log, err)
			}
			if line := wide(out); line != "" {
				t.Errorf("%v: a wide line: %s", args, line)
			}
		}
	}
	if out, _, _ := command(t, "train", "-h"); !strings.Contains(out, "-cv-seed N") || !strings.Contains(out, "(released)") {
		t.Errorf("train -h says %s", out)
	}
}

// Errors in the command line go to standard error and end with 2; later errors end with 1.
func TestExitCodes(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "damaged.edges")
	if err := os.WriteFile(damaged, []byte("1 2 3 x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		say  string
		args []string
	}{
		{2, "usage: cadem COMMAND", nil},
		{2, "did you mean train?", []string{"trian"}},
		{2, "did you mean -seed?", []string{"train", "-data", "syn1", "-sed", "1"}},
		{2, "one of the examples " + strings.Join(examples.Names(), ", ") + ", or files", []string{"train"}},
		{2, "found dim=4 beside the example syn1", []string{"train", "-data", "syn1", "-set", "epochs=3", "dim=4"}},
		{2, "did you mean social?", []string{"train", "-data", "socail"}},
		{2, "did you mean table6?", []string{"study", "tabel6"}},
		{2, "did you mean epochs?", []string{"study", "table1", "-set", "epohcs=2"}},
		{2, "an option that table1 does not use, expected one of epochs,", []string{"study", "table1", "-set", "gamma=0.5"}},
		{2, "did you mean printed?", []string{"train", "-data", "syn1", "-preset", "printd"}},
		{2, "did you mean epochs?", []string{"train", "-data", "syn1", "-set", "epohcs=3"}},
		{2, "did you mean p_intra?", []string{"train", "-data", "syn1", "-set", "pintra=3"}},
		{2, "did you mean npz?", []string{"train", "-data", "syn1", "-embeddings", "e.npzz"}},
		{2, "did you mean study?", []string{"help", "stduy"}},
		{2, "invalid value", []string{"train", "-data", "syn1", "-seed", "one"}},
		{1, "damaged.edges", []string{"train", "-data", damaged}},
		{1, "no such file", []string{"inspect", "nothing.mat"}},
	} {
		out, log, err := command(t, c.args...)
		b := bytes.NewBufferString(log)
		if code := status(err, b); code != c.code || out != "" || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), c.say) {
			t.Errorf("%v: exit code %d, %q, expected %d and %q", c.args, code, b, c.code, c.say)
		}
		if line := wide(b.String()); line != "" {
			t.Errorf("%v: a wide line: %s", c.args, line)
		}
	}
}

func TestNothingGivenIsIgnored(t *testing.T) {
	series, files := writeSeries(t), matrices(t)
	ring, _ := writeGraph(t, "ring")
	for want, args := range map[string][]string{
		"-layers: found a flag without effect":                   {"train", "-data", "syn1", "-layers", "A"},
		"-raw: found a flag without effect":                      {"train", "-data", "syn1", "-raw"},
		"expected none: all is the same without it":              {"train", "-data", ring, "-method", "pca", "-raw"},
		"-binary: found a flag without effect, expected none":    {"train", "-data", ring, "-binary"},
		"-keep: found a flag without effect, expected none: all": {"train", "-data", ring, "-keep", "100"},
		"-mutual: found a flag without effect, expected none":    {"train", "-data", ring, "-mutual"},
		"none: the method deepwalk reads links alone":            {"train", "-data", files, "-method", "deepwalk", "-raw"},
		"-data-seed: found a flag without effect":                {"train", "-data", files, "-data-seed", "1"},
		"expected none: there is one published instance":         {"train", "-data", "syn2:published", "-data-seed", "1"},
		"kmeans_runs: found an option without effect":            {"train", "-data", "syn1", "-set", "kmeans_runs=3"},
		"eval_epochs: found an option without effect":            {"train", "-data", "syn2", "-set", "eval_epochs=3"},
		"-set: found epochs twice":                               {"train", "-data", "syn1", "-set", "epochs=3", "-set", "epochs=4"},
		"-seed: found a flag without effect":                     {"train", "-resume", files, "-seed", "1"},
		"-seeds: found 0":                                        {"study", "table1", "-seeds", "0"},
		"-data-seeds: found 0":                                   {"study", "table1", "-data-seeds", "0"},
		"-workers: found 0":                                      {"study", "table1", "-workers", "0"},
		"seeds: found 3 of the model":                            {"study", "tsne", "-seeds", "3"},
		"-labels: found a flag without effect":                   {"study", "table1", "-labels", "Y"},
		"-binary: found a flag without effect":                   {"study", "table5", "-data", "synthetic", "-binary"},
		`study: found the argument "more"`:                       {"study", "table1", "more"},
		`options: found the argument "more"`:                     {"options", "more"},
		`version: found the argument "more"`:                     {"version", "more"},
		"help: found 2 names":                                    {"help", "train", "study"},
		"parity: found 2 folders":                                {"parity", "one", "two"},
		"tr: found an option without effect":                     {"connectome", writeMatrix(t), "-tr", "2"},
		"low: found an option without effect":                    {"connectome", writeMatrix(t), "-set", "low=0.01"},
		"-raw: found a flag without effect, expected none: func": {"connectome", writeMatrix(t), "-raw"},
		"-set: found instance beside syn2:published":             {"train", "-data", "syn2:published", "-set", "instance=drawn"},
		`variable: found "X" without a file of arrays`:           {"connectome", writeMatrix(t), "-variable", "X"},
		"-set: found tr twice":                                   {"connectome", series, "-tr", "2", "-set", "tr=3"},
		"data_seeds: found 2, expected 1: files are not drawn":   {"study", "table6", files, "-data-seeds", "2"},
	} {
		out, _, err := command(t, args...)
		if err == nil || !strings.Contains(err.Error(), want) || out != "" || status(err, &bytes.Buffer{}) != 2 {
			t.Errorf("%v: error %v, expected one that says %q; printed %q", args, err, want, out)
		}
	}
}

// A flag that comes twice is refused by name, unless each of its values counts.
func TestFlagsComeOnce(t *testing.T) {
	for name, args := range map[string][]string{
		"-seed":    {"train", "-data", "syn1", "-seed", "1", "-seed", "2"},
		"-preset":  {"train", "-preset", "printed", "-data", "syn1", "-preset", "printed"},
		"-json":    {"train", "-data", "syn1", "-json", "-json=false"},
		"-layers":  {"train", "a.npz", "-layers", "A", "-layers", "B"},
		"-raw":     {"study", "table6", "-data", "a.npz", "-raw", "-raw"},
		"-workers": {"study", "table1", "-workers", "1", "more", "--workers=2"},
		"-tr":      {"connectome", "series.csv", "-tr", "2", "-tr", "3"},
	} {
		out, _, err := command(t, args...)
		if want := name + ": found it twice, expected it once"; err == nil || err.Error() != want || out != "" || status(err, &bytes.Buffer{}) != 2 {
			t.Errorf("%v: error %v, expected %q; printed %q", args, err, want, out)
		}
	}
	var data dataSets
	p := &program{stdout: io.Discard}
	f := p.flags("study", "", "")
	studyData(f, &data)
	if _, err := f.parse([]string{"-data", "a", "-layers", "A", "-data", "b", "-layers", "B", "-raw"}); err != nil {
		t.Fatal(err)
	}
	if len(data.sets) != 2 || !slices.Equal(data.sets[0].choice.Layers, []string{"A"}) || !slices.Equal(data.sets[1].choice.Layers, []string{"B"}) ||
		data.sets[0].choice.Raw || !data.sets[1].choice.Raw {
		t.Errorf("two data sets, each with layers of its own: found %+v", data.sets)
	}
}

// writeMatrix writes functional connectivity.
func writeMatrix(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fc.csv")
	if err := os.WriteFile(name, []byte("1,0.5,-0.3\n0.5,1,0.2\n-0.3,0.2,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

const brief = "epochs=2"

// Results that cannot be written are found out before the work.
func TestOutputsAreCheckedFirst(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	long := []string{"-set", "epochs=1000000", "-data", "syn1"} // would not end
	for want, args := range map[string][]string{
		"-out: found " + dir + "/none/run.zip: no such file":    append([]string{"train", "-out", dir + "/none/run.zip"}, long...),
		"-out: found " + dir + "/file/run.zip: not a directory": append([]string{"train", "-out", file + "/run.zip"}, long...),
		`run.png", expected a file that ends in .zip, .cadem`:   append([]string{"train", "-out", dir + "/run.png"}, long...),
		"-embeddings: found " + dir + "/none/e.csv":             append([]string{"train", "-embeddings", dir + "/none/e.csv"}, long...),
		`found "txt", expected one of csv, `:                    append([]string{"train", "-embeddings", dir + "/e.txt"}, long...),
		dir + ", which is a folder":                             append([]string{"train", "-out", dir}, long...),
		"-out: found " + dir + "/none/report.html":              {"study", "table1", "-set", "epochs=100000", "-out", dir + "/none/report.html"},
		`report.pdf", expected a file that ends in .html`:       {"study", "table1", "-set", "epochs=100000", "-out", dir + "/report.pdf"},
		"-cache: found mkdir " + file + ": not a directory":     {"study", "table1", "-set", "epochs=100000", "-cache", file + "/kept"},
	} {
		_, _, err := command(t, args...)
		if err == nil || !strings.Contains(err.Error(), want) || status(err, &bytes.Buffer{}) != 2 {
			t.Errorf("%v: error %v, expected one that says %q", args, err, want)
		}
	}
}

// Results that cannot be written are printed instead.
func TestLostResultsArePrinted(t *testing.T) {
	dir := t.TempDir()
	long := dir + "/" + strings.Repeat("x", 300) // which no file system takes
	for _, c := range []struct {
		shows string
		args  []string
	}{
		{"private_3", []string{"train", "-data", "syn1", "-set", brief, "-set", "eval_epochs=2", "-out", long + ".zip", "-embeddings", long + ".csv"}},
		{"private_3", []string{"study", "table1", "-seeds", "1", "-set", brief, "-set", "eval_epochs=2", "-out", long + ".html"}},
	} {
		out, _, err := command(t, c.args...)
		if err == nil || !strings.Contains(err.Error(), "file name too long") || status(err, &bytes.Buffer{}) != 1 || !strings.Contains(out, c.shows) {
			t.Errorf("%v: error %v, printed %q", c.args, err, out)
		}
		if line := wide(out); line != "" {
			t.Errorf("%v: a wide line: %s", c.args, line)
		}
	}
}

// Losses are those that the options have: private matching is none of the published method.
func TestLossesAreThoseThatThereAre(t *testing.T) {
	for preset, want := range map[string]bool{"released": false, "refined": true} {
		out, _, err := command(t, "train", "-data", "syn1", "-preset", preset, "-set", "epochs=1", "-set", "hidden=8", "-set", "eval_epochs=1")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out, "\nselfsupervised ") || strings.Contains(out, "\nprivate ") != want {
			t.Errorf("%s prints\n%s", preset, out)
		}
	}
}
