package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/cadem"
	_ "cadem.example/core/cadem/prepare"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

func init() {
	train.Register(train.CaDeM())
	train.Register(Trainers()...)
}

// blocks draws two layers of two groups of nodes each, the groups of the second layer lying across
// those of the first.
func blocks(t testing.TB, m int) *multiplex.Graph {
	t.Helper()
	g := &multiplex.Graph{Name: "blocks"}
	for l := range 2 {
		src := rng.New(1, fmt.Sprintf("test/layer %d", l))
		var edges []multiplex.Edge
		for i := range m {
			for j := range i {
				p := 0.15
				if i>>l&1 == j>>l&1 {
					p = 0.7
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
		x := make([]float64, 6*m)
		src.Fill(x)
		f, err := multiplex.DenseFeatures(m, 6, x)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l + 1), Adjacency: a, Features: f})
	}
	return g
}

func setupOf(t testing.TB, m *train.Method, g *multiplex.Graph, seed uint64) *train.Setup {
	t.Helper()
	level := m.Levels[len(m.Levels)-1].Name // the smallest
	o, _, err := m.Settings(level)
	if err != nil {
		t.Fatal(err)
	}
	for name, most := range map[string]int{"epochs": 10, "outer": 2, "inner_steps": 2} {
		if property.Has(o, name) {
			if err := property.Set(o, name, fmt.Sprint(most)); err != nil {
				t.Fatal(err)
			}
		}
	}
	graphs := []*multiplex.Graph{g}
	if slices.Contains(m.Needs, train.Graphs) {
		graphs = append(graphs, blocks(t, 12))
	}
	return &train.Setup{Graphs: graphs, Options: o, Seed: seed}
}

// Resume starts a training and takes it to where a checkpoint was written.
func Resume(m *train.Method, s *train.Setup, stored checkpoint.Stored) (train.Training, error) {
	run, err := train.Start(m, s)
	if err != nil {
		return nil, err
	}
	c, err := m.Format.Open(stored)
	switch {
	case err != nil:
		return nil, err
	case c.Options != nil && c.Seed != s.Seed:
		return nil, &checkpoint.Error{Reason: "another seed"}
	}
	return run, c.Restore(run, m, s)
}

// take does that number of steps, or all of them for -1.
func take(t testing.TB, run train.Training, steps int) {
	t.Helper()
	for k := 0; k != steps && !train.Done(run); k++ {
		if err := run.Step(nil); err != nil {
			t.Fatal(err)
		}
	}
}

// What is described without training is what is trained.
func TestRowsAreThoseOfTrainers(t *testing.T) {
	trained := Trainers()
	for k, m := range Rows() {
		if m.Name != trained[k].Name || m.Trains() == nil || trained[k].Trains() != nil {
			t.Errorf("row %d describes %s, and %s is trained", k, m.Name, trained[k].Name)
		}
	}
}

func TestTableOfMethods(t *testing.T) {
	names := map[string]bool{}
	for _, m := range train.Methods() {
		if names[m.Name] || m.Name == "" || m.Label == "" || m.Doc == "" || m.Family == "" {
			t.Errorf("%q: a row needs a name of its own, a label, a sentence and a family", m.Name)
		}
		names[m.Name] = true
		if m.Fusion != train.Combiner && m.Fusion != train.Own {
			t.Errorf("%s: fusion %q", m.Name, m.Fusion)
		}
		var levels []string
		for _, l := range m.Levels {
			levels = append(levels, l.Name)
		}
		if m.Name == train.NameOfCaDeM {
			var terms []string
			for _, term := range cadem.Terms {
				terms = append(terms, term.Name)
			}
			if !slices.Equal(levels, cadem.Presets) || !slices.Equal(m.Losses, terms) {
				t.Errorf("%s: levels %v and losses %v, expected presets %v and terms %v", m.Name, levels, m.Losses, cadem.Presets, terms)
			}
		} else if levels[0] != train.Official {
			t.Errorf("%s: the first level is %q", m.Name, levels[0])
		}
		for _, name := range property.Names(m.Options()) {
			for what, others := range map[string]any{"evaluation": &evaluate.Options{}, "files of a brain": &connectome.Options{}} {
				// The command would take such an option for one of the data. MCGC's stays because stored runs have it.
				if property.Has(others, name) && !(m.Name == "mcgc" && name == "filter") {
					t.Errorf("%s: the option %s is one of %s, too", m.Name, name, what)
				}
			}
		}
		for _, l := range m.Levels {
			if _, others, err := m.Settings(l.Name); err != nil {
				t.Error(err)
			} else {
				for name := range others {
					if !property.Has(&evaluate.Options{}, name) {
						t.Errorf("%s, level %s: %s is an option of nothing", m.Name, l.Name, name)
					}
				}
			}
		}
	}
	if _, err := train.Lookup("randon"); err == nil || !strings.Contains(err.Error(), "random") {
		t.Errorf("a name that is nearly one: %v", err)
	}
	var wrong *diag.Error
	if _, err := train.Methods()[0].Level("litte"); !errors.As(err, &wrong) || !wrong.Option {
		t.Errorf("a level that there is not: %v", err)
	}
}

// A method that lacks something names it, and the methods that do without.
func TestNeedsAreNamed(t *testing.T) {
	g := blocks(t, 12)
	empty, err := multiplex.FromEdges(12, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := &multiplex.Graph{Layers: []multiplex.Layer{{Name: "a", Adjacency: g.Layers[0].Adjacency, Features: multiplex.Identity(12)}}}
	bare := &multiplex.Graph{Layers: []multiplex.Layer{g.Layers[0], {Name: "b", Adjacency: empty, Features: g.Layers[1].Features}}}
	for _, c := range []struct {
		graphs []*multiplex.Graph
		need   train.Need
		want   string
	}{
		{[]*multiplex.Graph{g, g}, train.OneGraph, "data: found 2 graphs, expected one graph, which x needs; methods that do without: cadem"},
		{[]*multiplex.Graph{plain}, train.Layers, "data: found 1 layer, expected more than one layer, which x needs; methods that do without: deepwalk"},
		{[]*multiplex.Graph{plain}, train.Features, "found nodes without features"},
		{[]*multiplex.Graph{g}, train.Graphs, "found one graph, expected several graphs"},
		{[]*multiplex.Graph{bare}, train.Edges, "found layer b without edges between nodes"},
		{[]*multiplex.Graph{g, blocks(t, 8)}, train.SameNodes, "found graphs of 12 and 8 nodes"},
	} {
		m := train.Method{Name: "x", Needs: []train.Need{c.need}}
		fine := []*multiplex.Graph{g}
		if c.need == train.Graphs {
			fine = []*multiplex.Graph{g, g}
		}
		if err := m.Fits(fine); err != nil {
			t.Errorf("%s: %v", c.need, err)
		}
		if err := m.Fits(c.graphs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %s", c.need, err, c.want)
		}
	}
}

// Every method gives finite embeddings under their names, the same for the same seed.
func TestEveryMethodEmbeds(t *testing.T) {
	g := blocks(t, 16)
	for _, m := range train.Methods() {
		var hashes []string
		for range 2 {
			run, err := train.Start(&m, setupOf(t, &m, g, 3))
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			take(t, run, -1)
			if err := run.Step(nil); !errors.Is(err, train.ErrDone) {
				t.Errorf("%s: a step after the last: %v", m.Name, err)
			}
			list := run.Embeddings(0)
			hashes = append(hashes, train.Hash(list))
			if m.Fusion == train.Own && !slices.ContainsFunc(list, func(e train.Embedding) bool { return e.Name == train.Fused }) {
				t.Errorf("%s: no embedding is called %s", m.Name, train.Fused)
			}
			if p := run.Progress(); len(p.Losses) != len(m.Losses) {
				t.Errorf("%s: %d losses, the row names %d", m.Name, len(p.Losses), len(m.Losses))
			}
			heads := evaluate.Defaults().Heads
			if _, others, err := m.Settings(""); err != nil {
				t.Error(err)
			} else if set, ok := others["heads"].(int); ok {
				heads = set
			}
			for _, e := range list {
				if width := e.X.RawMatrix().Cols; m.Fusion == train.Combiner && width%heads != 0 {
					t.Errorf("%s: the combiner cannot read %d columns with %d heads; the usual level may set heads", m.Name, width, heads)
				}
				for _, v := range e.X.RawMatrix().Data {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Fatalf("%s: %s holds %v", m.Name, e.Name, v)
					}
				}
			}
		}
		if hashes[0] != hashes[1] {
			t.Errorf("%s: the same seed gives %v", m.Name, hashes)
		}
	}
}

// Methods that are said not to care what the rows of features sum to end with the same bits where these are scaled; all others do not.
func TestUnscaled(t *testing.T) {
	for _, m := range train.Methods() {
		var hashes []string
		for _, normalised := range []bool{true, false} {
			g := blocks(t, 16)
			x := multiplex.Features{Rows: g.M(), Cols: 6, Dense: make([]float64, 6*g.M())}
			for i := range x.Dense {
				x.Dense[i] = float64(1 + (i*i+i/6)%7)
			}
			f := &x
			if normalised {
				f = f.RowNormalized()
			}
			for l := range g.Layers {
				g.Layers[l].Features = f
			}
			c, err := train.Start(&m, setupOf(t, &m, g, 3))
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			take(t, c, -1)
			hashes = append(hashes, train.Hash(c.Embeddings(0)))
		}
		if same := hashes[0] == hashes[1]; same != m.Unscaled {
			t.Errorf("%s: the same whatever the rows of features sum to: %v, expected %v", m.Name, same, m.Unscaled)
		}
	}
}

// A training that is stopped after any of its first steps ends with the bits of one that was not,
// and only as the training that it was.
func TestEveryMethodResumes(t *testing.T) {
	g := blocks(t, 16)
	for _, m := range train.Methods() {
		whole, err := train.Start(&m, setupOf(t, &m, g, 3))
		if err != nil {
			t.Fatal(err)
		}
		take(t, whole, -1)
		for k := range min(4, whole.Progress().Steps+1) {
			run, err := train.Start(&m, setupOf(t, &m, g, 3))
			if err != nil {
				t.Fatal(err)
			}
			take(t, run, k)
			var b bytes.Buffer
			if err := m.Format.Write(&b, &m, setupOf(t, &m, g, 3), run); err != nil {
				t.Fatal(err)
			}
			again, err := Resume(&m, setupOf(t, &m, g, 3), bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			if got, want := again.Progress().Steps, run.Progress().Steps; got != want {
				t.Errorf("%s: resumed after step %d, expected %d", m.Name, got, want)
			}
			take(t, again, -1)
			if train.Hash(again.Embeddings(0)) != train.Hash(whole.Embeddings(0)) {
				t.Errorf("%s: interrupted after step %d it ends with other bits", m.Name, k)
			}
			var refused *checkpoint.Error
			if _, err := Resume(&m, setupOf(t, &m, g, 4), bytes.NewReader(b.Bytes())); !errors.As(err, &refused) {
				t.Errorf("%s: resumed with another seed: %v", m.Name, err)
			}
			if m.Name == train.NameOfCaDeM {
				continue // its checkpoint has nothing of the graph
			}
			if _, err := Resume(&m, setupOf(t, &m, blocks(t, 17), 3), bytes.NewReader(b.Bytes())); !errors.As(err, &refused) {
				t.Errorf("%s: resumed on another graph: %v", m.Name, err)
			}
		}
	}
}

// counter is a training whose every step draws and counts, to see that all kinds of variables go
// through a checkpoint.
type counter struct {
	source  train.Source
	steps   int
	sum     float64
	doubles []float64
	singles []float32
	order   []int
}

func (c *counter) Step(pause.Yield) error {
	c.steps++
	c.source.Normal(c.doubles, 2, "doubles", c.steps)
	c.source.Permutation(c.order, "order", c.steps)
	for i, v := range c.doubles {
		c.sum += v
		c.singles[c.order[i]] += float32(v)
	}
	return nil
}
func (c *counter) Progress() train.Progress { return train.Progress{Steps: c.steps, Total: 9} }
func (c *counter) Embeddings(int) []train.Embedding {
	x := append([]float64{c.sum}, c.doubles...)
	for _, v := range c.singles {
		x = append(x, float64(v))
	}
	return fused(mat.NewDense(1, len(x), x))
}
func (c *counter) State() *train.State {
	return &train.State{Integers: []*int{&c.steps}, Numbers: []*float64{&c.sum}, Singles: [][]float32{c.singles}, Doubles: [][]float64{c.doubles}}
}
func (c *counter) Report() train.Report { return train.Report{} }

func TestAllKindsOfVariablesComeBack(t *testing.T) {
	row := train.Method{Name: "counter", Options: func() any { return &struct{}{} }, Levels: official}
	row = row.With(func(s *train.Setup) (train.Training, error) {
		return &counter{source: s.Source, doubles: make([]float64, 5), singles: make([]float32, 5), order: make([]int, 5)}, nil
	})
	m := &row
	g := blocks(t, 12)
	whole, _ := train.Start(m, setupOf(t, m, g, 1))
	take(t, whole, -1)
	part, _ := train.Start(m, setupOf(t, m, g, 1))
	take(t, part, 4)
	var b bytes.Buffer
	if err := m.Format.Write(&b, m, setupOf(t, m, g, 1), part); err != nil {
		t.Fatal(err)
	}
	again, err := Resume(m, setupOf(t, m, g, 1), bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	take(t, again, -1)
	if train.Hash(again.Embeddings(0)) != train.Hash(whole.Embeddings(0)) {
		t.Error("an interrupted training ends with other bits")
	}
}

// The matrix of a small graph, worked out by hand: path a - b - c with a loop of weight 2 on c.
func TestSymNorm(t *testing.T) {
	a, err := multiplex.FromEdges(4, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 3}, {I: 2, J: 2, Weight: 2}})
	if err != nil {
		t.Fatal(err)
	}
	want := func(w float64) []float64 {
		b := []float64{w, 1, 0, 0, 1, w, 3, 0, 0, 3, 2 + w, 0, 0, 0, 0, w}
		x := make([]float64, 16)
		sum := func(i int) float64 { return b[4*i] + b[4*i+1] + b[4*i+2] + b[4*i+3] }
		for i := range 4 {
			for j := range 4 {
				if b[4*i+j] != 0 {
					x[4*i+j] = b[4*i+j] / math.Sqrt(sum(i)*sum(j))
				}
			}
		}
		return x
	}
	for _, w := range []float64{0, 1, 3} {
		got := SymNorm(a, w).Dense()
		for k, v := range want(w) {
			if math.Abs(got[k]-v) > 1e-15 {
				t.Errorf("w = %v: entry %d, %d is %v, expected %v", w, k/4, k%4, got[k], v)
			}
		}
	}
}

// Draws depend on what they are for and on the round alone.
func TestSeededDraws(t *testing.T) {
	draw := func(s train.Source, what string, round int) []float64 {
		x := make([]float64, 4)
		s.Uniform(x, -1, 1, what, round)
		return x
	}
	s := train.Seeded(5)
	first := draw(s, "a", 2)
	draw(s, "b", 2)
	draw(s, "a", 3)
	if !slices.Equal(draw(s, "a", 2), first) || !slices.Equal(draw(train.Seeded(5), "a", 2), first) {
		t.Error("the same name and round give other numbers")
	}
	for _, other := range [][]float64{draw(s, "a", 3), draw(s, "b", 2), draw(train.Seeded(6), "a", 2)} {
		if slices.Equal(other, first) {
			t.Error("another name, round or seed gives the same numbers")
		}
	}
	if n := testing.AllocsPerRun(10, func() { s.Uniform(first, 0, 1, "a", 7) }); n != 0 {
		t.Errorf("%v allocations for a draw", n)
	}
}

// counted counts what is drawn.
type counted struct {
	train.Source
	draws int
}

func (c *counted) Uniform(dst []float64, low, high float64, what string, round int) {
	c.draws++
	c.Source.Uniform(dst, low, high, what, round)
}

func (c *counted) Normal(dst []float64, deviation float64, what string, round int) {
	c.draws++
	c.Source.Normal(dst, deviation, what, round)
}

func (c *counted) Permutation(dst []int, what string, round int) {
	c.draws++
	c.Source.Permutation(dst, what, round)
}

func (c *counted) Below(dst []int, n int, what string, round int) {
	c.draws++
	c.Source.Below(dst, n, what, round)
}

// A method that is said to draw nothing draws nothing, and any other one does.
func TestFixedMethodsDrawNothing(t *testing.T) {
	g := blocks(t, 16)
	for _, m := range train.Methods() {
		s := setupOf(t, &m, g, 3)
		source := &counted{Source: train.Seeded(s.Seed)}
		s.Source = source
		run, err := train.Start(&m, s)
		if err != nil {
			t.Fatal(err)
		}
		take(t, run, 2)
		run.Embeddings(0)
		if m.Name == train.NameOfCaDeM {
			continue // it has a source of its own
		}
		if m.Fixed != (source.draws == 0) {
			t.Errorf("%s: %d draws, fixed %t", m.Name, source.draws, m.Fixed)
		}
	}
}
