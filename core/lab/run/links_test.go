package run

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// town returns two layers of 60 nodes: links stay inside three groups, which the layers share, without labels.
func town(t *testing.T) *Dataset {
	t.Helper()
	const m = 60
	g := &multiplex.Graph{Name: "town"}
	for l := range 2 {
		var edges []multiplex.Edge
		draw := rng.New(uint64(l), "test/town")
		for len(edges) < 240 {
			if i, j := draw.IntN(m), draw.IntN(m); i%3 == j%3 || draw.Float64() < .1 {
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: train.LayerName(l), Adjacency: a, Features: multiplex.Identity(m)})
	}
	return &Dataset{Name: "town", Graph: g, Classify: true}
}

func scoredLinks(t *testing.T, d *Dataset, method string, splits int, set map[string]any) []evaluate.Score {
	t.Helper()
	var s *Settings
	var err error
	if method == train.NameOfCaDeM {
		s, err = NewSettings("released", d)
	} else {
		s, err = MethodSettings(method, "", d)
	}
	if err == nil {
		err = s.SetAll(set)
	}
	if err != nil {
		t.Fatal(err)
	}
	scores, _, err := Links(d, s, precision.Single, splits, links.Near, nil)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

func linkScore(t *testing.T, list []evaluate.Score, embedding string, c int) *evaluate.Score {
	t.Helper()
	for i := range list {
		if s := &list[i]; s.Embedding == embedding && s.Metric == links.Columns[c].Name && s.Target == OfLinks {
			return s
		}
	}
	t.Fatalf("no score %s of %s", links.Columns[c].Name, embedding)
	return nil
}

// Every method is asked for the same pairs, whatever it draws: degrees alone score the same, and as computed directly. Communities of
// three groups tell links apart, a training adds to its first weights, and the values are the means of the splits.
func TestLinks(t *testing.T) {
	d := town(t)
	const splits = 3
	ofCaDeM := scoredLinks(t, d, train.NameOfCaDeM, splits, map[string]any{"epochs": 20})
	all := map[string][]evaluate.Score{"cadem": ofCaDeM, "modularity": scoredLinks(t, d, "modularity", splits, nil),
		"spectral": scoredLinks(t, d, "spectral", splits, nil)}
	for name, list := range all {
		for c := range links.Columns {
			s := linkScore(t, list, Combined, c)
			if want := linkScore(t, ofCaDeM, Combined, c); !slices.Equal(s.TrivialFolds, want.TrivialFolds) {
				t.Errorf("%s: degrees alone score %v beside %s, beside CaDeM %v", links.Columns[c].Name, s.TrivialFolds, name, want.TrivialFolds)
			}
			mean := 0.0
			for _, v := range s.Folds {
				mean += v / splits
			}
			if len(s.Folds) != splits || math.Abs(mean-s.Value) > 1e-12 {
				t.Errorf("%s of %s is %v, splits %v", links.Columns[c].Name, name, s.Value, s.Folds)
			}
		}
	}
	for k := range splits {
		held, err := links.Hold(d.Graph, links.Share, uint64(k), nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for l := range d.Graph.Layers {
			s, err := held.Score(l, 0, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			sum += s[links.FittedLoss] / 2
		}
		if got := linkScore(t, ofCaDeM, Combined, links.FittedLoss).TrivialFolds[k]; math.Abs(got-sum) > 1e-12 {
			t.Errorf("degrees alone have log-loss %v in split %d, expected %v", got, k, sum)
		}
	}
	if s := linkScore(t, all["modularity"], Combined, links.AUC); s.Value < .75 || *s.Trivial > .65 {
		t.Errorf("communities score %v, degrees %v", s.Value, *s.Trivial)
	}
	if s := linkScore(t, ofCaDeM, train.Common, links.AUC); s.Value == s.Untrained {
		t.Error("training changes nothing")
	}
	if s := linkScore(t, ofCaDeM, Combined, links.AUC); s.Probe != linkScore(t, ofCaDeM, Combined, links.FittedAUC).Value {
		t.Errorf("the probe of a score is %v, its fit %v", s.Probe, linkScore(t, ofCaDeM, Combined, links.FittedAUC).Value)
	}
}

// What counts neighbours has rows of its own, the same beside every method, and as computed directly on the links that are left.
func TestNeighboursBesideMethods(t *testing.T) {
	d := town(t)
	list, other := scoredLinks(t, d, "spectral", 1, nil), scoredLinks(t, d, "modularity", 1, nil)
	held, err := links.Hold(d.Graph, links.Share, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range links.Near(held.Graph.Layers) {
		var layers []links.Scores
		for l := range d.Graph.Layers {
			s, err := held.Score(l, 1, way.Of, nil)
			if err != nil {
				t.Fatal(err)
			}
			layers = append(layers, s)
		}
		for c, want := range links.Mean(layers) {
			if s, beside := linkScore(t, list, way.Name, c), linkScore(t, other, way.Name, c); s.Value != want || beside.Value != want || s.Untrained != want {
				t.Errorf("%s of %s: %v and %v, expected %v", links.Columns[c].Name, way.Name, s.Value, beside.Value, want)
			}
		}
	}
}

// Nothing of the data set changes, and the same is found again.
func TestLinksLeaveTheData(t *testing.T) {
	d := town(t)
	before := d.Graph.Layers[0].Adjacency.NNZ()
	a, b := scoredLinks(t, d, "random", 1, nil), scoredLinks(t, d, "random", 1, nil)
	if d.Graph.Layers[0].Adjacency.NNZ() != before {
		t.Error("links are gone")
	}
	for k := range a {
		if a[k].Value != b[k].Value {
			t.Errorf("%s is %v, and then %v", a[k].Metric, a[k].Value, b[k].Value)
		}
	}
}

// A method that knows the probability of links is scored by it, too.
func TestLinksOfPredictor(t *testing.T) {
	d := town(t)
	held, err := links.Hold(d.Graph, links.Share, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	table := &linkTable{}
	if err := table.split(held, &Run{training: &groups{}}, nil, nil); err != nil {
		t.Fatal(err)
	}
	rows := table.rows()
	own, embedding := linkScore(t, rows, Probability, links.AUC), linkScore(t, rows, Combined, links.AUC)
	if own.Value < .75 || embedding.Value > .65 {
		t.Errorf("who knows the groups scores %v, and its embedding, which knows nothing, %v", own.Value, embedding.Value)
	}
}

// groups knows the groups of nodes, and embeds nothing of it.
type groups struct{ train.Training }

func (*groups) Embeddings(int) []train.Embedding {
	x := mat.NewDense(60, 1, nil)
	for i := range 60 {
		x.Set(i, 0, float64(i*i%7))
	}
	return []train.Embedding{{Name: train.Fused, X: x}}
}

func (*groups) Links(graph, layer int) train.PairScore {
	return train.PairScore{Width: 1, Of: func(dst []float64, i, j int) float64 {
		dst[0] = 0
		if i%3 == j%3 {
			dst[0] = 1
		}
		return dst[0]
	}}
}

// Work is reported often, never beyond its total and never less than before; it stops at an error of yield.
func TestLinksYield(t *testing.T) {
	d, last, calls := town(t), 0, 0
	s, err := MethodSettings("modularity", "", d)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	_, _, err = Links(d, s, precision.Single, 2, links.Near, func(done, total int) error {
		if calls++; done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		if last = done; done > total/2 {
			return stop
		}
		return nil
	})
	if err != stop || calls < 4 {
		t.Errorf("after %d calls: %v", calls, err)
	}
}
