// Command audit lists what the project depends on: every module and package with its version, its licence, and the reason
// to have it. A dependency without a reason is an error, and so is a reason without a dependency.
//
//	go run ./scripts/audit
//
// Then it asks govulncheck and npm what is known against these versions. A database that cannot be reached is said,
// and is not an error; a finding is one.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"cadem.example/scripts/build/builder"
)

// reasons lists the reasons to have a dependency, by its name. An indirect one says so.
var reasons = map[string]string{
	"github.com/evanw/esbuild":         "bundles the page when it is built; in no program",
	"github.com/hack-pad/go-indexeddb": "the browser's database, for wasm/store",
	"github.com/hack-pad/safejs":       "asked for by go-indexeddb",
	"gonum.org/v1/gonum":               "matrices; oracles of tests (ARCHITECTURE.md says where)",
	"honnef.co/go/js/dom/v2":           "the types of the page's document, for wasm/page",
	"golang.org/x/sys":                 "asked for by esbuild",
	"golang.org/x/text":                "composes letters in names, for scripts/cadem; browsers do it themselves",
	"axe-core":                         "looks for what keeps people from using the page, in tests",
	"typescript":                       "checks the types of the page's scripts, in tests",
	"uplot":                            "the chart of the losses",
	"@tensorflow/tfjs":                 "what the page's speed is compared with, in make bench",
	"@tensorflow/tfjs-backend-wasm":    "what the page's speed is compared with, in make bench",
}

// A dependency is somebody else's module or package.
type dependency struct{ name, version, licence, from string }

func main() {
	root, err := builder.FindRoot(".")
	if err == nil {
		err = run(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	list, err := dependencies(root)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "dependency\tversion\tlicence\tfrom\treason")
	for _, d := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.name, d.version, d.licence, d.from, reasons[d.name])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return errors.Join(
		ask("govulncheck", root, "go", "run", govulncheck, "./..."),
		ask("npm audit", filepath.Join(root, "www"), "npm", "audit"))
}

const govulncheck = "golang.org/x/vuln/cmd/govulncheck@v1.9.0"

// unreached matches the lines in which the two programs say that they cannot reach their databases, and the go command and
// npm that they cannot reach the programs.
var unreached = regexp.MustCompile(`(?m)^(govulncheck: fetching vulnerabilities: .*|npm (error|ERR!) audit endpoint .*|` +
	`npm (error|ERR!) .*(ENOTFOUND|ECONNREFUSED|EAI_AGAIN).*|go: .*(dial tcp|no such host|module lookup disabled).*)$`)

// ask runs a program that knows of vulnerabilities and prints what it says.
func ask(name, dir, program string, arg ...string) error {
	c := exec.Command(program, arg...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOEXPERIMENT=")
	out, err := c.CombinedOutput()
	if err == nil {
		fmt.Printf("\n%s: nothing is known against these versions\n", name)
		return nil
	}
	if m := unreached.Find(out); m != nil {
		fmt.Printf("\n%s: not checked, its database could not be reached (%s)\n", name, m)
		return nil
	}
	fmt.Printf("\n%s:\n%s", name, out)
	return fmt.Errorf("%s: %w", name, err)
}

// dependencies lists what go.mod, the page's and the benchmark's package.json and www/vendor name.
func dependencies(root string) (list []dependency, err error) {
	for _, read := range []func(string) ([]dependency, error){modules, packages("www"), packages("scripts/bench/tfjs"), vendored} {
		more, err := read(root)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	needless := maps.Clone(reasons)
	var wrong []error
	for _, d := range list {
		if reasons[d.name] == "" {
			wrong = append(wrong, fmt.Errorf("%s: no reason to have it (expected one in scripts/audit)", d.name))
		}
		delete(needless, d.name)
	}
	for _, name := range slices.Sorted(maps.Keys(needless)) {
		wrong = append(wrong, fmt.Errorf("%s: a reason for what is not depended on", name))
	}
	return list, errors.Join(wrong...)
}

// modules returns the modules of go.mod, those too that others of them ask for.
func modules(root string) (list []dependency, err error) {
	c := exec.Command("go", "list", "-m", "-json", "all")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m all: %w", err)
	}
	required, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var m struct {
			Path, Version, Dir string
			Main               bool
		}
		if err := d.Decode(&m); err != nil {
			return nil, err
		}
		if m.Main || !bytes.Contains(required, []byte(m.Path+" "+m.Version)) {
			continue
		}
		licence, err := licenceIn(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		list = append(list, dependency{m.Path, m.Version, licence, "go.mod"})
	}
	return list, nil
}

// packages returns the packages that a package.json names; the lock says which version and licence.
func packages(dir string) func(string) ([]dependency, error) {
	return func(root string) (list []dependency, err error) {
		var asked struct{ Dependencies, DevDependencies map[string]string }
		var lock struct {
			Packages map[string]struct{ Version, License string }
		}
		for name, into := range map[string]any{"package.json": &asked, "package-lock.json": &lock} {
			b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(dir), name))
			if err == nil {
				err = json.Unmarshal(b, into)
			}
			if err != nil {
				return nil, fmt.Errorf("%s/%s: %w", dir, name, err)
			}
		}
		names := slices.AppendSeq(slices.Collect(maps.Keys(asked.Dependencies)), maps.Keys(asked.DevDependencies))
		slices.Sort(names)
		for _, name := range names {
			p, ok := lock.Packages["node_modules/"+name]
			if !ok || p.License == "" {
				return nil, fmt.Errorf("%s/package-lock.json: %s: found %+v, expected its version and licence", dir, name, p)
			}
			list = append(list, dependency{name, p.Version, p.License, path.Join(dir, "package.json")})
		}
		return list, nil
	}
}

var vendoredVersion = regexp.MustCompile("(?m)^\\| `(\\w+)/` \\| \\S+ ([0-9.]+),")

// vendored are the libraries in www/vendor; its README tells their versions.
func vendored(root string) (list []dependency, err error) {
	dir := filepath.Join(root, "www", "vendor")
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return nil, err
	}
	for _, m := range vendoredVersion.FindAllStringSubmatch(string(text), -1) {
		licence, err := licenceIn(filepath.Join(dir, m[1]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m[1], err)
		}
		list = append(list, dependency{m[1], m[2], licence, "www/vendor"})
	}
	if len(list) == 0 {
		return nil, errors.New("www/vendor/README.md names no library with its version")
	}
	return list, nil
}

// licences lists the licences that this project may pass on, by words that only they have.
var licences = []struct{ name, words string }{
	{"MIT", "Permission is hereby granted, free of charge"},
	{"Apache-2.0", "Apache License"},
	{"BSD-3-Clause", "Neither the name of"},
}

// licenceIn names the licence in a folder.
func licenceIn(dir string) (string, error) {
	for _, file := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING"} {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			continue
		}
		for _, l := range licences {
			if strings.Contains(strings.Join(strings.Fields(string(b)), " "), l.words) {
				return l.name, nil
			}
		}
		return "", fmt.Errorf("%s: an unknown licence (expected MIT, Apache-2.0 or BSD-3-Clause)", file)
	}
	return "", errors.New("it comes without a licence file")
}
