package synth

import (
	"errors"
	"slices"
	"testing"

	"cadem.example/core/base/diag"
)

// Package parity holds the published data to their checksums.
func TestPublishedDataAreWhatTheyAre(t *testing.T) {
	for _, c := range []struct {
		name, option, value, text string
	}{
		{"syn1", "nodes", "50", "nodes: found 50, expected 100 as in the published data"},
		{"syn2", "reassigned", "0.4", "reassigned: found 0.4, expected 0.5 as in the published data"},
		{"syn3", "variant", "printed", "variant: found printed, expected released as in the published data"},
		{"syn4", "p_edge", "0.1", "p_edge: found 0.1, expected 0.08 as in the published data"},
		{"syn4", "sample", "90", "sample: found 90, expected 0 to 89 in the published data"},
	} {
		var p *diag.Error
		g, err := byName(c.name).Draw(with(t, c.name, "instance", "published", c.option, c.value), 1)
		if g != nil || !errors.As(err, &p) || err.Error() != c.text {
			t.Errorf("%s with %s %s: %v, want %s", c.name, c.option, c.value, err, c.text)
		}
	}
	a := generate(t, "syn2", with(t, "syn2", "instance", "published"), 1)
	b := generate(t, "syn2", with(t, "syn2", "instance", "published"), 2)
	if !slices.Equal(a.Layers[2].Adjacency.Index, b.Layers[2].Adjacency.Index) {
		t.Error("the seed changes the published data")
	}
}
