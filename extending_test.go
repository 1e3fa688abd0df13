package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExtending applies the changes of docs/extending.md to copies of the files that they touch, and builds what comes of them.
func TestExtending(t *testing.T) {
	text, err := os.ReadFile("docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	touched := regexp.MustCompile(`(?m)^\+\+\+ b/(.*)$`)
	changes := regexp.MustCompile("(?s)\n```diff\n(.*?\n)```\n").FindAllSubmatch(text, -1)
	if len(changes) != 3 {
		t.Fatalf("%d changes, expected a loss, a reader and a view", len(changes))
	}
	for _, c := range changes {
		files := touched.FindAllSubmatch(c[1], -1)
		if n := strings.Count(string(c[1]), "\n") - 2*len(files); n > 60 {
			t.Errorf("a change has %d lines, expected at most 60", n)
		}
		dir := t.TempDir()
		overlay := map[string]string{}
		for _, f := range files {
			name := string(f[1])
			overlay[filepath.Join(here, name)] = filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(name); err == nil { // others are new
				if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		run := func(dir string, name string, args ...string) {
			t.Helper()
			cmd := exec.Command(name, args...)
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(string(c[1]))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
			}
		}
		run(dir, "git", "apply", "--unidiff-zero", "-")
		if strings.HasPrefix(string(files[0][1]), "www/") {
			var changed []string
			for _, f := range files {
				changed = append(changed, strings.TrimPrefix(string(f[1]), "www/"))
			}
			checkTypes(t, dir, run, changed)
			continue
		}
		b, err := json.Marshal(map[string]any{"Replace": overlay})
		if err != nil {
			t.Fatal(err)
		}
		list := filepath.Join(dir, "overlay.json")
		if err := os.WriteFile(list, b, 0o600); err != nil {
			t.Fatal(err)
		}
		build := []string{"build", "-overlay", list}
		for _, f := range files {
			if folder := "./" + filepath.Dir(string(f[1])); !slices.Contains(build, folder) {
				build = append(build, folder)
			}
		}
		run(here, "go", build...)
	}
}

// typesOf has the compiler of TypeScript check the modules that it is given, and of all others what these use.
const typesOf = `const ts = require('typescript');
const c = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, {...ts.sys, onUnRecoverableConfigFileDiagnostic(d) { throw d; }});
const program = ts.createProgram(c.fileNames, c.options);
const found = process.argv.slice(1).flatMap(name => {
  const file = program.getSourceFile(ts.sys.resolvePath(name));
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
});
process.stdout.write(ts.formatDiagnostics(found, {getCanonicalFileName: f => f, getCurrentDirectory: ts.sys.getCurrentDirectory, getNewLine: () => '\n'}));
process.exit(found.length ? 1 : 0);`

// checkTypes has the changed modules of a folder checked beside all others.
func checkTypes(t *testing.T, dir string, run func(dir, name string, args ...string), changed []string) {
	if _, err := os.Stat("www/node_modules/typescript"); err != nil {
		t.Skip("the compiler of TypeScript is not installed (make setup installs it)")
	}
	run(".", "go", "run", "./scripts/build/messages") // which git does not keep
	modules, err := filepath.Glob("www/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if m == filepath.Join("www", "node_modules") {
			continue
		}
		if err := exec.Command("cp", "-rnP", m, filepath.Join(dir, "www")).Run(); err != nil {
			t.Fatal(err)
		}
	}
	installed, err := filepath.Abs("www/node_modules")
	if err == nil {
		err = os.Symlink(installed, filepath.Join(dir, "www", "node_modules"))
	}
	if err != nil {
		t.Fatal(err)
	}
	run(filepath.Join(dir, "www"), "node", append([]string{"-e", typesOf, "--"}, changed...)...)
}
