package frozen

import (
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// Naive returns an embedding of a graph by the formulas, with dense matrices: maps, means, K and the split are the model's,
// all else is formed anew from the graphs.
func Naive(m *Model, of Target, l, g int) []float64 {
	from, to, d := m.rows[g], m.rows[g+1], m.d
	x := make([]float64, (to-from)*d)
	add := func(l int, s *sum) {
		for i := from; i < to; i++ {
			for k := range d {
				if s.left != nil {
					x[(i-from)*d+k] += s.left[i*d+k]
				}
			}
		}
		b := m.dense(l)
		for _, p := range s.parts {
			q := product(b, product(dense(m, l, p), rows(p.w, d)))
			for h := range p.mu {
				for i := m.rows[h]; i < m.rows[h+1]; i++ {
					for k := range d {
						level := 1.0
						if m.trail.Evidence != nil {
							level = evidenceLevel(m, l, i)
						}
						q[i][k] -= level * p.mu[h][k]
					}
				}
			}
			jj := projector(m, p)
			switch p.kind {
			case shared:
				q = product(jj, q)
			case own:
				q = minus(q, product(jj, q))
			case hopped:
				q = product(jj, product(b, minus(q, product(jj, q))))
			}
			for i := from; i < to; i++ {
				for k := range d {
					x[(i-from)*d+k] += q[i][k]
				}
			}
		}
	}
	if of != S {
		add(l, m.layers[l].sums[of])
		for i := range x {
			x[i] += m.Maps.B[l][of][i%d]
		}
		return x
	}
	c, err := m.of(g)
	if err != nil {
		panic(err)
	}
	for l, s := range c.sums {
		add(l, s)
	}
	for i := range x {
		x[i] -= c.mean[i%d]
	}
	if m.completed != nil {
		for i := range x {
			x[i] += m.completed[g][i]
		}
	}
	return x
}

func evidenceLevel(m *Model, l, i int) float64 {
	_, known := evidence.NewPool(evidence.NewLayer(m.Graphs[0].Layers[l].Adjacency)).Operator()
	return known[i]
}

// dense returns the operator of a layer from its adjacency matrices, all graphs beside each other.
func (m *Model) dense(l int) [][]float64 {
	b := zeros(m.nodes(), m.nodes())
	for g, graph := range m.Graphs {
		a := graph.Layers[l].Adjacency
		var op interface {
			Row(int) ([]int32, []float64)
		} = multiplex.NewPropagator(a, multiplex.KindOf(m.Maps.Options.Propagation))
		if m.trail.Evidence != nil {
			op = laplacian(evidence.NewLayer(a))
		}
		for i := range graph.M() {
			index, values := op.Row(i)
			for n, j := range index {
				b[m.rows[g]+i][m.rows[g]+int(j)] = values[n]
			}
		}
	}
	return b
}

func dense(m *Model, l int, p *part) [][]float64 {
	x := zeros(m.nodes(), len(p.w)/m.d)
	for g, graph := range m.Graphs {
		of, scale := p.x[g], m.Maps.Options.RowScale
		for i := range graph.M() {
			entries(of, i, func(f int, v float64) { x[m.rows[g]+i][f] = v })
			if !p.held && scale == "unit" { // those that are left have what a row of the graph has
				entries(multiplex.RowsOf(graph.Layers, scale)[l], i, func(f int, v float64) {
					if x[m.rows[g]+i][f] != 0 {
						x[m.rows[g]+i][f] = v
					}
				})
			}
		}
	}
	return x
}

func projector(m *Model, p *part) [][]float64 {
	jj := zeros(m.nodes(), m.nodes())
	for _, q := range p.lots {
		for i := q.from; i < q.to; i++ {
			for j := q.from; j < q.to; j++ {
				for k := range q.s {
					jj[i][j] += q.j[(i-q.from)*q.s+k] * q.j[(j-q.from)*q.s+k]
				}
			}
		}
	}
	return jj
}

func zeros(n, k int) [][]float64 { return rows(make([]float64, n*k), k) }

func rows(x []float64, k int) (list [][]float64) {
	for ; len(x) > 0; x = x[k:] {
		list = append(list, x[:k])
	}
	return list
}

func product(a, b [][]float64) [][]float64 {
	if len(b) == 0 {
		return zeros(len(a), 1)
	}
	x := zeros(len(a), len(b[0]))
	for i := range a {
		for j, v := range a[i] {
			for k := range x[i] {
				x[i][k] += v * b[j][k]
			}
		}
	}
	return x
}

func minus(a, b [][]float64) [][]float64 {
	x := zeros(len(a), len(a[0]))
	for i := range a {
		for k := range a[i] {
			x[i][k] = a[i][k] - b[i][k]
		}
	}
	return x
}
