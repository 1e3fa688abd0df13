package evaluate_test

import (
	"os"
	"testing"

	"cadem.example/scripts/parity"
)

// Scores, folds and the combiner are those of the reference.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../../scripts/parity/testdata"), "core/evaluate", map[string]int{
		"combiner.json": 2504,
		"metrics.json":  260,
	})
}
