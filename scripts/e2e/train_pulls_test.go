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
		v.Until(untouch)
		slide := func(term string, position int) {
			v.Read(nil, `const s = document.querySelector('.pull[data-term=' + args[0] + '] input');
s.value = args[1];
s.dispatchEvent(new Event('input', {bubbles: true}));`, term, position)
		}
		slide("causal", 0)
		v.Until("cadem.settings().options.weight_causal === 0 && document.querySelector('#options-weight_causal').value === '0'")
		v.Until(untouch)
		v.Finish()
		_, s := c.Open(t)
		var title string
		v.Read(&title, "return document.querySelector('.pull[data-term=causal] .value').title")
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
		v.Read(nil, "document.querySelector('.pull[data-term=matching]').dispatchEvent(new PointerEvent('pointerenter'))")
		v.Until("document.querySelector('#embeddings-view .plot.common.lit') && document.querySelector('.term.lit[data-term=matching]')")
		v.Check()
	})
}

// TestNothingToPull opens links to other methods, whose settings have no weights of losses: no number is shown of what they lack.
func TestNothingToPull(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		for _, method := range []string{"closed", "pca", "vgae"} {
			v := Open(t, engine, NewSite(t), drive.Options{}, "#data=syn3&place=lab&method="+method)
			v.Until(ready + " && cadem.settings().method === '" + method + "'")
			var odd []string
			v.Read(&odd, `return [...document.querySelectorAll('body *')].filter(el => el.checkVisibility())
				.flatMap(el => [...el.attributes].map(a => a.name + '=' + a.value)
	.concat(el.children.length ? [] : [el.textContent])).filter(s => /\bNaN\b|\bundefined\b/.test(s))`)
			const pulled = "[...document.querySelectorAll('.pull output')].filter(el => el.checkVisibility()).map(el => el.textContent)"
			var pulls []string
			if v.Read(&pulls, "return "+pulled); len(odd)+len(pulls) > 0 {
				t.Errorf("%s: the page shows %q, and pulls %q", method, odd, pulls)
			}
			v.Read(nil, "location.hash = '#data=syn3&place=lab'")
			v.Until(pulled + "[0] === '1'")
			v.Check()
		}
	})
}

// TestWhoKnowsWhat reads the cells after a run: their numbers and the places of their dots are the scores, of the trained and of the untrained model, by
// clusters and by a probe. After Reset those of the untrained model are left.
func TestWhoKnowsWhat(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		if n := v.Count("#knows-view td"); n != 4*4 || v.Count("#knows-view .trained") != 0 {
			t.Errorf("before a run there are %d cells", n)
		}
		v.Finish()
		v.Until("document.querySelectorAll('#knows-view .trained').length === 16")
		r := Small.Train(t)
		d, s := Small.Open(t)
		scores, err := run.Score(d, r.Scored, r.ScoredBefore, s.Evaluation, s.EvalSeed, nil)
		if err != nil {
			t.Fatal(err)
		}
		dots := func(class string) (list []float64) {
			v.Read(&list, "return [...document.querySelectorAll('#knows-view circle.' + args[0])].map(c => (c.getAttribute('cx') - 6) / 44)", class)
			return list
		}
		for _, by := range []string{"value", "probe"} {
			v.Push("#knows-view input[value=" + by + "]")
			trained, untrained := dots("trained"), dots("untrained")
			var shown []string
			v.Read(&shown, "return [...document.querySelectorAll('#knows-view .score')].map(s => s.textContent)")
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
		v.Until("location.hash.includes('view.knows=probe')")
		v.Push("#every-number summary")
		v.Want("#metrics", "ARI", "untrained", "probe")
		before := dots("untrained")
		v.Push("#reset")
		v.Until(untouch + " && document.querySelectorAll('#knows-view .trained').length === 0")
		if again := dots("untrained"); !slices.Equal(before, again) {
			t.Errorf("untrained %v, after Reset %v", before, again)
		}
		v.Check()
	})
}
