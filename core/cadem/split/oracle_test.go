package split

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem/core/multiplex"
)

// An oracle is the preparation of one graph by plain dense matrices and gonum's decompositions.
type oracle struct {
	o           Options
	ranks       []int
	singular    [][]float64
	edge        []float64
	agreement   []float64
	chance      float64
	y, zc, zp   []*mat.Dense // M x r each
	zo          []*mat.Dense
	shared, all int
}

func dense(x *multiplex.Features) *mat.Dense {
	switch {
	case x.Dense != nil:
		return mat.NewDense(x.Rows, x.Cols, slices.Clone(x.Dense))
	case x.Sparse != nil:
		return mat.NewDense(x.Rows, x.Cols, x.Sparse.Dense())
	}
	eye := mat.NewDense(x.Rows, x.Rows, nil)
	for i := range x.Rows {
		eye.Set(i, i, 1)
	}
	return eye
}

func product(factors ...mat.Matrix) *mat.Dense {
	var x mat.Dense
	x.Product(factors...)
	return &x
}

func centred(x *mat.Dense) *mat.Dense {
	m, d := x.Dims()
	y := mat.DenseCopyOf(x)
	for k := range d {
		mean := mat.Sum(x.ColView(k)) / float64(m)
		for i := range m {
			y.Set(i, k, x.At(i, k)-mean)
		}
	}
	return y
}

// svd returns the factors of x with rank columns.
func svd(x *mat.Dense) (u *mat.Dense, s []float64, v *mat.Dense) {
	var f mat.SVD
	if !f.Factorize(x, mat.SVDThin) {
		panic("no decomposition")
	}
	u, v = &mat.Dense{}, &mat.Dense{}
	f.UTo(u)
	f.VTo(v)
	return u, f.Values(nil), v
}

func columns(x *mat.Dense, n int) *mat.Dense {
	m, _ := x.Dims()
	if n == 0 {
		return mat.NewDense(m, 1, nil)
	}
	return mat.DenseCopyOf(x.Slice(0, m, 0, n))
}

// recipe follows the formulas.
func recipe(layers []Source, o Options) *oracle {
	r := &oracle{o: o}
	m := layers[0].X.Rows
	var bs, us []*mat.Dense
	for _, l := range layers {
		b := mat.NewDense(m, m, l.B.Matrix().Dense())
		bs, us = append(bs, b), append(us, r.trim(b, l.X))
	}
	j := r.agree(us)
	for l, y := range r.y {
		zc, zp := mat.DenseCopyOf(y), mat.DenseCopyOf(y)
		if o.Split {
			zc = product(j, j.T(), y)
			zp.Sub(y, zc)
		}
		r.zc, r.zp, r.zo = append(r.zc, zc), append(r.zp, zp), append(r.zo, mat.DenseCopyOf(zp))
		if !o.Whole && o.Own && r.shared > 0 {
			r.hop(l, bs[l], j)
		}
	}
	return r
}

// trim returns U of a layer.
func (r *oracle) trim(b *mat.Dense, x *multiplex.Features) *mat.Dense {
	o, z := r.o, product(b, dense(x))
	m, f := z.Dims()
	for k := range f {
		length := mat.Norm(z.ColView(k), 2)
		for i := 0; i < m && o.Scale && !o.Whole && !x.IsIdentity() && length > 0; i++ {
			z.Set(i, k, z.At(i, k)/length)
		}
	}
	u, s, _ := svd(centred(z))
	rank, edge := 0, 0.0
	count := func(kept int) (n int) {
		for _, v := range s[:min(kept, len(s))] {
			if v > edge && v > 1e-6*s[0] {
				n++
			}
		}
		return n
	}
	switch {
	case o.Whole:
		rank = count(len(s))
	case !o.Noise:
		rank = count(o.Kept)
	default:
		for next := 0; ; rank = next {
			left := 0.0
			for _, v := range s[rank:] {
				left += v * v
			}
			edge = math.Sqrt(left/math.Max(1, float64((m-rank)*(f-rank)))) * (math.Sqrt(float64(m)) + math.Sqrt(float64(f)))
			if next = count(o.Kept); next <= rank {
				break
			}
		}
		if rank == o.Kept {
			edge = 0
		}
	}
	y := z
	if !o.Whole {
		y = columns(u, rank)
		for k := range rank {
			for i := range m {
				y.Set(i, k, y.At(i, k)*math.Sqrt(float64(m))*s[k]/s[0])
			}
		}
	}
	if rank > 0 {
		edge /= s[0]
	}
	r.all, r.y, r.ranks, r.singular, r.edge = r.all+rank, append(r.y, y), append(r.ranks, rank), append(r.singular, s[:rank]), append(r.edge, edge)
	return columns(u, rank)
}

// agree returns J.
func (r *oracle) agree(us []*mat.Dense) *mat.Dense {
	n := len(us)
	m, _ := us[0].Dims()
	ranks := slices.Sorted(slices.Values(r.ranks))
	angle := func(rank int) float64 { return math.Asin(math.Sqrt(math.Min(1, float64(rank)/float64(m-1)))) }
	r.chance = 1
	if sum := angle(ranks[n-1]) + angle(ranks[n-2]); sum < math.Pi/2 {
		r.chance = math.Sin(sum)
	}
	stack := mat.NewDense(m, max(r.all, 1), nil)
	from := 0
	for l, u := range us {
		for k := range r.ranks[l] {
			for i := range m {
				stack.Set(i, from, u.At(i, k)/math.Sqrt(float64(n)))
			}
			from++
		}
	}
	q, s, _ := svd(stack)
	for _, v := range s[:min(r.all, len(s))] {
		c := (float64(n)*v*v - 1) / float64(n-1)
		if r.agreement = append(r.agreement, c); r.o.Split && c > math.Max(r.o.Agreement, r.chance) {
			r.shared++
		}
	}
	return columns(q, r.shared)
}

// hop adds J X to Z^O.
func (r *oracle) hop(l int, b, j *mat.Dense) {
	v, t, right := r.kept(l)
	if len(t) == 0 {
		return
	}
	bv := centred(product(b, v))
	rest := mat.DenseCopyOf(bv)
	rest.Sub(bv, product(j, j.T(), bv))
	along := product(j.T(), bv)
	for k := range t {
		lambda, weight := mat.Dot(v.ColView(k), bv.ColView(k)), 0.0
		if math.Abs(lambda) >= mat.Norm(rest.ColView(k), 2)/2 {
			weight = t[k] / lambda
		}
		for i := range r.shared {
			along.Set(i, k, along.At(i, k)*weight)
		}
	}
	r.zo[l].Add(r.zp[l], product(j, along, right.T()))
}

// kept returns the factors of Z^P without what is negligible.
func (r *oracle) kept(l int) (v *mat.Dense, t []float64, right *mat.Dense) {
	v, t, right = svd(r.zp[l])
	m, _ := v.Dims()
	rank := 0
	for rank < len(t) && t[rank] > 1e-6*math.Sqrt(float64(m)) {
		rank++
	}
	return columns(v, rank), t[:rank], columns(right, rank)
}

// target is R for U, by the formulas over the nodes.
func (r *oracle) target(l int, u *mat.Dense) *mat.Dense {
	zp, e := r.zp[l], r.edge[l]
	m, _ := zp.Dims()
	_, d := u.Dims()
	p := product(zp, u)
	out := mat.NewDense(m, d, nil)
	q, s, _ := svd(product(zp, zp.T(), p))
	k := 0
	for k < len(s) && s[k] > 1e-9 && s[k] > 1e-6*s[0] {
		k++
	}
	if k == 0 {
		return out
	}
	q = columns(q, k)
	a, tau, _ := svd(product(q.T(), zp))
	g := product(q, a)
	_, width := g.Dims()
	for c := range width {
		h := tau[c] / tau[0]
		if e > 0 {
			ratio := e / (tau[c] / math.Sqrt(float64(m)))
			h = math.Sqrt(math.Max(0, 1-ratio*ratio))
		}
		for i := range m {
			g.Set(i, c, g.At(i, c)*h)
		}
	}
	left, _, right := svd(product(g.T(), p))
	out = product(g, left, right.T())
	out.Scale(math.Sqrt(float64(m)), out)
	// R + J X a with Z^P a = R: Z^O a.
	v, t, w := r.kept(l)
	coordinates := product(v.T(), out)
	for i := range t {
		for c := range d {
			coordinates.Set(i, c, coordinates.At(i, c)/t[i])
		}
	}
	return product(r.zo[l], w, coordinates)
}
