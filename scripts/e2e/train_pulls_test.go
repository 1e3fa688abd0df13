package e2e

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/scripts/e2e/drive"
)

// TestPulls moves the weight of a term beside the pictures before a run and during one: the form and the run follow, and the row tells the
// loss and that of pure guessing.
func TestPulls(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 40})
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until("lab.untouched")
		slide := func(term string, position int) {
			v.Read(nil, "hand.set", ".pull[data-term="+term+"] input", position)
		}
		slide("causal", 0)
		v.Until("settings.option && see.value", "weight_causal", 0, "#options-weight_causal", "0")
		v.Until("lab.untouched")
		v.Finish()
		_, s := c.Open(t)
		var title string
		v.Read(&title, "see.title", ".pull[data-term=causal] .value")
		if want := fmt.Sprintf("pure guessing: %.3g", s.CaDeM().Guessing(3)); title != want {
			t.Errorf("the row says %q, expected %q", title, want)
		}
		always := 0 // there, the total apart
		for _, term := range cadem.Terms[:len(cadem.Terms)-1] {
			if term.Needs == nil {
				always++
			}
		}
		if n := v.Count(".pull:not([hidden]) .course[d^=M]"); n != always || v.Count(".pull:not([hidden])") != always {
			t.Errorf("%d terms have a course", n)
		}
		v.Read(nil, "hand.enter", ".pull[data-term=matching]")
		v.Until("pulls.lights")
		v.Check()
	})
}

// TestNothingToPull opens links to other methods, whose settings have no weights of losses: no number is shown of what they lack.
func TestNothingToPull(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		for _, method := range []string{"closed", "pca", "vgae"} {
			v.Load("?" + method + "#data=syn3&place=lab&method=" + method) // in a page of its own
			v.Until("page.ready && settings.method", method)
			var odd []string
			v.Read(&odd, "page.odd")
			var pulls []string
			if v.Read(&pulls, "pulls.values"); len(odd)+len(pulls) > 0 {
				t.Errorf("%s: the page shows %q, and pulls %q", method, odd, pulls)
			}
			v.Read(nil, "address.go", "#data=syn3&place=lab")
			v.Until("pulls.first", "1")
			v.Check()
		}
	})
}

// TestWhoKnowsWhat reads the cells after a run: their numbers and the places of their dots are the scores, of the trained and of the untrained model, by
// clusters and by a probe. After Reset those of the untrained model are left.
func TestWhoKnowsWhat(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		if n := v.Count("#knows-view td"); n != 4*4 || v.Count("#knows-view .trained") != 0 {
			t.Errorf("before a run there are %d cells", n)
		}
		v.Finish()
		v.Until("scores.marks", 16)
		r := Small.Train(t)
		d, s := Small.Open(t)
		scores, err := run.Score(d, r.Scored, r.ScoredBefore, s.Evaluation, s.EvalSeed, nil)
		if err != nil {
			t.Fatal(err)
		}
		dots := func(class string) (list []float64) {
			v.Read(&list, "scores.circles", class)
			return list
		}
		for _, by := range []string{"value", "probe"} {
			v.Push("#knows-view input[value=" + by + "]")
			trained, untrained := dots("trained"), dots("untrained")
			var shown []string
			v.Read(&shown, "see.texts", "#knows-view .score")
			k := 0
			for _, q := range scores {
				if q.Metric != "ari" || q.Embedding == "combined" {
					continue
				}
				now, before := float64(q.Value), float64(q.Untrained)
				if by == "probe" {
					now, before = float64(q.Probe), float64(q.UntrainedProbe)
				}
				if math.Abs(trained[k]-max(0, now)) > 1e-6 || math.Abs(untrained[k]-max(0, before)) > 1e-6 {
					t.Errorf("%s of %s in %s: dots at %.3f and %.3f, expected %.3f and %.3f", by, q.Target, q.Embedding, trained[k], untrained[k], now, before)
				}
				if number, err := strconv.ParseFloat(strings.Replace(shown[k], "\u2212", "-", 1), 64); err != nil || math.Abs(number-now) > 0.0051 {
					t.Errorf("%s of %s in %s: %q, expected %.2f", by, q.Target, q.Embedding, shown[k], now)
				}
				k++
			}
			if k != len(trained) || k != len(untrained) {
				t.Errorf("%d scores, %d and %d dots", k, len(trained), len(untrained))
			}
		}
		v.Until("address.has", "view.knows=probe")
		v.Push("#every-number summary")
		v.Want("#metrics", "ARI", "untrained", "probe")
		before := dots("untrained")
		v.Push("#reset")
		v.Until("lab.untouched && scores.marks", 0)
		if again := dots("untrained"); !slices.Equal(before, again) {
			t.Errorf("untrained %v, after Reset %v", before, again)
		}
		v.Check()
	})
}
