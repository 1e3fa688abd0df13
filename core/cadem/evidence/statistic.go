package evidence

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/sorting"
	"cadem.example/core/multiplex"
)

// Step 2: how much functions F know about a layer that was not used to estimate them.
//
//	G = F' diag(d) F,   H = F' (A - d d' / 2m) F,   W = G^-1/2,   evidence W H W
//
// If F knows nothing of A, the evidence is a random symmetric matrix with entries of variance 1/2m.

// Products returns G and H.
func Products(f Matrix, l *Layer, pause pause.Work) (g, h Matrix, err error) {
	if g, err = f.transTimes(f.scaled(l.Degrees), pause); err != nil {
		return g, h, err
	}
	h, err = modularity(f, l.upper, l.Degrees, NewMatrix(f.Rows, f.Cols), pause)
	return g, h, err
}

// modularity returns H, of links that are known in one direction; scratch is of the shape of F.
func modularity(f Matrix, links *multiplex.CSR, degrees []float64, scratch Matrix, pause pause.Work) (Matrix, error) {
	if err := product(scratch, links, f, pause); err != nil {
		return scratch, err
	}
	h, err := f.transTimes(scratch, pause)
	return unexplained(h, f, degrees, float64(len(links.Index))), err
}

// unexplained returns H from the sum over links in one direction.
func unexplained(h, f Matrix, degrees []float64, links float64) Matrix {
	c, a := f.Cols, f.under(degrees)
	for i := range c {
		for j := range i + 1 {
			v := h.Data[i*c+j] + h.Data[j*c+i] - float64(a[i]*a[j])/max(2*links, 1)
			h.Data[i*c+j], h.Data[j*c+i] = v, v
		}
	}
	return h
}

// A shuffled makes the products of functions whose rows are permuted within the strata of a layer's nodes. In strata with one degree the
// contribution to G stays the same.
type shuffled struct {
	layer   *Layer
	sources []Source
	still   []Matrix // by source, G of the nodes in strata with one degree
	mixed   []int    // all other nodes with links
	d       []float64
	scratch []Matrix

	links   multiplex.CSR // of the permuted layer, in one direction
	degrees []float64

	rough [][]float32 // by source, the functions of many nodes: H of permuted layers takes them in single precision
	ones  []float32
}

func newShuffled(sources []Source, l *Layer, strata []int, pause pause.Work) (*shuffled, error) {
	m := l.M()
	s := &shuffled{layer: l, sources: sources, degrees: make([]float64, m)}
	s.links = multiplex.CSR{Rows: m, Cols: m, Start: make([]int32, m+1), Index: make([]int32, len(l.Links)), Value: l.upper.Value}
	low, high := map[int]float64{}, map[int]float64{}
	for i, d := range l.Degrees {
		k := strata[i]
		if _, met := low[k]; !met {
			low[k] = d
		}
		low[k], high[k] = min(low[k], d), max(high[k], d)
	}
	rest := make([]float64, m)
	for i, d := range l.Degrees {
		if k := strata[i]; low[k] == high[k] {
			rest[i] = d
		} else if d > 0 {
			s.mixed, s.d = append(s.mixed, i), append(s.d, d)
		}
	}
	for _, source := range sources {
		still, err := source.F.transTimes(source.F.scaled(rest), pause)
		if err != nil {
			return nil, err
		}
		s.still = append(s.still, still)
		if m <= linalg.Large {
			s.scratch = append(s.scratch, NewMatrix(m, source.F.Cols))
			continue
		}
		rough := make([]float32, len(source.F.Data))
		kernel.Round(rough, source.F.Data)
		s.rough = append(s.rough, rough)
	}
	if s.rough != nil {
		s.ones = slices.Repeat([]float32{1}, len(l.Links))
	}
	return s, nil
}

// permute makes the layer whose node q[i] is node i of the layer: functions have row q[i] there.
func (s *shuffled) permute(q []int) {
	start, at := s.layer.upper.Start, int32(0)
	from := make([]int, len(q))
	for i, to := range q {
		from[to] = i
		s.degrees[to] = s.layer.Degrees[i]
	}
	for to, i := range from {
		for _, j := range s.layer.upper.Index[start[i]:start[i+1]] {
			s.links.Index[at] = int32(q[j])
			at++
		}
		s.links.Start[to+1] = at
	}
}

// products returns G and H of source k, of the layer that q made.
func (s *shuffled) products(k int, q []int, pause pause.Work) (g, h Matrix, err error) {
	f := s.sources[k].F
	few := NewMatrix(len(s.mixed), f.Cols)
	for r, i := range s.mixed {
		copy(few.Row(r), f.Row(q[i]))
	}
	if g, err = few.transTimes(few.scaled(s.d), pause); err != nil {
		return g, h, err
	}
	kernel.AddScaled(g.Data, s.still[k].Data, 1)
	if s.rough == nil {
		h, err = modularity(f, &s.links, s.degrees, s.scratch[k], pause)
		return g, h, err
	}
	h, err = s.between(s.rough[k], f.Cols, pause)
	return g, unexplained(h, f, s.degrees, float64(len(s.ones))), err
}

// between returns the sum over links, in one direction, of f_i f_j'. Some rows are added up in single precision, their sums in double.
func (s *shuffled) between(f []float32, c int, pause pause.Work) (Matrix, error) {
	const some = 512
	h, scratch, part := NewMatrix(c, c), make([]float32, some*c), make([]float32, c*c)
	for from := 0; from < s.links.Rows; from += some {
		to := min(from+some, s.links.Rows)
		n, end := to-from, s.links.Start[to]
		clear(part)
		kernel.SparseMul(scratch[:n*c], s.links.Start[from:to+1], s.links.Index[:end], s.ones[:end], f, c)
		kernel.AddMulTrans(part, f[from*c:to*c], scratch[:n*c], n, c, c)
		for i, v := range part {
			h.Data[i] += float64(v)
		}
		if err := pause.After(n*c*c + int(end-s.links.Start[from])*c); err != nil {
			return h, err
		}
	}
	return h, nil
}

// block returns the leading k x k block.
func block(a Matrix, k int) Matrix {
	out := NewMatrix(k, k)
	for i := range k {
		copy(out.Row(i), a.Row(i)[:k])
	}
	return out
}

// Evidence returns the eigenvalues of the evidence of the leading k functions, rising, and its eigenvectors as combinations of these
// functions, a column each. Eigenvalues of G below 1e-8 of the largest are left out.
func Evidence(g, h Matrix, k int) ([]float64, Matrix) {
	size, q := eigen(block(g, k))
	from := 0
	for from < k && !(size[from] > 1e-8*size[k-1]) {
		from++
	}
	w := NewMatrix(k, k-from)
	for i := range k {
		for c := range w.Cols {
			w.Data[i*w.Cols+c] = q.Data[i*k+from+c] / math.Sqrt(size[from+c])
		}
	}
	hw, _ := block(h, k).times(w, nil)
	e, _ := w.transTimes(hw, nil)
	x, v := eigen(e)
	v, _ = w.times(v, nil)
	return x, v
}

// Largest returns t of every size: the largest modulus among the eigenvalues of the evidence.
//
// With G = C C', C lower triangular, C^-1 H C^-T has the eigenvalues of the evidence, and its leading blocks those of
// the leading functions, so that one factor serves all sizes. Where G could be singular, each is taken alone.
func Largest(g, h Matrix, sizes []int) []float64 {
	t := make([]float64, len(sizes))
	e, regular := nested(g, h)
	for i, k := range sizes {
		var x []float64
		if regular {
			x = linalg.SymmetricValues(block(e, k).Data, k)
		} else {
			x, _ = Evidence(g, h, k)
		}
		if len(x) > 0 {
			t[i] = max(math.Abs(x[0]), math.Abs(x[len(x)-1]))
		}
	}
	return t
}

// nested returns C^-1 H C^-T, and whether G is far from singular: 1 / |C^-1|^2 is not above its least eigenvalue.
func nested(g, h Matrix) (e Matrix, regular bool) {
	const far = 1e-6
	n := g.Rows
	c, inverse := append([]float64{}, g.Data...), NewMatrix(n, n)
	if err := linalg.Cholesky(c, n, nil); err != nil {
		return e, false
	}
	trace, size := 0.0, 0.0
	for i := range n {
		trace += g.Data[i*n+i]
		for j := range i + 1 {
			s := 0.0
			if i == j {
				s = 1
			}
			for k := j; k < i; k++ {
				s -= float64(c[i*n+k] * inverse.Data[k*n+j])
			}
			s /= c[i*n+i]
			inverse.Data[i*n+j] = s
			size += float64(s * s)
		}
	}
	if !(size*trace < 1/far) { // not a number where G is not positive
		return e, false
	}
	he := NewMatrix(n, n) // C^-1 H
	kernel.Mul(he.Data, inverse.Data, h.Data, n, n, n)
	e = NewMatrix(n, n)
	for i := range n {
		for j := range i + 1 {
			s := 0.0
			for k, x := range inverse.Row(j)[:j+1] {
				s += float64(he.Data[i*n+k] * x)
			}
			e.Data[i*n+j], e.Data[j*n+i] = s, s
		}
	}
	return e, true
}

// LeastStratum is the smallest number of nodes of a stratum, except for the last one.
const LeastStratum = 4

// Strata groups nodes of equal degree, given one degree a node, from the lowest up, and returns the stratum of every node. A stratum is
// closed at the first change of degree after least nodes. The last one may be smaller.
func Strata(degrees []float64, least int) []int {
	most := 0
	for _, d := range degrees {
		most = max(most, int(d))
	}
	count, of := make([]int, most+1), make([]int, most+1)
	for _, d := range degrees {
		count[int(d)]++
	}
	n, s := 0, 0
	for d, c := range count {
		if c > 0 && n >= least {
			s, n = s+1, 0
		}
		n += c
		of[d] = s
	}
	strata := make([]int, len(degrees))
	for i, d := range degrees {
		strata[i] = of[int(d)]
	}
	return strata
}

// shuffle sets dst to a permutation of the nodes inside their strata.
func shuffle(dst, strata []int, draw *rng.Stream) {
	var members [][]int
	for i, s := range strata {
		for len(members) <= s {
			members = append(members, nil)
		}
		members[s] = append(members[s], i)
	}
	for _, nodes := range members {
		to := append([]int{}, nodes...)
		draw.Shuffle(to)
		for k, i := range nodes {
			dst[i] = to[k]
		}
	}
}

// A Null is the distribution of the statistic under permutations of the functions. Columns are (source, size).
type Null struct {
	T        []float64   // observed, one for each column
	Permuted [][]float64 // Permuted[b][c] of permutation b and column c

	Mean, SD  []float64 // of observed and permuted values together, divisor n
	Z         float64   // max of (t - mean) / (sd + 1e-9) over the columns
	ZPermuted []float64 // the same of every permutation
	Exceeded  int       // permutations whose z is not below the observed one
	Gumbel    float64   // the tail beyond z of a Gumbel law with the moments of ZPermuted
	P         float64
}

// standardize fills what follows from T and Permuted. The observed value counts among the others, which makes the
// maximum exchangeable; p is empirical, and where nothing exceeds, the smaller of 1/(1 + B) and the Gumbel tail.
func (n *Null) standardize() {
	columns := len(n.T)
	n.Mean, n.SD = make([]float64, columns), make([]float64, columns)
	for c := range columns {
		all := []float64{n.T[c]}
		for _, t := range n.Permuted {
			all = append(all, t[c])
		}
		n.Mean[c], n.SD[c] = moments(all)
		n.SD[c] += 1e-9
	}
	every := sorting.Places(columns)
	n.Z, n.ZPermuted, n.Gumbel = n.of(every)
	n.Exceeded = 0
	for _, z := range n.ZPermuted {
		if z >= n.Z {
			n.Exceeded++
		}
	}
	b := float64(1 + len(n.Permuted))
	n.P = float64(1+n.Exceeded) / b
	if n.Exceeded == 0 {
		n.P = min(1/b, n.Gumbel)
	}
}

// of returns z over some columns, of the permutations as well, and its Gumbel tail.
func (n *Null) of(columns []int) (z float64, permuted []float64, tail float64) {
	largest := func(t []float64) float64 {
		top := math.Inf(-1)
		for _, c := range columns {
			top = max(top, (t[c]-n.Mean[c])/n.SD[c])
		}
		return top
	}
	for _, t := range n.Permuted {
		permuted = append(permuted, largest(t))
	}
	z = largest(n.T)
	return z, permuted, Gumbel(z, permuted)
}

// column returns the permuted values of a column.
func (n *Null) column(c int) []float64 {
	var list []float64
	for _, t := range n.Permuted {
		list = append(list, t[c])
	}
	return list
}
