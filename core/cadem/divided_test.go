package cadem

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth"
)

// sparse draws a sparse town whose layers share a fraction gamma.
func sparse(t testing.TB, nodes int, degree, gamma float64, seed uint64) *multiplex.Graph {
	t.Helper()
	o := synth.SparseTown.Options().(*synth.SparseTownOptions)
	scale := degree / 5 * float64(o.Nodes) / float64(nodes)
	o.Nodes, o.Gamma, o.PIntra, o.PInter = nodes, gamma, o.PIntra*scale, o.PInter*scale
	g, err := synth.SparseTown.Draw(o, seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// byEvidence returns small options of the preset.
func byEvidence(t testing.TB) Options {
	t.Helper()
	o, err := Preset("evidence")
	if err != nil {
		t.Fatal(err)
	}
	o.Epochs, o.Hidden, o.Dim, o.Augmented = 6, 12, 4, 3
	return o
}

// takesEvidence reports whether a preset can train on graphs.
func takesEvidence(preset string, graphs ...*multiplex.Graph) bool {
	return preset != "evidence" || len(graphs) == 1 && graphs[0].Featureless()
}

// Layers that share half of what they are of: both kinds of inputs have directions, gradients are right, a run goes on from its checkpoint
// with the same bits, and the split belongs to the data.
func TestSplitByEvidence(t *testing.T) {
	g := []*multiplex.Graph{sparse(t, 150, 14, .5, 3)}
	o := byEvidence(t)
	for _, p := range precisions() {
		r, err := New(g, o, 1, p)
		if err != nil {
			t.Fatal(err)
		}
		s := r.Shares()
		if s == nil || s.Evidence == nil || s.Shared != 2 || slices.Max(s.Ranks) == 0 || len(s.Evidence.P) != 3 || len(s.Words) < 5 {
			t.Fatalf("found %+v", s)
		}
		for range 8 {
			r.Step()
		}
		again, err := resume(g, r.Checkpoint())
		if err != nil {
			t.Fatal(err)
		}
		finish(t, r)
		finish(t, again)
		if r.Hash() != again.Hash() || r.Progress().Rank != 2 {
			t.Errorf("%d bits: hash %s, from the checkpoint %s, rank %d", p, r.Hash(), again.Hash(), r.Progress().Rank)
		}
		other, err := New(g, o, 2, p)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(other.Shares().Evidence) != fmt.Sprint(s.Evidence) || fmt.Sprint(other.Notes()) != fmt.Sprint(r.Notes()) {
			t.Error("another seed of the model splits the data otherwise")
		}
		orthogonal := o
		orthogonal.Private = "orthogonal"
		if r, err := New(g, orthogonal, 1, p); err != nil || r.Hash() == other.Hash() {
			t.Errorf("private=orthogonal changes nothing: %v", err)
		}
	}
	if slices.Contains(precisions(), precision.Double) {
		o.Dim, o.Hidden = 3, 4
		checkGradients(t, g, o)
	}
}

// Where links show nothing both embeddings are 0, and it is said what that means.
func TestEvidenceOfNothing(t *testing.T) {
	o := &synth.SparseTownOptions{Nodes: 120, Groups: 3, PIntra: .04, PInter: .04} // groups have no part in it
	g, err := synth.SparseTown.Draw(o, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := New([]*multiplex.Graph{g}, byEvidence(t), 1, precision.Single)
	if err != nil {
		t.Fatal(err)
	}
	finish(t, r)
	e := r.Embeddings(0)
	for _, x := range e.Consensus.RawMatrix().Data {
		if x != 0 {
			t.Fatalf("S holds %v", x)
		}
	}
	for l, p := range e.Private {
		if !constant(p) {
			t.Errorf("P of layer %d is not constant", l+1)
		}
	}
	notes := strings.Join(r.Notes(), "\n")
	for _, want := range []string{"the layers share nothing that their links can show: the consensus is 0", "is not explained by other layers more than by chance",
		"layer " + g.Layers[2].Name + " has no direction of its own that explains links held out: its private part is 0"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
}

// Graphs that cannot be split in this way are refused in plain words. Weights are ignored, and a note says so.
func TestEvidenceOfOtherData(t *testing.T) {
	town := sparse(t, 60, 8, .5, 1)
	for want, graphs := range map[string][]*multiplex.Graph{
		"split: found 2 graphs, expected one graph for a split by evidence; take the preset refined instead": {town, town},
		"split: found nodes with features, expected nodes without features for a split by evidence, which reads links alone; take the preset refined instead": {
			weighted(t, 30, 2, 2, 3)},
	} {
		if _, err := New(graphs, byEvidence(t), 1, precision.Single); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	plain, err := New([]*multiplex.Graph{town}, byEvidence(t), 1, precision.Single)
	if err != nil {
		t.Fatal(err)
	}
	heavy := *town
	heavy.Layers = slices.Clone(town.Layers)
	a := *town.Layers[1].Adjacency
	a.Value = make([]float64, a.NNZ())
	for i := range a.Value {
		a.Value[i] = 2
	}
	heavy.Layers[1].Adjacency = &a
	r, err := New([]*multiplex.Graph{&heavy}, byEvidence(t), 1, precision.Single)
	if err != nil {
		t.Fatal(err)
	}
	if r.Hash() != plain.Hash() || !slices.Contains(r.Notes(), "the split by evidence ignores the weights of links, in layer "+town.Layers[1].Name) {
		t.Errorf("weights count, or nothing is said: %q", r.Notes())
	}
	for m := 2; m < 12; m++ { // too few for anything to be shown
		var edges []multiplex.Edge
		for i := range m - 1 {
			edges = append(edges, multiplex.Edge{I: i, J: i + 1, Weight: 1})
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		line := multiplex.Layer{Name: "line", Adjacency: a, Features: multiplex.Identity(m)}
		other := line
		other.Name = "the same line"
		r, err := New([]*multiplex.Graph{{Name: "lines", Layers: []multiplex.Layer{line, other}}}, byEvidence(t), 1, precision.Single)
		if err != nil {
			t.Fatalf("%d nodes: %v", m, err)
		}
		finish(t, r)
	}
}

// A split that is given up ends there, and one that is only watched has the same bits.
func TestEvidenceEndsWhereItIsGivenUp(t *testing.T) {
	stop, g := errors.New("stop"), []*multiplex.Graph{sparse(t, 100, 8, .6, 1)}
	prepare := func(calls int) (*Trainer, int, error) {
		n := 0
		r, err := NewFrom(multiplex.Held(g), byEvidence(t), 1, precision.Single, Given{Yield: func(done, total int) error {
			if n++; n > calls {
				return stop
			}
			if share := float64(done) / float64(total); share < 0 || share > 1 {
				t.Errorf("%d of %d is done", done, total)
			}
			return nil
		}})
		return r, n, err
	}
	watched, all, err := prepare(math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := New(g, byEvidence(t), 1, precision.Single)
	if err != nil || Hash(watched) != Hash(alone) {
		t.Errorf("hash %s, unwatched %s, %v", Hash(watched), Hash(alone), err)
	}
	for _, calls := range []int{0, all / 2, all - 1} {
		if _, n, err := prepare(calls); !errors.Is(err, stop) || n != calls+1 {
			t.Errorf("given up after %d of %d calls: %d, %v", calls, all, n, err)
		}
	}
}

// A preparation that is given up goes on with the parts that its journal has, by agreement and by evidence, and the training has the same bits.
func TestPreparationGoesOn(t *testing.T) {
	stop, g := errors.New("stop"), []*multiplex.Graph{sparse(t, 120, 8, .6, 1)}
	for _, preset := range []string{"refined", "evidence"} {
		o := byEvidence(t)
		if preset == "refined" {
			o.Split, o.Trim = "agreement", "noise"
		}
		want, err := New(g, o, 1, precision.Single)
		if err != nil {
			t.Fatal(err)
		}
		begun := &pause.Journal{}
		_, err = NewFrom(multiplex.Held(g), o, 1, precision.Single, Given{Journal: begun, Yield: func(int, int) error {
			if len(begun.Parts) >= 2 {
				return stop
			}
			return nil
		}})
		if !errors.Is(err, stop) || len(begun.Parts) < 2 {
			t.Fatalf("%s: stopped with %d parts: %v", preset, len(begun.Parts), err)
		}
		again := &pause.Journal{Parts: slices.Clone(begun.Parts)}
		got, err := NewFrom(multiplex.Held(g), o, 1, precision.Single, Given{Journal: again})
		if err != nil || Hash(got) != Hash(want) || &again.Parts[1].Found[0] != &begun.Parts[1].Found[0] {
			t.Errorf("%s: goes on to hash %s, expected %s: %v", preset, Hash(got), Hash(want), err)
		}
	}
}

// The preset recommended for data of every kind, and the reason given.
func TestRecommend(t *testing.T) {
	town, dense := sparse(t, 120, 5, .5, 1), blocks(t, 60, 2, 1)
	one := *town
	one.Layers = town.Layers[:1]
	for _, c := range []struct {
		graphs       []*multiplex.Graph
		preset, says string
	}{
		{[]*multiplex.Graph{town}, "evidence", "nodes have no features, and only "},
		{[]*multiplex.Graph{town, town}, "released", "evidence takes one graph, and these are 2"},
		{[]*multiplex.Graph{dense}, "refined", "links or more each in every layer"},
		{[]*multiplex.Graph{dense, dense}, "refined", "links or more each in every layer"},
		{[]*multiplex.Graph{weighted(t, 30, 2, 2, 3)}, "refined", "features, by whose directions"},
		{[]*multiplex.Graph{weighted(t, 30, 2, 1, 3)}, "released", "one number each"},
		{[]*multiplex.Graph{&one}, "released", "one layer"},
	} {
		if a := Recommend(c.graphs); a.Preset != c.preset || !strings.Contains(a.Reason, c.says) {
			t.Errorf("recommended is %q, expected %s for %q", a, c.preset, c.says)
		}
	}
}
