package baseline

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Pooled principal components: with Z_l = B_l X_l the propagated features of layer l,
//
//	Y = sqrt(M) U_d diag(s_1, ..., s_d) / s_1,  U diag(s) V' = (I - 11'/M) [Z_1 ... Z_N]
//
// so that the first component has variance 1 and the others keep their proportion. Nothing is trained,
// and nothing says what the layers share from what they do not. With scale = columns, every column of
// every Z_l has unit length first, so that common features weigh no more than rare ones. Several graphs
// are stacked: their components mean the same.
//
// Its source is folklore; no paper on multiplex graphs prints it. Rows of X sum to 1.
//
// Cost: some 10 to 300 passes of 2 (2 nnz(A) + nnz(X)) 24 multiply-adds a layer, until the components
// settle.
var pooledComponents = train.Method{
	Name: "pca", Label: "Principal components", Doc: "Principal components of the propagated features of all layers together; nothing is trained.",
	Family: train.Untrained, Fusion: train.Own, Fixed: true, Levels: official, Needs: []train.Need{train.Edges},
	Options: func() any { return &PCAOptions{} },
}

// unitComponents are the components of columns of unit length.
var unitComponents = train.Method{
	Name: "pca-unit", Label: "Principal components, unit columns",
	Doc:    "Principal components of the propagated features of all layers together, each feature brought to unit length.",
	Family: train.Untrained, Fusion: train.Own, Fixed: true, Levels: officialWith("feature_scale", "columns"), Needs: []train.Need{train.Edges},
	Options: func() any { return &PCAOptions{} },
}

// PCAOptions are the options of pooled principal components.
type PCAOptions struct {
	Dim          int    `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"256" default:"8" doc:"Components that are kept."`
	FeatureScale string `name:"feature_scale" label:"Scale of features" group:"Method" choices:"columns|none" default:"none" doc:"Whether every propagated feature is brought to unit length."`
	Propagation  string `name:"propagation" label:"Propagation" group:"Method" choices:"twice|kipf" default:"twice" doc:"How features spread over edges: by the adjacency normalised twice, or normalised once after a self loop is added to every node."`
}

type pca struct {
	unfitted
	graphs []*multiplex.Graph
	o      *PCAOptions
	y      []*mat.Dense // of each graph, M x d
}

func newPCA(s *train.Setup) (train.Training, error) {
	p := &pca{graphs: s.Graphs, o: s.Options.(*PCAOptions)}
	for _, g := range s.Graphs {
		p.y = append(p.y, p.keep(mat.NewDense(g.M(), p.o.Dim, nil))...)
	}
	p.total, p.embed = 1, p.components
	p.list = func(graph int) []train.Embedding { return fused(p.y[graph]) }
	return p, nil
}

func (p *pca) components(_ int, yield pause.Yield) error {
	pause := pauses(yield)
	operator, err := p.stacked(pause)
	if err != nil {
		return err
	}
	if operator.Rows > many && len(p.graphs) == 1 {
		operator.Settled = settledMany
	}
	d := p.o.Dim
	singular, u, err := linalg.Leading(operator, d, pause)
	if err != nil {
		return err
	}
	for _, y := range p.y {
		rows, _ := y.Dims()
		for i := range y.RawMatrix().Data {
			if k := i % d; singular[k] > 0 {
				y.RawMatrix().Data[i] = float64(math.Sqrt(float64(operator.Rows))*u[i]) * (singular[k] / singular[0])
			}
		}
		u = u[rows*d:]
	}
	return nil
}

// Of more than many nodes directions within the noise, which settle last, are found roughly.
const many, settledMany = 8192, 1e-3

// pauses returns a pause of work whose total is not known.
func pauses(yield pause.Yield) pause.Work {
	done, since := 0, 0
	return func(work int) error {
		done, since = done+work, since+work
		if since < 2_000_000 { // multiply-adds, a millisecond or two
			return nil
		}
		since = 0
		return yield.At(done, done+1)
	}
}

// stacked returns the propagated features of all layers side by side, of all graphs one below the
// other, less the means of the columns.
func (p *pca) stacked(pause pause.Work) (*linalg.Operator, error) {
	f, n, rows := p.graphs[0].F(), p.graphs[0].N(), 0
	factors := make([][]*multiplex.Factors[float64], len(p.graphs)) // of each graph and layer
	for l := range n {
		var layers []*multiplex.Propagator
		squares := make([]float64, f)
		for _, g := range p.graphs {
			b := multiplex.NewPropagator(g.Layers[l].Adjacency, multiplex.KindOf(p.o.Propagation))
			layers = append(layers, b)
			if p.o.FeatureScale != "columns" {
				continue
			}
			if err := addSquares(squares, b, g.Layers[l].Features.RowNormalized(), pause); err != nil {
				return nil, err
			}
		}
		for i, g := range p.graphs {
			x := g.Layers[l].Features.RowNormalized()
			if p.o.FeatureScale == "columns" {
				scale := make([]float64, f)
				for j, v := range squares {
					if v > 0 {
						scale[j] = 1 / math.Sqrt(v)
					}
				}
				x = explicit(x).Scaled(scale)
			}
			factors[i] = append(factors[i], multiplex.NewFactors[float64](layers[i], x))
		}
	}
	for _, g := range p.graphs {
		rows += g.M()
	}
	return p.operator(factors, rows, n*f, pause), nil
}

// addSquares adds the squared lengths of the columns of Z.
func addSquares(squares []float64, b *multiplex.Propagator, x *multiplex.Features, pause pause.Work) error {
	if x.IsIdentity() {
		for i := range x.Rows {
			index, values := b.Row(i)
			for k, j := range index {
				squares[j] += float64(values[k] * values[k])
			}
		}
		return nil
	}
	return b.Rows(x, func(row []float64) error {
		for j, v := range row {
			squares[j] += float64(v * v)
		}
		return pause.After(len(row))
	})
}

// explicit returns features whose columns can be scaled.
func explicit(x *multiplex.Features) *multiplex.Features {
	if !x.IsIdentity() {
		return x
	}
	start, index := make([]int32, x.Rows+1), make([]int32, x.Rows)
	for i := range index {
		start[i+1], index[i] = int32(i+1), int32(i)
	}
	a, err := multiplex.NewCSR(x.Rows, x.Rows, start, index, nil)
	if err != nil {
		panic(err) // it is the identity
	}
	return multiplex.SparseFeatures(a)
}

// operator returns the centred matrix whose blocks are given.
func (p *pca) operator(factors [][]*multiplex.Factors[float64], rows, cols int, pause pause.Work) *linalg.Operator {
	f := p.graphs[0].F()
	var part, whole []float64
	scratch := func(n int) []float64 {
		if len(part) < n {
			part = make([]float64, n)
		}
		return part[:n]
	}
	return &linalg.Operator{Rows: rows, Cols: cols, Mul: func(dst, x []float64, d int) error {
		clear(dst)
		below := dst
		for g, layers := range factors {
			m := p.graphs[g].M()
			y := scratch(m * d)
			for l, z := range layers {
				if err := z.Mul(y, x[l*f*d:(l+1)*f*d], d, pause); err != nil {
					return err
				}
				kernel.AddScaled(below[:m*d], y, 1)
			}
			below = below[m*d:]
		}
		linalg.Centre(dst, d)
		return nil
	}, MulTrans: func(dst, x []float64, d int) error {
		clear(dst)
		whole = append(whole[:0], x...)
		y := whole
		linalg.Centre(y, d)
		for g, layers := range factors {
			m := p.graphs[g].M()
			for l, z := range layers {
				into := scratch(f * d)
				if err := z.MulTrans(into, y[:m*d], d, pause); err != nil {
					return err
				}
				kernel.AddScaled(dst[l*f*d:(l+1)*f*d], into, 1)
			}
			y = y[m*d:]
		}
		return nil
	}}
}
