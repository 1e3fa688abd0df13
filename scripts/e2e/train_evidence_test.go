package e2e

import (
	"strings"
	"testing"
)

// TestEvidence opens a sparse town, takes the preset recommended for it and trains: the larger program takes over, the hash is the native
// one, and words describe the shared part of the layers.
func TestEvidence(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "sparsetown", Data: map[string]any{"nodes": 90, "p_intra": 0.1, "p_inter": 0.005},
			Options: map[string]any{"epochs": 4, "hidden": 32, "augmented": 3}}
		v := OpenReady(t, engine, c.Link()+"&place=lab&show=shares")
		released := v.Finish()
		v.Until("!see.hidden", "#preset-advice")
		v.Want("#preset-advice", "Recommended for these data is Evidence: nodes have no features, and only ")
		v.Push("#preset-advice button")
		v.Until("see.checked && see.gone", "input[name=preset][value=evidence]", "#preset-advice button")
		v.Until("lab.button", "Train")
		c.Preset = "evidence"
		v.Push("#play")
		v.Until("lab.hashed && !lab.hash && lab.finished && lab.kept", released.Hash)
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Until("see.visible", ".shares-words")
		v.Want(".shares-words", "explained by other layers")
		var rows string
		if v.Read(&rows, "scores.shares"); !strings.Contains(rows, "Of its own") {
			t.Errorf("the table of layers holds %q", rows)
		}
		v.Check()
	})
}
