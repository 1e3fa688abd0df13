package baseline

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Regularised spectral embedding of all layers together (Amini, Chen, Bickel and Levina 2013; Qin and Rohe 2013):
//
//	A = sum over l of A_l,  D = diag(A 1),  L = (D + tau I)^-1/2 A (D + tau I)^-1/2,  tau = c times the mean degree
//	Y = sqrt(M) [v_1 ... v_d] diag(|w_1| ... |w_d|)^1/2,  w_k the eigenvalues of L of largest modulus
//
// tau keeps nodes with few links, and parts of the graph that hardly hang together, from having eigenvectors of their
// own. With row_length = unit every row of Y gets length 1, as Qin and Rohe do before K-means. A link between i and j is
// as probable as ((D + tau I)^1/2 V diag(w) V' (D + tau I)^1/2)_ij. Features are ignored.
//
// Cost: some 15 to 500 passes of 8 nnz(A) multiply-adds.
//
// Not in the papers: several layers, whose links are added up here; how eigenvectors are weighed. Self-loops are left
// out.
var unionSpectral = train.Method{
	Name: "union", Label: "Union spectral", Doc: "Leading eigenvectors of the regularised adjacency matrix of all layers added up; nothing is trained.",
	Family: train.Untrained, Fusion: train.Own, Unscaled: true,
	Fixed: true, Levels: official, Needs: []train.Need{train.OneGraph, train.Edges},
	Options: func() any { return &UnionOptions{} },
}

func startUnionSpectral(s *train.Setup) (train.Training, error) {
	o := s.Options.(*UnionOptions)
	return newSummed(s, o.Dim, func(p *summed, pause pause.Work) error { return p.union(o, pause) }), nil
}

// UnionOptions are the options of the regularised spectral embedding.
type UnionOptions struct {
	Dim            int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"256" default:"8" doc:"Eigenvectors of all layers added up."`
	Regularisation float64 `name:"regularisation" symbol:"c" label:"Regularisation" group:"Method" min:"0" max:"100" default:"1" doc:"What is added to every degree, in mean degrees."`
	RowLength      string  `name:"row_length" label:"Length of rows" group:"Method" choices:"kept|unit" default:"kept" doc:"Whether the row of every node is brought to length 1, as is done for K-means."`
}

// settledPair is the tolerance of eigenvectors, in units of the largest eigenvalue.
const settledPair = 1e-10

// regularised returns L of all layers, and the roots of D + tau I.
func regularised(layers []multiplex.Layer, c float64) (l *multiplex.CSR, roots []float64) {
	l, degrees := together(layers)
	mean := 0.0
	for _, d := range degrees {
		mean += d / float64(len(degrees))
	}
	q := make([]float64, len(degrees))
	roots = make([]float64, len(degrees))
	for i, d := range degrees {
		roots[i] = math.Sqrt(d + float64(c*mean))
		if roots[i] > 0 {
			q[i] = 1 / roots[i]
		}
	}
	return onBothSides(l, q), roots
}

func (p *summed) union(o *UnionOptions, pause pause.Work) error {
	a, roots := regularised(p.graph.Layers, o.Regularisation)
	copy(p.scale, roots)
	tolerance := settledPair
	if a.Rows > many {
		tolerance = settledMany
	}
	w, v, err := linalg.Extreme(a.Rows, o.Dim, product(a, pause), tolerance, pause)
	if err != nil {
		return err
	}
	p.place(w, v, math.Sqrt(float64(a.Rows)))
	if o.RowLength == "unit" {
		for i := range a.Rows {
			row := p.y.RawRowView(i)
			if norm := math.Sqrt(kernel.Dot(row, row)); norm > 0 {
				p.scale[i] *= norm
				for k := range row {
					row[k] /= norm
				}
			}
		}
	}
	return nil
}

// A summed training embeds nodes by the eigenvectors of one matrix that is made of all layers, in one step.
type summed struct {
	unfitted
	graph *multiplex.Graph
	says  func(p *summed, r *train.Report) // nil: nothing to report

	counted int
	parts   int        // of the graph, where those that are alike may not all be counted
	y       *mat.Dense // M x d
	signs   []float64  // of its columns, and
	scale   []float64  // of its rows, in the score of a link
}

func newSummed(s *train.Setup, dim int, embed func(p *summed, pause pause.Work) error) *summed {
	g := s.Graphs[0]
	p := &summed{graph: g, y: mat.NewDense(g.M(), dim, nil), signs: make([]float64, dim),
		scale: slices.Repeat([]float64{1}, g.M())}
	p.total, p.list = 1, func(int) []train.Embedding { return fused(p.y) }
	p.embed = func(_ int, yield pause.Yield) error { return embed(p, pauses(yield)) }
	p.kept = train.State{Integers: []*int{&p.counted}, Doubles: [][]float64{p.y.RawMatrix().Data, p.signs, p.scale}}
	return p
}

// together returns the sum of the adjacency matrices of layers, links of a node to itself left out, and the sums of its rows.
func together(layers []multiplex.Layer) (sum *multiplex.CSR, degrees []float64) {
	m := layers[0].Adjacency.Rows
	start, index, value := make([]int32, 1, m+1), []int32{}, []float64{}
	row, there, near := make([]float64, m), make([]bool, m), []int{}
	degrees = make([]float64, m)
	for i := range m {
		near = near[:0]
		for l := range layers {
			a := layers[l].Adjacency
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				j, v := a.Index[k], 1.0
				if a.Value != nil {
					v = a.Value[k]
				}
				if int(j) == i {
					continue
				}
				if !there[j] {
					there[j] = true
					near = append(near, int(j))
				}
				row[j] += v
			}
		}
		slices.Sort(near)
		for _, j := range near {
			index, value = append(index, int32(j)), append(value, row[j])
			degrees[i] += row[j]
			row[j], there[j] = 0, false
		}
		start = append(start, int32(len(index)))
	}
	sum, err := multiplex.NewCSR(m, m, start, index, value)
	if err != nil {
		panic(err) // every layer is one
	}
	return sum, degrees
}

// product returns the products with a sparse matrix.
func product(a *multiplex.CSR, pause pause.Work) func(dst, x []float64, columns int) error {
	return func(dst, x []float64, columns int) error {
		kernel.SparseMul(dst, a.Start, a.Index, a.Value, x, columns)
		return pause.After(a.NNZ() * columns)
	}
}

// place makes the embedding of eigenvectors v, each times scale and the root of the modulus of its value; missing columns are zero.
func (p *summed) place(values, v []float64, scale float64) {
	for k, w := range values {
		p.signs[k] = math.Copysign(1, w)
		by := scale * math.Sqrt(math.Abs(w))
		for i := range p.graph.M() {
			p.y.Set(i, k, by*v[i*len(values)+k])
		}
	}
}

// Report counts no parameters: none is fitted.
func (p *summed) Report() train.Report {
	r := parameters(0)
	if p.says != nil && train.Done(p) {
		p.says(p, &r)
	}
	return r
}

// Links is the same in all layers.
func (p *summed) Links(int, int) train.PairScore {
	return own(func(i, j int) float64 {
		return float64(p.scale[i]*p.scale[j]) * signed(p.y.RawRowView(i), p.y.RawRowView(j), p.signs)
	})
}

// signed is the inner product of x and y, whose terms have signs.
func signed(x, y, signs []float64) float64 {
	sum := 0.0
	for k, s := range signs {
		sum += float64(s * float64(x[k]*y[k]))
	}
	return sum
}

// own is the score of a training that has one number for a pair.
func own(of func(i, j int) float64) train.PairScore {
	return train.PairScore{Width: 1, Of: func(dst []float64, i, j int) float64 {
		dst[0] = of(i, j)
		return dst[0]
	}}
}
