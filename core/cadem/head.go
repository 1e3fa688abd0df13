package cadem

import "cadem.example/core/base/kernel"

// A head, phi or psi, predicts the layer linearly: h W + 1 b', with Adam's moments and gradients, in the layout
// that the kernels need. It computes in double precision: there are few weights and many graphs.
// Its inputs have length d, so it is used d rows at a time. Its products have rows of an even
// width, the last column of an odd N being 0 all the way.
type head[T kernel.Float] struct {
	Rows, N, Width int
	W, B           []T       // weights: Rows x N, N
	GB             []float64 // N: the gradient of b

	d               int
	bias            []float64 // Width: b
	all             [4][]T    // weights, two moments and the gradient, N numbers of b behind those of W
	wide            []float64 // rows x Width: W
	parts           []float64 // Width x d for every d rows of W: their transposes
	gradient        []float64 // like parts
	inWide, inParts []int     // where every number is in wide, and in parts and gradient
}

// newHead returns a head of zeros.
func newHead[T kernel.Float](rows, n, d int) *head[T] {
	width := n + n%2
	zeros := func(n int) []float64 { return make([]float64, n) }
	p := &head[T]{Rows: rows, N: n, Width: width, GB: zeros(n), d: d, bias: zeros(width),
		wide: zeros(rows * width), parts: zeros(rows * width), gradient: zeros(rows * width)}
	for i := range p.all {
		p.all[i] = make([]T, rows*n+n)
	}
	p.W, p.B = p.all[0][:rows*n], p.all[0][rows*n:]
	for k := range rows {
		for c := range n {
			p.inWide, p.inParts = append(p.inWide, k*width+c), append(p.inParts, (k/d*width+c)*d+k%d)
		}
	}
	return p
}

// Parameters returns W with its two moments and its gradient, then the same of b.
func (p *head[T]) Parameters() (w, b [4][]T) {
	for i, a := range p.all {
		w[i], b[i] = a[:len(p.W)], a[len(p.W):]
	}
	return w, b
}

// Prepare takes over the current weights and forgets the gradient.
func (p *head[T]) Prepare() {
	for i, w := range p.W {
		x := float64(w)
		p.wide[p.inWide[i]], p.parts[p.inParts[i]] = x, x
	}
	kernel.Widen(p.bias, p.B)
	clear(p.gradient)
	clear(p.GB)
}

// Forward sets dst (K x Width) to h (K x d) times rows first to first+d of W, without b.
func (p *head[T]) Forward(dst, h []float64, first int) {
	kernel.Mul(dst, h, p.wide[first*p.Width:(first+p.d)*p.Width], len(h)/p.d, p.d, p.Width)
}

// Backward takes the gradient r (K x Width) of that product: it adds r W' to dh (K x d) and h'r to
// the gradient of W. Parts and gradient hold transposes, so that the latter is r'h there.
func (p *head[T]) Backward(dh, h, r []float64, first int) {
	from, to := first*p.Width, (first+p.d)*p.Width
	kernel.AddMul(dh, r, p.parts[from:to], len(h)/p.d, p.Width, p.d)
	kernel.AddMulTrans(p.gradient[from:to], r, h, len(h)/p.d, p.Width, p.d)
}

// AddBias adds b to every row of x (K x Width).
func (p *head[T]) AddBias(x []float64) { addRow(x, p.bias) }

// LearnBias takes the gradient r (K x Width) of those rows: it adds its column sums to GB.
func (p *head[T]) LearnBias(r []float64) { addRows(p.GB, r, p.Width) }

// addRow adds a row to every row of x.
func addRow(x, row []float64) {
	for ; len(x) > 0; x = x[len(row):] {
		for c, v := range row {
			x[c] += v
		}
	}
}

// addRows adds every row of x, so wide or wider, to a row.
func addRows(row, x []float64, width int) {
	for ; len(x) > 0; x = x[width:] {
		for c := range row {
			row[c] += x[c]
		}
	}
}

// scale multiplies x.
func scale(x []float64, by float64) {
	for i, v := range x {
		x[i] = float64(v * by)
	}
}

// Collect rounds the gradient to the precision of the weights.
func (p *head[T]) Collect() {
	g := p.all[3]
	for i, at := range p.inParts {
		g[i] = T(p.gradient[at])
	}
	for i, x := range p.GB {
		g[len(p.W)+i] = T(x)
	}
}
