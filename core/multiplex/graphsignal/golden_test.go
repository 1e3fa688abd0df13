package graphsignal_test

import (
	"os"
	"testing"

	"cadem.example/scripts/parity"
)

// Filters, bumps and dynamics are those of the reference.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../../../scripts/parity/testdata"), "core/multiplex/graphsignal", map[string]int{
		"dynamics.json": 770,
		"spectral.json": 5821,
	})
}
