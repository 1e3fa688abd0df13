package e2e

import (
	"fmt"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestMethodBoxByBox goes through the stages of a step with the run's sizes, takes the step, and reads its losses.
func TestMethodBoxByBox(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "town", Data: map[string]any{"nodes": 60}, Options: map[string]any{"epochs": 12, "hidden": 16}}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until(untouch)
		v.Reveal("#method")
		v.Until("document.querySelector('.stage-box .box')")
		d, s := c.Open(t)
		o := s.Training
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
