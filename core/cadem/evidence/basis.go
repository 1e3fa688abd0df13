package evidence

import (
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
)

// A Basis is S (step 5), in the leading R + 16 eigenvectors W of L_U: all subspaces are coordinates in W, and L_U is
// diagonal there.
type Basis struct {
	Layers      []int // U: those with validated functions, or that alone served as a source of some
	Pool        *Pool
	W           Matrix
	Spectrum    []float64 // of W
	U           []Matrix  // of each layer, in W, orthonormal
	V           Matrix    // in W, orthonormal: the shared directions, eigenvectors of V'L_U V by modulus
	Eigenvalues []float64 // of V'L_U V
	F           Matrix    // F_S = D_U^-1/2 W V
}

// Directions count as one if the squared singular value of the two, side by side, is above these.
const (
	SameInLayer = .7
	SameInAll   = 1.5
)

// beyond is the number of eigenvectors of L_U after the R leading ones, for shared directions that reach further.
const beyond = 16

// NewBasis follows a plan. The functions of a source are asked for by layer and source.
func NewBasis(layers []*Layer, plan [][]Choice, r int, functions func(l, source int) (Matrix, error), pause pause.Work) (*Basis, error) {
	in, m := make([]bool, len(layers)), layers[0].M()
	for l, choices := range plan {
		for _, c := range choices {
			in[l] = true
			if c.Source != Pooled {
				in[c.Source] = true
			}
		}
	}
	b := &Basis{U: make([]Matrix, len(layers))}
	var used []*Layer
	for l, a := range layers {
		if in[l] {
			b.Layers, used = append(b.Layers, l), append(used, a)
		}
	}
	if used == nil {
		b.Layers, b.Pool = sorting.Places(len(layers)), NewPool(layers...)
		b.W, b.F = NewMatrix(m, 0), NewMatrix(m, 0)
		for l := range b.U {
			b.U[l] = NewMatrix(0, 0)
		}
		return b, nil // V has no columns
	}
	b.Pool = NewPool(used...)
	var err error
	if b.Spectrum, b.W, err = b.Pool.Leading(r+beyond, Matrix{}, pause); err != nil {
		return nil, err
	}
	for l, choices := range plan {
		var spans []Matrix
		for _, c := range choices {
			f, err := functions(l, c.Source)
			if err != nil {
				return nil, err
			}
			x, err := validated(f.first(c.Size), c.Ranks, layers[l], pause)
			if err != nil {
				return nil, err
			}
			if x, err = b.W.transTimes(x.scaled(b.Pool.Root), pause); err != nil {
				return nil, err
			}
			if x, _, err = left(x, pause); err != nil {
				return nil, err
			}
			spans = append(spans, x)
		}
		if b.U[l], _, err = Common(b.W.Cols, spans, SameInLayer, pause); err != nil {
			return nil, err
		}
	}
	v, _, err := Common(b.W.Cols, b.U, SameInAll, pause)
	if err != nil {
		return nil, err
	}
	h, _ := v.transTimes(v.scaled(b.Spectrum), nil)
	x, turn := eigen(h)
	order := linalg.ByModulus(x)
	b.V, _ = v.times(turn.pick(order), nil)
	for _, i := range order {
		b.Eigenvalues = append(b.Eigenvalues, x[i])
	}
	if b.F, err = b.W.times(b.V, pause); err != nil {
		return nil, err
	}
	for c, turned := range linalg.Upright(b.F.Data, b.F.Cols) {
		for i := c; turned && i < len(b.V.Data); i += b.V.Cols {
			b.V.Data[i] = -b.V.Data[i]
		}
	}
	b.F = b.F.scaled(b.Pool.q)
	return b, nil
}

// OnNodes returns the values on nodes of coordinates in W.
func (b *Basis) OnNodes(x Matrix) Matrix {
	y, _ := b.W.times(x, nil)
	return y
}

// Coordinates returns the coordinates in W of values on nodes.
func (b *Basis) Coordinates(x Matrix) Matrix {
	y, _ := b.W.transTimes(x, nil)
	return y
}

// validated returns directions of the evidence, by modulus, as functions.
func validated(f Matrix, ranks []int, a *Layer, pause pause.Work) (Matrix, error) {
	g, h, err := Products(f, a, pause)
	if err != nil {
		return f, err
	}
	x, v := Evidence(g, h, f.Cols)
	var columns []int
	for rank, j := range linalg.ByModulus(x) {
		for _, k := range ranks {
			if k == rank {
				columns = append(columns, j)
			}
		}
	}
	return f.times(v.pick(columns), pause)
}

// Common returns the left singular vectors of subspaces beside each other, given by orthonormal columns of m rows, that
// have a squared singular value above least, and at least as many as the largest subspace has; and all squared singular values.
func Common(m int, spans []Matrix, least float64, pause pause.Work) (Matrix, []float64, error) {
	n := 0
	var parts []Matrix
	for _, s := range spans {
		n = max(n, s.Cols)
		if s.Cols > 0 {
			parts = append(parts, s)
		}
	}
	if n == 0 {
		return NewMatrix(m, 0), nil, nil
	}
	u, squared, err := left(beside(parts...), pause)
	if err != nil {
		return u, nil, err
	}
	for i, q := range squared {
		squared[i] = q * q
		if squared[i] > least {
			n = max(n, i+1)
		}
	}
	return u.first(n), squared, nil
}

// afresh returns the functions that a plan asks for, of other layers: those outside a fold.
func afresh(layers []*Layer, plan [][]Choice, pause pause.Work) func(l, source int) (Matrix, error) {
	// Several layers ask for source k, and its pool differs for each.
	pooled, size := make([]int, len(layers)), make([]int, len(layers))
	for l, choices := range plan {
		for _, c := range choices {
			if c.Source == Pooled {
				pooled[l] = c.Size
			} else {
				size[c.Source] = max(size[c.Source], c.Size)
			}
		}
	}
	if layers[0].M() > linalg.Large {
		const private = 32 // directions of each layer, 24 and the shared ones among them, are looked for later, and begin with these
		for k, n := range size {
			if n > 0 {
				size[k] = max(n, private)
			}
		}
	}
	single := make([]Matrix, len(layers))
	return func(l, source int) (f Matrix, err error) {
		if source == Pooled {
			_, f, err = NewPool(but(layers, l)...).Functions(pooled[l], pause)
			return f, err
		}
		if single[source].Data == nil {
			_, single[source], err = NewPool(layers[source]).Functions(size[source], pause)
		}
		return single[source], err
	}
}
