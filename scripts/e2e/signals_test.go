package e2e

import (
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestSignals trains the examples with one number a node, from a link and of the published
// data: one is scored by clusters, the other has no labels to score.
func TestSignals(t *testing.T) {
	for _, c := range []Course{
		{Example: "syn3", Data: map[string]any{"instance": "published"}, Options: map[string]any{"epochs": 20, "kmeans_runs": 2}},
		{Example: "syn4", Data: map[string]any{"instance": "published", "sample": 7}, Options: map[string]any{"epochs": 20}},
	} {
		t.Run(c.Example, func(t *testing.T) {
			Each(t, func(t *testing.T, engine string) {
				v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
				v.Until(untouch)
				v.Push("#play")
				v.Until(`cadem.state().phase === 'finished' && cadem.state().hash && !cadem.state().scoring`)
				if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Step != 100 {
					t.Errorf("after %d steps the hash is %s, natively it is %s", st.Step, st.Hash, want.Hash)
				}
				v.Check()
			})
		})
	}
}
