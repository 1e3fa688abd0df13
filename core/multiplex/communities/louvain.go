// Package communities divides the nodes of a multiplex graph into groups by modularity, after Louvain (Blondel, Guillaume, Lambiotte
// and Lefebvre 2008). A node is in one group, the same in all layers.
package communities

import (
	"math"
	"slices"

	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
	"cadem.example/core/multiplex"
)

// An Order fills dst with a permutation of 0 to len(dst)-1, the order of visiting nodes. Round counts the orders.
type Order func(dst []int, round int)

// A Search says how groups are looked for.
type Search struct {
	Resolution float64 // of modularity: the larger, the smaller the groups
	Order      Order
	// Refined makes better groups of many nodes with few links each, in less time: the resolution is higher at first, so that small groups stay pure;
	// nodes move by themselves again once groups have merged, until none does; and those are left out none of whose neighbours has moved since they
	// were looked at (Rotta and Noack 2011; Ozaki, Tezuka and Inaba 2016).
	Refined bool
	Wait    pause.Work // called within passes over the nodes, with the links that were looked at
}

// Find divides the nodes so that the sum over the layers of their modularity
//
//	Q_l = 1/(2 m_l) sum over i, j of (A_lij - resolution k_li k_lj / (2 m_l)) [i and j in one group],  k_l = A_l 1, 2 m_l = 1'k_l
//
// is high: nodes move one by one to the neighbouring group that raises it most, until none does; then groups become
// nodes, and so on. Links of a node to itself are left out, and so are layers without others. It returns the group of every node. Groups are
// numbered by their first nodes. The error is that of Wait, which ends the work.
func (s Search) Find(layers []*multiplex.CSR) ([]int, error) {
	p := &partition{Search: s}
	nodes := layers[0].Rows
	for _, a := range layers {
		l := newLevel(a)
		if l.total > 0 {
			p.layers = append(p.layers, l)
		}
		if err := s.Wait.After(a.NNZ()); err != nil {
			return nil, err
		}
	}
	of := sorting.Places(nodes) // group of every node
	rounds, most := 0, 1
	if s.Refined {
		p.Resolution, most = first*s.Resolution, mostRefined
	}
	for base, again := slices.Clone(p.layers), 0; again < most; again++ {
		copy(p.layers, base)
		groups, moved, err := p.move(of, &rounds)
		if err != nil {
			return nil, err
		}
		if again > 0 && !moved {
			break
		}
		of = groups
		for count := renumber(of); moved || p.Resolution > s.Resolution; {
			for l := range p.layers {
				if p.layers[l], err = p.merged(p.layers[l], groups, count); err != nil {
					return nil, err
				}
			}
			p.Resolution = max(s.Resolution, p.Resolution/2)
			if groups, moved, err = p.move(sorting.Places(count), &rounds); err != nil {
				return nil, err
			}
			count = renumber(groups)
			for i, node := range of {
				of[i] = groups[node]
			}
		}
	}
	return of, nil
}

const (
	first       = 4  // times the resolution; from level to level it is halved
	mostRefined = 10 // times that nodes move by themselves
)

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
				if int(l.index[k]) != i && of[l.index[k]] == c {
					inside += l.at(k)
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
// within a group. Of the layer itself it has the links that a node has to itself, too, which count for nothing.
type level struct {
	start    []int32
	index    []int32
	weight   []float64 // nil: 1 each
	strength []float64
	total    float64 // of the strengths
}

func newLevel(a *multiplex.CSR) *level {
	l := &level{start: a.Start, index: a.Index, weight: a.Value, strength: make([]float64, a.Rows)}
	for i := range a.Rows {
		for k := l.start[i]; k < l.start[i+1]; k++ {
			if int(l.index[k]) != i {
				l.strength[i] += l.at(k)
			}
		}
		l.total += l.strength[i]
	}
	return l
}

// at is the weight of a link.
func (l *level) at(k int32) float64 {
	if l.weight == nil {
		return 1
	}
	return l.weight[k]
}

// merged returns the level whose nodes are groups.
func (p *partition) merged(l *level, groups []int, count int) (*level, error) {
	members := make([][]int, count)
	for i, c := range groups {
		members[c] = append(members[c], i)
	}
	m := &level{start: make([]int32, 1, count+1), strength: make([]float64, count), total: l.total}
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
				to[other] += l.at(k)
			}
		}
		slices.Sort(reached)
		for _, other := range reached {
			m.index, m.weight = append(m.index, int32(other)), append(m.weight, to[other])
			to[other] = 0
		}
		reached = reached[:0]
		m.start = append(m.start, int32(len(m.index)))
		if err := p.looked(int(m.start[c+1] - m.start[c])); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// A partition is a division under way.
type partition struct {
	Search
	layers []*level
	links  int // looked at since Wait was called
}

// often is how many links are looked at between two calls of Wait: it takes a millisecond.
const often = 1 << 14

// looked counts links that were looked at.
func (p *partition) looked(links int) error {
	if p.links += links; p.links < often {
		return nil
	}
	return p.rest()
}

func (p *partition) rest() error {
	links := p.links
	p.links = 0
	return p.Wait.After(links)
}

// least is the gain of modularity that a move must have: what is below is rounding.
const least = 1e-12

// move moves nodes between the groups that they are in until none gains, and reports whether any moved.
func (p *partition) move(of []int, round *int) (groups []int, moved bool, err error) {
	nodes := len(of)
	groups = slices.Clone(of)
	strength := make([][]float64, len(p.layers)) // of groups
	for l, level := range p.layers {
		strength[l] = make([]float64, nodes)
		for i, c := range of {
			strength[l][c] += level.strength[i]
		}
	}
	list, to, near := make([]int, nodes), make([]float64, nodes), make([]bool, nodes)
	settled := make([]bool, nodes)
	var reached []int
	for again := true; again; {
		again = false
		p.Order(list, *round)
		*round++
		for _, i := range list {
			if settled[i] {
				continue
			}
			settled[i] = p.Refined
			own := groups[i]
			reached = append(reached[:0], own)
			near[own] = true
			links := int32(0)
			for l, level := range p.layers {
				strength[l][own] -= level.strength[i]
				links += level.start[i+1] - level.start[i]
				for k := level.start[i]; k < level.start[i+1]; k++ {
					if int(level.index[k]) == i {
						continue
					}
					c := groups[level.index[k]]
					if !near[c] {
						near[c] = true
						reached = append(reached, c)
					}
					to[c] += level.at(k) / level.total
				}
			}
			best, highest := own, math.Inf(-1)
			for _, c := range reached { // its own first
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
				p.unsettle(i, groups, settled)
			}
			if err := p.looked(int(links)); err != nil {
				return nil, false, err
			}
		}
		if err := p.rest(); err != nil {
			return nil, false, err
		}
	}
	return groups, moved, nil
}

// unsettle has the neighbours that a node has outside its new group looked at again.
func (p *partition) unsettle(i int, groups []int, settled []bool) {
	if !p.Refined {
		return
	}
	for _, level := range p.layers {
		for _, j := range level.index[level.start[i]:level.start[i+1]] {
			if groups[j] != groups[i] {
				settled[j] = false
			}
		}
	}
}

// gain is by how much modularity is higher, halved, with node i in a group than by itself; to has its links to the group.
func (p *partition) gain(i, group int, to []float64, strength [][]float64) float64 {
	g := to[group]
	for l, level := range p.layers {
		g -= float64(p.Resolution * float64(level.strength[i]/level.total) * (strength[l][group] / level.total))
	}
	return g
}
