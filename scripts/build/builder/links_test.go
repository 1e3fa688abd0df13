package builder

import (
	"slices"
	"strings"
	"testing"
)

// TestProgramLinks keeps out of the page's programs what has a smaller counterpart here.
func TestProgramLinks(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	chain, err := findToolchain(root)
	if err != nil {
		t.Fatal(err)
	}
	out, err := chain.run(forBrowser, append([]string{"list", "-tags", "noasm,simd", "-deps"}, mains...)...)
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for large, instead := range map[string]string{"encoding/json": "cadem/core/json", "encoding/xml": "cadem/core/formats/internal/xml"} {
		if slices.Contains(linked, large) || !slices.Contains(linked, instead) {
			t.Errorf("the programs link %s, expected %s", large, instead)
		}
	}
}
