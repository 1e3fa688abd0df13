package builder

import (
	"slices"
	"strings"
	"testing"
)

// TestProgramLinks keeps out of the page's program what has a smaller counterpart here.
func TestProgramLinks(t *testing.T) {
	root, err := FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	chain, err := findToolchain(root)
	if err != nil {
		t.Fatal(err)
	}
	out, err := chain.run(forBrowser, "list", "-tags", "noasm,simd", "-deps", "./wasm")
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	for large, instead := range map[string]string{"encoding/json": "cadem/core/json", "encoding/xml": "cadem/core/formats/internal/xml"} {
		if slices.Contains(linked, large) || !slices.Contains(linked, instead) {
			t.Errorf("the program links %s, expected %s", large, instead)
		}
	}
}
