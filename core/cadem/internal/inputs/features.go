package inputs

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// A Structure selects the features X (M x F) made of the links of a graph whose nodes have none. All layers share them.
//
//	identity    I, a column for each node: Z is the rows of B
//	spectral    sqrt(M) V diag(|l|) / |l|, V the K leading eigenvectors, l their eigenvalues, of the operator of all layers (package evidence)
//	random      R, M x K, with +-1/2 in four places of every row: Z = B R is a random projection of the rows of B
//	degree      for every layer and k = 0, 1, 2, ... whether the node has from 2^(k-1) to 2^k - 1 links there, one to itself included
//
// Rows of spectral and random features have mean square length 1, like those of the identity. R preserves inner products of rows up to
// 1/sqrt(K); its four places are drawn one from each quarter of the columns (Kane and Nelson 2014).
type Structure struct {
	Kind string
	K    int
}

// ParseStructure reads the value of the option features, which has been checked.
func ParseStructure(value string) (s Structure) {
	var k string
	s.Kind, k, _ = strings.Cut(value, ":")
	s.K, _ = strconv.Atoi(k)
	return s
}

const (
	projected = 4  // places in a row of R
	sizes     = 24 // of degrees, 0 and the lengths of a binary number
)

// Columns returns F for a number of nodes and layers; spectral features may be fewer.
func (s Structure) Columns(nodes, layers int) int {
	switch s.Kind {
	case "spectral":
		return min(s.K, max(1, nodes-2))
	case "random":
		return s.K
	case "degree":
		return layers * sizes
	}
	return nodes
}

// Of returns X (M x F) of a graph; graphs is the number of graphs that share encoders. The error is a [*diag.Error], or wait's.
func (s Structure) Of(g *multiplex.Graph, graphs int, seed uint64, wait pause.Work) (*multiplex.Features, error) {
	if s.Kind != "random" && graphs > 1 {
		return nil, &diag.Error{Where: "features", Found: s.Kind + " features of several graphs",
			Expected: "one graph, or features that mean the same in all: identity or random"}
	}
	switch s.Kind {
	case "spectral":
		if preparer == nil {
			return nil, unprepared()
		}
		return preparer.Spectral(g, s.Columns(g.M(), g.N()), wait)
	case "random":
		return s.random(g.M(), rng.New(seed, "features/random")), nil
	}
	return degrees(g), nil
}

// half is the work, in multiply-adds, after which about half of the features of a graph are made: how much there is depends on its spectrum. From
// graphs of 20,000 and 100,000 nodes.
func (s Structure) half(g *multiplex.Graph) float64 {
	const rounds, steps, products = 4, 6, 4
	entries, k := g.M(), s.Columns(g.M(), g.N())
	for l := range g.Layers {
		entries += g.Layers[l].Adjacency.NNZ()
	}
	return float64(rounds * k * (steps*entries + products*g.M()*k))
}

func (s Structure) random(m int, draw *rng.Stream) *multiplex.Features {
	places := min(projected, s.K)
	r := &multiplex.CSR{Rows: m, Cols: s.K, Start: make([]int32, m+1)}
	size := 1 / math.Sqrt(float64(places))
	for i := range m {
		for p := range places {
			from, to := p*s.K/places, (p+1)*s.K/places
			j := 2*from + draw.IntN(2*(to-from)) // a place and a sign
			r.Index, r.Value = append(r.Index, int32(j/2)), append(r.Value, size*float64(1-2*(j%2)))
		}
		r.Start[i+1] = int32(len(r.Index))
	}
	return multiplex.SparseFeatures(r)
}

func degrees(g *multiplex.Graph) *multiplex.Features {
	m := g.M()
	x := &multiplex.CSR{Rows: m, Cols: g.N() * sizes, Start: make([]int32, m+1)}
	for i := range m {
		for l := range g.Layers {
			start := g.Layers[l].Adjacency.Start
			x.Index = append(x.Index, int32(l*sizes+min(bits.Len32(uint32(start[i+1]-start[i])), sizes-1)))
		}
		x.Start[i+1] = int32(len(x.Index))
	}
	return multiplex.SparseFeatures(x)
}

// notes say that features are made of links, and whether these ignore the weights.
func (s Structure) notes(g *multiplex.Graph) []string {
	list := []string{"nodes have no features: " + s.Kind + " ones are made of the links"}
	for l := range g.Layers {
		if s.Kind != "random" && g.Layers[l].Adjacency.Value != nil {
			return append(list, s.Kind+" features ignore the weights of links")
		}
	}
	return list
}
