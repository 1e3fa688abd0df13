package linalg_test

import (
	"os"
	"testing"

	"cadem.example/scripts/parity"
)

// The polar factor is that of the reference, of every rank.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../../../scripts/parity/testdata"), "core/base/linalg", map[string]int{
		"polar.json": 1281,
	})
}
