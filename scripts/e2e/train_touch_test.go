package e2e

import (
	"fmt"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// within fails the test if a view is wider than the page, or if axe finds something wrong with it.
func (v *Visit) within(css string) {
	v.t.Helper()
	var over int
	v.Read(&over, `const c = document.querySelector(args[0]);
return Math.max(c.scrollWidth - c.clientWidth, document.documentElement.scrollWidth - innerWidth)`, css)
	if over > 0 {
		v.t.Errorf("%s is %d too wide", css, over)
	}
	Axe(v.t, v.Browser)
}

// finger moves a finger over an element that can be scrolled to.
func (v *Visit) finger(css string, at ...[2]float64) {
	v.t.Helper()
	v.Read(nil, "document.querySelector(args[0]).scrollIntoView({block: 'center'}); await new Promise(requestAnimationFrame)", css)
	v.must(v.Touch(css, at...))
}

// TestTouch goes through the pictures that are operated by hand on the narrowest phone, by a finger alone, in forced colours and without motion: what a finger
// does is done, nothing moves by itself, and nothing is cut.
func TestTouch(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, "#v=1&data=town&d.nodes=60&o.epochs=8&o.hidden=16&place=lab&show=predict")
		if v.Resize(320, 740) != nil || v.SetMedia(drive.Media{ReducedMotion: true, Forced: true}) != nil {
			t.Skip("this engine shows no page of that size in forced colours")
		}
		said := func(css, text string) string {
			return fmt.Sprintf("document.querySelector(%q)?.textContent.includes(%q)", css, text)
		}
		v.Until(said("#predict-said", "At 50\u00a0%"))

		// Gamma: a word is dragged, and dots go to their next places at once.
		v.stays("Predict", func() {
			v.finger(".scrub", [2]float64{0.5, 0.5}, [2]float64{1, 0.5}, [2]float64{1.5, 0.5})
			v.Until("cadem.settings().values.dataOptions.gamma > 0.5 && location.hash.includes('d.gamma=0.') && " + said("#predict-said", "clusters in S match"))
			v.Until("cadem.state().phase === 'paused' && cadem.state().drawn && !document.querySelectorAll('#predict .plot')[4].matches('.late')")
		})
		var pictures int
		v.Read(&pictures, `const c = document.querySelectorAll('#predict .plot canvas')[4], all = new Set([c.toDataURL()]);
document.querySelector('.scrub').dispatchEvent(new KeyboardEvent('keydown', {key: 'End', bubbles: true, cancelable: true}));
for (let last = Infinity; performance.now() < last + 500;) {
	await new Promise(requestAnimationFrame);
	all.add(c.toDataURL());
	if (last === Infinity && document.querySelector('#predict-said').textContent.startsWith('At 100')) last = performance.now();
}
return all.size;`)
		if pictures != 2 {
			t.Errorf("on its way to another gamma S had %d pictures", pictures)
		}
		v.stays("a drawn curve", func() {
			v.finger("svg.guess", [2]float64{0.15, 0.8}, [2]float64{0.5, 0.4}, [2]float64{0.9, 0.1})
			v.Until(`/view\.guess=\d+(\.\d+){5}(&|$)/.test(location.hash)`)
		})
		v.within("#predict")
		// Psi: the C of another bag is dragged onto the tip of P.
		v.Push(".tab[data-show=psi]")
		v.Until("document.querySelector('.psi-tray [data-c=\"5\"]')")
		v.Read(nil, "document.querySelector(args[0]).scrollIntoView({block: 'end'}); await new Promise(requestAnimationFrame)", ".psi-tray [data-c='5']")
		var to [2]float64
		v.Read(&to, `const svg = document.querySelector('.psi-plane'), [, d] = svg.querySelector('.of-p path').getAttribute('d').match(/^M[^L]+L([^M]+)/);
const [x, y] = d.split(' ').map(Number), tip = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
const r = document.querySelector(args[0]).getBoundingClientRect();
return [(tip.x - r.x) / r.width, (tip.y - r.y) / r.height];`, ".psi-tray [data-c='5']")
		v.stays("Be psi", func() {
			v.must(v.Touch(".psi-tray [data-c='5']", [2]float64{0.5, 0.5}, [2]float64{0.5, 0}, to))
			v.Until(said("#psi-said", "beside C of work #2"))
		})
		v.within("#psi")

		// The sum: a node is tapped, and then an arrow.
		v.Read(nil, "location.hash = args[0]", "#v=1&data=town&d.nodes=60&o.epochs=8&o.hidden=16&place=lab&show=embeddings&view.of=C")
		v.Until(untouch)
		v.Finish()
		v.Until(pictured)
		for y := 0.2; v.Count("#about-node") == 0 && y < 0.9; y += 0.1 {
			for x := 0.2; v.Count("#about-node") == 0 && x < 0.9; x += 0.1 {
				v.finger("#embeddings-view canvas", [2]float64{x, y})
			}
		}
		v.finger("#about-node", [2]float64{0.5, 0.5})
		v.Until("document.querySelector('#why-ask')?.checkVisibility()")
		v.finger("#why-ask", [2]float64{0.5, 0.5})
		v.Until(said("#why-drawn", "add up to its dot"))
		v.stays("the sum", func() {
			v.finger("#why-answer [data-lights^='class']", [2]float64{0.5, 0.5})
			v.Until("document.querySelectorAll('#why .lit').length > 1")
		})
		v.within("#node-card")

		// Paint.
		v.Load("?paint#v=1&data=painted&d.nodes=60&place=lab&show=paint")
		v.Until("document.querySelectorAll('#paint-view canvas').length === 3 && " + untouch)
		v.stays("Paint", func() {
			v.finger(".paint", [2]float64{0.625, 0.125}, [2]float64{0.875, 0.125})
			v.Until("/d\\.blocks=8688/.test(location.hash)")
		})
		v.within("#paint")
		v.Check()
	})
}
