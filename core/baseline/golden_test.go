package baseline_test

import (
	"os"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/scripts/parity"
)

// The methods have the numbers of the reference, step by step, on graphs of one layer and on layers without links, too.
func TestGolden(t *testing.T) {
	if !precision.HasDouble {
		t.Skip("compared in double precision, which the page's programs do not have")
	}
	parity.Hold(t, os.DirFS("../../scripts/parity/testdata"), "core/baseline", map[string]int{
		"baselines/closed.json":                        2200,
		"baselines/deepwalk.json":                      4094,
		"baselines/dgi.json":                           1462,
		"baselines/dmg.json":                           5988,
		"baselines/graph2vec.json":                     2670,
		"baselines/graphmae.json":                      1853,
		"baselines/hdmi.json":                          4693,
		"baselines/mcgc.json":                          6495,
		"baselines/mne.json":                           5357,
		"baselines/mvgrl_graph.json":                   1500,
		"baselines/mvgrl_node.json":                    2594,
		"baselines/node2vec.json":                      2063,
		"baselines/one_graph_mvgrl_graph.json":         1238,
		"baselines/one_layer_dmg.json":                 1185,
		"baselines/one_layer_hdmi.json":                2390,
		"baselines/one_layer_mcgc.json":                1754,
		"baselines/one_layer_mne.json":                 1758,
		"baselines/one_layer_random_encoder.json":      162,
		"baselines/random_encoder.json":                576,
		"baselines/two_windows_mvgrl_node.json":        741,
		"baselines/vgae.json":                          2740,
		"baselines/without_links_dgi.json":             1479,
		"baselines/without_links_node2vec.json":        373,
		"baselines/without_links_random_encoder.json":  324,
		"pooled/features_two_layers.json":              1600,
		"pooled/features_weighted_isolated_loops.json": 1296,
		"pooled/no_features.json":                      676,
		"pooled/no_features_weighted.json":             625,
	})
}
