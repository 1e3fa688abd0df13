package worker

import (
	"fmt"
	"slices"
	"strings"

	"cadem/core/cadem"
	"cadem/core/formats"
	"cadem/core/multiplex"
	"cadem/wasm/bridge"
)

// budget bounds the memory of a run. WebAssembly has 4 GB, and the collector needs some of that; a
// larger run would end the program later.
const budget = 2 << 30

// Sizes say how large a multiplex graph is.
type sizes struct {
	nodes, features int
	layers          []int // entries of each
	entries         int   // of the features, if they are sparse
	dense, identity bool  // features
}

func sizesOf(g *multiplex.Graph) sizes {
	e := sizes{nodes: g.M(), features: g.F()}
	for _, l := range g.Layers {
		e.layers = append(e.layers, l.Adjacency.NNZ())
	}
	switch x := g.Layers[0].Features; {
	case x.Sparse != nil:
		e.entries = x.Sparse.NNZ()
	case x.IsIdentity():
		e.identity = true
	default:
		e.dense = true
	}
	return e
}

// sizesOfChoice are the sizes of the graph that a choice would make.
func sizesOfChoice(s *formats.Survey, choice *formats.Choice) sizes {
	e := sizes{nodes: s.Nodes, features: s.Nodes, identity: true}
	at := func(name string) *formats.Surveyed {
		k := slices.IndexFunc(s.Variables, func(v formats.Surveyed) bool { return v.Name == name })
		if k < 0 {
			return nil
		}
		return &s.Variables[k]
	}
	for _, name := range choice.Layers {
		if v := at(name); v != nil && v.Layer != nil {
			n := v.Layer.NNZ
			if v.Layer.Stored != formats.BothWays {
				n *= 2
			}
			e.layers = append(e.layers, n)
		}
	}
	if v := at(choice.Features); v != nil && len(v.Shape) > 0 {
		e.identity, e.features = false, 1
		if len(v.Shape) > 1 {
			e.features = v.Shape[1]
		}
		if e.dense = e.nodes*e.features <= 2*v.NNZ; !e.dense {
			e.entries = v.NNZ
		}
	}
	return e
}

// memory estimates the bytes a run of float32 needs at its peak: for every layer the two
// encoders with their two moments each, again for a checkpoint, which the archive of a run holds; the
// draw of the largest matrix in float64; the graph; and Z, as dense as it may become when that is
// smaller than its factors, with Z'Z where it is that and low.
func memory(e sizes, o *cadem.Options) float64 {
	m, f, n := float64(e.nodes), float64(e.features), float64(len(e.layers))
	h, d := float64(o.Hidden), float64(o.Dim)
	parameters := 4 * 3 * 2 * n * (f*h + h*d)
	working := 4 * n * (4*f*d + 6*m*d)
	z, graph := 0.0, 0.0
	for _, nnz := range e.layers {
		factors := 12 * float64(nnz)
		switch {
		case e.dense:
			factors += 4 * m * f
		case !e.identity:
			factors += 12 * float64(e.entries)
		}
		graph += 4 * float64(nnz)
		z += min(4*m*f, 2*factors)
		if 4*m*f < 2*factors && 3*f < 2*m {
			z += 8 * f * f
		}
	}
	return 2*parameters + working + graph + z + 8*f*h
}

// fits refuses a run that would not fit the program's memory, and says what would.
func fits(e sizes, o *cadem.Options) error {
	need := memory(e, o)
	if need <= budget {
		return nil
	}
	return &bridge.Error{Code: "too-large", Message: fmt.Sprintf(
		"This run would need about %.1f GB for %d layers of %d features and %d hidden units; a page can use %d GB. %s",
		need/(1<<30), len(e.layers), e.features, o.Hidden, budget>>30, smaller(e, o))}
}

// smaller proposes changes; each by itself makes a run fit.
func smaller(e sizes, o *cadem.Options) string {
	var ways []string
	for narrow := *o; narrow.Hidden > 4*narrow.Dim; {
		if narrow.Hidden /= 2; memory(e, &narrow) <= budget {
			ways = append(ways, fmt.Sprintf("%d hidden units", narrow.Hidden))
			break
		}
	}
	for n := len(e.layers) - 1; n >= 2; n-- {
		fewer := e
		if fewer.layers = e.layers[:n]; memory(fewer, o) <= budget {
			ways = append(ways, fmt.Sprintf("%d of the layers", n))
			break
		}
	}
	for fewer := e; fewer.features > 64; {
		fewer.features /= 2
		fewer.entries /= 2
		if memory(fewer, o) <= budget {
			what := fmt.Sprintf("%d features", fewer.features)
			if e.identity {
				what += " instead of one for each node"
			}
			ways = append(ways, what)
			break
		}
	}
	if ways == nil {
		return "Fewer nodes make it smaller."
	}
	return "It would fit with " + strings.Join(ways, ", or with ") + "."
}
