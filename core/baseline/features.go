package baseline

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// Raw features: the classifier reads what the nodes come with,
//
//	Y = [X_1 ... X_N],  or X where all layers share it
//
// so that a reader sees what the graph adds. Nothing is computed, and no edge is looked at.
var rawFeatures = Method{
	Name: "features", Label: "Raw features", Doc: "The features of the nodes as they are, without the graph.",
	Family: Untrained, Fusion: Own, Fixed: true, Levels: []Level{{Name: Official}}, Needs: []Need{Features},
	Options: func() any { return &struct{}{} },
	New:     func(s *Setup) (Training, error) { return &asGiven{graphs: s.Graphs}, nil },
}

type asGiven struct {
	graphs []*multiplex.Graph
	steps  int
}

// Step counts.
func (a *asGiven) Step(pause.Yield) error {
	if Done(a) {
		return ErrDone
	}
	a.steps++
	return nil
}

func (a *asGiven) Progress() Progress { return Progress{Steps: a.steps, Total: 1} }

// Embeddings lays the features of the layers side by side.
func (a *asGiven) Embeddings(graph int) []Embedding {
	if !Done(a) {
		return nil
	}
	layers := a.graphs[graph].Layers
	if oneFeatures(a.graphs[graph]) == nil {
		layers = layers[:1]
	}
	m, f := a.graphs[graph].M(), a.graphs[graph].F()
	y := mat.NewDense(m, f*len(layers), nil)
	for l := range layers {
		x := layers[l].Features
		var values []float64
		if x.Sparse != nil {
			values = valuesOf(x.Sparse)
		}
		for i := range m {
			row := y.RawRowView(i)[l*f : (l+1)*f]
			if x.Sparse == nil {
				copy(row, x.Dense[i*f:(i+1)*f])
				continue
			}
			for k := x.Sparse.Start[i]; k < x.Sparse.Start[i+1]; k++ {
				row[x.Sparse.Index[k]] = values[k]
			}
		}
	}
	return []Embedding{{Fused, y}}
}

func (a *asGiven) State() *State { return &State{Integers: []*int{&a.steps}} }

// Report counts nothing: no parameter is fitted.
func (a *asGiven) Report() Report { return Report{Figures: []Figure{{"parameters", 0}}} }
