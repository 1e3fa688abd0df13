package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestBitsAreCompared finds the tests that look for stored bits, in the packages whose numbers have to be the same in the browser: the Makefile's
// pattern of names, by which they run there, has each of them.
func TestBitsAreCompared(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^BITS = -run '(.*)'$`).FindSubmatch(makefile)
	packages := regexp.MustCompile(`(?s)\nSAME_BITS = (.*?)\n\n`).FindSubmatch(makefile)
	if m == nil || packages == nil {
		t.Fatal("the Makefile has no BITS or no SAME_BITS")
	}
	named := regexp.MustCompile(string(m[1]))
	declared, stored := regexp.MustCompile(`(?ms)^func (Test\w+)\(.*?^}`), regexp.MustCompile(`"[0-9a-f]{16}"|0x[0-9a-f]{15,16}\b|/golden|testdata/.*\.json`)
	found := 0
	for _, dir := range regexp.MustCompile(`core/[\w/]+`).FindAllString(string(packages[1]), -1) {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil || files == nil {
			t.Errorf("%s has no tests, %v", dir, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, test := range declared.FindAllSubmatch(text, -1) {
				if !stored.Match(test[0]) || slices.Contains(nativeAlone, string(test[1])) {
					continue
				}
				if found++; !named.Match(test[1]) {
					t.Errorf("%s compares with stored bits and does not run in the browser: its name is none of %s in the Makefile", test[1],
						strings.ReplaceAll(named.String(), "|", ", "))
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("%d tests compare with stored bits", found)
	}
}

// nativeAlone are tests with files of others that hold no bits of results, and one of a generator that all results with stored bits draw from.
var nativeAlone = []string{"TestPCG", "TestCleaningIsThatOfSciPy", "TestRealCleaningIsThatOfSciPy"}
