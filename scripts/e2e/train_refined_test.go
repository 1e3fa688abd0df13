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
		const privately = `return [...document.querySelectorAll('.pull')].filter(r => r.checkVisibility()).map(r => r.innerText).join(' ')`
		var rows string
		if v.Read(&rows, privately); strings.Contains(rows, "Private") || !strings.Contains(rows, "Causal") {
			t.Errorf("released has the pulls %q", rows)
		}
		for gamma, words := range []string{"Nothing is shared", "The layers share 2 directions"} {
			c := Small.With(map[string]any{"nodes": 400, "gamma": gamma}, map[string]any{"epochs": 40, "hidden": 256})
			c.Preset = "refined"
			v.must(v.Navigate("about:blank")) // another hash alone would keep the run
			v.Load(c.Link() + "&place=lab&show=shares")
			v.Until(untouch)
			if st, want := v.Finish(), c.Train(t); st.Hash != want.Hash {
				t.Errorf("gamma %d: hash %s, natively %s", gamma, st.Hash, want.Hash)
			}
			v.Until("document.querySelector('.shares-words')?.checkVisibility()")
			v.Want(".shares-words", words)
			if v.Read(&rows, privately); !strings.Contains(rows, "Private") {
				t.Errorf("refined has the pulls %q", rows)
			}
		}
		v.Check()
	})
}
