// Package preparation is not in the paper. It is package split, for the preset refined, in plain dense matrices,
// with gonum's decompositions: the layers' shared parts and each layer's own, by the formulas. Tests compare the
// two.
//
// Several graphs are taken together, their nodes one below the other, M in all; each graph is
// centred by itself.
package preparation

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem/reference/dense"
)

// Options are the options of package split.
type Options struct {
	Scale     bool
	Noise     bool
	Kept      int
	Whole     bool
	Split     bool
	Agreement float64
	Own       bool
}

// A Layer is B (M_g x M_g) and Z = B X (M_g x F) of every graph.
type Layer struct {
	B, Z     []*mat.Dense
	Identity bool // whether X is
}

// A Part is a prepared layer.
type Part struct {
	Rank     int
	Singular []float64 // of Z, all rows below each other, falling
	Edge     float64
	Noisy    bool // whether there is one
	// M x F each: Y, J J'Y, Y - J J'Y and the layer's own part of the latter. Without any direction
	// they are a column of zeros.
	Y, Common, Private, Own *mat.Dense

	u *mat.Dense
}

// A Result is a preparation.
type Result struct {
	Layers    []*Part
	Agreement []float64 // of every direction, falling
	Chance    float64
	Shared    int
	// Unsettled says that rounding decides something: whether a direction counts, which of
	// several comes first, or its sign.
	Unsettled bool

	o    Options
	rows []int // first node of every graph, and M
	m    int
}

// negligible is the share of the largest singular value below which another counts as zero.
const negligible = 1e-6

// Prepare trims, splits and restores the layers.
func Prepare(layers []Layer, o Options) *Result {
	r := &Result{o: o, rows: []int{0}}
	for _, z := range layers[0].Z {
		m, _ := z.Dims()
		r.m += m
		r.rows = append(r.rows, r.m)
	}
	for _, l := range layers {
		r.trim(l)
	}
	j := r.agree()
	for l, p := range r.Layers {
		p.Common, p.Private = mat.DenseCopyOf(p.Y), mat.DenseCopyOf(p.Y)
		if o.Split {
			p.Common = dense.Product(j, j.T(), p.Y)
			p.Private.Sub(p.Y, p.Common)
		}
		p.Own = mat.DenseCopyOf(p.Private)
		if !o.Whole && o.Own && r.Shared > 0 {
			r.hop(p, r.beside(layers[l].B), j)
		}
	}
	return r
}

// beside returns matrices of all graphs as blocks of one (M x M).
func (r *Result) beside(list []*mat.Dense) *mat.Dense {
	all := mat.NewDense(r.m, r.m, nil)
	for g, b := range list {
		all.Slice(r.rows[g], r.rows[g+1], r.rows[g], r.rows[g+1]).(*mat.Dense).Copy(b)
	}
	return all
}

// centred returns x without its column means, each graph's own.
func (r *Result) centred(x *mat.Dense) *mat.Dense {
	y := mat.DenseCopyOf(x)
	_, d := x.Dims()
	for g, to := range r.rows[1:] {
		part := y.Slice(r.rows[g], to, 0, d).(*mat.Dense)
		part.Copy(dense.Centred(part))
	}
	return y
}

// trim keeps the directions that stand above noise: with r of them set aside the rest has the level
// sigma^2 = (|Zc|^2 - s_1^2 - ... - s_r^2) / ((M - r)(F - r)), and a noise matrix of that level no
// singular value above e = sigma (sqrt M + sqrt F).
func (r *Result) trim(l Layer) {
	_, f := l.Z[0].Dims()
	z := mat.NewDense(r.m, f, nil)
	for g, part := range l.Z {
		z.Slice(r.rows[g], r.rows[g+1], 0, f).(*mat.Dense).Copy(part)
	}
	for k := range f {
		length := mat.Norm(z.ColView(k), 2)
		for i := 0; i < r.m && r.o.Scale && !r.o.Whole && !l.Identity && length > 0; i++ {
			z.Set(i, k, z.At(i, k)/length)
		}
	}
	u, s, _ := dense.SVD(r.centred(z))
	p := &Part{Y: z}
	kept := r.o.Kept
	if r.o.Whole {
		kept = len(s)
	}
	counted := func() (n int) {
		for _, v := range s[:min(kept, len(s))] {
			if v > p.Edge && v > negligible*s[0] {
				n++
			}
			r.near(v, p.Edge)
			r.near(v, negligible*s[0])
		}
		return n
	}
	if !r.o.Noise || r.o.Whole {
		p.Rank = counted()
	} else {
		for next := 0; ; p.Rank = next {
			left := 0.0
			for _, v := range s[p.Rank:] {
				left += v * v
			}
			p.Edge = math.Sqrt(left/math.Max(1, float64((r.m-p.Rank)*(f-p.Rank)))) * (math.Sqrt(float64(r.m)) + math.Sqrt(float64(f)))
			if next = counted(); next <= p.Rank {
				break
			}
		}
		if p.Noisy = p.Rank < kept; !p.Noisy {
			p.Edge = 0
		}
	}
	p.u, p.Singular = dense.Leading(u, p.Rank), s[:p.Rank]
	if p.Rank > 0 {
		p.Edge /= s[0]
	}
	if !r.o.Whole {
		r.orient(p.u, s)
		p.Y = mat.DenseCopyOf(p.u)
		p.Y.Apply(func(_, k int, v float64) float64 {
			if p.Rank == 0 {
				return 0
			}
			return math.Sqrt(float64(r.m)) * v * s[k] / s[0]
		}, p.Y)
	}
	r.Layers = append(r.Layers, p)
}

// near notes that a comparison of two numbers is decided by rounding.
func (r *Result) near(a, b float64) {
	r.Unsettled = r.Unsettled || a != b && math.Abs(a-b) < 1e-4*math.Max(math.Abs(a), math.Abs(b))
}

// orient lets the largest entry of every direction be positive.
func (r *Result) orient(u *mat.Dense, s []float64) {
	m, n := u.Dims()
	for k := range n {
		largest := 0.0
		for i := range m {
			if math.Abs(u.At(i, k)) > math.Abs(largest) {
				largest = u.At(i, k)
			}
		}
		for i := range m {
			if x := u.At(i, k); x*largest < 0 {
				r.near(math.Abs(x), math.Abs(largest))
			}
		}
		if k+1 < len(s) {
			r.near(s[k], s[k+1])
		}
		if largest < 0 {
			for i := range m {
				u.Set(i, k, -u.At(i, k))
			}
		}
	}
}

// agree returns J (M x Shared), the directions of [U_1 ... U_N] / sqrt N whose singular value q says
// that the layers agree: c = (N q^2 - 1) / (N - 1) exceeds the option and c_0 = sin(a + b), sin^2 a
// and sin^2 b being the two largest ranks over the number of dimensions.
func (r *Result) agree() *mat.Dense {
	n, all := len(r.Layers), 0
	var ranks []int
	for _, p := range r.Layers {
		all, ranks = all+p.Rank, append(ranks, p.Rank)
	}
	slices.Sort(ranks)
	angle := func(rank int) float64 {
		return math.Asin(math.Sqrt(math.Min(1, float64(rank)/math.Max(1, float64(r.m-len(r.rows)+1)))))
	}
	r.Chance = 1
	if sum := angle(ranks[n-1]) + angle(ranks[n-2]); sum < math.Pi/2-1e-9 {
		r.Chance = math.Sin(sum)
	}
	stack := mat.NewDense(r.m, max(all, 1), nil)
	from := 0
	for _, p := range r.Layers {
		for k := range p.Rank {
			for i := range r.m {
				stack.Set(i, from, p.u.At(i, k)/math.Sqrt(float64(n)))
			}
			from++
		}
	}
	q, s, _ := dense.SVD(stack)
	for _, v := range s[:min(all, len(s))] {
		c := (float64(n)*v*v - 1) / float64(n-1)
		r.near(c, math.Max(r.o.Agreement, r.Chance))
		if r.Agreement = append(r.Agreement, c); r.o.Split && r.Chance < 1 && c > math.Max(r.o.Agreement, r.Chance) {
			r.Shared++
		}
	}
	return dense.Leading(q, r.Shared)
}

// hop adds J J'B V diag(1/lambda) diag(t) R' to Z^P = V diag(t) R', lambda_k = V_k'B V_k, where B keeps
// V_k: |lambda_k| >= |(I - JJ')B V_k| / 2.
func (r *Result) hop(p *Part, b, j *mat.Dense) {
	v, t, right := r.factors(p.Private)
	if len(t) == 0 {
		return
	}
	bv := r.centred(dense.Product(b, v))
	rest := mat.DenseCopyOf(bv)
	rest.Sub(bv, dense.Product(j, j.T(), bv))
	along := dense.Product(j.T(), bv)
	for k := range t {
		lambda, weight := mat.Dot(v.ColView(k), bv.ColView(k)), 0.0
		length := mat.Norm(rest.ColView(k), 2)
		if math.Abs(lambda) >= length/2 {
			weight = t[k] / lambda
		}
		r.near(math.Abs(lambda), length/2)
		for i := range r.Shared {
			along.Set(i, k, along.At(i, k)*weight)
		}
	}
	p.Own.Add(p.Private, dense.Product(j, along, right.T()))
}

// factors returns the factors of Z^P without what is negligible beside Y.
func (r *Result) factors(x *mat.Dense) (v *mat.Dense, t []float64, right *mat.Dense) {
	v, t, right = dense.SVD(x)
	rank, least := 0, negligible*math.Sqrt(float64(r.m))
	for rank < len(t) && t[rank] > least {
		rank++
	}
	return dense.Leading(v, rank), t[:rank], dense.Leading(right, rank)
}

// Target returns what the private embedding Z^O U of a layer is drawn to (M x d): see the target of
// package split.
func (r *Result) Target(layer int, u *mat.Dense) *mat.Dense {
	p := r.Layers[layer]
	embedded := dense.Product(p.Private, u)
	_, d := u.Dims()
	out := mat.NewDense(r.m, d, nil)
	q, s, _ := dense.SVD(dense.Product(p.Private, p.Private.T(), embedded))
	k := 0
	for k < len(s) && s[k] > 1e-9 && s[k] > negligible*s[0] {
		k++
	}
	for _, v := range s {
		r.Unsettled = r.Unsettled || v > negligible*s[0]/10 && v < 10*negligible*s[0] || v > 1e-10 && v < 1e-8
	}
	if k == 0 {
		return out
	}
	q = dense.Leading(q, k)
	e, tau, _ := dense.SVD(dense.Product(q.T(), p.Private))
	g := dense.Product(q, e)
	g.Apply(func(_, c int, v float64) float64 {
		h := tau[c] / tau[0]
		if p.Noisy {
			ratio := p.Edge / (tau[c] / math.Sqrt(float64(r.m)))
			h = math.Sqrt(math.Max(0, 1-ratio*ratio))
		}
		return v * h
	}, g)
	left, turned, right := dense.SVD(dense.Product(g.T(), embedded))
	r.Unsettled = r.Unsettled || turned[len(turned)-1] < 1e-4*turned[0]
	out.Product(g, left, right.T())
	out.Scale(math.Sqrt(float64(r.m)), out)
	// R + J X a with Z^P a = R is Z^O a.
	v, t, w := r.factors(p.Private)
	coordinates := dense.Product(v.T(), out)
	for i := range t {
		for c := range d {
			coordinates.Set(i, c, coordinates.At(i, c)/t[i])
		}
	}
	return dense.Product(p.Own, w, coordinates)
}
