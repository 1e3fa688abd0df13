package cadem_test

import (
	"os"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/scripts/parity"
)

// Trainings have the numbers of the reference, step by step, in both precisions.
func TestGolden(t *testing.T) {
	if !precision.HasDouble {
		t.Skip("this build trains in single precision only")
	}
	parity.Hold(t, os.DirFS("../../scripts/parity/testdata"), "core/cadem", map[string]int{
		"published/author_streams.json":     954,
		"one_layer_train.json":              1760,
		"printed_mixed_train.json":          4074,
		"printed_train.json":                4402,
		"refined_features_train.json":       2498,
		"refined_nothing_shared_train.json": 2458,
		"refined_train.json":                2458,
		"syn1_train.json":                   161520,
		"tiny_train.json":                   4816,
		"tiny_train_batched.json":           4816,
		"without_links_train.json":          3060,
	})
}
