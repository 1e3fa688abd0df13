package baseline_test

import (
	"os"
	"testing"

	"cadem.example/core/lab/parity"
)

// The methods have the numbers of the reference, step by step.
func TestGolden(t *testing.T) {
	parity.Hold(t, os.DirFS("../lab/parity/testdata"), "core/baseline", map[string]int{
		"baselines/closed.json":         2200,
		"baselines/deepwalk.json":       4274,
		"baselines/dgi.json":            1462,
		"baselines/dmg.json":            5988,
		"baselines/graph2vec.json":      2670,
		"baselines/graphmae.json":       1853,
		"baselines/hdmi.json":           4693,
		"baselines/mcgc.json":           6495,
		"baselines/mne.json":            5357,
		"baselines/mvgrl_graph.json":    1500,
		"baselines/mvgrl_node.json":     2594,
		"baselines/node2vec.json":       2195,
		"baselines/random_encoder.json": 576,
		"baselines/vgae.json":           3202,
	})
}
