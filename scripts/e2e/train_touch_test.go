package e2e

import (
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// within fails the test if a view is wider than the page, or if axe finds something wrong with it.
func (v *Visit) within(css string) {
	v.t.Helper()
	var over int
	v.Read(&over, "see.tooWide", css)
	if over > 0 {
		v.t.Errorf("%s is %d too wide", css, over)
	}
	Axe(v.t, v.Browser)
}

// finger moves a finger over an element that can be scrolled to.
func (v *Visit) finger(css string, at ...[2]float64) {
	v.t.Helper()
	v.Read(nil, "hand.bring", css)
	v.must(v.Touch(css, at...))
}

// TestTouch goes through the pictures that are operated by hand on the narrowest phone, by a finger alone, in forced colours and without motion: what a finger
// does is done, nothing moves by itself, and nothing is cut.
func TestTouch(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, "#v=1&data=town&d.nodes=60&o.epochs=8&o.hidden=16&place=lab&show=embeddings&view.of=C")
		if v.Resize(320, 740) != nil || v.SetMedia(drive.Media{ReducedMotion: true, Forced: true}) != nil {
			t.Skip("this engine shows no page of that size in forced colours")
		}
		// The sum: a node is tapped, and then an arrow.
		v.Finish()
		v.Until("embeddings.drawn")
		for y := 0.2; v.Count("#about-node") == 0 && y < 0.9; y += 0.1 {
			for x := 0.2; v.Count("#about-node") == 0 && x < 0.9; x += 0.1 {
				v.finger("#embeddings-view canvas", [2]float64{x, y})
			}
		}
		v.finger("#about-node", [2]float64{0.5, 0.5})
		v.Until("see.visible", "#why-ask")
		v.finger("#why-ask", [2]float64{0.5, 0.5})
		v.Until("see.says", "#why-drawn", "add up to its dot")
		v.stays("the sum", func() {
			v.finger("#why-answer [data-lights^='class']", [2]float64{0.5, 0.5})
			v.Until("see.more", "#why .lit", 1)
		})
		v.within("#node-card")

		// Paint.
		v.Load("?paint#v=1&data=painted&d.nodes=60&place=lab&show=paint")
		v.Until("paint.pictures && lab.untouched", 3)
		v.stays("Paint", func() {
			v.finger(".paint", [2]float64{0.625, 0.125}, [2]float64{0.875, 0.125})
			v.Until("address.has", "d.blocks=8688")
		})
		v.within("#paint")
		v.Check()
	})
}
