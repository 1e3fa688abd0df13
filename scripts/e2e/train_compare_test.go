package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cadem.example/core/lab/run"
)

// differing counts the clusterings and classifications that two runs have been scored by, and those whose scores differ by more than the
// deviation of a difference of two such scores.
func differing(t *testing.T, one, other Course) (all, beyond int) {
	t.Helper()
	type key struct{ embedding, target, metric string }
	known := map[key][2]float64{}
	for k, c := range []Course{one, other} {
		r := c.Train(t)
		d, s := c.Open(t)
		scores, err := run.Score(d, r.Scored, r.ScoredBefore, s.Evaluation, s.EvalSeed, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range scores {
			at, v := key{q.Embedding, q.Target, q.Metric}, [2]float64{float64(q.Value), float64(q.FoldStd)}
			if q.Metric != "ari" && q.Metric != "macro_f1" {
				continue
			}
			if k == 0 {
				known[at] = v
				continue
			}
			all++
			if before := known[at]; math.Abs(v[0]-before[0]) > max(0.005, math.Hypot(v[1], before[1])) {
				beyond++
			}
		}
	}
	return all, beyond
}

// verdict is the sentence about the scores of two runs.
func verdict(all, beyond int) string {
	switch beyond {
	case 0:
		return fmt.Sprintf("None of the %d scores that both have differs by more than its spread.", all)
	case 1:
		return fmt.Sprintf("Of the %d scores that both have, 1 differs by more than its spread: ", all)
	}
	return fmt.Sprintf("Of the %d scores that both have, %d differ by more than their spread", all, beyond)
}

// TestPinAndCompare pins a run by keyboard, trains another, sees the first one behind it, and reads in what they differ; then the same of two
// runs that were kept, in another visit.
func TestPinAndCompare(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		changed := Small.With(nil, map[string]any{"weight_causal": 40})
		all, beyond := differing(t, Small, changed)
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		first := v.Finish()
		v.Read(nil, "hand.focus", "#pin")
		v.must(v.Press("Enter"))
		v.Until("see.attribute", "#pin", "aria-pressed", "true")
		v.Want("#pin-note", "Pinned:")
		if n := v.Count("#knows-view .pinned"); n != 0 {
			t.Errorf("the pinned run stands %d times behind itself", n)
		}
		v.Enter("#options-weight_causal", "40")
		second := v.Finish()
		if second.Run == first.Run {
			t.Fatal("another setting made no other run")
		}
		v.Until("see.count && see.count", "#knows-view .pinned", 16, ".pull:not([hidden]) .ghost[d^=M]", 3)
		v.Want("#pin-note", "the pinned run")
		v.Push("[aria-label='Save the pictures as SVG']")
		if n := strings.Count(string(download(t, v, "cadem-embeddings.svg")), "<path"); n < 2*4*90 {
			t.Errorf("the picture has %d marks, expected those of both runs", n)
		}

		compared := func() {
			t.Helper()
			v.Until("see.says", ".compare-words", verdict(all, beyond))
			v.Want(".compare-words", "0.5, then 40", "The runs differ in")
			v.Want("#compare-view", "turned and mirrored to fit", "S 1", "Settings that differ")
			if n := v.Count("#compare-view .compare canvas"); n != 8 {
				t.Errorf("%d plots side by side, expected 8", n)
			}
			if n := v.Count("#compare-view .course[d^=M]"); n != 2*4 {
				t.Errorf("%d curves, expected those of three terms and the total of both runs", n)
			}
		}
		v.Push(".tab[data-show=compare]")
		compared()
		v.Read(nil, "hand.click", "input[name=preset][value=refined]") // and the same beside the other preset
		v.Finish()
		v.Until("see.says", ".compare-words", "“Preset” differs (released, then refined)")
		// Released beside refined, which has one term more, and trains in another program: that comes first.
		v.Until("see.count", "#compare-view .course[d^=M]", 2*4+1)
		v.Check()

		v.Load("") // the same of what was kept, with other data on screen
		v.Until("lab.shipped && runs.count", 3)
		if n := v.Count("#runs-list section"); n != 1 {
			t.Errorf("three runs of the same data stand in %d groups", n)
		}
		if n := v.Count("#runs-list .thumbnail path"); n != 3*3 {
			t.Errorf("the thumbnails of three runs have %d colours, expected three each", n)
		}
		act := func(id, name string) string { return fmt.Sprintf("[data-run=%q] [data-act=%s]", id, name) }
		v.Go("runs")
		v.Read(nil, "hand.focus", act(first.Run, "pin"))
		v.must(v.Press("Enter"))
		v.Until("see.is && see.focusSays", "#runs-list .tag", "pinned", "Unpin")
		v.Read(nil, "hand.focus", act(second.Run, "compare"))
		v.must(v.Press("Enter"))
		compared()
		if v.Resize(390, 844) == nil { // on a phone, too, what is compared stands side by side
			var apart float64
			v.Until("lab.drawn")
			v.Read(&apart, "embeddings.comparedApart")
			if apart > 1 {
				t.Errorf("the pictures of an embedding stand %.0f px apart in height", apart)
			}
		}
		v.Check()
	})
}
