package evidence_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// Links have no direction: one in either direction is a link, and weights of 0 are none.
func TestDirectedLinks(t *testing.T) {
	a, err := multiplex.NewCSR(4, 4, []int32{0, 2, 3, 5, 5}, []int32{0, 3, 0, 1, 3}, []float64{1, 2, 1, 0, 3})
	if err != nil {
		t.Fatal(err)
	}
	l := evidence.NewLayer(a)
	if want := [][2]int{{0, 1}, {0, 3}, {2, 3}}; !slices.Equal(l.Links, want) || !slices.Equal(l.Degrees, []float64{2, 1, 1, 2}) || l.Twice != 6 {
		t.Errorf("links %v, degrees %v, twice %v, expected %v", l.Links, l.Degrees, l.Twice, want)
	}
	rest, held := l.Split([]int{0, 1, 0}, 1)
	if !slices.Equal(held, [][2]int{{0, 3}}) || !slices.Equal(rest.Links, [][2]int{{0, 1}, {2, 3}}) || !rest.A.IsSymmetric() {
		t.Errorf("held out are %v, the rest is %v", held, rest.Links)
	}
}

// More than twelve layers are tried by the pool of the others alone, two layers by the other one, others by both.
func TestSources(t *testing.T) {
	for n, want := range map[int][]int{2: {1}, 3: {evidence.Pooled, 1, 2}, 13: {evidence.Pooled}} {
		graph, _, _ := planted(1, 40, n, 2, 6, .5, .9, n)
		sources, err := evidence.Sources(layersOf(graph), 4, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, s := range sources[0] {
			got = append(got, s.Layer)
			if s.F.Rows != 40 || s.F.Cols != 4 {
				t.Errorf("%d layers: functions of %d x %d", n, s.F.Rows, s.F.Cols)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d layers: sources of the first are %v, expected %v", n, got, want)
		}
	}
}

// Five layers use half as many functions as four, and no more than a quarter of the nodes.
func TestFunctions(t *testing.T) {
	for _, c := range []struct{ nodes, layers, sizes int }{{200, 4, 5}, {200, 5, 4}, {40, 2, 3}, {7, 2, 0}} {
		graph, _, _ := planted(2, c.nodes, c.layers, 2, 5, .5, .9, c.layers)
		o := evidence.Options{Permutations: 2}
		r, err := evidence.Find(graph, o, evidence.Seeded(1), nil)
		if err != nil {
			t.Fatal(err)
		}
		sources := c.layers // the pool, and all others
		if c.layers == 2 {
			sources = 1
		}
		if got := len(r.Trials[0].Columns); got != c.sizes*sources {
			t.Errorf("%d nodes, %d layers: %d columns of %d sources", c.nodes, c.layers, got, sources)
		}
	}
}

func TestShapes(t *testing.T) {
	graph, _, _ := planted(2, 20, 2, 2, 5, .5, .9, 2)
	other, _, _ := planted(2, 21, 1, 2, 5, .5, .9, 1)
	for name, layers := range map[string][]*multiplex.CSR{"none": nil, "one": graph[:1], "of other sizes": {graph[0], other[0]}} {
		func() {
			defer func() {
				if e := recover(); e != evidence.ErrShape {
					t.Errorf("%s: %v", name, e)
				}
			}()
			_, _ = evidence.Find(layers, evidence.Options{}, evidence.Seeded(1), nil)
		}()
	}
}

// A split for a training is that of Find, although its folds let their functions go.
func TestDivide(t *testing.T) {
	graph, _, _ := planted(2, 400, 2, 2, 8, .6, .95, 2)
	o := evidence.Defaults()
	o.Tail = -1
	want, err := evidence.Find(graph, o, evidence.Seeded(0), nil)
	if err != nil {
		t.Fatal(err)
	}
	var layers []*evidence.Layer
	for _, a := range graph {
		layers = append(layers, evidence.NewLayer(a))
	}
	var shares, done []float64
	got, err := evidence.Divide(layers, func(n, total int) error {
		shares, done = append(shares, float64(n)/float64(total)), append(done, float64(n))
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, share := range shares { // what is said to be done is, but while the first fold is not measured
		if truth := done[i] / done[len(done)-1]; share > truth+.15 || share > .5 && share < truth-.15 {
			t.Errorf("%.2f are said to be done, %.2f are", share, truth)
		}
	}
	if len(want.W) == 0 || len(want.Own[0].S) == 0 || !slices.Equal(got.W, want.W) || !slices.Equal(got.S.Data, want.S.Data) {
		t.Errorf("weights %v, expected %v", got.W, want.W)
	}
	for l := range graph {
		if !slices.Equal(got.Own[l].S, want.Own[l].S) || !slices.Equal(got.P[l].Data, want.P[l].Data) {
			t.Errorf("layer %d: strengths %v, expected %v", l, got.Own[l].S, want.Own[l].S)
		}
	}
}

// A split that is given up after any part goes on with the one after it, and ends with the same bits: also of so many nodes that spectra begin with each
// other. A part that is another one is not taken.
func TestDivideGoesOn(t *testing.T) {
	stop := errors.New("stop")
	for nodes, parts := range map[int]int{400: 1, linalg.Large + 8: 24} { // at a time
		graph, _, _ := planted(2, nodes, 2, 2, 8, .6, .95, 2)
		divide := func(j *pause.Journal, yield pause.Yield) (*evidence.Result, error) {
			var layers []*evidence.Layer
			for _, a := range graph {
				layers = append(layers, evidence.NewLayer(a))
			}
			return evidence.Divide(layers, yield, j)
		}
		whole := &pause.Journal{}
		want, err := divide(whole, nil)
		if err != nil {
			t.Fatal(err)
		}
		same := func(got *evidence.Result) bool {
			return slices.Equal(got.S.Data, want.S.Data) && slices.Equal(got.P[1].Data, want.P[1].Data) && fmt.Sprint(got.Found()) == fmt.Sprint(want.Found())
		}
		var kept []pause.Part
		for stops := 0; ; stops++ {
			j := &pause.Journal{Parts: slices.Clone(kept)}
			got, err := divide(j, func(int, int) error {
				if len(j.Parts) >= len(kept)+parts {
					return stop
				}
				return nil
			})
			for k := range kept {
				if &j.Parts[k].Found[0] != &kept[k].Found[0] {
					t.Fatalf("%d nodes: part %d of %d was done again", nodes, k, len(kept))
				}
			}
			if kept = j.Parts; err == nil {
				if !same(got) || stops < len(whole.Parts)/parts/2 || len(kept) != len(whole.Parts) {
					t.Errorf("%d nodes: stopped %d times, in %d parts and not %d, it ends with other bits", nodes, stops, len(kept), len(whole.Parts))
				}
				break
			}
		}
		kept[3] = kept[4]
		got, err := divide(&pause.Journal{Parts: kept}, nil)
		if err != nil || !same(got) {
			t.Errorf("%d nodes: a part in the place of another is taken: %v", nodes, err)
		}
	}
}
