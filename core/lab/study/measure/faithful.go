package measure

import (
	"cmp"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// Orders of removing and adding links.
var LinkOrders = []string{"by contribution", "by degree", "at random"}

// Arrays of places whose links go and come: a row for each of [LinkOrders], how far a place of S is from where it was, in units of its
// length there, after each tenth of its links; the mean over nodes.
const (
	ArrayDeletion  ArrayName = "deletion"
	ArrayInsertion ArrayName = "insertion"
	tenths                   = 10
)

// An end is a link of a node.
type end struct {
	layer, node int
	by          [3]float64 // of each of [LinkOrders]: the largest comes first
}

// faithful takes the links of some nodes away, and adds them again, in several orders.
func faithful(w *Work) error {
	const most = 20 // nodes
	g := w.Dataset.Graph
	trained, err := w.Settings.Train([]*multiplex.Graph{g}, precision.Single, run.Watch{Preparing: part(w.Yield, 0, 0), Within: part(w.Yield, 0, .5)})
	if err != nil {
		return err
	}
	m, err := frozen.New(trained.Trainer(), []*multiplex.Graph{g}, part(w.Yield, .5, .5))
	if err != nil {
		return err
	}
	src, order := rng.New(w.Settings.EvalSeed, "study/faithful"), make([]int, g.M())
	src.Perm(order)
	var curves [2][3][tenths + 1]float64
	done := 0
	for _, node := range order {
		if done == most {
			break
		}
		links, place, err := endsOf(m, g, node, src)
		if err != nil {
			return err
		}
		if len(links) < tenths || norm(place, nil) == 0 {
			continue
		}
		for k := range LinkOrders {
			sorting.Stable(links, func(a, b end) int { return cmp.Compare(b.by[k], a.by[k]) })
			for step := range tenths + 1 {
				n := len(links) * step / tenths
				for way, gone := range [][]end{links[:n], links[n:]} {
					now, err := without(m, g, node, gone)
					if err != nil {
						return err
					}
					curves[way][k][step] += norm(now, place) / norm(place, nil)
				}
			}
		}
		done++
		if err := part(w.Yield, .5, 1)(done, most); err != nil {
			return err
		}
	}
	if done == 0 {
		return &diag.Error{Where: "links", Found: "no node with ten links and a place of its own", Expected: "nodes whose links can go one after the other"}
	}
	for way, name := range []ArrayName{ArrayDeletion, ArrayInsertion} {
		for k := range LinkOrders {
			row := curves[way][k][:]
			for i := range row {
				row[i] /= float64(done)
			}
			w.Result.Row(name, row)
		}
	}
	w.Result.Row(ArrayHeld, []float64{float64(done)})
	return nil
}

// endsOf returns the links of a node, with what orders them, and its place in S.
func endsOf(m *frozen.Model, g *multiplex.Graph, node int, src *rng.Stream) (links []end, place []float64, err error) {
	why, err := m.Why(frozen.S, 0, 0, node)
	if err != nil {
		return nil, nil, err
	}
	shares := map[[2]int]float64{}
	for _, t := range why.ByLink() {
		shares[[2]int{t.Layer, t.Node}] = t.Share
	}
	for l, layer := range g.Layers {
		a := layer.Adjacency
		for _, j := range a.Index[a.Start[node]:a.Start[node+1]] {
			if int(j) != node {
				degree := float64(a.Start[j+1] - a.Start[j])
				links = append(links, end{l, int(j), [3]float64{shares[[2]int{l, int(j)}], degree, src.Float64()}})
			}
		}
	}
	return links, why.Place, nil
}

// without returns the place of a node in S without some of its links.
func without(m *frozen.Model, g *multiplex.Graph, node int, links []end) ([]float64, error) {
	for l := range g.Layers {
		var gone []multiplex.Edge
		for _, e := range links {
			if e.layer == l {
				gone = append(gone, multiplex.Edge{I: node, J: e.node})
			}
		}
		var err error
		if gone == nil {
			continue
		}
		if m, err = m.WithLinks(0, l, gone...); err != nil {
			return nil, err
		}
	}
	why, err := m.Why(frozen.S, 0, 0, node)
	if err != nil {
		return nil, err
	}
	return why.Place, nil
}

// norm returns the length of x, or of x less y.
func norm(x, y []float64) float64 {
	sum := 0.0
	for k, v := range x {
		if y != nil {
			v -= y[k]
		}
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}
