package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// TestDeferred finds every test that -short defers, or that replaces one, and none of these defers itself.
func TestDeferred(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var here []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(t `).FindAllSubmatch(text, -1) {
			here = append(here, string(m[1]))
		}
	}
	for name, instead := range deferred {
		if !slices.Contains(here, name) {
			t.Errorf("%s is deferred, and not there", name)
		}
		for _, other := range regexp.MustCompile(`Test\w+`).FindAllString(instead, -1) {
			switch {
			case other == "TestHashesStay": // of core/cadem
			case !slices.Contains(here, other):
				t.Errorf("%s stands in for %s, and is not there", other, name)
			case deferred[other] != "":
				t.Errorf("%s stands in for %s, and is deferred itself", other, name)
			}
		}
	}
}
