package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// methods are the methods of page objects, each with its number of parameters.
func methods(t *testing.T) (all map[string]int, text string) {
	t.Helper()
	list, err := filepath.Glob("page/*.ts")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^export (?:const (\w+) = (?:async )?(?:\((.*?)\)(?:: [^=]*)? =>|\w)|` +
		`(?:async )?function (\w+)(?:<\w+>)?\((.*?)\)(?:: [^{]*)? \{$)`)
	all = map[string]int{}
	for _, path := range list {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text += string(source)
		object := strings.TrimSuffix(filepath.Base(path), ".ts")
		if object == "dom" || object == "index" {
			continue
		}
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			all[object+"."+m[1]+m[3]] = parameters(m[2] + m[4])
		}
	}
	checks, err := filepath.Glob("page/checks/*.ts")
	if err != nil || len(all) == 0 || len(checks) == 0 {
		t.Fatal("found no page objects")
	}
	return all, text
}

// parameters counts those without a default.
func parameters(list string) (n int) {
	if list == "" {
		return 0
	}
	depth := 0
	for _, c := range list {
		switch c {
		case '{', '[', '(', '<':
			depth++
		case '}', ']', ')', '>':
			depth--
		case ',':
			if depth == 0 {
				n++
			}
		case '=':
			if depth == 0 {
				return n
			}
		}
	}
	return n + 1
}

// TestPageObjects finds every method of a page object that tests name, with as many arguments as it has parameters, and a test, or another
// object, that names every method. What runs in the page is in TypeScript: no string of these tests is a script.
func TestPageObjects(t *testing.T) {
	known, source := methods(t)
	named := map[string]bool{}
	call := regexp.MustCompile(`^!?[a-z]+\.\w+(?:(?: && | \|\| )!?[a-z]+\.\w+)*$`)
	script := regexp.MustCompile(`document\.|\$\{|cadem\.state|querySelector|=>|return \(`)
	list, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range list {
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && name != "scripts_test.go" {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				if script.MatchString(text) {
					t.Errorf("%s: found a script, expected the method of a page object (scripts/e2e/page): %.60s", fset.Position(lit.Pos()), text)
				}
				if call.MatchString(text) {
					for m := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("!&| ", r) }) {
						named[m] = true
					}
				}
			}
			c, ok := n.(*ast.CallExpr)
			if !ok || c.Ellipsis.IsValid() {
				return true
			}
			f, ok := c.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Until", "until", "Await", "Read", "Ask"}, f.Sel.Name) {
				return true
			}
			if of, ok := f.X.(*ast.Ident); ok && of.Name == "frozen" {
				return true // of a package
			}
			for i, a := range c.Args {
				lit, ok := a.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				text, _ := strconv.Unquote(lit.Value)
				if !call.MatchString(text) {
					t.Errorf("%s: found %q, expected methods of page objects", fset.Position(lit.Pos()), text)
					break
				}
				want := 0
				for m := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("!&| ", r) }) {
					k, there := known[m]
					if !there && !strings.HasPrefix(m, "checks.") {
						t.Errorf("%s: found %s, which no page object has", fset.Position(lit.Pos()), m)
					}
					want += k
				}
				if got := len(c.Args) - i - 1; got != want && !strings.HasPrefix(text, "checks.") {
					t.Errorf("%s: found %d arguments of %s, expected %d", fset.Position(lit.Pos()), got, text, want)
				}
				break
			}
			return true
		})
	}
	for m := range known {
		_, name, _ := strings.Cut(m, ".")
		if !named[m] && len(regexp.MustCompile(`\b`+name+`\b`).FindAllString(source, 2)) < 2 {
			t.Errorf("nobody calls %s", m)
		}
	}
}
