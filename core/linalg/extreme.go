package linalg

import (
	"cmp"
	"math"
	"slices"

	"cadem/core/kernel"
	"cadem/core/pause"
	"cadem/core/rng"
)

const (
	small     = 160   // nodes up to which all eigenvectors are found at once
	together  = 8     // vectors that the operator is given at once
	restarts  = 40    // at most
	spare     = 8     // directions kept beyond those looked for
	vanishing = 1e-10 // of the largest modulus: what is below counts as zero
	enough    = .01   // of the square of a strip's length, that is left beside the space
	dependent = 1e-10 // of the largest modulus: what a new direction adds at least
)

// Extreme returns the k eigenvalues of largest modulus of a symmetric matrix of n x n, falling in modulus, and
// their eigenvectors (n rows, a column each). The matrix is known by its products: mul sets dst to that with x,
// which has so many columns. Those that vanish beside the largest are left out, so that there may be fewer than k.
// In every vector the entry of largest absolute value is positive.
//
// Small matrices are taken whole. Of others, block Lanczos with thick restarts (Wu and Simon 2000) and complete
// orthogonalisation builds the space, until no residual is above tolerance times the largest modulus, or for 40 restarts.
func Extreme(n, k int, mul func(dst, x []float64, columns int) error, tolerance float64, pause pause.Work) (values, vectors []float64, err error) {
	k = min(k, n)
	if most := max(96, 2*k+6*together); n > max(small, most) {
		s := &space{n: n, most: most, mul: mul, pause: pause, t: make([]float64, most*most)}
		values, vectors, err = s.extreme(k, tolerance)
	} else {
		values, vectors, err = whole(n, k, mul, pause)
	}
	if err != nil {
		return nil, nil, err
	}
	upright(vectors, n, len(values))
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
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(x[j]), math.Abs(x[i])) })
	order = order[:min(k, len(order))]
	for i, at := range order {
		if x[at] == 0 || math.Abs(x[at]) <= vanishing*math.Abs(x[order[0]]) {
			return order[:i]
		}
	}
	return order
}

// upright turns columns so that their entry of largest absolute value is positive.
func upright(x []float64, n, columns int) {
	for c := range columns {
		top := 0.0
		for i := range n {
			if v := x[i*columns+c]; math.Abs(v) > math.Abs(top) {
				top = v
			}
		}
		if top < 0 {
			for i := range n {
				x[i*columns+c] = -x[i*columns+c]
			}
		}
	}
}

// A strip is some orthonormal columns of the space: n rows of so many numbers.
type strip struct {
	columns int
	x       []float64
}

// A space is the one that Lanczos builds: Q, strip by strip, and T = Q'A Q.
type space struct {
	n, most int
	mul     func(dst, x []float64, columns int) error
	pause   pause.Work
	q       []strip
	size    int       // columns of q
	t       []float64 // most x most, of which size x size hold
}

func (s *space) extreme(k int, tolerance float64) (values, vectors []float64, err error) {
	start := rng.New(0, "linalg/extreme")
	next, err := s.drawn(start)
	if err != nil {
		return nil, nil, err
	}
	for round := 0; ; round++ {
		var beyond []float64 // how the next strip follows from the last one
		for next.columns > 0 && s.size+next.columns <= s.most {
			if next, beyond, err = s.grow(next); err != nil {
				return nil, nil, err
			}
			if next.columns == 0 && s.size < min(k, s.n) { // invariant: what is left, if anything, is reached from elsewhere
				if next, err = s.drawn(start); err != nil {
					return nil, nil, err
				}
				beyond = make([]float64, next.columns*s.q[len(s.q)-1].columns)
			}
		}
		p, last := s.size, strip{}
		if p == 0 {
			return nil, nil, nil
		}
		last = s.q[len(s.q)-1]
		ritz := make([]float64, p*p)
		for i := range p {
			copy(ritz[i*p:(i+1)*p], s.t[i*s.most:i*s.most+p])
		}
		theta, err := Symmetric(ritz, p, s.pause)
		if err != nil {
			return nil, nil, err
		}
		settled := true
		for _, i := range largest(theta, k) {
			tail, sum := ritz[(i+1)*p-last.columns:(i+1)*p], 0.0
			for r := range next.columns {
				v := 0.0
				for c, x := range tail {
					v += float64(beyond[r*last.columns+c] * x)
				}
				sum += float64(v * v)
			}
			settled = settled && math.Sqrt(sum) <= tolerance*max(math.Abs(theta[0]), math.Abs(theta[p-1]))
		}
		keep := largest(theta, k+spare)
		if settled || round == restarts {
			keep = largest(theta, k)
		}
		if err := s.turn(ritz, keep); err != nil {
			return nil, nil, err
		}
		for i, at := range keep {
			s.t[i*s.most+i] = theta[at]
			values = append(values, theta[at])
		}
		if settled || round == restarts {
			return values, s.q[0].x, nil
		}
		values = values[:0]
	}
}

// drawn returns a strip of what the operator makes of random vectors, beside the space.
func (s *space) drawn(start *rng.Stream) (strip, error) {
	x, y := make([]float64, s.n*together), make([]float64, s.n*together)
	for i := range x {
		x[i] = start.Norm()
	}
	if err := s.mul(y, x, together); err != nil {
		return strip{}, err
	}
	before := math.Sqrt(kernel.Dot(y, y))
	for range 2 {
		if _, err := s.beside(y, together); err != nil {
			return strip{}, err
		}
	}
	out, _ := independent(y, s.n, together, dependent*before)
	return out, nil
}

// grow takes a strip into the space, and returns the next one and what leads to it: A Q_last = Q T + Q_next R.
func (s *space) grow(b strip) (next strip, r []float64, err error) {
	from := s.size
	s.q, s.size = append(s.q, b), s.size+b.columns
	w := make([]float64, len(b.x))
	if err := s.mul(w, b.x, b.columns); err != nil {
		return strip{}, nil, err
	}
	for again := true; again; {
		before := kernel.Dot(w, w)
		c, err := s.beside(w, b.columns)
		if err != nil {
			return strip{}, nil, err
		}
		for i := range s.size {
			for j := range b.columns {
				s.t[i*s.most+from+j] += c[i*b.columns+j]
			}
		}
		again = kernel.Dot(w, w) < enough*before // what rounding leaves beside so little is not orthogonal
	}
	scale := 0.0
	for i := range s.size {
		for j := from; j < s.size; j++ {
			if i >= from && i < j { // both were computed
				s.t[i*s.most+j] = (s.t[i*s.most+j] + s.t[j*s.most+i]) / 2
			}
			if i < j {
				s.t[j*s.most+i] = s.t[i*s.most+j]
			}
		}
		scale = max(scale, math.Abs(s.t[i*s.most+i]))
	}
	next, r = independent(w, s.n, b.columns, dependent*scale)
	return next, r, s.pause.After(2 * s.n * b.columns * b.columns)
}

// beside takes off w what lies in the space and returns its coordinates there (size x columns).
func (s *space) beside(w []float64, columns int) (c []float64, err error) {
	c = make([]float64, s.size*columns)
	from := 0
	for _, b := range s.q {
		part := c[from*columns : (from+b.columns)*columns]
		kernel.AddMulTrans(part, b.x, w, s.n, b.columns, columns)
		from += b.columns
		if err := s.pause.After(s.n * b.columns * columns); err != nil {
			return nil, err
		}
	}
	minus := make([]float64, len(c))
	for i, v := range c {
		minus[i] = -v
	}
	from = 0
	for _, b := range s.q {
		kernel.AddMul(w, b.x, minus[from*columns:(from+b.columns)*columns], s.n, b.columns, columns)
		from += b.columns
		if err := s.pause.After(s.n * b.columns * columns); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// turn replaces the space by the combinations that some rows of ritz are, as one strip, and clears T.
func (s *space) turn(ritz []float64, rows []int) error {
	b, at := strip{columns: len(rows), x: make([]float64, s.n*len(rows))}, 0
	for _, old := range s.q {
		c := make([]float64, old.columns*b.columns)
		for i := range old.columns {
			for j, row := range rows {
				c[i*b.columns+j] = ritz[row*s.size+at+i]
			}
		}
		kernel.AddMul(b.x, old.x, c, s.n, old.columns, b.columns)
		at += old.columns
		if err := s.pause.After(s.n * old.columns * b.columns); err != nil {
			return err
		}
	}
	s.q, s.size = []strip{b}, len(rows)
	clear(s.t)
	return nil
}

// independent returns orthonormal columns that span those of w (n x columns), and R, w being their product. What
// is as short as least beside the columns before it is left out.
func independent(w []float64, n, columns int, least float64) (out strip, r []float64) {
	var kept [][]float64
	var rows [][]float64
	for c := range columns {
		x := make([]float64, n)
		for i := range n {
			x[i] = w[i*columns+c]
		}
		before := math.Sqrt(kernel.Dot(x, x))
		for range 2 {
			for k, y := range kept {
				v := kernel.Dot(x, y)
				kernel.AddScaled(x, y, -v)
				rows[k][c] += v
			}
		}
		norm := math.Sqrt(kernel.Dot(x, x))
		if norm <= max(least, dependent*before) || norm == 0 {
			continue
		}
		for i := range x {
			x[i] /= norm
		}
		kept, rows = append(kept, x), append(rows, make([]float64, columns))
		rows[len(rows)-1][c] = norm
	}
	out = strip{columns: len(kept), x: make([]float64, n*len(kept))}
	for c, x := range kept {
		for i, v := range x {
			out.x[i*len(kept)+c] = v
		}
		r = append(r, rows[c]...)
	}
	return out, r
}
