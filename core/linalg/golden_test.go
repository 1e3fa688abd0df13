package linalg_test

import (
	"os"
	"testing"

	"cadem/core/parity"
)

// The polar factor is that of the reference, of every rank.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../parity/testdata"), "core/linalg", map[string]int{
		"polar.json": 1281,
	})
}
