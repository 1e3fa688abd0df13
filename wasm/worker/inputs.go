package worker

import (
	"encoding/binary"

	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// mostCells is how many rows and columns a picture of inputs has: where there are more, one stands for several.
const mostCells = 48

// inputsArgs are the arguments of inputs.
type inputsArgs struct {
	Layer int `json:"layer"`
}

// inputs answers with Z = n(n(A)) X of a layer of the run, small enough to be drawn.
func (w *Worker) inputs(q *bridge.Request, r *training, given any) error {
	args := given.(*inputsArgs)
	t, g, order := r.Trainer(), w.data.Graph, q.Slab("order")
	if t == nil || args.Layer < 0 || args.Layer >= g.N() || order == nil || order.Type != bridge.Int32 || len(order.Data) != 4*g.M() {
		return bridge.Errorf("bad-request", "Found layer %d of a run with %d, expected one of a run of CaDeM, and an order of its %d nodes.",
			args.Layer, g.N(), g.M())
	}
	m, layer := g.M(), &g.Layers[args.Layer]
	place := make([]int, m) // of each node
	for i := range m {
		k := int(binary.LittleEndian.Uint32(order.Data[4*i:]))
		if k >= m {
			return bridge.Errorf("bad-request", "Found node %d in an order of %d nodes.", k, m)
		}
		place[k] = i
	}
	x := layer.Features
	rows, columns := min(m, mostCells), min(x.Cols, mostCells)
	cells := make([]float32, rows*columns)
	defer w.begin(r)()
	i := 0
	err := multiplex.NewPropagator(layer.Adjacency, multiplex.KindOf(t.Options().Propagation)).Rows(x, func(row []float64) error {
		to := cells[place[i]*rows/m*columns:]
		for j, v := range row {
			if x.IsIdentity() {
				j = place[j] // a node's only feature stands where the node does
			}
			to[j*columns/x.Cols] += float32(v)
		}
		i++
		return w.breathe()
	})
	if err != nil {
		return err
	}
	return q.Reply(none{}, bridge.Float32s("cells", cells, rows, columns))
}
