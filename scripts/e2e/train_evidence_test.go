package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestEvidence opens a sparse town, takes the preset recommended for it and trains: the larger program takes over, the hash is the native
// one, and words describe the shared part of the layers.
func TestEvidence(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "sparsetown", Data: map[string]any{"nodes": 150, "p_intra": 0.1, "p_inter": 0.005},
			Options: map[string]any{"epochs": 4, "hidden": 32, "augmented": 3}}
		v := OpenReady(t, engine, c.Link()+"&place=lab&show=shares")
		released := v.Finish()
		v.Until("!document.querySelector('#preset-advice').hidden")
		v.Want("#preset-advice", "Recommended for these data is Evidence: nodes have no features, and only ")
		v.Push("#preset-advice button")
		v.Until("document.querySelector('input[name=preset][value=evidence]').checked && !document.querySelector('#preset-advice button')")
		v.Until("document.querySelector('#play').textContent === 'Train'")
		c.Preset = "evidence"
		v.Push("#play")
		v.Until(fmt.Sprintf("cadem.state().hash && cadem.state().hash !== %q && %s && %s", released.Hash, finished, kept))
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Until("document.querySelector('.shares-words')?.checkVisibility()")
		v.Want(".shares-words", "explained by other layers")
		var rows string
		const table = "return document.querySelector('.shares-words').parentElement.querySelector('.twin table').textContent"
		if v.Read(&rows, table); !strings.Contains(rows, "Of its own") {
			t.Errorf("the table of layers holds %q", rows)
		}
		v.Check()
	})
}
