package measures

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// cohortGraphs draws a cohort, every subject in every condition.
func cohortGraphs(t *testing.T, subjects, regions int) (graphs []*multiplex.Graph, class, group []int) {
	t.Helper()
	spec := &run.DataSpec{Example: run.CohortData, Options: map[string]any{"subjects": subjects, "regions": regions, "frames": 200}}
	for i := range subjects {
		for k, name := range cohort.Conditions {
			spec.Scans = append(spec.Scans, run.Scan{Name: fmt.Sprintf("%d, %s", i, name), Class: k, Group: i, Subject: i, Condition: k})
		}
	}
	graphs, _, err := (&measure.Spec{Kind: measure.Combined}).Graphs(spec, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range spec.Scans {
		class, group = append(class, s.Class), append(group, s.Group)
	}
	return graphs, class, group
}

// sharedBy trains encoders that graphs share, and gives their model as it comes from its file.
func sharedBy(t *testing.T, graphs []*multiplex.Graph, class, group []int, epochs int) *frozen.Encoders {
	t.Helper()
	o, err := cadem.Preset("released")
	if err != nil {
		t.Fatal(err)
	}
	if err := property.Set(&o, "epochs", fmt.Sprint(epochs)); err != nil {
		t.Fatal(err)
	}
	r, err := cadem.New(graphs, o, 1, precision.Single)
	if err != nil {
		t.Fatal(err)
	}
	for !r.Done() {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	e, err := run.SubjectModel(r, graphs, cohort.Conditions, class, group, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := e.Write(&b); err != nil {
		t.Fatal(err)
	}
	if e, err = frozen.ReadEncoders("model.npz", b.Bytes()); err != nil {
		t.Fatal(err)
	}
	return e
}

// some picks graphs.
func some[T any](list []T, folds []int, keep func(fold int) bool) (out []T) {
	for i, v := range list {
		if keep(folds[i]) {
			out = append(out, v)
		}
	}
	return out
}

// New subjects are recognised as well as those in the training: to .03 of accuracy on 60 subjects in 3 conditions, in the mean of 5 splits.
func TestUnseenSubjectsAreTold(t *testing.T) {
	if os.Getenv("CADEM_LONG") == "" {
		t.Skip("CADEM_LONG is not set")
	}
	const subjects, splits = 60, 5
	graphs, class, group := cohortGraphs(t, subjects, 100)
	order := make([]int, subjects)
	src := rng.New(1, "splits")
	for i := range order {
		order[i] = i
		j := src.IntN(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	folds := make([]int, len(graphs))
	for i, g := range group {
		folds[i] = order[g] % splits
	}
	whole := sharedBy(t, graphs, class, group, 60)
	told := map[string]float64{}
	for split := range splits {
		seen, unseen := func(f int) bool { return f != split }, func(f int) bool { return f == split }
		new, truth := some(graphs, folds, unseen), some(class, folds, unseen)
		apart := sharedBy(t, some(graphs, folds, seen), some(class, folds, seen), some(group, folds, seen), 60)
		with := *whole // its encoders have seen all; the classifier sees the same graphs as the other
		with.Graphs, with.Class, with.Group = apart.Graphs, apart.Class, apart.Group
		with.Pooled, with.Means = nil, nil
		width, means := whole.Width(), len(whole.Means)/len(graphs)
		for i, f := range folds {
			if seen(f) {
				with.Pooled = append(with.Pooled, whole.Pooled[i*width:(i+1)*width]...)
				with.Means = append(with.Means, whole.Means[i*means:(i+1)*means]...)
			}
		}
		for name, e := range map[string]*frozen.Encoders{"unseen": apart, "in the folds": &with} {
			s, err := run.NewSubjects(e, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, g := range new {
				a, err := s.Ask(g)
				if err != nil {
					t.Fatal(err)
				}
				if a.Class == truth[i] {
					told[name] += 1 / float64(len(graphs))
				}
			}
		}
	}
	t.Logf("%v", told)
	if math.Abs(told["unseen"]-told["in the folds"]) > .03 || told["unseen"] < .5 {
		t.Errorf("accuracy %v, expected the same within .03, and more than one half", told)
	}
}

// checkHeldOut computes what is told of graphs that are held out once more, by classifiers on the other folds alone and a temperature that the
// graph and its fold have no part in.
func checkHeldOut(t *testing.T, e *frozen.Encoders, s *run.Subjects) {
	t.Helper()
	folds := evaluate.GroupedFolds(e.Class, e.Group, 5, rng.New(1, "subjects/folds"))
	n, width := len(e.Graphs), e.Width()
	held := make([][]float64, n) // scores
	for f := range slices.Max(folds) + 1 {
		var in []int
		for i := range n {
			if folds[i] != f {
				in = append(in, i)
			}
		}
		x := mat.NewDense(n, width, nil) // standardised by what the fold trains on
		for k := range width {
			mean, sd := 0.0, 0.0
			for _, i := range in {
				mean += e.Pooled[i*width+k] / float64(len(in))
			}
			for _, i := range in {
				sd += math.Pow(e.Pooled[i*width+k]-mean, 2) / float64(len(in))
			}
			for i := range n {
				x.Set(i, k, (e.Pooled[i*width+k]-mean)/math.Sqrt(sd))
			}
		}
		p := evaluate.NewProbe(width, len(e.Classes))
		if err := p.Fit(evaluate.NewBatch([]*mat.Dense{x}, in, e.Class), nil); err != nil {
			t.Fatal(err)
		}
		w, b := p.Weights()
		for i := range n {
			if folds[i] == f {
				for c := range e.Classes {
					held[i] = append(held[i], b[c]+mat.Dot(mat.NewVecDense(width, w[c*width:(c+1)*width]), x.RowView(i)))
				}
			}
		}
	}
	of := func(i int, temperature float64) []float64 {
		p, sum := make([]float64, len(held[i])), 0.0
		for c, v := range held[i] {
			p[c] = math.Exp((v - slices.Max(held[i])) / temperature)
			sum += p[c]
		}
		for c := range p {
			p[c] /= sum
		}
		return p
	}
	brier := 0.0
	for i := range n {
		best, least := 0.0, math.Inf(1)
		for step := -40; step <= 40; step++ {
			temperature, loss := math.Pow(20, float64(step)/40), 0.0
			for j := range n {
				if folds[j] != folds[i] {
					loss -= math.Log(of(j, temperature)[e.Class[j]])
				}
			}
			if loss < least {
				best, least = temperature, loss
			}
		}
		for c, v := range of(i, best) {
			if c == e.Class[i] {
				v--
			}
			brier += v * v / float64(n)
		}
	}
	if math.Abs(brier-s.Brier) > 1e-6 {
		t.Errorf("Brier score %v, computed once more %v", s.Brier, brier)
	}
}

// A model of graphs says what it is asked: classes with probabilities, regions whose shares add up to the score, and leverage, which is large
// where a subject is unlike the others.
func TestAnswersAboutSubjects(t *testing.T) {
	graphs, class, group := cohortGraphs(t, 8, 60)
	seen := func(f int) bool { return f < 6 }
	e := sharedBy(t, some(graphs, group, seen), some(class, group, seen), some(group, group, seen), 2)
	s, err := run.NewSubjects(e, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, g := range graphs {
		if seen(group[i]) {
			continue
		}
		a, err := s.Ask(g)
		if err != nil {
			t.Fatal(err)
		}
		sum, shares := 0.0, 0.0
		for _, p := range a.Probabilities {
			sum += p
		}
		for _, r := range a.Regions {
			shares += r.Share
		}
		if math.Abs(sum-1) > 1e-12 || math.Abs(shares-a.Score) > 1e-9*max(1, math.Abs(a.Score)) || len(a.Regions) != g.M() || a.Leverage <= 0 {
			t.Errorf("%+v", a)
		}
		if a.Class == class[i] {
			right++
		}
	}
	counted, gap := 0, 0.0
	for _, b := range s.Reliability {
		counted += b.Graphs
		gap += float64(b.Graphs) / 18 * math.Abs(b.Probability-b.Right)
	}
	if math.Abs(gap-s.Gap) > 1e-12 || s.Brier <= 0 || s.Brier >= s.BrierShares || math.Abs(s.BrierShares-2./3) > 1e-12 {
		t.Errorf("Brier score %v, of the shares %v, calibration error %v and from the bins %v", s.Brier, s.BrierShares, s.Gap, gap)
	}
	checkHeldOut(t, e, s)
	if right < 3 || counted != 18 || s.Accuracy < .4 {
		t.Errorf("%d of 6 are right, %d graphs in bins, accuracy %.2f", right, counted, s.Accuracy)
	}
	far := *graphs[0]
	far.Layers = append([]multiplex.Layer(nil), far.Layers...)
	for l := range far.Layers {
		x := far.Layers[l].Features
		d := make([]float64, len(x.Dense))
		for i, v := range x.Dense {
			d[i] = 5*v + 3
		}
		far.Layers[l].Features = &multiplex.Features{Rows: x.Rows, Cols: x.Cols, Dense: d}
	}
	if a, err := s.Ask(&far); err != nil || !a.Unlike {
		t.Errorf("what is unlike anything seen: %v, %v", a, err)
	}
	far.Layers = far.Layers[:1]
	if _, err := s.Ask(&far); err == nil {
		t.Error("a graph of one layer was taken")
	}
}
