package train_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// degrees embeds a node by how many neighbours it has in each layer.
type degrees struct {
	graph *multiplex.Graph
	x     *mat.Dense
	steps int
}

func (d *degrees) Step(pause.Yield) error {
	if train.Done(d) {
		return train.ErrDone
	}
	for l := range d.graph.Layers {
		start := d.graph.Layers[l].Adjacency.Start
		for i := range d.graph.M() {
			d.x.Set(i, l, float64(start[i+1]-start[i]))
		}
	}
	d.steps++
	return nil
}

func (d *degrees) Progress() train.Progress { return train.Progress{Steps: d.steps, Total: 1} }

func (d *degrees) Embeddings(int) []train.Embedding {
	return []train.Embedding{{Name: train.Fused, X: d.x}}
}

func (d *degrees) State() *train.State {
	return &train.State{Integers: []*int{&d.steps}, Doubles: [][]float64{d.x.RawMatrix().Data}}
}

func (d *degrees) Report() train.Report { return train.Report{}.With("parameters", 0) }

func Example() {
	row := train.Method{
		Name: "degrees", Label: "Degrees", Doc: "How many neighbours a node has in each layer.", Family: train.Untrained, Fusion: train.Own,
		Levels: []train.Level{{Name: train.Official}}, Needs: []train.Need{train.OneGraph}, Options: func() any { return &struct{}{} },
	}
	train.Register(row.With(func(s *train.Setup) (train.Training, error) {
		g := s.Graphs[0]
		return &degrees{graph: g, x: mat.NewDense(g.M(), g.N(), nil)}, nil
	}))
	m, err := train.Lookup("degrees")
	if err != nil {
		panic(err)
	}
	path, err := multiplex.FromEdges(3, []multiplex.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}})
	if err != nil {
		panic(err)
	}
	l := multiplex.Layer{Adjacency: path, Features: multiplex.Identity(3)}
	g := &multiplex.Graph{Layers: []multiplex.Layer{l, l}}
	t, err := train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{g}, Options: m.Options()})
	if err != nil {
		panic(err)
	}
	for !train.Done(t) {
		if err := t.Step(nil); err != nil {
			panic(err)
		}
	}
	fmt.Println(t.Embeddings(0)[0].X.RawMatrix().Data)
	// Output: [1 1 2 2 1 1]
}
