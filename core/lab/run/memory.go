package run

import (
	"fmt"
	"runtime"
	"strconv"

	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// A Size is the size of a multiplex graph.
type Size struct {
	Nodes, Features int
	Layers          []int // entries of each
	Entries         int   // of the features, if they are sparse
	Dense, Identity bool  // features
}

// SizeOf returns the size of a graph.
func SizeOf(g *multiplex.Graph) Size {
	e := Size{Nodes: g.M(), Features: g.F()}
	for _, l := range g.Layers {
		e.Layers = append(e.Layers, l.Adjacency.NNZ())
	}
	switch x := g.Layers[0].Features; {
	case x.Sparse != nil:
		e.Entries = x.Sparse.NNZ()
	case x.IsIdentity():
		e.Identity = true
	default:
		e.Dense = true
	}
	return e
}

// Memory estimates the bytes that a run of CaDeM in single precision needs at its peak, without the files: the graph, the preparation,
// the training and the scores.
func Memory(e Size, o *cadem.Options, scoring *evaluate.Options) float64 {
	graph := 0.0
	for _, nnz := range e.Layers {
		graph = sum(graph, 4*float64(nnz))
	}
	switch {
	case o.Split == "evidence":
		return graph + byLinks(e) + encoders(e, directions, o) + scores(e, o, scoring)
	case o.Split != "off" || o.Trim != "off":
		return graph + bySplit(e, o) + encoders(e, float64(o.Directions), o) + scores(e, o, scoring)
	}
	return graph + asTheyAre(e, o) + scores(e, o, scoring)
}

// sum adds up products. In one expression the compilers of some machines would fuse them, and round differently.
func sum(products ...float64) (x float64) {
	for _, p := range products {
		x += p
	}
	return x
}

// directions is about the largest number that a split by evidence leaves an encoder.
const directions = 64

// encoders are, for each layer, two of f rows with two moments each, and again in a checkpoint, which the archive of a run holds; their
// inputs, when these are given; and the draw of the largest matrix in double precision.
func encoders(e Size, f float64, o *cadem.Options) float64 {
	m, n, h, d := float64(e.Nodes), float64(len(e.Layers)), float64(o.Hidden), float64(o.Dim)
	parameters := float64(4 * 3 * 2 * n * h * (f + d))
	return sum(2*parameters, 4*n*4*f*d, 4*n*6*m*d, 2*4*n*m*f, 8*f*h)
}

// asTheyAre is for inputs that are neither trimmed nor split: Z, as dense as it may become when that is smaller than its factors, with Z'Z where it
// is that and low, and encoders of a row for each feature.
func asTheyAre(e Size, o *cadem.Options) float64 {
	made := 0.0
	if e.Identity {
		e, made = e.structured(o.Features)
	}
	m, f := float64(e.Nodes), float64(e.Features)
	z := 0.0
	for _, nnz := range e.Layers {
		factors := 12 * float64(nnz)
		switch {
		case e.Dense:
			factors = sum(factors, 4*m*f)
		case !e.Identity:
			factors = sum(factors, 12*float64(e.Entries))
		}
		z = sum(z, min(4*m*f, 2*factors))
		if 4*m*f < 2*factors && 3*f < 2*m {
			z = sum(z, 8*f*f)
		}
	}
	without := 2 * 4 * float64(len(e.Layers)) * m * f // inputs that are given
	return max(made, sum(z, encoders(e, f, o), -without))
}

// structured returns the size with features made of links, and what making them takes.
func (e Size) structured(option string) (Size, float64) {
	m, n := float64(e.Nodes), float64(len(e.Layers))
	kind, f := cadem.Structure(option, e.Nodes, len(e.Layers))
	e.Features, e.Identity = f, kind == "identity"
	entries := 0.0
	for _, nnz := range e.Layers {
		entries += float64(nnz)
	}
	e.Dense = kind == "spectral"
	e.Entries = max(4, len(e.Layers)) * e.Nodes // of random features or degrees, at most
	switch kind {
	case "identity":
		return e, 0
	case "spectral": // the pool of layers, and the subspace with a copy for every layer
		return e, sum(40*entries, 8*m*4*float64(f+8), 8*m*n*float64(f))
	}
	return e, 12 * float64(e.Entries) * (n + 1)
}

// bySplit is for inputs that are trimmed or split by agreement: of every layer its factors, and the directions that it keeps.
func bySplit(e Size, o *cadem.Options) float64 {
	const spare = 8
	m, n, k := float64(e.Nodes), float64(len(e.Layers)), float64(min(o.Directions, e.Nodes, e.Features))
	factors := 0.0
	for _, nnz := range e.Layers {
		factors = max(factors, 12*float64(nnz))
		switch {
		case e.Dense:
			factors = sum(factors, 8*m*float64(e.Features))
		case !e.Identity:
			factors = sum(factors, 24*float64(e.Entries))
		}
	}
	return sum(factors, 8*m*6*n*k, 8*m*4*(k+spare))
}

// byLinks is for inputs that are split by evidence: the links of all layers and of a fold of them, in several forms, and functions of the nodes.
func byLinks(e Size) float64 {
	m, n, links := float64(e.Nodes), float64(len(e.Layers)), 0.0
	for _, nnz := range e.Layers {
		links = sum(links, float64(nnz)/2)
	}
	return sum(240*links, 32*directions*m, 16*directions*m*n)
}

// scores are the embeddings, as they are before training and after, standardised and not, and those that a combiner and probes learn from; beside
// them each further processor scores a single one.
func scores(e Size, o *cadem.Options, scoring *evaluate.Options) float64 {
	m, n, d := float64(e.Nodes), float64(len(e.Layers)), float64(o.Dim)
	tokens := float64(8 * m * (n + 1) * d)
	seen := float64(scoring.Sample(e.Nodes)) / max(m, 1)
	others := float64(min(runtime.GOMAXPROCS(0), len(e.Layers)+2) - 1)
	return sum(8*tokens, 2*tokens*seen, 4*others*tokens/(n+1))
}

// A Remedy is a change that makes a run fit: options to set, or none, and its name.
type Remedy struct {
	Text    string
	Options map[string]any
}

// Remedies proposes changes, the best first, or one of two at once where none is enough; each by itself lowers the estimate of [Memory] to at most that
// number of bytes.
func Remedies(e Size, o *cadem.Options, scoring *evaluate.Options, most float64) (list []Remedy) {
	own, layers := *o, e.Layers
	fits := func(text, option string, value any) bool {
		ok := Memory(e, &own, scoring) <= most && own.Dim%max(scoring.Heads, 1) == 0 // as the combiner asks for
		if ok {
			r := Remedy{Text: text}
			if option != "" {
				r.Options = map[string]any{option: value}
			}
			list = append(list, r)
		}
		return ok
	}
	halved := func(x *int, above int, before, after, option string) {
		was := *x
		for *x > above {
			if *x /= 2; fits(before+strconv.Itoa(*x)+after, option, *x) {
				break
			}
		}
		*x = was
	}
	const fewest, narrowest = 8, 4
	split := o.Split != "off" || o.Trim != "off"
	directions, features := split && o.Split != "evidence", !split && e.Identity
	lighter := []string{cadem.LargeFeatures, cadem.LightFeatures}
	switch {
	case directions:
		halved(&own.Directions, fewest, "kept = ", "", "kept")
	case features:
		for _, own.Features = range lighter {
			if fits("features = "+own.Features, "features", own.Features) {
				break
			}
		}
		own.Features = o.Features
	}
	halved(&own.Hidden, 4*own.Dim, "", " hidden units", "hidden")
	halved(&own.Dim, narrowest, "embeddings of ", " numbers", "dim")
	narrowed := func(option string, value any) bool { // two changes at once
		if halved(&own.Dim, narrowest, fmt.Sprint(option, " = ", value, " and embeddings of "), " numbers", "dim"); list != nil {
			list[0].Options[option] = value
		}
		return list != nil
	}
	switch {
	case list != nil:
	case directions:
		own.Directions = min(own.Directions, fewest)
		narrowed("kept", own.Directions)
	case features:
		for _, own.Features = range lighter {
			if narrowed("features", own.Features) {
				break
			}
		}
	}
	own = *o
	for n := len(layers) - 1; n >= 2; n-- {
		if e.Layers = layers[:n]; fits(strconv.Itoa(n)+" of the layers", "", nil) {
			break
		}
	}
	return list
}
