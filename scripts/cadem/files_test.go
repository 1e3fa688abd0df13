package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"cadem.example/core/lab/study"
)

// sums are those of all files in a folder, with where links lead.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found[path] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// linked makes paths of another ending that lead to a file: by a link, by a chain of them, through
// a linked folder, and as another name of it.
func linked(t *testing.T, to, ending string) []string {
	t.Helper()
	dir := t.TempDir()
	whole, err := filepath.Abs(to)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for k := range 4 {
		paths = append(paths, filepath.Join(dir, fmt.Sprint("out", k, ending)))
	}
	paths[2] = filepath.Join(dir, "folder", "out2"+ending)
	for _, err := range []error{os.Symlink(whole, paths[0]), os.Symlink(paths[0], paths[1]), os.Mkdir(filepath.Join(dir, "real"), 0o755),
		os.Symlink(filepath.Join(dir, "real"), filepath.Join(dir, "folder")), os.Symlink(whole, paths[2]), os.Link(whole, paths[3])} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if filepath.Ext(to) == ending {
		paths = append(paths, to)
	}
	return paths
}

// A way is a command that writes a result.
type way struct {
	args   []string
	flag   string
	ending string
	read   []string // files that are no place for the result
}

// studyWays are those of the experiments that read files, and how many these are.
func studyWays(edges, collection, graph, scans, plan string) (ways []way, kinds int) {
	table, scan := filepath.Join(scans, "scans.csv"), filepath.Join(scans, "sub-0", "sub-0_task-rest_bold.npy")
	for _, s := range studies() {
		args := []string{"study", s.Name, "-seeds", "1", "-data"}
		switch {
		case s.Needs == study.NeedCohort:
			ways = append(ways, way{append(slices.Clone(args), scans), "-out", ".csv", []string{scan, table}},
				way{append(slices.Clone(args), table), "-out", ".html", []string{scan, table}})
		case s.Needs == study.NeedGraphs:
			ways = append(ways, way{append(slices.Clone(args), collection), "-out", ".csv", []string{graph}})
		case s.OfGraphs():
			ways = append(ways, way{append(slices.Clone(args), edges), "-out", ".md", []string{edges}},
				way{append(slices.Clone(args), edges, "-cache", plan), "-out", ".tex", []string{edges, filepath.Join(plan, planFile)}})
		default:
			continue // it reads nothing
		}
		kinds++
	}
	return ways, kinds
}

// Every command, and every experiment that reads files, refuses a result in the place of a file that it reads: named, listed in a table,
// in a folder, beside a model, or kept of a study; also by a link and by another name of it. Nothing is changed.
func TestNoCommandReplacesInputs(t *testing.T) {
	graph, collection, scans := t.TempDir(), t.TempDir(), writeScans(t)
	edges := filepath.Join(graph, "e.csv")
	const text = "source,target,layer\na,b,1\nb,c,1\nc,a,1\nc,d,1\nd,e,2\ne,f,2\nf,d,2\n"
	if err := os.WriteFile(edges, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	writeCollection(t, collection)
	graphs, err := filepath.Glob(filepath.Join(collection, "*", "*"))
	if err != nil || len(graphs) == 0 {
		t.Fatal(err)
	}
	table, scan := filepath.Join(scans, "scans.csv"), filepath.Join(scans, "sub-0", "sub-0_task-rest_bold.npy")
	kept := t.TempDir()
	model, run, plan := filepath.Join(kept, "m.npz"), filepath.Join(kept, "run.zip"), filepath.Join(kept, "plan")
	few := []string{"-set", "epochs=1", "-set", "inner_steps=1", "-set", "hidden=4"}
	for _, args := range [][]string{
		slices.Concat([]string{"train", "-data", edges, "-out", run, "-model", model}, few),
		slices.Concat([]string{"study", "plan", "table6", "-data", edges, "-seeds", "1", "-dir", plan}, few),
		slices.Concat([]string{"study", "plan", "contrast", "-data", table, "-set", "permutations=9", "-dir", plan + "2"}),
	} {
		if _, log, err := command(t, args...); err != nil {
			t.Fatal(err, log)
		}
	}
	ways := []way{
		{[]string{"apply", model, "-data", edges}, "-embeddings", ".csv", []string{model, edges}},
		{[]string{"train", "-resume", run}, "-embeddings", ".csv", []string{run}},
		{[]string{"train", "-resume", run}, "-model", ".npz", []string{run}},
		{[]string{"train", "-resume", run, "-embeddings", filepath.Join(kept, "new.csv")}, "-model", ".npz", []string{run}},
		{[]string{"study", "merge", plan}, "-out", ".csv", []string{edges, filepath.Join(plan, planFile)}},
		{[]string{"study", "merge", plan + "2"}, "-out", ".html", []string{table, scan}},
	}
	for _, flag := range [][2]string{{"-out", ".zip"}, {"-embeddings", ".csv"}, {"-embeddings", ".npz"}, {"-model", ".npz"}} {
		ways = append(ways, way{[]string{"train", "-data", edges}, flag[0], flag[1], []string{edges}})
	}
	for _, flag := range [][2]string{{"-out", ".csv"}, {"-out", ".html"}, {"-embeddings", ".csv"}, {"-model", ".npz"}} {
		of := []string{"subjects", "-model", filepath.Join(kept, "new.npz"), "-data"}
		if flag[0] == "-model" {
			of = []string{"subjects", "-data"}
		}
		ways = append(ways, way{append(slices.Clone(of), scans), flag[0], flag[1], []string{scan, table, filepath.Join(scans, "README")}},
			way{append(slices.Clone(of), table), flag[0], flag[1], []string{scan, table}},
			way{append(slices.Clone(of), collection), flag[0], flag[1], graphs[:1]})
	}
	of, kinds := studyWays(edges, collection, graphs[0], scans, plan)
	ways = append(ways, of...)
	if kinds < 10 {
		t.Errorf("%d experiments read files", kinds)
	}
	before := []map[string]string{sums(t, graph), sums(t, collection), sums(t, scans), sums(t, kept)}
	for _, w := range ways {
		for _, file := range w.read {
			for _, out := range linked(t, file, w.ending) {
				args := slices.Concat(w.args, []string{w.flag, out})
				_, _, err := command(t, args...)
				if err == nil || !strings.Contains(err.Error(), "would be replaced") || status(err, io.Discard) != 2 {
					t.Errorf("cadem %s: %v, expected that it is refused", strings.Join(args, " "), err)
				}
			}
		}
	}
	for k, dir := range []string{graph, collection, scans, kept} {
		if now := sums(t, dir); !mapsEqual(now, before[k]) {
			t.Errorf("files of %s have changed", dir)
		}
	}
}

func mapsEqual(a, b map[string]string) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// Results that are written beside each other have files of their own.
func TestResultsAreApart(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("r.csv", "e.csv"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"subjects", "-data", "synthetic", "-model", "m.npz", "-out", "r.csv", "-embeddings", "e.csv"},
		{"subjects", "-data", "synthetic", "-model", "m.npz", "-embeddings", "./m.npz"},
		{"train", "-data", "syn1", "-model", "m.npz", "-embeddings", "m.npz"},
	} {
		if _, _, err := command(t, args...); err == nil || !strings.Contains(err.Error(), "would be replaced") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// What is kept in a folder does not go where a link leads to a file that is read.
func TestCacheReplacesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "source,target,layer\n"
	for i := range 40 {
		text += fmt.Sprintf("n%d,n%d,1\nn%d,n%d,2\n", i, (i+1)%40, i, (i+7)%40)
	}
	if err := os.WriteFile("e.csv", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"study", "table6", "-data", "e.csv", "-links", "1", "-seeds", "1", "-set", "epochs=1", "-set", "hidden=4", "-cache", "kept"}
	if _, log, err := command(t, args...); err != nil {
		t.Fatal(err, log)
	}
	for _, name := range resultsIn(t, "kept") {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../e.csv", name); err != nil {
			t.Fatal(err)
		}
	}
	out, _, err := command(t, args...)
	if err == nil || !strings.Contains(err.Error(), "would be replaced") || out == "" {
		t.Errorf("%v, printed %q", err, out)
	}
	if now, err := os.ReadFile("e.csv"); err != nil || string(now) != text {
		t.Errorf("the data became %d bytes", len(now))
	}
}

// The report of a model that was trained is not empty, in any of its forms.
func TestReportOfAModel(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"r.csv", "r.tex", "r.md", "r.html"} {
		_, log, err := command(t, "subjects", "-data", "synthetic", "-set", "regions=60", "-set", "frames=80", "-set", "subjects=4", "-set", "epochs=1",
			"-set", "inner_steps=2", "-set", "hidden=8", "-model", "m.npz", "-out", name)
		if err != nil {
			t.Fatal(err, log)
		}
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "probability") {
			t.Errorf("%s: %v, %q", name, err, text)
		}
	}
}

// Files have the permissions that the umask leaves, and a file that was there keeps its own.
func TestUmask(t *testing.T) {
	program := makeProgram(t)
	for mask, want := range map[string]fs.FileMode{"077": 0o600, "002": 0o664} {
		dir := t.TempDir()
		c := exec.Command("sh", "-c", "umask "+mask+` && "$@"`, "sh", program, "train", "-data", "syn1", "-set", "nodes=30", "-set", "epochs=1", "-set",
			"eval_epochs=1", "-out", "run.zip", "-embeddings", "e.csv", "-model", "m.npz")
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
		c = exec.Command("sh", "-c", "umask "+mask+` && "$@"`, "sh", program, "study", "plan", "table1", "-dir", "plan")
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
		for name, want := range map[string]fs.FileMode{"run.zip": want, "e.csv": want, "m.npz": want, "plan/plan.json": want, "plan": want | want&0o444>>2} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
				t.Errorf("umask %s: %s is %v (%v)", mask, name, info.Mode(), err)
			}
		}
	}
}

// A pipe that nobody writes to, a device and a socket are not waited for: they are named, as an argument, in a folder and in a table.
func TestRegularFilesOnly(t *testing.T) {
	scans := writeScans(t)
	pipe, zero := filepath.Join(scans, "sub-0", "sub-0_task-rest_run-2_bold.npy"), filepath.Join(scans, "zero.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	if err := execute(t.Context(), []string{"study", "plan", "contrast", "-data", scans, "-dir", filepath.Join(t.TempDir(), "plan")}, &out, &log); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"not used: " + pipe + ", which is a pipe", "not used: " + zero + ", which is a device"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %q in %s", want, &log)
		}
	}
	golden := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(golden, "x.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(scans, "table.csv")
	text := "subject,condition,file\ns0,rest," + pipe + "\ns0,emotion,sub-0/sub-0_task-emotion_bold.npy\n"
	if err := os.WriteFile(table, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"study", "contrast", "-data", table}, {"subjects", "-data", table, "-model", filepath.Join(t.TempDir(), "m.npz")},
		{"train", "-data", pipe}, {"train", "-resume", pipe}, {"inspect", pipe}, {"connectome", pipe}, {"apply", pipe, "-data", pipe},
		{"subjects", pipe, "-data", "synthetic"}, {"study", "table6", "-data", pipe}, {"parity", golden},
	} {
		if _, _, err := command(t, args...); err == nil || !strings.Contains(err.Error(), "a pipe, expected a file") {
			t.Errorf("cadem %v: %v", args, err)
		}
	}
	if _, _, err := command(t, "train", "-data", zero); err == nil || !strings.Contains(err.Error(), "a device, expected a file") {
		t.Error(err)
	}
}

// A folder without a recording is not taken for an order of invented ones, and a link to a folder is that folder.
func TestFoldersOfNothing(t *testing.T) {
	empty, other, link := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(filepath.Join(other, "README"), []byte("nothing\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{empty, other} {
		for _, args := range [][]string{{"study", "contrast", "-data", dir, "-set", "permutations=19"}, {"subjects", "-data", dir, "-model", "m.npz"}} {
			if out, _, err := command(t, args...); err == nil || !strings.Contains(err.Error(), "found no") {
				t.Errorf("cadem %v: %v, printed %s", args, err, out)
			}
		}
	}
	if err := os.Symlink(writeScans(t), link); err != nil {
		t.Fatal(err)
	}
	if out, _, err := command(t, "study", "contrast", "-data", link, "-set", "permutations=19", "-set", "beyond=0"); err != nil ||
		!strings.Contains(out, "4 subjects in both conditions") {
		t.Errorf("%v, printed %s", err, out)
	}
}

// A kept result in which any one character was changed is computed again, not merged; one of before there were sums is taken.
func TestChangedResults(t *testing.T) {
	dir := planned(t, tiny...)
	if _, log, err := command(t, "study", "run", dir); err != nil {
		t.Fatal(err, log)
	}
	want, _, err := command(t, "study", "merge", dir)
	if err != nil {
		t.Fatal(err)
	}
	name := resultsIn(t, dir)[0]
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	sum := bytes.LastIndex(whole, []byte(`,"sum":"`))
	for k := range sum {
		if digit := whole[k]; k%7 == 0 && digit >= '0' && digit <= '9' {
			changed := bytes.Clone(whole)
			changed[k] = '0' + (digit-'0'+1)%10
			if err := os.WriteFile(name, changed, 0o644); err != nil {
				t.Fatal(err)
			}
			if c := (&resultFolder{dir: dir, say: func(string, ...any) {}}); c.find(strings.TrimSuffix(filepath.Base(name), resultEnding)) != nil {
				t.Fatalf("a result is taken with another digit at %d of %d", k, len(whole))
			}
		}
	}
	if _, log, err := command(t, "study", "merge", dir); err == nil || !strings.Contains(log, "cannot be used") || !strings.Contains(log, "missing: ") {
		t.Errorf("%v, said %s", err, log)
	}
	if err := os.WriteFile(name, append(whole[:sum:sum], '}'), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, log, err := command(t, "study", "merge", dir); err != nil || got != want {
		t.Errorf("of before: %v, said %s", err, log)
	}
}
