package synth_test

import (
	"os"
	"testing"

	"cadem.example/scripts/parity"
)

// The drawn instances equal the published ones.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../../scripts/parity/testdata"), "core/synth", map[string]int{
		"published/checksums.json": 14,
		"published/syn1.npz":       400,
		"published/syn3.npz":       3606,
		"published/syn4.npz":       36210,
	})
}
