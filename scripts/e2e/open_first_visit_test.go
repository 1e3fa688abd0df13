package e2e

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cadem.example/core/base/precision"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/train"
	"cadem.example/scripts/e2e/drive"
)

// TestFirstVisit holds the engine back: the finished run that ships with the page has to be there
// without it, and be distinct from an own run.
func TestFirstVisit(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		releases := []func(){s.Hold(s.Built.First.Plain), s.Hold(s.Built.First.Packed)}
		v := &Visit{Browser: Start(t, engine, drive.Options{}), Site: s, t: t}
		v.must(v.Navigate(s.URL + "#v=1&data=syn2")) // a link to another example, too
		v.Until("page.scripted && lab.shipped && settings.data && embeddings.pictures && embeddings.drawn", "syn2", 4)
		v.must(v.Navigate("about:blank"))
		v.must(v.Navigate(s.URL + lab))
		v.Until("page.scripted && lab.shipped && embeddings.pictures", 4)
		v.Until("losses.there")
		for i := range 4 { // each is drawn in a task of its own
			for began := time.Now(); v.colours(i) < 4; {
				if time.Since(began) > time.Minute {
					t.Fatalf("picture %d of the shipped run has %d colours: no marks are drawn", i+1, v.colours(i))
				}
			}
		}
		v.Until("layers.drawn")
		if st := v.State(); st.Ready || st.Hash == "" || st.Scores == 0 {
			t.Errorf("before the engine: %+v", st)
		}
		v.Want("#status", "finished run")
		for _, release := range releases {
			release()
		}
		v.Until("page.ready")
		v.Until("scores.there")
		v.Push("#every-number summary")
		v.Want("#metrics", "ARI", "untrained", "probe")
		if st := v.State(); st.Phase != "shipped" {
			t.Errorf("when the engine had arrived, the phase was %q", st.Phase)
		}
		v.Check()
	})
}

// colours counts the colours of the i-th picture.
func (v *Visit) colours(i int) int {
	v.t.Helper()
	var n int
	v.Read(&n, "embeddings.colours", i)
	return n
}

// TestSyn1 trains the paper's first synthetic set in full, and finds the bits
// that the same core computes natively.
func TestSyn1(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn1"}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until("lab.shipped && page.started && !lab.waits")
		began := time.Now()
		// The page measures the pace of computing itself; the last one that it shows counts.
		v.Read(nil, "lab.watchPace")
		v.Push("#play")
		v.Until("lab.ended")
		trained := time.Since(began)
		v.Until("lab.finished")
		var pace string
		v.Read(&pace, "lab.stepTook")
		st := v.State()
		want := c.Train(t)
		if st.Hash != want.Hash || st.Step != want.Progress.Step || st.Step != 140*15 {
			t.Errorf("after %d steps the hash is %s, natively it is %s after %d", st.Step, st.Hash, want.Hash, want.Progress.Step)
		}
		step, err := strconv.ParseFloat(pace, 64)
		if err != nil || step <= 0 {
			t.Errorf("the page gave no time of a step: %q", pace)
		}
		t.Logf("%d steps of %.2f ms: %.2f s of computing, %.2f s from the click to the end", st.Step, step, float64(st.Step)*step/1000, trained.Seconds())
		v.Until("scores.rated && losses.rows", 12)
		v.lossesFell("Matching", "Total")
		v.wantScores(c, want)
		v.Check()
	})
}

// lossesFell fails the test unless some columns of the table of losses end
// lower than they begin.
func (v *Visit) lossesFell(columns ...string) {
	v.t.Helper()
	for _, name := range columns {
		var column []float64
		v.Read(&column, "losses.column", name)
		if n := len(column); n < 2 || !(column[n-1] < column[0]) {
			v.t.Errorf("%s did not fall: %v", name, column)
		}
	}
}

// wantScores compares the table of scores with those computed natively, each
// with the untrained and the probe's figure beside it.
func (v *Visit) wantScores(c Course, r *run.Result) {
	v.t.Helper()
	d, s := c.Open(v.t)
	scores, err := run.Score(d, r.Scored, r.ScoredBefore, s.Evaluation, s.EvalSeed, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	var alone []evaluate.Score
	if c.Files != nil { // beside which stands what classes need no training
		if alone, err = s.Without(d, precision.Single, nil); err != nil {
			v.t.Fatal(err)
		}
		alone = slices.DeleteFunc(alone, func(s evaluate.Score) bool { return evaluate.MetricOf(s.Metric).From != evaluate.Classifier })
		if len(alone) == 0 {
			v.t.Error("nothing without training")
		}
		v.Until("lab.finished")
	}
	if n := v.State().Scores; n != len(scores)+len(alone) {
		v.t.Errorf("%d scores, natively %d and %d without training", n, len(scores), len(alone))
	}
	var cells []string
	v.Read(&cells, "see.texts", "#metrics table.score td")
	dec := func(x float64, digits int) string {
		if math.IsNaN(x) {
			return "–"
		}
		text := strings.Replace(fmt.Sprintf("%.*f", digits, x), "-", "\u2212", 1)
		if strings.Trim(text, "\u22120.") == "" { // nothing is less than 0 by less than is shown
			text = strings.TrimPrefix(text, "\u2212")
		}
		return text
	}
	for _, q := range append(scores, alone...) {
		want := fmt.Sprintf("%s ± %s", dec(float64(q.Value), 3), dec(float64(q.FoldStd), 3))
		if !slices.Contains(train.Without, q.Embedding) {
			want += fmt.Sprintf("untrained %s · standardised %s · probe of labels %s",
				dec(float64(q.Untrained), 2), dec(float64(q.UntrainedStandardised), 2), dec(float64(q.Probe), 2))
		}
		found := false
		for _, cell := range cells {
			found = found || cell == want
		}
		if !found {
			v.t.Errorf("no cell of the table says %q, as %s on %s in %s is natively", want, q.Embedding, q.Target, q.Metric)
		}
	}
}
