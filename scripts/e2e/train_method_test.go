package e2e

import (
	"fmt"
	"testing"

	"cadem/core/synth/examples"
	"cadem/scripts/e2e/drive"
)

// TestModelBeforeTrain opens every example, and the second half of them by choosing it: before anything is pressed a finished run is drawn, but of
// the brain, with the layers; and the boxes of the method have its sizes.
func TestModelBeforeTrain(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		for i, e := range examples.OfPage() {
			c := Course{Example: e.Name}
			if i%2 == 0 {
				v.must(v.Navigate("about:blank"))
				v.Load(c.Link() + "&place=lab")
			} else {
				v.Push(".tab[data-show=all]")
				v.Read(nil, "document.querySelector(`#data-picker input[value=${args[0]}]`).click()", e.Name)
			}
			v.Until(fmt.Sprintf("cadem.settings().data === %q && ['shipped', 'paused'].includes(cadem.state().phase) && cadem.state().drawn", e.Name))
			v.Until(layersDrawn + " && " + pictured)
			st := v.State()
			// No run of these two is shipped.
			if bare := e.Name == "cohort" || e.Name == "sparsetown"; bare != (st.Phase == "paused") || bare != (st.Hash == "") || bare != (st.Step == 0) {
				t.Errorf("%s: %+v", e.Name, st)
			}
			v.Reveal("#method")
			v.Until("document.querySelector('.stage-box .box')")
			d, s := c.Open(t)
			m, o := d.Graph.M(), *s.CaDeM()
			v.Want("#method-view .method", fmt.Sprintf("X %d × %d", m, d.Graph.F()), fmt.Sprintf("W₂ %d × %d", o.Hidden, o.Dim), fmt.Sprintf("S %d × %d", m, o.Dim))
		}
		v.Check()
	})
}

// TestMethodBoxByBox goes through the stages of a step with the run's sizes, takes the step, and reads its losses.
func TestMethodBoxByBox(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "town", Data: map[string]any{"nodes": 60}, Options: map[string]any{"epochs": 12, "hidden": 16}}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until(untouch)
		v.Reveal("#method")
		v.Until("document.querySelector('.stage-box .box')")
		d, s := c.Open(t)
		o := *s.CaDeM()
		v.Want("#method-view .method", "60 × 60", fmt.Sprintf("%d × 16", d.Graph.F()), fmt.Sprintf("16 × %d", o.Dim), fmt.Sprintf("60 × %d", o.Dim),
			fmt.Sprintf("%d × %d", 3*o.Augmented+3, o.Dim), fmt.Sprintf("%d × 3", o.Dim))
		v.Want(".method-words", "3 layers join the same 60 nodes")
		for range v.Count(".stage-box") - 1 {
			v.Push("#method-next")
		}
		v.Want(".method-words", "step 0, epoch 0")
		v.Push("#method-next")
		v.Until("cadem.state().step === 1 && cadem.state().drawn")
		v.Push(".method li:nth-child(6) button")
		v.Want(".method-words", fmt.Sprintf("Blind guessing costs %.4g.", o.Guessing(3)), "the loss is")
		v.Check()
	})
}
