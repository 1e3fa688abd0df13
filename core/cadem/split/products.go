package split

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// products are the products with Z = B X of a layer of a graph, M x F.
type products interface {
	forth(dst, u []float64, d int, pause pause.Work) error  // sets dst (M x d) to Z u
	back(dst, y []float64, d int, pause pause.Work) error   // adds Z'y to dst (F x d)
	spread(dst, y []float64, d int, pause pause.Work) error // sets dst (M x d) to B y
	rest()                                                  // lets go of scratch, which is as large as what was multiplied
}

// rounded does them in the precision of T.
type rounded[T kernel.Float] struct {
	z       *multiplex.Factors[T]
	in, out []T
}

func newRounded[T kernel.Float](s Source, pause pause.Work) (products, error) {
	z, err := multiplex.NewFactorsIn[T](s.B, s.X, pause)
	return &rounded[T]{z: z}, err
}

func (r *rounded[T]) forth(dst, u []float64, d int, pause pause.Work) error {
	return r.do(dst, u, d, pause, r.z.Mul)
}

func (r *rounded[T]) back(dst, y []float64, d int, pause pause.Work) error {
	out, err := r.rounded(len(dst), y, d, pause, r.z.MulTrans)
	for i, v := range out {
		dst[i] += float64(v)
	}
	return err
}

func (r *rounded[T]) spread(dst, y []float64, d int, pause pause.Work) error {
	return r.do(dst, y, d, pause, r.z.Spread)
}

func (r *rounded[T]) rest() {
	r.in, r.out = nil, nil
	r.z.Rest()
}

func (r *rounded[T]) do(dst, x []float64, d int, pause pause.Work, multiply multiplying[T]) error {
	out, err := r.rounded(len(dst), x, d, pause, multiply)
	kernel.Widen(dst, out)
	return err
}

// A multiplying sets dst to a product with x, whose rows have d numbers.
type multiplying[T kernel.Float] func(dst, x []T, d int, pause pause.Work) error

// rounded returns n numbers of a product with x, until the next one.
func (r *rounded[T]) rounded(n int, x []float64, d int, pause pause.Work, multiply multiplying[T]) ([]T, error) {
	if most := max(n, len(x)); len(r.in) < most {
		r.in, r.out = make([]T, most), make([]T, most)
	}
	in, out := r.in[:len(x)], r.out[:n]
	kernel.Round(in, x)
	return out, multiply(out, in, d, pause)
}
