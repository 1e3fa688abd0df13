package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem.example/core/brain/braintest"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/lab/study"
)

// writeScans writes a small cohort as BIDS names files, with a table of it, and returns the
// folder.
func writeScans(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	c, err := cohort.New(&cohort.Options{Subjects: 4, Regions: 60, Frames: 90, TR: 0.72, Effect: 1, Smoothness: 0.6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	table := "subject,condition,file\n"
	for subject := range 4 {
		for k, condition := range []string{"rest", "emotion"} {
			s := c.Series(subject, k)
			var b bytes.Buffer
			if err := npy.Write(&b, &npy.Array{Shape: []int{s.M(), s.Frames}, Data: s.Values}); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("sub-%d/sub-%d_task-%s_bold.npy", subject, subject, condition)
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			table += fmt.Sprintf("s%d,%s,%s\n", subject, condition, name)
		}
	}
	for name, text := range map[string]string{"scans.csv": table, "README": "a cohort\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A folder, and a table beside the files it names, are the same cohort; what is not of it is
// named.
func TestStudyOfACohort(t *testing.T) {
	dir := writeScans(t)
	var reports [2]bytes.Buffer
	for k, data := range []string{dir, filepath.Join(dir, "scans.csv")} {
		var said bytes.Buffer
		if err := execute(t.Context(), []string{"study", "table5", "-data", data, "-set", "tr=0.72", "-set", "epochs=1", "-set", "eval_epochs=5"}, &reports[k],
			&said); err != nil {
			t.Fatal(err)
		}
		if k == 0 && !strings.Contains(said.String(), "not used: README") {
			t.Errorf("said %q", said.String())
		}
	}
	for k := range reports {
		if text := reports[k].String(); !strings.Contains(text, "8 scans of 2 classes; folds hold out whole ones of 4 groups") ||
			!strings.Contains(text, "own cohort") {
			t.Errorf("%s", text)
		}
	}
	if figures(reports[0].String()) != figures(reports[1].String()) {
		t.Error("a folder with a table gives other figures than the table")
	}
	table := filepath.Join(dir, "scans.csv")
	err := execute(t.Context(), []string{"study", "table5", "-data", dir, "-out", table}, &reports[0], &reports[1])
	if err == nil || !strings.Contains(err.Error(), "would be replaced") {
		t.Errorf("a report in the place of the table of scans: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "sub-3", "sub-3_task-rest_bold.npy")); err != nil {
		t.Fatal(err)
	}
	err = execute(t.Context(), []string{"study", "table5", "-data", table}, &reports[0], &reports[1])
	if err == nil || !strings.Contains(err.Error(), `subject "s3", condition "rest": found sub-3/sub-3_task-rest_bold.npy, which is not among the files`) {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, "scans.csv")); err != nil {
		t.Fatal(err)
	}
	if err := execute(t.Context(), []string{"study", "identify", "-data", dir}, &reports[0], &reports[1]); err == nil ||
		!strings.Contains(err.Error(), "frames: found 90, expected at least 1080, of which 120 from frame") ||
		!strings.Contains(err.Error(), ", or shorter windows: window=10") {
		t.Error(err)
	}
	reports[0].Reset()
	err = execute(t.Context(), []string{"study", "identify", "-data", dir, "-set", "window=10", "-set", "epochs=1"}, &reports[0], &reports[1])
	if text := strings.Join(strings.Fields(reports[0].String()), " "); err != nil ||
		!strings.Contains(text, "Windows of 10 frames, 9 of a recording: 90 frames of it are needed.") {
		t.Errorf("%v: %s", err, text)
	}
	out := filepath.Join(t.TempDir(), "a.csv")
	for study, files := range map[string]map[string]string{"contrast": {"-connections": "region,with,rest,emotion,t,p,permuted,corrected,q,d,component\n"},
		"retest": {"-regions": "region,hemisphere,network,layer,ICC,low,high,rest,emotion\n"}} {
		args := []string{"study", study, "-data", dir, "-set", "first=rest", "-set", "second=emotion", "-set", "tr=0.72", "-out", out}
		if err := execute(t.Context(), args, &reports[0], &reports[1]); err != nil {
			t.Fatal(err)
		}
		for name, head := range files {
			b, err := os.ReadFile(strings.TrimSuffix(out, ".csv") + name + ".csv")
			if err != nil || !strings.HasPrefix(string(b), head) || strings.Count(string(b), "\n") < 4 || strings.Contains(string(b), "−") {
				t.Errorf("%v: %s", err, b)
			}
		}
	}
	reports[0].Reset()
	args := []string{"study", "retest", "-data", dir, "-set", "first=rest", "-set", "second=emotion", "-set", "tr=0.72"}
	err = execute(t.Context(), args, &reports[0], &reports[1])
	text := strings.Join(strings.Fields(reports[0].String()), " ")
	if err != nil || !strings.Contains(text, "of 3 subjects: ") ||
		!strings.Contains(text, "Left out: 3 (one of the conditions alone)") ||
		!strings.Contains(text, "The regions that are measured best") {
		t.Errorf("%v: %s", err, text)
	}
}

// Numbers take the place of participants' ids in every report, and in the names of files within; what is found does not change.
func TestNumbersInPlaceOfIDs(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for _, f := range braintest.Derivatives(t) {
		name := filepath.Join(dir, strings.ReplaceAll(filepath.FromSlash(f.Name), "sub-", "sub-anna"))
		if f.Name == "participants.tsv" {
			f.Data = bytes.ReplaceAll(f.Data, []byte("sub-"), []byte("sub-anna"))
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	found := func(more ...string) (all string) {
		for _, study := range []string{"contrast", "retest"} {
			for _, ending := range []string{"html", "md", "csv", "json"} {
				var report, said bytes.Buffer
				args := append([]string{"study", study, "-data", dir, "-choose", "condition=task", "-choose", "atlas=Gordon", "-untimed", "-set", "first=rest",
					"-set", "second=emotion", "-cache", filepath.Join(out, fmt.Sprint(len(more)))}, more...)
				if args = append(args, "-out", filepath.Join(out, study+"."+ending)); ending == "json" {
					args[len(args)-2], args = "-json", args[:len(args)-1]
				}
				if err := execute(t.Context(), args, &report, &said); err != nil {
					t.Fatal(err)
				}
				all += report.String()
			}
		}
		names, _ := filepath.Glob(filepath.Join(out, "*.*"))
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, text, ok := strings.Cut(string(b), "Made by"); ok { // the command names the folder
				b = b[:len(b)-len(text)]
			}
			all += string(b)
		}
		return all
	}
	table := filepath.Join(out, "contrast-connections.csv")
	if named := found(); !strings.Contains(named, "anna3") {
		t.Fatal("reports name no participant")
	}
	before, _ := os.ReadFile(table)
	numbered := found("-choose", "ids=numbers")
	if after, err := os.ReadFile(table); err != nil || !bytes.Equal(before, after) {
		t.Errorf("other connections than with ids: %v", err)
	}
	if at := strings.Index(numbered, "anna"); at >= 0 {
		t.Errorf("a participant is named: %s", numbered[max(at-200, 0):min(at+80, len(numbered))])
	}
	err := execute(t.Context(), []string{"study", "retest", "-data", dir, "-choose", "ids=names"}, &bytes.Buffer{}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "expected numbers, which take their place") {
		t.Error(err)
	}
}

// A folder with two atlases, two sessions, two runs, a subject without a task, a region without data and n/a leaves choices, each of
// which is taken; nothing of it is refused.
func TestEveryChoiceOfAFolder(t *testing.T) {
	dir := t.TempDir()
	for _, f := range braintest.Derivatives(t) {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	const tasks = "emotion against rest: 5 subjects in both conditions, pair by pair"
	for _, c := range []struct {
		choose string // with blanks between
		want   []string
		values int // regions of both layers
	}{
		{"", []string{tasks, "atlas: 4S156Parcels; atlas=Gordon would choose otherwise", "condition: task;", "sessions: 1;", "runs: join;",
			"Without emotion: 2;", "Left out: 2 (one of the conditions alone)", braintest.Empty["4S156Parcels"]}, 118},
		{"atlas=Gordon", []string{tasks, braintest.Empty["Gordon"]}, 78},
		{"sessions=2", []string{tasks}, 120}, // the region has data there
		{"sessions=join", []string{tasks}, 118},
		{"sessions=apart", []string{tasks}, 118},
		{"runs=2", []string{tasks}, 120},
		{"runs=apart sessions=apart", []string{tasks}, 118},
		{"condition=session", []string{"1 against 2: 6 subjects in both conditions"}, 118},
		{"condition=session task=emotion", []string{"1 against 2: 5 subjects in both conditions"}, 120},
		{"condition=run", []string{"run 1 against run 2: 6 subjects in both conditions"}, 118},
		{"condition=group", []string{"case against control: 3 subjects against 2", "participants.tsv does not say their group: 6"}, 118},
	} {
		args := []string{"study", "contrast", "-data", dir, "-set", "permutations=19", "-set", "beyond=0"}
		for choice := range strings.FieldsSeq(c.choose) {
			args = append(args, "-choose", choice)
		}
		if c.choose == "condition=group" {
			args = append(args, "-set", "first=case")
		}
		var out, said bytes.Buffer
		if err := execute(t.Context(), args, &out, &said); err != nil {
			t.Errorf("%s: %v", c.choose, err)
			continue
		}
		text := strings.Join(strings.Fields(out.String()+said.String()), " ")
		for _, want := range append(c.want, fmt.Sprintf(" of %d values of regions differ", c.values)) {
			if !strings.Contains(text, want) {
				t.Errorf("%q: no %q in %.3000s", c.choose, want, text)
			}
		}
	}
}

// Files of one name in two folders are two files; a table does not get the wrong one of them.
func TestCohortOfTwoFolders(t *testing.T) {
	first, second := writeScans(t), writeScans(t)
	for _, dir := range []string{first, second} {
		if err := os.Rename(filepath.Join(dir, "scans.csv"), filepath.Join(dir, "..", filepath.Base(dir)+".csv")); err != nil {
			t.Fatal(err)
		}
	}
	var o study.Order
	if _, err := new(program).cohortData(&o, []string{first, second}, nil, func(string, ...any) {}); err != nil || len(o.Cohort) != 16 || len(o.Files) != 16 {
		t.Errorf("%d scans in %d files, %v", len(o.Cohort), len(o.Files), err)
	}
	table := filepath.Join(second, "scans.csv")
	if err := os.Rename(filepath.Join(second, "..", filepath.Base(second)+".csv"), table); err != nil {
		t.Fatal(err)
	}
	_, err := new(program).cohortData(&o, []string{first, table}, nil, func(string, ...any) {})
	if err == nil || !strings.Contains(err.Error(), "has that name, too") {
		t.Error(err)
	}
}

// figures is the table of a report.
func figures(report string) string {
	_, table, _ := strings.Cut(report, "\ntable")
	return table
}

// The command of the identification finds real subjects in a folder, and reports other files.
func TestFolderOfRealSubjects(t *testing.T) {
	const folder = "../../../shared/data/hcp/rest"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the series of real subjects are not beside the repository")
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var files []formats.File
	series := 0
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, formats.File{Name: e.Name(), At: onDisk(filepath.Join(folder, e.Name())), Size: info.Size()})
		if strings.HasSuffix(e.Name(), ".npy") {
			series++
		}
	}
	found, err := connectome.FindScans(files, nil)
	if err != nil || len(found.Scans) != series || len(found.Ignored) != len(files)-series {
		t.Errorf("%+v, %v", found, err)
	}
}

// writeCollection writes graphs with classes into a folder and returns the table of them.
func writeCollection(t *testing.T, dir string) (table string) {
	t.Helper()
	for _, f := range runtest.Collection(t) {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
		table = string(f.Data) // it comes last
	}
	return table
}

// A folder of classes and a table of the same graphs, with the same groups, are the same collection; so is a plan of it.
func TestStudyOfACollection(t *testing.T) {
	dir := t.TempDir()
	grouped := writeCollection(t, dir)
	run := func(args ...string) string {
		t.Helper()
		var out, said bytes.Buffer
		if err := execute(t.Context(), append([]string{"study"}, args...), &out, &said); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	quick := []string{"-set", "epochs=2", "-set", "eval_epochs=5"}
	table := run(append([]string{"collection", "-data", filepath.Join(dir, "graphs.csv")}, quick...)...)
	if !strings.Contains(table, "20 graphs of 2 classes; folds hold out whole ones of 10 groups") {
		t.Errorf("%s", table)
	}
	plan := filepath.Join(t.TempDir(), "plan")
	run(append([]string{"plan", "collection", "-data", dir, "-dir", plan}, quick...)...)
	run("run", plan)
	if figures(run("merge", plan)) != figures(table) {
		t.Error("a plan of the folder gives other figures than the table in it")
	}
	if err := os.Remove(filepath.Join(dir, "graphs.csv")); err != nil {
		t.Fatal(err)
	}
	alone := run(append([]string{"collection", "-data", dir}, quick...)...)
	if !strings.Contains(alone, "20 graphs of 2 classes; folds hold out whole ones of 20 groups") {
		t.Errorf("%s", alone)
	}
	if err := os.WriteFile(filepath.Join(dir, "graphs.csv"), []byte(strings.Replace(grouped, "alike 3,alike", "alike 3,", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	err := execute(t.Context(), []string{"study", "collection", "-data", filepath.Join(dir, "graphs.csv")}, new(bytes.Buffer), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "graphs.csv:5: class: found an empty field, expected a class") {
		t.Errorf("found %v", err)
	}
}
