package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// pressed sends keys to an element, one after the other.
const pressed = `const at = document.querySelector(args[0]);
at.focus();
for (const key of args[1]) at.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));`

// TestPredict changes gamma in the sentence: the closed form follows it, and what CaDeM is trained to beside the run has the bits of the run on screen once
// that is trained there. A curve is drawn with the keys, measured, and comes back from its link with what was measured, the same when it is measured again.
func TestPredict(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, "#v=1&data=town&d.nodes=60&place=lab&show=predict")
		said := func(text string) string {
			return fmt.Sprintf("document.querySelector('#predict-said')?.textContent.includes(%q)", text)
		}
		v.Until(said("At 50\u00a0%, clusters in S match"))
		v.Read(nil, pressed, ".scrub", []string{"Home"})
		v.Until(said("At 0\u00a0%, the closed form finds nothing") + " && location.hash.includes('d.gamma=0&')")
		v.Read(nil, pressed, ".scrub", []string{"PageUp", "PageUp", "PageUp", "PageUp", "ArrowRight", "ArrowLeft", "ArrowRight", "ArrowRight"})
		v.Until(said("At 42\u00a0%, clusters in S match") + " && location.hash.includes('d.gamma=0.42') && cadem.settings().values.dataOptions.gamma === 0.42")
		v.Push("#predict-train")
		v.Until(said("CaDeM, trained, has"))
		v.Until("cadem.state().phase === 'paused' && cadem.state().step === 0")
		state := v.Finish()
		v.Read(nil, "document.querySelector('#predict .twin').open = true")
		v.Until(fmt.Sprintf("document.querySelector('#predict .twin caption')?.textContent.includes('embeddings: %s.')", state.Hash))
		for k, keys := range [][]string{{"Home"}, {"ArrowUp", "ArrowDown"}, {"ArrowUp"}, {"ArrowUp", "ArrowUp"}, {"ArrowUp", "PageUp"}} {
			v.Read(nil, pressed, fmt.Sprintf(".guess-point:nth-of-type(%d)", k+2), keys)
		}
		v.Until("document.querySelector('#predict-measure').disabled && location.hash.includes('view.guess=0.45.50.55.70.-')")
		v.Read(nil, pressed, ".guess-point:nth-of-type(7)", []string{"End"})
		v.Push("#predict-measure")
		v.Until("document.querySelector('#predict-measure').textContent === 'Measured'")
		found, link := v.Text("#predict-found"), ""
		v.Read(&link, "return location.hash")
		if !strings.Contains(found, "from that of CaDeM, most at") || !strings.Contains(found, "from that of the closed form") ||
			!strings.Contains(link, "view.guess=0.45.50.55.70.100&view.found=") {
			t.Errorf("%s: %s", link, found)
		}
		v.Load("?again" + link)
		v.Until("document.querySelector('#predict-found')?.textContent.includes('came with the link')")
		var again string
		v.Read(&again, "return location.hash")
		if first := strings.SplitAfter(found, ".")[0]; again != link || !strings.HasPrefix(v.Text("#predict-found"), first) {
			t.Errorf("%s: %s; %s: %s", again, v.Text("#predict-found"), link, found)
		}
		v.Until("!document.querySelector('#predict-measure').disabled")
		v.Push("#predict-measure")
		v.Until("document.querySelector('#predict-found').textContent.includes('The link had the same')")
		if engine == "chromium" {
			v.must(v.Resize(320, 640))
			var over int
			v.Read(&over, "const c = document.querySelector('#predict'); return Math.max(c.scrollWidth - c.clientWidth, "+
				"document.documentElement.scrollWidth - innerWidth)")
			if over > 0 {
				t.Errorf("at 320 pixels the view is %d too wide", over)
			}
		}
		v.Check()
	})
}
