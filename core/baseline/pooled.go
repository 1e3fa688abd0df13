package baseline

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem/split"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// All layers together, without training: with B_l = D^-1/2 A_l D^-1/2, the diagonal of A_l as it is and 1 where it is empty, and rows of X of
// length 1, the views Z_0 = X and Z_l = B_l X are pooled as package split has it,
//
//	R = sum over views of Z_v W_v + 1 b'
//
// Layers with features of their own have a Z_0 each. Without features X = V diag(|w|), w being the 16 eigenvalues of largest modulus of L, the
// regularised adjacency of all layers added up (union.go, c = 1), and V their eigenvectors:
//
//	T = (I + sum over l of B_l) / (N + 1),  R = the leading principal components of T T X
//
// R is one linear map of the propagated inputs. It does not say what the layers share: at gamma 0 of Syn2 it reads the communities of single
// layers, and it is never S.
//
// Its source is this project; MAXVAR is Kettenring's (1971).
//
// Cost: that of the preparation of refined. Without features it is that of the eigenvectors.
var pooled = train.Method{
	Name: "pooled", Label: "All layers together",
	Doc:    "Directions that the features and all layers have together, as one linear map; nothing is trained, and what layers share is not kept apart.",
	Family: train.Untrained, Fusion: train.Own, Unscaled: true, Fixed: true, Levels: official, Needs: []train.Need{train.OneGraph},
	Options: func() any { return &PooledOptions{} },
}

// PooledOptions are the options of all layers together.
type PooledOptions struct {
	Dim  int `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"256" default:"8" doc:"Directions of all layers together."`
	Kept int `name:"kept" label:"Directions kept" group:"Method" min:"1" max:"256" default:"64" doc:"Most directions of a view, of features or of what they are in a layer, that are looked at."`
}

const (
	pooledRidge    = .3 // of the first singular value of a view: the least root of kappa
	pooledSpectral = 16 // eigenvectors that stand for features
	// Of thousands of nodes, those within the noise are found roughly, as spectral features are: any of them will do.
	pooledRough, pooledOff = .5, 3e-2
)

type allLayers struct {
	unfitted
	graph *multiplex.Graph
	o     *PooledOptions
	in    precision.Bits
	y     *mat.Dense // M x d
}

func newPooled(s *train.Setup) (train.Training, error) {
	p := foundPooled(s)
	p.embed = func(_ int, yield pause.Yield) error {
		r, err := p.made(yield)
		if err == nil {
			r.W = append(r.W, r.R, r.Bias) // which come first
			for v, w := range p.kept.Doubles {
				copy(w, r.W[(v+len(r.W)-2)%len(r.W)])
			}
		}
		return err
	}
	return p, nil
}

// foundPooled is a training that finds nothing, but takes what was found from a checkpoint: R, b, and W of every view, of features as they are
// first. Without features all views have the same.
func foundPooled(s *train.Setup) *allLayers {
	p := &allLayers{graph: s.Graphs[0], o: s.Options.(*PooledOptions), in: s.Precision}
	p.y = empties(1, p.graph.M(), p.o.Dim)[0]
	p.kept.Doubles = [][]float64{p.y.RawMatrix().Data, make([]float64, p.o.Dim)}
	views := p.graph.N() + 1
	if p.graph.Featureless() {
		views = 1
	} else if oneFeatures(p.graph) != nil {
		views = 2 * p.graph.N()
	}
	p.kept.Once = 1 // R alone
	for range views {
		p.kept.Doubles = append(p.kept.Doubles, make([]float64, p.graph.F()*p.o.Dim))
	}
	p.total, p.list = 1, func(int) []train.Embedding { return fused(p.y) }
	return p
}

// Linear returns the map once it is found: W of every layer, then of features as they are, and b. Without features rows of W are of nodes, T X
// taken as it is.
func (p *allLayers) Linear() (w [][]float64, bias []float64) {
	w = p.kept.Doubles[2:]
	if len(w) == 1 {
		return slices.Repeat(w, p.graph.N()+1), p.kept.Doubles[1]
	}
	own := len(w) - p.graph.N()
	return slices.Concat(w[own:], w[:own]), p.kept.Doubles[1]
}

func (p *allLayers) made(yield pause.Yield) (*split.Pooled, error) {
	if p.graph.Featureless() {
		return p.byLinks(yield)
	}
	own, list := p.views()
	if precision.HasDouble && p.in == precision.Double {
		return split.Pool[float64](append(own, list...), p.o.Kept, p.o.Dim, pooledRidge, yield)
	}
	return split.Pool[float32](append(own, list...), p.o.Kept, p.o.Dim, pooledRidge, yield)
}

// views lists Z_0 or, of layers with features of their own, one of each, and Z_l of every layer.
func (p *allLayers) views() (own, list []split.Source) {
	m := p.graph.M()
	none := &multiplex.CSR{Rows: m, Cols: m, Start: make([]int32, m+1)} // B is the identity then
	alone := oneFeatures(p.graph) != nil
	for l, x := range multiplex.RowsOf(p.graph.Layers, "unit") {
		if l == 0 || alone {
			own = append(own, split.Source{B: multiplex.NewPropagator(none, multiplex.Looped), X: x})
		}
		list = append(list, split.Source{B: multiplex.NewPropagator(p.graph.Layers[l].Adjacency, multiplex.Looped), X: x})
	}
	return own, list
}

// byLinks does everything where nodes have no features.
func (p *allLayers) byLinks(yield pause.Yield) (*split.Pooled, error) {
	m, d, pause := p.graph.M(), p.o.Dim, pauses(yield)
	l, _ := regularised(p.graph.Layers, 1)
	sum, tolerance := &linalg.Sum{Start: l.Start, Index: l.Index, Value: l.Value, Rough: pooledRough}, settledPair
	if m > linalg.Large {
		tolerance = pooledOff
	}
	w, x, err := linalg.ExtremeSum(m, min(pooledSpectral, m-1), product(l, pause), sum, tolerance, pause)
	k, n := len(w), p.graph.N()+1
	r := &split.Pooled{R: make([]float64, m*d), W: make([][]float64, n), Bias: make([]float64, d)}
	each := make([]float64, m*d)
	for v := range r.W {
		r.W[v] = each
	}
	if err != nil || k == 0 {
		return r, err
	}
	for i := range x {
		x[i] *= math.Abs(w[i%k])
	}
	_, list := p.views()
	part, before, means := make([]float64, len(x)), x, make([]float64, k)
	for range 2 {
		before = x
		sum := append([]float64(nil), x...)
		for _, s := range list {
			if err := multiplex.NewFactors[float64](s.B, s.X).Mul(part, x, k, pause); err != nil {
				return nil, err
			}
			kernel.AddScaled(sum, part, 1)
		}
		x = scaled(sum, 1/float64(n))
	}
	linalg.CentreColumns(x, k, 0, k, means)
	s := linalg.NewSVD(m, k)
	copy(s.A, x)
	if err := s.Decompose(pause); err != nil {
		return nil, err
	}
	right := make([]float64, k*k)
	s.Right(right, k)
	turn := make([]float64, k*d)
	for i := range right {
		if c := i % k; c < d {
			turn[i/k*d+c] = right[i]
		}
	}
	kernel.Mul(r.R, x, turn, m, k, d)
	kernel.Mul(each, before, turn, m, k, d)
	scaled(each, 1/float64(n))
	kernel.Mul(r.Bias, means, turn, 1, k, d)
	scaled(r.Bias, -1)
	return r, nil
}
