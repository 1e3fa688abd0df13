package linalg

import (
	"cmp"
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/sorting"
)

const (
	small     = 160   // nodes up to which all eigenvectors are found at once
	rounds    = 60    // at most
	spare     = 8     // directions kept beyond those looked for
	steps     = 16    // of the operator between two looks at the vectors, at most
	first     = 8     // steps before the first look
	growth    = 1e7   // of the largest eigenvector beside the least between two looks, at most
	crowded   = 1e-4  // of the largest eigenvalue of X'X: below it X is made orthonormal again
	vanishing = 1e-10 // of the largest modulus: what is below counts as zero
	patience  = 12    // rounds after which columns of both ends of the spectrum that are off by entangled of the largest modulus are taken apart
	entangled = .1
	dependent = 1e-14 // of the largest eigenvalue of X'X: what is below adds no direction
)

// Extreme returns the k eigenvalues of largest modulus of a symmetric matrix of n x n, falling in modulus, and their eigenvectors (n
// rows, a column each). The matrix is given by its products: mul sets dst to the product with x, which has that number of columns.
// Eigenvalues that are negligible beside the largest are left out, so there may be fewer than k. In every vector the entry of largest
// absolute value is positive.
//
// Small matrices are taken whole. For others a subspace is filtered by Chebyshev polynomials of the matrix, which grow outside the
// interval of the moduli that are not looked for (Zhou, Saad, Tiago and Chelikowsky 2006), until no residual is above tolerance times
// the largest modulus, or for 60 rounds. Columns that keep parts of both ends of the spectrum, as where a graph is bipartite, are filtered
// for one end each.
func Extreme(n, k int, mul func(dst, x []float64, columns int) error, tolerance float64, pause pause.Work) (values, vectors []float64, err error) {
	return ExtremeSum(n, k, mul, nil, tolerance, pause)
}

// ExtremeSum is [Extreme] of a matrix that is a sum, on which mul works. With thousands of nodes the subspace is filtered in single
// precision and some columns at a time, which takes a fraction of the time; vectors are accurate to some 1e-5 then.
func ExtremeSum(n, k int, mul func(dst, x []float64, columns int) error, of *Sum, tolerance float64, pause pause.Work) (values, vectors []float64,
	err error) {
	k = min(k, n)
	if c := (k + spare + 7) &^ 7; k > 0 && n > max(small, 2*c) {
		s := &subspace{n: n, c: c, mul: mul, pause: pause, draw: rng.New(0, "linalg/extreme"), growth: growth, low: 1, first: first, steps: steps}
		own := &Workspace{}
		if of != nil && of.Workspace != nil {
			own = of.Workspace
		}
		s.x, s.y, s.other = own.take(n * c)
		if of != nil && n > Large {
			s.panels, s.growth, s.low, s.first, s.steps = own.panelsOf(of, pause), growthRough, lowRough, firstRough, stepsRough
			s.theta = make([]float64, c) // at both ends in turn, before any is known
			for i := range s.theta {
				s.theta[i] = 1 - 2*float64(i%2)
			}
		}
		values, vectors, err = s.extreme(k, tolerance)
	} else {
		values, vectors, err = whole(n, k, mul, pause)
	}
	if err != nil {
		return nil, nil, err
	}
	Upright(vectors, len(values))
	return values, vectors, nil
}

// whole takes a matrix with all its entries.
func whole(n, k int, mul func(dst, x []float64, columns int) error, pause pause.Work) (values, vectors []float64, err error) {
	x, a := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		x[i*n+i] = 1
	}
	if err := mul(a, x, n); err != nil {
		return nil, nil, err
	}
	for i := range n {
		for j := range i {
			mean := (a[i*n+j] + a[j*n+i]) / 2
			a[i*n+j], a[j*n+i] = mean, mean
		}
	}
	all, err := Symmetric(a, n, pause)
	if err != nil {
		return nil, nil, err
	}
	order := largest(all, k)
	vectors = make([]float64, n*len(order))
	for c, r := range order {
		values = append(values, all[r])
		for i := range n {
			vectors[i*len(order)+c] = a[r*n+i]
		}
	}
	return values, vectors, nil
}

// largest lists at most k numbers by falling modulus, without those that vanish beside the first.
func largest(x []float64, k int) []int {
	order := ByModulus(x)
	order = order[:min(k, len(order))]
	for i, at := range order {
		if x[at] == 0 || math.Abs(x[at]) <= vanishing*math.Abs(x[order[0]]) {
			return order[:i]
		}
	}
	return order
}

// ByModulus lists numbers by falling modulus.
func ByModulus(x []float64) []int {
	return sorting.Order(len(x), func(i, j int) int { return cmp.Compare(math.Abs(x[j]), math.Abs(x[i])) })
}

// Upright turns columns so that their entry of largest absolute value is positive, and returns which it turned.
func Upright(x []float64, columns int) (turned []bool) {
	for c := range columns {
		top := 0.0
		for i := c; i < len(x); i += columns {
			if math.Abs(x[i]) > math.Abs(top) {
				top = x[i]
			}
		}
		for i := c; top < 0 && i < len(x); i += columns {
			x[i] = -x[i]
		}
		turned = append(turned, top < 0)
	}
	return turned
}

// A subspace has an orthonormal basis X of c columns, and Y = A X.
type subspace struct {
	n, c  int
	mul   func(dst, x []float64, columns int) error
	pause pause.Work
	x, y  []float64
	other []float64 // scratch of the size of x
	draw  *rng.Stream
	theta []float64 // of X'A X, falling in modulus; columns of X are the eigenvectors

	panels       *panels // that filter, if any
	apart        bool    // each end of the spectrum is looked for in columns of its own
	growth, low  float64
	first, steps int
}

func (s *subspace) extreme(k int, tolerance float64) (values, vectors []float64, err error) {
	for i := range s.x {
		s.x[i] = s.draw.Norm()
	}
	near := 0
	if s.panels != nil && len(s.panels.of.Near) >= s.n*k { // fewer save nothing: the others have to be found from the start
		near = s.begin(s.panels.of.Near)
	}
	if near == 0 {
		if err := s.mul(s.y, s.x, s.c); err != nil {
			return nil, nil, err
		}
		// The root of the mean square of all eigenvalues is less than any modulus that is looked for, except for few of them.
		root := math.Sqrt(kernel.Dot(s.y, s.y) / kernel.Dot(s.x, s.x))
		if err := s.filter(s.low*root, 2*root, 0, s.first); err != nil {
			return nil, nil, err
		}
	}
	for round := 1; ; round++ {
		if err := s.ritz(); err != nil {
			return nil, nil, err
		}
		top := math.Abs(s.theta[0])
		lengths, off, settled := s.lengths(k, tolerance*top)
		if off <= tolerance*top || round == rounds {
			break
		}
		far := slices.Max(lengths[settled:])
		slices.Sort(lengths)
		a := lengths[s.c-1-k-spare/2]
		s.apart = s.apart || round >= patience && off > entangled*top
		switch { // what is closer need not be separated
		case s.panels != nil:
			a = min(a, lengths[s.c-k]-float64(tolerance*top/2))
		case s.apart && off > entangled*top:
			a = min(a, lengths[s.c-k]-float64(entangled*top/4))
		}
		if round == 1 && near > 0 { // other columns are random, and their lengths like the root of the mean square
			a = max(a, min(lowRough*a, lengths[s.c-near]))
		}
		a = max(a, vanishing*top)
		if err := s.filter(a, far, settled, s.steps); err != nil {
			return nil, nil, err
		}
	}
	order := largest(s.theta, k)
	vectors = make([]float64, s.n*len(order))
	for i := range s.n {
		copy(vectors[i*len(order):(i+1)*len(order)], s.x[i*s.c:])
	}
	return s.theta[:len(order)], vectors, nil
}

// begin replaces the first columns of X, and returns their number.
func (s *subspace) begin(near []float32) int {
	columns := len(near) / s.n
	known := min(columns, s.c)
	for i := range s.n {
		for k, v := range near[i*columns : i*columns+known] {
			s.x[i*s.c+k] = float64(v)
		}
	}
	return known
}

// lengths returns the lengths of the columns of Y, the largest of the first k residuals that are not accepted anyway, and the number of leading
// columns that panels need not filter, given the residual that is accepted.
func (s *subspace) lengths(k int, accepted float64) (lengths []float64, off float64, settled int) {
	lengths = make([]float64, s.c)
	residuals := make([]float64, s.c)
	for i := range s.n {
		x, y := s.x[i*s.c:(i+1)*s.c], s.y[i*s.c:(i+1)*s.c]
		for c, v := range y {
			r := v - float64(s.theta[c]*x[c])
			lengths[c] += float64(v * v)
			residuals[c] += float64(r * r)
		}
	}
	for c, v := range lengths {
		lengths[c] = math.Sqrt(v)
	}
	if s.panels != nil {
		for enough := settledOff * accepted; settled < k && residuals[settled] <= float64(enough*enough); {
			settled++
		}
		for c, r := range residuals[:k] {
			if own := float64(s.panels.of.Rough * s.theta[c]); r <= float64(own*own) {
				residuals[c] = 0
			}
		}
	}
	return lengths, math.Sqrt(slices.Max(residuals[:k])), settled
}

// filter sets X to T(A / a) X, T the Chebyshev polynomial of at most that degree, which is up to 1 between -a and a; of A less the middle,
// over half an interval, where each column is for one end of the spectrum. Panels leave settled columns out. The largest modulus is far.
func (s *subspace) filter(a, far float64, settled, most int) error {
	if a == 0 {
		return nil // A is 0
	}
	middle, half := 0.0, a
	if s.panels != nil || s.apart {
		far = max(a, far)
		middle, half = float64((a-far)/2), float64((a+far)/2)
	}
	degree := s.degree((far-middle)/half, most)
	if s.panels != nil {
		return s.panels.filter(s.x, s.y, s.theta, s.c, settled, middle, half, degree)
	}
	centre := func(dst, x []float64) { // takes the middle off A, at the end that each column is for
		for i := 0; s.apart && i < len(dst); i += s.c {
			for c, v := range s.theta {
				dst[i+c] -= float64(math.Copysign(middle, -v) * x[i+c])
			}
		}
	}
	centre(s.y, s.x)
	for i, v := range s.y {
		s.y[i] = v / half
	}
	for range degree - 1 {
		if err := s.mul(s.other, s.y, s.c); err != nil {
			return err
		}
		centre(s.other, s.y)
		scale := 2 / half
		for i, v := range s.other {
			s.other[i] = float64(scale*v) - s.x[i]
		}
		s.x, s.y, s.other = s.y, s.other, s.x
		if err := s.pause.After(len(s.x)); err != nil {
			return err
		}
	}
	s.x, s.y = s.y, s.x
	return nil
}

// degree returns the one, at most that, up to which a polynomial grows by s.growth at its largest argument.
func (s *subspace) degree(largest float64, most int) int {
	if largest <= 1 {
		return most
	}
	// It grows like its argument, twice, does in each step.
	return max(2, min(most, int(kernel.Log(2*s.growth)/kernel.Log(largest+math.Sqrt(float64(largest*largest)-1)))))
}

// ritz makes X orthonormal, and turns it to the eigenvectors of X'A X.
func (s *subspace) ritz() error {
	for again := true; again; {
		var err error
		if again, err = s.orthonormal(); err != nil {
			return err
		}
	}
	if err := s.mul(s.y, s.x, s.c); err != nil {
		return err
	}
	h, err := s.inner(s.x, s.y)
	if err != nil {
		return err
	}
	theta, order, err := s.eigen(h)
	if err != nil {
		return err
	}
	s.theta = theta
	if err := s.times(&s.x, order); err != nil {
		return err
	}
	return s.times(&s.y, order)
}

// orthonormal makes X so by the eigenvectors of X'X (Stathopoulos and Wu 2002), columns of it having length 1, and reports whether it has to be
// done again. Columns that add no direction are drawn anew.
func (s *subspace) orthonormal() (again bool, err error) {
	g, err := s.inner(s.x, s.x)
	if err != nil {
		return false, err
	}
	scale := make([]float64, s.c)
	for i := range scale {
		if v := g[i*s.c+i]; v > 0 {
			scale[i] = 1 / math.Sqrt(v)
		}
	}
	for i := range s.c {
		for j := range s.c {
			g[i*s.c+j] *= float64(scale[i] * scale[j])
		}
	}
	values, turn, err := s.eigen(g)
	if err != nil {
		return false, err
	}
	kept := 0
	for j, v := range values {
		f := 0.0
		if v > dependent*values[0] {
			f, kept = 1/math.Sqrt(v), j+1
			again = again || v < crowded*values[0]
		}
		for i := range s.c {
			turn[i*s.c+j] *= float64(scale[i] * f)
		}
	}
	err = s.times(&s.x, turn)
	for i := range s.n {
		for j := kept; j < s.c; j++ {
			s.x[i*s.c+j], again = s.draw.Norm(), true
		}
	}
	return again, err
}

// eigen returns the eigenvalues of a matrix of c x c, falling in modulus, and its eigenvectors, a column each.
func (s *subspace) eigen(a []float64) (values, vectors []float64, err error) {
	for i := range s.c {
		for j := range i {
			mean := (a[i*s.c+j] + a[j*s.c+i]) / 2
			a[i*s.c+j], a[j*s.c+i] = mean, mean
		}
	}
	all, err := Symmetric(a, s.c, s.pause)
	vectors = make([]float64, s.c*s.c)
	for c, r := range ByModulus(all) {
		values = append(values, all[r])
		for i := range s.c {
			vectors[i*s.c+c] = a[r*s.c+i]
		}
	}
	return values, vectors, err
}

// inner returns a'b.
func (s *subspace) inner(a, b []float64) ([]float64, error) {
	out := make([]float64, s.c*s.c)
	return out, s.parts(func(from, to int) { kernel.AddMulTrans(out, a[from:to], b[from:to], (to-from)/s.c, s.c, s.c) })
}

// times replaces x by x b.
func (s *subspace) times(x *[]float64, b []float64) error {
	err := s.parts(func(from, to int) { kernel.Mul(s.other[from:to], (*x)[from:to], b, (to-from)/s.c, s.c, s.c) })
	*x, s.other = s.other, *x
	return err
}

// parts does something with all rows, some at a time.
func (s *subspace) parts(do func(from, to int)) error {
	const rows = 256
	for from := 0; from < s.n; from += rows {
		to := min(from+rows, s.n)
		do(from*s.c, to*s.c)
		if err := s.pause.After((to - from) * s.c * s.c); err != nil {
			return err
		}
	}
	return nil
}
