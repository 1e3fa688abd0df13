package connectome_test

import (
	"os"
	"testing"

	"cadem.example/core/brain/golden"
	"cadem.example/core/lab/parity"
)

// The steps from a series to layers are those of the reference.
func TestGolden(t *testing.T) {
	golden.Register()
	parity.Hold(t, os.DirFS("../golden/testdata"), "core/brain/connectome", map[string]int{
		"signals.json": 10467,
	})
}
