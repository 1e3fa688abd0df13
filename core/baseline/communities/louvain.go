// Package communities divides the nodes of a multiplex graph into groups by modularity, after Louvain (Blondel, Guillaume, Lambiotte
// and Lefebvre 2008). A node is in one group, the same in all layers.
package communities

import (
	"slices"

	"cadem/core/multiplex"
)

// An Order fills dst with a permutation of 0 to len(dst)-1, the order of visiting nodes. Round counts the orders.
type Order func(dst []int, round int)

// Find divides the nodes so that the sum over the layers of their modularity
//
//	Q_l = 1/(2 m_l) sum over i, j of (A_lij - resolution k_li k_lj / (2 m_l)) [i and j in one group],  k_l = A_l 1, 2 m_l = 1'k_l
//
// is high: nodes move one by one to the neighbouring group that raises it most, until none does; then groups become
// nodes, and so on. Links of a node to itself are left out, and so are layers without others. Groups are numbered by their first nodes.
// Yield, which may be nil, is called after each pass over all nodes with the passes so far; its error ends the work
// and is returned.
func Find(layers []*multiplex.CSR, resolution float64, order Order, yield func(done int) error) ([]int, error) {
	p := &partition{resolution: resolution}
	nodes := layers[0].Rows
	for _, a := range layers {
		if l := newLevel(a); l.total > 0 {
			p.layers = append(p.layers, l)
		}
	}
	of := make([]int, nodes) // group of every node
	for i := range of {
		of[i] = i
	}
	for round := 0; ; {
		groups, moved, err := p.move(nodes, order, &round, yield)
		if err != nil {
			return nil, err
		}
		count := renumber(groups)
		for i, node := range of {
			of[i] = groups[node]
		}
		if !moved {
			renumber(of)
			return of, nil
		}
		for l := range p.layers {
			p.layers[l] = p.layers[l].merged(groups, count)
		}
		nodes = count
	}
}

// Modularity returns Q of a division in each layer; of names the group of every node. Q of a layer without links is 0.
func Modularity(layers []*multiplex.CSR, resolution float64, of []int) []float64 {
	q := make([]float64, len(layers))
	for at, a := range layers {
		l := newLevel(a)
		if l.total == 0 {
			continue
		}
		strength, inside := make([]float64, len(of)), 0.0
		for i, c := range of {
			strength[c] += l.strength[i]
			for k := l.start[i]; k < l.start[i+1]; k++ {
				if of[l.index[k]] == c {
					inside += l.weight[k]
				}
			}
		}
		q[at] = inside / l.total
		for _, s := range strength {
			share := s / l.total
			q[at] -= float64(resolution * float64(share*share))
		}
	}
	return q
}

// renumber counts groups by their first members, and returns how many there are.
func renumber(of []int) int {
	number, count := make([]int, len(of)), 0
	for i := range number {
		number[i] = -1
	}
	for i, c := range of {
		if number[c] < 0 {
			number[c] = count
			count++
		}
		of[i] = number[c]
	}
	return count
}

// A level is a layer whose nodes are groups of nodes: links between different ones, and their strengths, which include links
// within a group.
type level struct {
	start    []int
	index    []int
	weight   []float64
	strength []float64
	total    float64 // of the strengths
}

func newLevel(a *multiplex.CSR) *level {
	l := &level{start: make([]int, 1, a.Rows+1), strength: make([]float64, a.Rows)}
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			if int(a.Index[k]) == i {
				continue
			}
			w := 1.0
			if a.Value != nil {
				w = a.Value[k]
			}
			l.index, l.weight = append(l.index, int(a.Index[k])), append(l.weight, w)
			l.strength[i] += w
		}
		l.start = append(l.start, len(l.index))
		l.total += l.strength[i]
	}
	return l
}

// merged returns the level whose nodes are groups.
func (l *level) merged(groups []int, count int) *level {
	members := make([][]int, count)
	for i, c := range groups {
		members[c] = append(members[c], i)
	}
	m := &level{start: make([]int, 1, count+1), strength: make([]float64, count), total: l.total}
	to := make([]float64, count)
	var reached []int
	for c, list := range members {
		for _, i := range list {
			m.strength[c] += l.strength[i]
			for k := l.start[i]; k < l.start[i+1]; k++ {
				other := groups[l.index[k]]
				if other == c {
					continue
				}
				if to[other] == 0 {
					reached = append(reached, other)
				}
				to[other] += l.weight[k]
			}
		}
		slices.Sort(reached)
		for _, other := range reached {
			m.index, m.weight = append(m.index, other), append(m.weight, to[other])
			to[other] = 0
		}
		reached = reached[:0]
		m.start = append(m.start, len(m.index))
	}
	return m
}

// A partition is a division under way.
type partition struct {
	resolution float64
	layers     []*level
}

// least is the gain of modularity that a move must have: what is below is rounding.
const least = 1e-12

// move moves nodes until none gains, and reports whether any moved.
func (p *partition) move(nodes int, order Order, round *int, yield func(done int) error) (groups []int, moved bool, err error) {
	groups = make([]int, nodes)
	strength := make([][]float64, len(p.layers)) // of groups
	for i := range groups {
		groups[i] = i
	}
	for l := range p.layers {
		strength[l] = slices.Clone(p.layers[l].strength)
	}
	list, to, near := make([]int, nodes), make([]float64, nodes), make([]bool, nodes)
	var reached []int
	for again := true; again; {
		again = false
		order(list, *round)
		*round++
		for _, i := range list {
			own := groups[i]
			reached = append(reached[:0], own)
			near[own] = true
			for l, level := range p.layers {
				strength[l][own] -= level.strength[i]
				for k := level.start[i]; k < level.start[i+1]; k++ {
					c := groups[level.index[k]]
					if !near[c] {
						near[c] = true
						reached = append(reached, c)
					}
					to[c] += level.weight[k] / level.total
				}
			}
			best, highest := own, p.gain(i, own, to, strength)
			for _, c := range reached[1:] {
				if g := p.gain(i, c, to, strength); g > highest+least || g > highest-least && best != own && c < best {
					best, highest = c, g
				}
			}
			for _, c := range reached {
				to[c], near[c] = 0, false
			}
			for l, level := range p.layers {
				strength[l][best] += level.strength[i]
			}
			if best != own {
				groups[i], again, moved = best, true, true
			}
		}
		if yield != nil {
			if err := yield(*round); err != nil {
				return nil, false, err
			}
		}
	}
	return groups, moved, nil
}

// gain is by how much modularity is higher, halved, with node i in a group than by itself; to has its links to the group.
func (p *partition) gain(i, group int, to []float64, strength [][]float64) float64 {
	g := to[group]
	for l, level := range p.layers {
		g -= float64(p.resolution * float64(level.strength[i]/level.total) * (strength[l][group] / level.total))
	}
	return g
}
