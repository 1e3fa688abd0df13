package study

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth"
)

// pictured draws a town with so much weight on the shared groups and pictures a training on it.
func pictured(t *testing.T, preset string, gamma float64) (*Task, *measure.Result) {
	t.Helper()
	task := &Task{Data: run.DataSpec{Example: "town", Options: map[string]any{"gamma": gamma, "nodes": 60}, DataSeed: 3}, Preset: preset, ModelSeed: 5,
		Options: map[string]any{"epochs": 2}, Measure: []measure.Spec{{Kind: measure.Picture, Targets: []string{"work"}}}}
	r, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task, r
}

// The places of a picture are the leading principal components of the private embeddings, as gonum's SVD finds them up to the sign of an axis; its
// links and labels are those of the graph.
func TestPicture(t *testing.T) {
	const m, layers = 60, 3
	for _, preset := range []string{"released", Closed} {
		task, r := pictured(t, preset, 0.5)
		o := synth.Town.Options().(*synth.TownOptions)
		o.Nodes = m
		g, err := synth.Town.Draw(o, 3)
		if err != nil {
			t.Fatal(err)
		}
		for l := range g.Layers {
			csr, want := g.Layers[l].Adjacency, []float64{}
			for i := range m {
				for _, j := range csr.Index[csr.Start[i]:csr.Start[i+1]] {
					if int(j) > i {
						want = append(want, float64(i), float64(j))
					}
				}
			}
			if a := r.Array(measure.ArrayLinks.Layer(l)); !slices.Equal(a.Data, want) {
				t.Errorf("%s, layer %d: %d ends of links, expected %d", preset, l, len(a.Data), len(want))
			}
		}
		for i, c := range g.Labels[2].Of {
			if a := r.Array(measure.ArrayLabels.Of("work")); int(a.Data[i]) != c {
				t.Fatalf("%s: node %d has class %v, expected %d", preset, i, a.Data[i], c)
			}
		}
		d, err := (*run.Files)(nil).Open(&task.Data)
		if err != nil {
			t.Fatal(err)
		}
		s, err := task.Settings(d.Defaults)
		if err != nil {
			t.Fatal(err)
		}
		trained, err := run.Train(d, s, precision.Single, run.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		places := r.Array(measure.ArrayPlaces)
		if !slices.Equal(places.Shape, []int{1 + layers, m, 2}) {
			t.Fatalf("%s: places %v", preset, places.Shape)
		}
		for l, p := range trained.Trained.Private {
			x := mat.DenseCopyOf(p)
			_, width := x.Dims()
			for j := range width {
				column := mat.Col(nil, j, x)
				mean := mat.Sum(mat.NewVecDense(m, column)) / m
				for i := range column {
					x.Set(i, j, column[i]-mean)
				}
			}
			var svd mat.SVD
			if !svd.Factorize(x, mat.SVDThin) {
				t.Fatal("no SVD")
			}
			var u mat.Dense
			svd.UTo(&u)
			values, largest := svd.Values(nil), 0.0
			for i := range m {
				for axis := range 2 {
					got, want := places.Data[((1+l)*m+i)*2+axis], u.At(i, axis)*values[axis]
					largest = max(largest, math.Abs(math.Abs(got)-math.Abs(want)))
				}
			}
			if largest > 1e-5*values[0] {
				t.Errorf("%s: P of layer %d is off by %g of %g", preset, l+1, largest, values[0])
			}
		}
	}
}

// What is drawn does not depend on gamma: from one gamma to a larger one a pair that shares its common group, and not its own, never loses its link.
func TestPictureFollowsGamma(t *testing.T) {
	before := map[[2]float64]bool{}
	for _, gamma := range []float64{0, 0.3, 0.7, 1} {
		task, r := pictured(t, Closed, gamma)
		d, err := (*run.Files)(nil).Open(&task.Data)
		if err != nil {
			t.Fatal(err)
		}
		shared, own := d.Graph.Labels[0].Of, d.Graph.Labels[1].Of
		now := map[[2]float64]bool{}
		a := r.Array(measure.ArrayLinks.Layer(0))
		for k := 0; k < len(a.Data); k += 2 {
			i, j := int(a.Data[k]), int(a.Data[k+1])
			if shared[i] == shared[j] && own[i] != own[j] {
				now[[2]float64{a.Data[k], a.Data[k+1]}] = true
			}
		}
		for pair := range before {
			if !now[pair] {
				t.Fatalf("gamma %g: nodes %v lost their link", gamma, pair)
			}
		}
		if len(now) <= len(before) && gamma > 0 {
			t.Errorf("gamma %g: %d such links, and %d before", gamma, len(now), len(before))
		}
		before = now
	}
}
