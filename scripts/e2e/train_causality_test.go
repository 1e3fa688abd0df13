package e2e

import (
	"bytes"
	"fmt"
	"image/png"
	"maps"
	"math"
	"regexp"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
	"cadem.example/scripts/e2e/drive"
)

// TestCausalityLab asks psi of a finished run about exchanged common parts, exchanges one pair by hand, and compares trainings with own and with
// swapped pairs. All results are the core's native ones.
func TestCausalityLab(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "town", Data: map[string]any{"nodes": 60}, Options: map[string]any{"epochs": 12, "hidden": 16, "weight_causal": 20, "kmeans_runs": 2}}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until("lab.untouched")
		v.Finish()
		v.Reveal("#causality")
		v.Until("see.starts", "#causality-verdict", "At epoch 12:")
		shipped := Open(t, engine, v.Site, drive.Options{}, "#v=1&data=town&place=lab&show=causality") // what nobody has trained here
		shipped.Until("see.starts && lab.shipped", "#causality-verdict", "At epoch 60:")
		if n := shipped.Count(".pairings .cell"); n != 144 {
			t.Errorf("%d cells of the shipped run", n)
		}
		shipped.Check()

		d, s := c.Open(t)
		trainer, err := cadem.New([]*multiplex.Graph{d.Graph}, *s.CaDeM(), s.ModelSeed, precision.Single)
		for err == nil && !trainer.Done() {
			err = trainer.Step()
		}
		if err != nil {
			t.Fatal(err)
		}
		const evalSeed = 1 // the page's usual one
		found := run.LayerProbe(trainer).Intervene(evalSeed)
		kept := int(math.Round(float64(found.Pairs) * found.Invariance))
		v.Want("#causality-verdict", fmt.Sprintf("%d of %d\u202f%d swaps", found.Pairs-kept, found.Pairs/1000, found.Pairs%1000))
		if n := v.Count(".pairings .cell"); n != len(found.Layer)*len(found.Layer) {
			t.Errorf("%d cells of %d graphs", n, len(found.Layer))
		}
		// Private part 1 of the first layer beside common part 1 of the last one, by the keyboard.
		last := len(found.Layer) - 4
		v.Read(nil, "causality.pick", last)
		top := 0
		for k := range found.Private[0] {
			if found.Private[0][k]+found.Common[last][k] > found.Private[0][top]+found.Common[last][top] {
				top = k
			}
		}
		v.Want(".votes-caption", "Private part of friends, graph 1; common part of lunch, graph 1.", "says "+d.Graph.Layers[top].Name)

		v.Push("#causality-compare")
		v.Until("see.count && see.is", ":not(#causality-layer) > .scroll > .ways .leak", 4, "#causality-compare", "Train and compare")
		for _, preset := range cadem.Presets {
			if preset != "released" && preset != "refined" {
				continue
			}
			for _, way := range []struct{ pairing, words string }{{"permutation", "swapped pairs"}, {"own", "own pairs"}} {
				task := study.Task{Data: run.DataSpec{Example: c.Example, Options: c.Data}, Preset: preset, EvalSeed: evalSeed,
					Options: map[string]any{"pairing": way.pairing}, Measure: []measure.Spec{{Kind: measure.Posterior}, {Kind: measure.Exchange}}}
				for _, name := range []string{"epochs", "hidden", "weight_causal"} {
					task.Options[name] = c.Options[name]
				}
				r, err := task.Run(nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				var cells []string
				v.Read(&cells, "causality.way", preset+", "+way.words)
				looks := r.Array("posterior")
				probe := looks.Data[len(looks.Data)-len(measure.PosteriorColumns)+3]
				want := []string{fmt.Sprintf("%.2f", r.Array("invariance").Data[0]), fmt.Sprintf("%.2f", probe)}
				if len(cells) != 2 || cells[0] != want[0] || cells[1] != want[1] {
					t.Errorf("%s, %s: the page says %v, expected %v", preset, way.words, cells, want)
				}
			}
		}
		if n := v.Count("#causality-findings p:not(.soft)"); n != 4 {
			t.Errorf("%d findings:\n%s", n, v.Text("#causality-findings"))
		}
		v.withoutCausalLoss(c)
		v.answersSaved(len(found.Layer))
		Axe(t, v.Browser)
		v.Check()
	})
}

// answersSaved saves the view of that number of graphs.
func (v *Visit) answersSaved(graphs int) {
	t := v.t
	t.Helper()
	v.Push("[aria-label='Save the answers as SVG']")
	picture, verdict := string(download(t, v, "cadem-causality.svg")), v.Text("#causality-verdict")
	names := regexp.MustCompile(`>[1-3]</text>`).FindAllString(picture, -1)
	if len(names) != graphs*graphs || !strings.Contains(picture, v.State().Hash) || !strings.Contains(picture, verdict[:40]) {
		t.Errorf("%d cells, expected %d; with %q: %.400s", len(names), graphs*graphs, verdict, picture)
	}
	v.Push("[aria-label='Save the answers as PNG']")
	if size, err := png.DecodeConfig(bytes.NewReader(download(t, v, "cadem-causality.png"))); err != nil || size.Width != 2*860 {
		t.Errorf("%+v, %v", size, err)
	}
}

// withoutCausalLoss has the page train the present settings with the causal loss and without it: the figures side by side are the core's native
// ones, and it says what is the same and what is not.
func (v *Visit) withoutCausalLoss(c Course) {
	v.t.Helper()
	v.Push("#causality-without")
	v.Until("see.there && see.starts", "#causality-changed p", "#causality-without", "Train")
	var kept [2]float64
	for k, weight := range []any{c.Options["weight_causal"], 0} {
		task := study.Task{Data: run.DataSpec{Example: c.Example, Options: c.Data}, Preset: "released", EvalSeed: 1,
			Options: maps.Clone(c.Options), Measure: []measure.Spec{{Kind: measure.Posterior}, {Kind: measure.Exchange}, {Kind: measure.Scores}}}
		task.Options["weight_causal"] = weight
		r, err := task.Run(nil, nil)
		if err != nil {
			v.t.Fatal(err)
		}
		kept[k] = 100 * r.Array("invariance").Data[0]
		looks := r.Array("posterior").Data
		want := map[string]string{"ψ keeps its answer": fmt.Sprintf("%.1f %%", kept[k]),
			"layer read from C": fmt.Sprintf("%.2f", looks[len(looks)-len(measure.PosteriorColumns)+3])}
		for _, s := range r.Scores {
			if s.Metric == "ari" && s.Target == "shared" && s.Embedding == "common" {
				want["Common S for shared"] = strings.Replace(fmt.Sprintf("%.2f", s.Value), "-", "−", 1)
			}
		}
		if len(want) != 3 {
			v.t.Fatalf("no score of S: %+v", r.Scores)
		}
		for name, text := range want {
			var cell string
			v.Read(&cell, "causality.cell", name, 1+k)
			if cell != text {
				v.t.Errorf("%s, causal loss weighed %v: the page says %q, natively %q", name, weight, cell, text)
			}
		}
	}
	v.Want("#causality-changed", fmt.Sprintf("keeps its answer in %.1f %%", kept[0]), fmt.Sprintf("nothing trains ψ: %.1f %%", kept[1]))
	if said := v.Text("#causality-changed .verdict"); math.Abs(kept[0]-kept[1]) > 2 && !strings.Contains(said, "changed what ψ answers") {
		v.t.Errorf("of answers kept in %.1f and %.1f %% of the swaps the page says %q", kept[0], kept[1], said)
	}
}
