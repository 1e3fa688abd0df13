package links

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// A Kind says what a pair is.
type Kind uint8

// Pairs are of these kinds.
const (
	Link    Kind = iota // held out
	Uniform             // not linked, drawn uniformly
	Matched             // not linked, ends drawn in proportion to their degrees
	kinds
)

// A Pair of nodes I < J.
type Pair struct {
	I, J int
	Kind Kind
}

// A Held is a graph without some of its links, and the pairs to separate.
type Held struct {
	Graph *multiplex.Graph
	Pairs [][]Pair // by layer, in order of kind

	share  float64
	seed   uint64
	degree [][]float64 // log(d + .3) of every layer and node, d those of the links that are left
}

// Hold takes a share of each layer's links away, one at least, and leaves one. The error is a [*diag.Error] where no layer has enough links or
// pairs without one, or that of pause. Hold panics with [ErrShape] unless the share is between 0 and 1.
func Hold(g *multiplex.Graph, share float64, seed uint64, pause pause.Work) (*Held, error) {
	ErrShape.Unless(share > 0 && share < 1)
	kept := *g
	h := &Held{Graph: &kept, share: share, seed: seed}
	kept.Layers = slices.Clone(g.Layers)
	scored := false
	for l := range kept.Layers {
		a := g.Layers[l].Adjacency
		layer := evidence.NewLayer(a)
		if err := pause.After(a.NNZ()); err != nil {
			return nil, err
		}
		n := len(layer.Links)
		places := make([]int, max(0, min(max(1, int(math.RoundToEven(h.share*float64(n)))), n-1)))
		h.stream(l, "held").Sample(places, n)
		pairs, err := h.pairs(layer, l, places, pause)
		if err != nil {
			return nil, err
		}
		kept.Layers[l].Adjacency = without(a, layer, places)
		degrees := slices.Clone(layer.Degrees)
		for _, k := range places {
			for _, i := range layer.Links[k] {
				degrees[i]--
			}
		}
		for i, d := range degrees {
			degrees[i] = kernel.Log(d + .3)
		}
		h.Pairs, h.degree = append(h.Pairs, pairs), append(h.degree, degrees)
		scored = scored || h.Scored(l)
	}
	if !scored {
		return nil, &diag.Error{Where: "layers", Found: fmt.Sprintf("none with %d links to hold out and as many pairs of nodes that are not linked", least),
			Expected: "one at least: there is nothing to tell apart"}
	}
	return h, nil
}

// stream returns the random stream of a layer.
func (h *Held) stream(l int, what string) *rng.Stream {
	return rng.New(h.seed, fmt.Sprintf("links/layer %d/%s", l, what))
}

// pairs returns the links at some places of a layer, and as many pairs of each other kind.
func (h *Held) pairs(layer *evidence.Layer, l int, places []int, pause pause.Work) ([]Pair, error) {
	var pairs []Pair
	for _, k := range places {
		e := layer.Links[k]
		pairs = append(pairs, Pair{e[0], e[1], Link})
	}
	for _, kind := range []Kind{Uniform, Matched} {
		apart, err := h.nonLinks(layer, l, kind, len(places), pause)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, apart...)
	}
	return pairs, nil
}

// nonLinks draws n different pairs that are not linked in a layer; fewer where they are rare.
func (h *Held) nonLinks(layer *evidence.Layer, l int, kind Kind, n int, pause pause.Work) ([]Pair, error) {
	const (
		most = 100 // draws for each pair
		each = 16  // what a draw costs, in multiply-adds
	)
	draw := h.stream(l, [...]string{Uniform: "uniform", Matched: "matched"}[kind])
	var linked []int
	for i, d := range layer.Degrees {
		if d > 0 {
			linked = append(linked, i)
		}
	}
	end := func() int {
		if kind == Uniform {
			return linked[draw.IntN(len(linked))]
		}
		return layer.Links[draw.IntN(len(layer.Links))][draw.IntN(2)]
	}
	var pairs []Pair
	seen := map[Pair]bool{}
	for k := 0; k < most*n && len(pairs) < n; k++ {
		i, j := end(), end()
		p := Pair{min(i, j), max(i, j), kind}
		if i != j && !layer.A.Has(p.I, p.J) && !seen[p] {
			seen[p] = true
			pairs = append(pairs, p)
		}
		if err := pause.After(each); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

// without returns an adjacency matrix without the links at some places of the layer. Weights and links of a node to itself stay.
func without(a *multiplex.CSR, layer *evidence.Layer, places []int) *multiplex.CSR {
	gone := map[[2]int]bool{}
	for _, k := range places {
		gone[layer.Links[k]] = true
	}
	return a.Symmetrized().Filtered(func(i, j int) bool { return !gone[[2]int{min(i, j), max(i, j)}] })
}

// least is the smallest number of pairs of every kind for a score of a layer.
const least = 3

// Scored reports whether a layer has enough pairs to be scored.
func (h *Held) Scored(l int) bool {
	var n [kinds]int
	for _, p := range h.Pairs[l] {
		n[p.Kind]++
	}
	return slices.Min(n[:]) >= least
}

// Notes says which layers are left out.
func (h *Held) Notes() (notes []string) {
	for l := range h.Pairs {
		if !h.Scored(l) {
			notes = append(notes, fmt.Sprintf("Layer %s is left out of the scores of held-out links: fewer than %d links to hold out, or pairs of nodes "+
				"that are not linked.", h.Graph.Layers[l].Name, least))
		}
	}
	return notes
}
