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
		var own string
		v.Read(&own, "return document.querySelectorAll('#predict figcaption')[5].textContent")
		picture := v.picture("pictures at this gamma", "cadem-predict")
		lines := 0
		for path := range strings.SplitSeq(picture, "<path") {
			_, d, _ := strings.Cut(path, ` d="`)
			if d, _, _ = strings.Cut(d, `"`); strings.Count(d, "L") == 5 && strings.Count(d, "M") == 1 && !strings.HasSuffix(d, "Z") {
				lines++
			}
		}
		for _, text := range []string{v.Text("#predict-said"), state.Hash, strings.SplitAfter(found, ".")[0], ">Closed form: " + own + "<", ">All layers<"} {
			if !strings.Contains(picture, text) {
				t.Errorf("the picture does not say %q: %.600s", text, picture)
			}
		}
		if lines != 4 {
			t.Errorf("%d curves of six points in the picture", lines)
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
		// The lessons open with the same word, and what they say of it is what the view says.
		v.Go("learn")
		v.Until("document.querySelector('#gamma-sentence .scrub')?.textContent === '42\u00a0%'")
		v.Read(nil, pressed, "#gamma-sentence .scrub", []string{"ArrowRight"})
		v.Until("location.hash.includes('d.gamma=0.43') && document.querySelector('#gamma-said').textContent.startsWith('At 43\u00a0%, ')")
		learned := v.Text("#gamma-said")
		v.Push("#gamma-more")
		v.Until(said(strings.ReplaceAll(learned, " %", "\u00a0%")) + " && document.querySelector('#predict .scrub').textContent === '43\u00a0%'")
		v.Check()
	})
}
