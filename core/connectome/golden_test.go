package connectome_test

import (
	"os"
	"testing"

	"cadem/core/parity"
)

// The steps from a series to layers are those of the reference.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../parity/testdata"), "core/connectome", map[string]int{
		"signals.json": 10467,
	})
}
