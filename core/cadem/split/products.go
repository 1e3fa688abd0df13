package split

import (
	"cadem/core/kernel"
	"cadem/core/multiplex"
	"cadem/core/pause"
)

// products are the products with Z = B X of a layer of a graph, M x F.
type products interface {
	forth(dst, u []float64, d int, pause pause.Work) error  // sets dst (M x d) to Z u
	back(dst, y []float64, d int, pause pause.Work) error   // adds Z'y to dst (F x d)
	spread(dst, y []float64, d int, pause pause.Work) error // sets dst (M x d) to B y
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
	sum := make([]float64, len(dst))
	err := r.do(sum, y, d, pause, r.z.MulTrans)
	kernel.AddScaled(dst, sum, 1)
	return err
}

func (r *rounded[T]) spread(dst, y []float64, d int, pause pause.Work) error {
	return r.do(dst, y, d, pause, r.z.Spread)
}

func (r *rounded[T]) do(dst, x []float64, d int, pause pause.Work, multiply func(dst, x []T, d int, pause pause.Work) error) error {
	if most := max(len(dst), len(x)); len(r.in) < most {
		r.in, r.out = make([]T, most), make([]T, most)
	}
	in, out := r.in[:len(x)], r.out[:len(dst)]
	kernel.Round(in, x)
	err := multiply(out, in, d, pause)
	for i, v := range out {
		dst[i] = float64(v)
	}
	return err
}
