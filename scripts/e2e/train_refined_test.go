package e2e

import (
	"strings"
	"testing"
)

// TestRefined trains `refined` where nothing and where everything is shared, opened by a link at the view that says so: the hash is the native
// one, the sentence fits the rank of S, and private matching has its row, which it has not in `released`.
func TestRefined(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab")
		v.Finish()
		var rows string
		if v.Read(&rows, "pulls.text"); strings.Contains(rows, "Private") || !strings.Contains(rows, "Causal") {
			t.Errorf("released has the pulls %q", rows)
		}
		// Settings alone do not give the run on screen a loss that it was trained without.
		v.Push("input[name=preset][value=refined]")
		v.Until("lab.button", "Train")
		v.Until("pulls.privateUnknown")
		for gamma, words := range []string{"Nothing is shared", "The layers share 2 directions"} {
			c := Small.With(map[string]any{"nodes": 150, "gamma": gamma}, map[string]any{"epochs": 8, "hidden": 64})
			c.Preset = "refined"
			v.must(v.Navigate("about:blank")) // another hash alone would keep the run
			v.Load(c.Link() + "&place=lab&show=shares")
			v.Until("lab.untouched")
			if st, want := v.Finish(), c.Train(t); st.Hash != want.Hash {
				t.Errorf("gamma %d: hash %s, natively %s", gamma, st.Hash, want.Hash)
			}
			v.Until("see.visible", ".shares-words")
			v.Want(".shares-words", words)
		}
		if v.Resize(1280, 800) == nil {
			v.Push(".tab[data-show=all]") // where pulls are
			v.inSight("a fourth pull below a single view", ".pull[data-term=private] input", ".pull[data-term=private] .value")
			var cut float64
			if v.Read(&cut, "see.cutOff", "#tabs"); cut > 0 {
				t.Errorf("%g px of the tabs are cut", cut)
			}
		}
		v.Check()
	})
}

// TestRefinedStopAndPause gives a run up while it is being prepared, which leaves a page that trains, and holds the next one, which
// then comes to the native hash.
func TestRefinedStopAndPause(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(map[string]any{"nodes": 1000, "gamma": 0.6}, map[string]any{"epochs": 4, "hidden": 64})
		v := OpenReady(t, engine, c.Link())
		c.Preset = "refined"
		v.Read(nil, "hand.pressWhen", "#reset", "Stop")
		v.Read(nil, "address.go", c.Link()) // which prepares the run
		v.Until("lab.phase", "idle")
		v.Until("lab.says", "stopped before it was ready. Press Train.")
		v.Want("#reset", "Reset")

		v.Read(nil, "hand.pressWhen", "#play", "Pause")
		v.Push("#play")
		v.Until("lab.untouched")
		v.Want("#play", "Train") // and goes on no further
		v.Want("#status", "untrained")
		if st, want := v.Finish(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Check()
	})
}
