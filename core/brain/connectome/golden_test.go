package connectome_test

import (
	"os"
	"testing"

	"cadem.example/scripts/parity"
)

// The steps from a series to layers are those of the reference.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../../../scripts/parity/testdata"), "core/brain/connectome", map[string]int{
		"signals.json": 10467,
	})
}
