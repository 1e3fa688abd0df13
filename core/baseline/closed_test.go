package baseline_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// closedForm embeds graphs by the closed form with some options changed.
func closedForm(t *testing.T, graphs []*multiplex.Graph, set map[string]string) train.Training {
	t.Helper()
	m, err := train.Lookup("closed")
	if err != nil {
		t.Fatal(err)
	}
	o, _, err := m.Settings("")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range set {
		if err := property.Set(o, name, value); err != nil {
			t.Fatal(err)
		}
	}
	c, err := train.Start(m, &train.Setup{Graphs: graphs, Options: o, Precision: precision.Double})
	if err != nil {
		t.Fatal(err)
	}
	for !train.Done(c) {
		if err := c.Step(nil); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func published(t *testing.T, options map[string]any) *multiplex.Graph {
	t.Helper()
	options["instance"] = "published"
	d, err := run.OpenExample("syn2", options, 0)
	if err != nil {
		t.Fatal(err)
	}
	return d.Graph
}

func agreementWith(t *testing.T, x *mat.Dense, g *multiplex.Graph, labels string) float64 {
	t.Helper()
	for _, s := range g.Labels {
		if s.Name == labels {
			return evaluate.ARI(s.Of, evaluate.KMeans(x, len(s.Classes), 5, rng.New(1, "test")).Labels)
		}
	}
	t.Fatalf("no labels %s", labels)
	return 0
}

// On the published Syn2 the shared communities are in S and each layer's own in P, as far as edges
// are drawn by them: at gamma 0 nothing is shared, at 1 no layer has anything of its own.
func TestClosedFormOnSyn2(t *testing.T) {
	for _, c := range []struct {
		gamma       float64
		rank        float64
		s           float64 // least ARI of S with the shared communities
		least, most float64 // of P with the layer's own
	}{{0, 0, 0, 0.97, 1}, {0.5, 2, 0.95, 0.95, 1}, {1, 2, 0.95, -0.1, 0.1}} {
		g := published(t, map[string]any{"gamma": c.gamma})
		run := closedForm(t, []*multiplex.Graph{g}, nil)
		r := run.Report()
		if rank, _ := r.Figure("rank_S"); rank != c.rank {
			t.Errorf("gamma %v: rank %v, expected %v", c.gamma, rank, c.rank)
		}
		for k, e := range run.Embeddings(0) {
			if k == 0 {
				if v := agreementWith(t, e.X, g, "shared"); c.rank > 0 && v < c.s {
					t.Errorf("gamma %v: S agrees by %.3f with the shared communities, expected %.2f", c.gamma, v, c.s)
				}
			} else if v := agreementWith(t, e.X, g, e.Name); v < c.least || v > c.most {
				t.Errorf("gamma %v: %s agrees by %.3f with the layer's own communities, expected %.2f to %.2f", c.gamma, e.Name, v, c.least, c.most)
			}
		}
	}
}

// Without the hop the private part keeps nothing of the shared one.
func TestOrthogonalPrivatePart(t *testing.T) {
	g := published(t, map[string]any{"gamma": 0.5})
	largest := func(private string) float64 {
		list := closedForm(t, []*multiplex.Graph{g}, map[string]string{"private": private}).Embeddings(0)
		var along mat.Dense
		along.Mul(list[0].X.T(), list[1].X)
		return mat.Max(&along) / float64(g.M())
	}
	if own, none := largest("own"), largest("orthogonal"); none > 1e-9 || own < 0.1 {
		t.Errorf("S'P is up to %.1e orthogonal, %.1e with the hop", none, own)
	}
}

// Other numbers for the nodes give the same S in another order. Private directions next to the noise
// edge are found less exactly, and are not compared.
func TestClosedFormPermutes(t *testing.T) {
	g := published(t, map[string]any{"gamma": 0.5})
	m := g.M()
	place := make([]int, m)
	rng.New(1, "test/permutation").Perm(place)
	moved := &multiplex.Graph{}
	for _, l := range g.Layers {
		var edges []multiplex.Edge
		for i := range m {
			for k := l.Adjacency.Start[i]; k < l.Adjacency.Start[i+1]; k++ {
				edges = append(edges, multiplex.Edge{I: place[i], J: place[l.Adjacency.Index[k]], Weight: 1})
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		moved.Layers = append(moved.Layers, multiplex.Layer{Adjacency: a, Features: multiplex.Identity(m)})
	}
	before, after := closedForm(t, []*multiplex.Graph{g}, nil).Embeddings(0), closedForm(t, []*multiplex.Graph{moved}, nil).Embeddings(0)
	for k, e := range before[:1] {
		// Directions of nearly the same size may turn: X X'w does not. The iteration that finds them
		// begins at numbers that belong to the features, and ends a little away from where it would end.
		w := mat.NewVecDense(m, nil)
		there := mat.NewVecDense(m, nil)
		for i := range m {
			w.SetVec(i, math.Sin(float64(i)))
			there.SetVec(place[i], math.Sin(float64(i)))
		}
		project := func(x *mat.Dense, w *mat.VecDense) *mat.VecDense {
			var along, back mat.VecDense
			along.MulVec(x.T(), w)
			back.MulVec(x, &along)
			return &back
		}
		a, b := project(e.X, w), project(after[k].X, there)
		for i := range m {
			if math.Abs(a.AtVec(i)-b.AtVec(place[i])) > 1e-2*mat.Max(a) {
				t.Fatalf("%s: node %d has %v, and %v by another number", e.Name, i, a.AtVec(i), b.AtVec(place[i]))
			}
		}
	}
}

// Where there are no more features than directions, private embeddings hold all that is not shared.
func TestClosedFormOfFewFeatures(t *testing.T) {
	d, err := run.OpenExample("syn3", map[string]any{"instance": "published"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d.Graph.F() > 8 {
		t.Fatalf("%d features", d.Graph.F())
	}
	run := closedForm(t, []*multiplex.Graph{d.Graph}, nil)
	r := run.Report()
	if rank, _ := r.Figure("rank_S"); rank != 0 {
		t.Errorf("Syn3 shares %v directions", rank)
	}
	list := run.Embeddings(0)
	if _, width := list[1].X.Dims(); width != 8 || mat.Max(list[0].X) != 0 || mat.Max(list[1].X) == 0 {
		t.Errorf("P has width %d; S is up to %v, P up to %v", width, mat.Max(list[0].X), mat.Max(list[1].X))
	}
}

// Several graphs are prepared as one, so that their coordinates mean the same.
func TestClosedFormOfSeveralGraphs(t *testing.T) {
	g := published(t, map[string]any{"gamma": 0.5})
	both := closedForm(t, []*multiplex.Graph{g, g}, nil)
	first, second := both.Embeddings(0), both.Embeddings(1)
	for k, e := range first {
		labels := e.Name
		if k == 0 {
			labels = "shared"
		}
		if v := agreementWith(t, e.X, g, labels); v < 0.95 || !mat.EqualApprox(e.X, second[k].X, 1e-9) {
			t.Errorf("%s agrees by %.3f with its communities; the same graph again has other coordinates", e.Name, v)
		}
	}
}

// On Syn1, whose layers share nothing, training by the preset refined ends where the closed form is, up
// to a rotation: each P is read from the other.
func TestTrainingEndsAtTheClosedForm(t *testing.T) {
	d, err := run.OpenExample("syn1", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.NewSettings("refined", d)
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Train(d, s, precision.Single, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	list := closedForm(t, []*multiplex.Graph{d.Graph}, nil).Embeddings(0)
	if r.Trained.Rank != 0 || mat.Norm(list[0].X, 2) != 0 {
		t.Errorf("S has rank %d trained, and length %v in closed form", r.Trained.Rank, mat.Norm(list[0].X, 2))
	}
	for l, p := range r.Trained.Private {
		for _, pair := range [][2]*mat.Dense{{p, list[l+1].X}, {list[l+1].X, p}} {
			for _, v := range evaluate.R2(pair[0], pair[1], 5, 1) {
				if v < 0.97 {
					t.Errorf("layer %d: %.3f of the variance of one P is read from the other", l+1, v)
				}
			}
		}
	}
}

// grouped draws a layer without features whose nodes are in one of three groups.
func grouped(t *testing.T, m, layer int, in float64) multiplex.Layer {
	t.Helper()
	src := rng.New(uint64(layer), "test/hard to split")
	var edges []multiplex.Edge
	for i := range m {
		for j := range i {
			p := 0.1
			if i%3 == j%3 {
				p = in
			}
			if src.Float64() < p {
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
			}
		}
	}
	a, err := multiplex.FromEdges(m, edges)
	if err != nil {
		t.Fatal(err)
	}
	return multiplex.Layer{Name: string(rune('a' + layer)), Adjacency: a, Features: multiplex.Identity(m)}
}

// Layers that cannot be split well are embedded anyway, by a rule that the notes tell, or refused with a message.
func TestClosedFormOfLayersThatAreHardToSplit(t *testing.T) {
	const m = 60
	repeated := func(layer, f int) multiplex.Layer {
		x := make([]float64, m*f)
		src := rng.New(9, "test/hard to split")
		for i := range x {
			if x[i] = src.Float64(); f > 1 && i%f >= f/2 {
				x[i] = x[i-f/2]
			}
		}
		l := grouped(t, m, layer, 0.6)
		features, err := multiplex.DenseFeatures(m, f, x)
		if err != nil {
			t.Fatal(err)
		}
		l.Features = features
		return l
	}
	none, err := multiplex.FromEdges(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		layers []multiplex.Layer
		says   string // in a note, or in the error
		rank   float64
		empty  int // a layer whose private embedding is zero, or none of them
	}{
		{"a layer of noise", []multiplex.Layer{grouped(t, m, 0, 0.6), grouped(t, m, 1, 0.1)}, "layer 2 is noise", 0, 2},
		{"two layers that are one", []multiplex.Layer{grouped(t, m, 0, 0.6), grouped(t, m, 0, 0.6)}, "Of 6 directions of all layers, 3 are shared", 3, 1},
		{"a layer without edges", []multiplex.Layer{grouped(t, m, 0, 0.6), {Name: "none", Adjacency: none, Features: multiplex.Identity(m)}}, "no edges", 0, 0},
		{"few nodes", []multiplex.Layer{grouped(t, 9, 0, 0.9), grouped(t, 9, 1, 0.9)}, "with 9 nodes", -1, 0},
		{"one feature", []multiplex.Layer{repeated(0, 1), repeated(1, 1)}, "directions of all layers", -1, 0},
		{"columns that repeat", []multiplex.Layer{repeated(0, 24), repeated(1, 24)}, "directions are kept", -1, 0},
	} {
		g := &multiplex.Graph{Name: c.name, Layers: c.layers}
		if err := g.Check(); err != nil {
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		run := closedForm(t, []*multiplex.Graph{g}, nil)
		r := run.Report()
		if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, c.says) {
			t.Errorf("%s: nothing says %q: %s", c.name, c.says, notes)
		}
		if rank, _ := r.Figure("rank_S"); c.rank >= 0 && rank != c.rank {
			t.Errorf("%s: rank %v, expected %v", c.name, rank, c.rank)
		}
		for k, e := range run.Embeddings(0) {
			switch norm := mat.Norm(e.X, 2); {
			case math.IsNaN(norm) || math.IsInf(norm, 0):
				t.Errorf("%s: %s has the norm %v", c.name, e.Name, norm)
			case k > 0 && k == c.empty && norm > 1e-4*math.Sqrt(m):
				t.Errorf("%s: %s has the norm %v, expected none", c.name, e.Name, norm)
			}
		}
	}
}
