package skipgram

import "cadem.example/core/multiplex"

// Neighbours are the nodes that each node has an edge to, in ascending order, itself left out.
type Neighbours struct {
	Start  []int32 // those of node v are Start[v] to Start[v+1]
	Index  []int32
	Weight []float64 // of the edges; nil if all are 1
}

// Without returns the neighbours of an adjacency matrix, without its loops and entries of 0.
func Without(a *multiplex.CSR) *Neighbours {
	n := &Neighbours{Start: make([]int32, 1, a.Rows+1)}
	for v := range a.Rows {
		for k := a.Start[v]; k < a.Start[v+1]; k++ {
			if int(a.Index[k]) == v || (a.Value != nil && a.Value[k] == 0) {
				continue
			}
			n.Index = append(n.Index, a.Index[k])
			if a.Value != nil {
				n.Weight = append(n.Weight, a.Value[k])
			}
		}
		n.Start = append(n.Start, int32(len(n.Index)))
	}
	return n
}

// Union returns the neighbours that a node has in any of the layers, with weight 1.
func Union(layers []*multiplex.CSR) *Neighbours {
	var edges []multiplex.Edge
	for _, a := range layers {
		n := Without(a)
		for v := range a.Rows {
			for _, x := range n.of(v) {
				if v < int(x) {
					edges = append(edges, multiplex.Edge{I: v, J: int(x), Weight: 1})
				}
			}
		}
	}
	a, err := multiplex.FromEdges(layers[0].Rows, edges)
	if err != nil {
		panic(err) // the layers are matrices of one size
	}
	return Without(a)
}

// Nodes returns how many there are.
func (n *Neighbours) Nodes() int { return len(n.Start) - 1 }

func (n *Neighbours) of(v int) []int32 { return n.Index[n.Start[v]:n.Start[v+1]] }

// has reports whether x is a neighbour of v.
func (n *Neighbours) has(v int, x int32) bool {
	list := n.of(v)
	for len(list) > 0 {
		switch mid := len(list) / 2; {
		case list[mid] == x:
			return true
		case list[mid] < x:
			list = list[mid+1:]
		default:
			list = list[:mid]
		}
	}
	return false
}
