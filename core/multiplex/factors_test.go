package multiplex

import (
	"errors"
	"testing"

	"cadem.example/core/base/rng"
)

// Rows are those of Z = B X; products with the factors are those of Z with its columns scaled.
func TestFactorsAgree(t *testing.T) {
	src := rng.New(4, "factors")
	for _, c := range planTrials(t, src) {
		b := NewPropagator(random(t, c.m, c.density, c.weighted, src), Twice)
		z, m, f := b.Product(c.x), c.m, c.x.Cols
		i := 0
		err := b.Rows(c.x, func(row []float64) error {
			for j, v := range row {
				near(t, nil, "row", v, z[i*f+j])
			}
			i++
			return nil
		})
		if err != nil || i != m {
			t.Fatalf("%d rows, %v", i, err)
		}
		x, scale := c.x, make([]float64, f)
		for j := 0; j < f && !x.IsIdentity(); j++ {
			scale[j] = src.Uniform(.5, 2)
			for i := range m {
				z[i*f+j] *= scale[j]
			}
		}
		if !x.IsIdentity() {
			x = x.Scaled(scale)
		}
		const d = 3
		p, worked := NewFactors[float64](b, x), 0
		pause := func(work int) error { worked += work; return nil }
		u, y := make([]float64, f*d), make([]float64, m*d)
		for i := range u {
			u[i] = src.Norm()
		}
		if err := p.Mul(y, u, d, pause); err != nil {
			t.Fatal(err)
		}
		back := make([]float64, f*d)
		if err := p.MulTrans(back, y, d, pause); err != nil {
			t.Fatal(err)
		}
		for k := range d {
			for i := range m {
				want := 0.0
				for j := range f {
					want += z[i*f+j] * u[j*d+k]
				}
				near(t, nil, "Z u", y[i*d+k], want)
			}
			for j := range f {
				want := 0.0
				for i := range m {
					want += z[i*f+j] * y[i*d+k]
				}
				near(t, nil, "Z'y", back[j*d+k], want)
			}
		}
		if worked < p.Work {
			t.Errorf("%d multiply-adds of at least %d were told", worked, p.Work)
		}
		stop := errors.New("stop")
		if err := p.MulTrans(back, y, d, func(int) error { return stop }); err != stop {
			t.Errorf("a pause that ends the work gave %v", err)
		}
	}
}

// A matrix that is given multiplies like one that is propagated.
func TestNewDense(t *testing.T) {
	p := NewDense[float64](2, 3, []float64{1, 2, 3, 4, 5, 6})
	y := make([]float64, 2)
	p.Mul(y, []float64{1, 0, 2}, 1)
	if y[0] != 7 || y[1] != 16 {
		t.Errorf("got %v", y)
	}
	sums := make([]float64, 3)
	if p.Pool(sums, nil); sums[0] != 5 || sums[2] != 9 {
		t.Errorf("sums %v", sums)
	}
}
