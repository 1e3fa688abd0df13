package main

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/study/experiments"
)

// A codeBlock is code in a document: indented by four blanks, or between fences, which may name its
// language.
type codeBlock struct {
	file     string
	line     int // of its first line
	language string
	lines    []string
}

func codeBlocks(file, text string) (list []codeBlock) {
	var b *codeBlock
	fenced := false
	for k, line := range strings.Split(text, "\n") {
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case strings.HasPrefix(line, "```"):
			if fenced = !fenced; fenced {
				list = append(list, codeBlock{file, k + 2, strings.TrimSpace(line[3:]), nil})
				b = &list[len(list)-1]
			} else {
				b = nil
			}
		case fenced:
			b.lines = append(b.lines, line)
		case !indented:
			b = nil
		default:
			if b == nil {
				list = append(list, codeBlock{file, k + 1, "", nil})
				b = &list[len(list)-1]
			}
			if last := len(b.lines) - 1; last >= 0 && strings.HasSuffix(b.lines[last], " \\") { // it goes on
				b.lines[last] = strings.TrimSuffix(b.lines[last], "\\") + strings.TrimSpace(code)
				break
			}
			b.lines = append(b.lines, code)
		}
	}
	return list
}

// Every line of code of the documents runs: in the order of each document, in a folder with small data of the
// names that it uses, and with few epochs. A line that is neither a command nor of a known language fails.
func TestDocuments(t *testing.T) {
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(here, "docs", "*.md"))
	if err != nil || len(names) < 5 {
		t.Fatalf("documents %q, %v", names, err)
	}
	makefile, err := os.ReadFile(filepath.Join(here, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{filepath.Join(here, "README.md")}, names...) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			writeDocumentedData(t)
			for _, folder := range []string{"core", "scripts"} {
				if err := os.Symlink(filepath.Join(here, folder), folder); err != nil {
					t.Fatal(err)
				}
			}
			// The figures there take hours: their studies are planned with all that they need, not run.
			d := &document{root: here, makefile: string(makefile), planned: filepath.Base(name) == "refined.md"}
			for _, b := range codeBlocks(filepath.Base(name), string(text)) {
				d.run(t, &b)
			}
			if tables := keyTables(string(text)); tables != nil {
				checkKeys(t, tables)
			}
		})
	}
}

// A document is one whose code is run.
type document struct {
	root     string
	makefile string
	planned  bool
	plans    int
}

func (d *document) run(t *testing.T, b *codeBlock) {
	t.Helper()
	switch b.language {
	case "":
		for k, line := range b.lines {
			d.command(t, fmt.Sprintf("%s:%d: %s", b.file, b.line+k, line), line)
		}
	case "csv":
		if _, err := csv.NewReader(strings.NewReader(strings.Join(b.lines, "\n"))).ReadAll(); err != nil {
			t.Errorf("%s:%d: %v", b.file, b.line, err)
		}
	case "python":
		if !strings.HasPrefix(b.lines[0], ">>> ") { // a session, which TestPython runs
			python(t, b)
		}
	case "sh": // which TestPython, TestOutsideModule and TestModule run
		if b.file != "python.md" && b.file != "go.md" && b.file != "javascript.md" {
			t.Errorf("%s:%d: found commands that nothing here runs", b.file, b.line)
		}
	case "diff": // which TestExtending applies
	case "go", "go.mod", "js", "html":
		d.shown(t, b)
	default:
		t.Errorf("%s:%d: found the language %q, expected python, csv, go, js, html, or commands without one", b.file, b.line, b.language)
	}
}

// shown looks for lines in the programs that tests of their own run.
func (d *document) shown(t *testing.T, b *codeBlock) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(d.root, "testdata", "outside", "*"))
	pages, err2 := filepath.Glob(filepath.Join(d.root, "www", "examples", "*"))
	code := strings.Join(b.lines, "\n")
	found := err != nil || err2 != nil
	for _, name := range slices.Concat(names, pages, []string{filepath.Join(d.root, "core", "train", "example_test.go")}) {
		text, err := os.ReadFile(name)
		found = found || err == nil && strings.Contains(string(text), code)
	}
	if !found {
		t.Errorf("%s:%d: nothing in testdata/outside, www/examples or core/train/example_test.go reads so:\n%s", b.file, b.line, code)
	}
}

// command runs a line of a shell.
func (d *document) command(t *testing.T, where, line string) {
	t.Helper()
	line, _, _ = strings.Cut(line, " #")
	line = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(line), "/usr/bin/time -v "), " /shared/", " shared/")
	line, to, _ := strings.Cut(line, " > ")
	words := strings.Fields(line)
	switch {
	case len(words) == 2 && words[0] == "make":
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(words[1]) + `:`).MatchString(d.makefile) {
			t.Errorf("%s: make knows nothing of that name", where)
		}
	case len(words) == 2 && words[0] == "sh":
		if out, err := exec.Command("sh", "-n", words[1]).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", where, err, out)
		}
	case len(words) > 1 && words[0] == "bin/cadem":
		out, log, err := command(t, d.shortened(words[1:])...)
		if err != nil || out+log == "" {
			t.Errorf("%s: %v, printed %q, said %q", where, err, out, log)
		}
		if to != "" {
			if err := os.WriteFile(to, []byte(out), 0o600); err != nil {
				t.Fatal(err)
			}
		} else if wide := wide(out); wide != "" {
			t.Errorf("%s: a wide line: %s", where, wide)
		}
		for k, word := range words {
			if word == "-out" || word == "-embeddings" {
				if _, err := os.Stat(words[k+1]); err != nil && !d.planned {
					t.Errorf("%s: %v", where, err)
				}
			}
		}
	default:
		t.Errorf("%s: found a line that nothing here runs, expected bin/cadem, make or sh, or a fence that names the language", where)
	}
}

// shortened makes a command short.
func (d *document) shortened(args []string) []string {
	all := strings.Join(args, " ")
	study := args[0] == "study"
	if study && slices.Contains([]string{"run", "merge", "sbatch", "links"}, args[1]) {
		return args
	}
	if study && d.planned {
		d.plans++
		args = append([]string{"study", "plan"}, append(args[1:], "-dir", fmt.Sprint("plan", d.plans))...)
	}
	long := os.Getenv("CADEM_LONG") != ""
	for k, arg := range args { // a thousand epochs take as long as all other commands together
		if epochs, ok := strings.CutPrefix(arg, "epochs="); ok && len(epochs) > 2 && !long {
			args[k] = "epochs=2"
		}
	}
	words := []string{"epochs=", "-resume", "-method", "closed", "study contrast", "study retest"}
	others := slices.ContainsFunc(words, func(s string) bool { return strings.Contains(all, s) })
	if (args[0] == "train" || study) && !others {
		args = append(args, "-set", "epochs=1")
	}
	classified := args[0] == "train" && regexp.MustCompile(`-data syn1|labels\.csv|-labels label`).MatchString(all) && !strings.Contains(all, "-resume")
	if study && args[1] != "sweep" && experiments.All().Lookup(args[1]) != nil {
		classified = experiments.All().Lookup(args[1]).Classifies
	}
	if classified && !long && !strings.Contains(all, "eval_epochs=") {
		args = append(args, "-set", "eval_epochs=2") // of classifiers, which take longer than a training
	}
	switch {
	case strings.Contains(all, "kmeans_runs="):
	case strings.Contains(all, "train -data syn2"), strings.Contains(all, "train -data syn3"), study && args[1] == "table3": // scored by clusters
		args = append(args, "-set", "kmeans_runs=1", "-set", "kmeans_restarts=1")
	}
	if k := slices.Index(args, "all"); k > 0 && args[k-1] == "-methods" && !long {
		args[k] = "cadem,random,dgi"
	}
	drawn := study && !long && (args[1] == "induction" || args[1] == "faithful") && !slices.Contains(args, "-data")
	if drawn || study && slices.Contains(args, "gamma") && !strings.Contains(all, "published") || strings.Contains(all, "table6 -data syn2 -links") {
		args = append(args, "-set", "nodes=60")
	}
	if study {
		if k := slices.Index(args, "-seeds"); k >= 0 {
			args = slices.Delete(args, k, k+2)
		}
		args = append(args, "-seeds", "1")
		if k := slices.Index(args, "-trials"); k >= 0 {
			args[k+1] = "2"
		}
		if args[1] == "evidence" {
			if k := slices.Index(args, "-links"); k >= 0 {
				args = slices.Delete(args, k, k+2)
			}
			args = append(args, "-links", "1", "-set", "permutations=19")
			if slices.Contains(args, "sparsetown") {
				args = append(args, "-set", "nodes=90")
			}
		}
		if args[1] == "sweep" { // two values of its first axis
			most := 2
			for k, arg := range args {
				if list := strings.Split(arg, ","); strings.Contains(arg, "=") && len(list) > 1 {
					args[k], most = strings.Join(list[:most], ","), 1
				}
			}
			args = append(args, "-set", "eval_epochs=2", "-set", "folds=2")
		}
	}
	if strings.Contains(all, "synthetic") || strings.Contains(all, "plan table5") {
		for k := range args {
			if strings.HasPrefix(args[k], "subjects=") {
				args[k] = "subjects=4"
			}
		}
		if !slices.Contains(args, "subjects=4") {
			args = append(args, "-set", "subjects=4")
		}
		args = append(args, "-set", "regions=60", "-set", "frames=90")
	}
	return args
}

// python runs lines where Python has the modules that they import. Whether it has or not, the arrays that they
// take out of files of embeddings are there.
func python(t *testing.T, b *codeBlock) {
	t.Helper()
	code := strings.Join(b.lines, "\n")
	for _, m := range regexp.MustCompile(`(\w+) = numpy\.load\("([^"]+)"\)`).FindAllStringSubmatch(code, -1) {
		keys := exportedKeys(t, m[2])["NPZ"]
		for _, key := range regexp.MustCompile(`\b`+m[1]+`\["([^"]+)"\]`).FindAllStringSubmatch(code, -1) {
			if !slices.Contains(keys, key[1]) {
				t.Errorf("%s:%d: %s has no array %s but %q", b.file, b.line, m[2], key[1], keys)
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^import (.+)$`).FindAllStringSubmatch(code, -1) {
		if exec.Command("python3", "-c", m[0]).Run() != nil {
			t.Logf("%s:%d: not run, there is no python3 with %s here", b.file, b.line, m[1])
			return
		}
	}
	if out, err := exec.Command("python3", "-c", code).CombinedOutput(); err != nil {
		t.Errorf("%s:%d: %v\n%s", b.file, b.line, err, out)
	}
}

// keyTables returns the tables of a document that list what files hold, by the words before "key" or "column" in
// their first cell: the patterns that each row has there.
func keyTables(text string) map[string][]string {
	var tables map[string][]string
	kind := ""
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			kind = ""
			continue
		}
		first := strings.TrimSpace(cells[1])
		if name, ok := strings.CutPrefix(first, "in "); ok {
			if tables == nil {
				tables = map[string][]string{}
			}
			kind = name
		} else if kind != "" && first != "---" {
			var patterns []string
			for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(first, -1) {
				p := regexp.QuoteMeta(m[1])
				for _, word := range []string{"LAYER", "LABELS"} {
					p = strings.ReplaceAll(p, word, ".+")
				}
				patterns = append(patterns, regexp.MustCompile(`\d+`).ReplaceAllString(p, `\d+`))
			}
			tables[kind] = append(tables[kind], strings.Join(patterns, "|"))
		}
	}
	return tables
}

// checkKeys compares tables with the files of embeddings that the commands before them wrote: each key has a row,
// and each row a key.
func checkKeys(t *testing.T, tables map[string][]string) {
	t.Helper()
	files, err := filepath.Glob("embeddings.*")
	if err != nil || len(files) == 0 {
		t.Fatalf("files of embeddings: %q, %v", files, err)
	}
	found := 0
	for _, name := range append(files, "run.zip") {
		for kind, keys := range exportedKeys(t, name) {
			rows, ok := tables[kind]
			if !ok {
				t.Errorf("no table lists what is in %s: %q", kind, keys)
			}
			found++
			used := make([]bool, len(rows))
			for _, key := range keys {
				k := -1 // of the row that says most of the key
				for i, row := range rows {
					if regexp.MustCompile("^("+row+")$").MatchString(key) && (k < 0 || len(row) > len(rows[k])) {
						k = i
					}
				}
				if k < 0 {
					t.Errorf("%s: the table of what is in %s has no row for %s", name, kind, key)
					continue
				}
				used[k] = true
			}
			for k, row := range rows {
				if !used[k] {
					t.Errorf("%s: nothing in %s is called %s", name, kind, row)
				}
			}
		}
	}
	if found != len(tables) {
		t.Errorf("%d kinds of content for %d tables", found, len(tables))
	}
}

// exportedKeys returns what files of embeddings hold, and a run, in the words of the tables.
func exportedKeys(t *testing.T, name string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return nil
	}
	switch filepath.Ext(name) {
	case ".npz", ".zip":
		kind := "NPZ"
		if filepath.Ext(name) == ".zip" {
			kind = "a run"
		}
		return map[string][]string{kind: membersOf(t, data)}
	case ".csv":
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return map[string][]string{"CSV": rows[0]}
	}
	keys := map[string][]string{}
	for _, m := range regexp.MustCompile(`<key id="\w+" for="(\w+)" attr.name="([^"]+)"`).FindAllStringSubmatch(string(data), -1) {
		keys["GraphML, "+m[1]+"s"] = append(keys["GraphML, "+m[1]+"s"], m[2])
	}
	return keys
}

// arrayOf writes an array of numbers.
func arrayOf(t *testing.T, a *npy.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := npy.Write(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zipped packs members, names and contents in turn.
func zipped(t *testing.T, members ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(members); k += 2 {
		w, err := z.Create(members[k].(string))
		if err == nil {
			_, err = w.Write(members[k+1].([]byte))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// membersOf returns the names in an archive, without the ending of arrays.
func membersOf(t *testing.T, data []byte) (names []string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		names = append(names, strings.TrimSuffix(f.Name, ".npy"))
	}
	return names
}
