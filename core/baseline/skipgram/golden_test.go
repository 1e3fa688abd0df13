package skipgram_test

import (
	"os"
	"testing"

	"cadem.example/scripts/parity"
)

// The trainer and the walkers have the numbers of the reference.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../../../scripts/parity/testdata"), "core/baseline/skipgram", map[string]int{
		"baselines/skipgram.json": 1935,
		"baselines/walks.json":    1597,
	})
}
