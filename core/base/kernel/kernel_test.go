package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func ExampleMul() {
	u := make([]float64, 2)
	Mul(u, []float64{1, 2, 3, 4}, []float64{10, 1}, 2, 2, 1)
	fmt.Println(u)
	// Output: [12 34]
}

func fill[T Float](src *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(src.NormFloat64())
	}
	return x
}

// plain is a times b, entry by entry, summed in order.
func plain[T Float](a, b []T, n, h, d int) []T {
	c := make([]T, n*d)
	for i := range n {
		for k := range d {
			var s T
			for j := range h {
				s += T(a[i*h+j] * b[j*d+k])
			}
			c[i*d+k] = s
		}
	}
	return c
}

func diagonal[T Float](x []T) []T {
	a := make([]T, len(x)*len(x))
	for i, v := range x {
		a[i*len(x)+i] = v
	}
	return a
}

func transposed[T Float](a []T, n, h int) []T {
	t := make([]T, len(a))
	for i := range n {
		for j := range h {
			t[j*n+i] = a[i*h+j]
		}
	}
	return t
}

func testProducts[T Float](t *testing.T) {
	src := rand.New(rand.NewPCG(1, 1))
	for _, d := range []int{1, 2, 3, 4, 8, 10, 11, 12, 16} {
		for _, n := range []int{1, 4, 7, 70} {
			for _, h := range []int{1, 5, 16, 0} {
				a, b, g := fill[T](src, n*h), fill[T](src, h*d), fill[T](src, n*d)
				got := make([]T, n*d)
				Mul(got, a, b, n, h, d)
				if !slices.Equal(got, plain(a, b, n, h, d)) {
					t.Errorf("Mul %d x %d x %d differs from the plain loop", n, h, d)
				}
				if got, ok := any(got).([]float64); ok {
					want := fill[float64](src, n*d)
					copy(got, want)
					for i, v := range any(plain(a, b, n, h, d)).([]float64) {
						want[i] += v
					}
					AddMul(got, any(a).([]float64), any(b).([]float64), n, h, d)
					if !slices.Equal(got, want) {
						t.Errorf("AddMul %d x %d x %d differs from the plain loop", n, h, d)
					}
				}
				acc := make([]T, h*d)
				AddMulTrans(acc, a, g, n, h, d)
				if !slices.Equal(acc, plain(transposed(a, n, h), g, h, n, d)) {
					t.Errorf("AddMulTrans %d x %d x %d differs from the plain loop", n, h, d)
				}
				start, index, value := []int32{0}, []int32(nil), []T(nil)
				dense := make([]T, n*h)
				for i := range n {
					for j := range h {
						if src.IntN(3) == 0 {
							index, value = append(index, int32(j)), append(value, a[i*h+j])
							dense[i*h+j] = a[i*h+j]
						}
					}
					start = append(start, int32(len(index)))
				}
				SparseMul(got, start, index, value, b, d)
				if want := plain(dense, b, n, h, d); !slices.Equal(got, want) {
					t.Errorf("SparseMul %d x %d x %d differs from the plain loop", n, h, d)
				}
				for i := range dense {
					if dense[i] != 0 {
						dense[i] = 1
					}
				}
				scale, times := fill[T](src, n), fill[T](src, h)
				scaled := make([]T, h*d)
				ScaleRows(scaled, b, times, d)
				PatternMul(got, start, index, scale, scaled, d)
				want := plain(dense, plain(diagonal(times), b, h, h, d), n, h, d)
				if !slices.Equal(got, plain(diagonal(scale), want, n, n, d)) {
					t.Errorf("PatternMul %d x %d x %d differs from the plain loop", n, h, d)
				}
			}
		}
	}
}

func TestProducts(t *testing.T) {
	t.Run("float32", testProducts[float32])
	t.Run("float64", testProducts[float64])
}

// The fused step must be the plain one: gradient, Adam, product.
func TestAdamFactored(t *testing.T) {
	src := rand.New(rand.NewPCG(2, 1))
	for _, c := range []struct {
		n, h, d int
		decay   float64
	}{{5, 8, 8, 0}, {5, 6, 8, 0}, {1, 16, 8, 0}, {37, 48, 8, 0}, {3, 20, 8, 0}, {3, 7, 2, 0}, {4, 8, 8, 0.01}, {5, 8, 4, 0}, {19, 12, 12, 0}, {2, 256, 32, 0},
		{1, 8, 16, 0.01}} {
		r := NewAdamRate[float32](AdamPowers{.5, .99}, .02, c.decay)
		w, m, v := fill[float32](src, c.n*c.h), fill[float32](src, c.n*c.h), fill[float32](src, c.n*c.h)
		for i := range v {
			v[i] *= v[i]
		}
		du, old, w2 := fill[float32](src, c.n*c.d), fill[float32](src, c.h*c.d), fill[float32](src, c.h*c.d)
		ww, mm, vv := slices.Clone(w), slices.Clone(m), slices.Clone(v)
		Adam(ww, mm, vv, plain(du, transposed(old, c.h, c.d), c.n, c.d, c.h), &r)
		u := make([]float32, c.n*c.d)
		AdamFactored(w, m, v, u, du, old, w2, c.n, c.h, c.d, &r)
		if !slices.Equal(w, ww) || !slices.Equal(m, mm) || !slices.Equal(v, vv) || !slices.Equal(u, plain(w, w2, c.n, c.h, c.d)) {
			t.Errorf("%+v: fused and plain step differ", c)
		}
	}
}

// Every length, with decay and without, moves as its definition says.
func TestAdam(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 1))
	for n := range 12 {
		for _, decay := range []float64{0, 0.01} {
			r := NewAdamRate[float32](AdamPowers{.5, .99}, .02, decay)
			w, m, v, g := fill[float32](src, n), fill[float32](src, n), fill[float32](src, n), fill[float32](src, n)
			for i := range v {
				v[i] *= v[i]
			}
			ww, mm, vv := slices.Clone(w), slices.Clone(m), slices.Clone(v)
			for i := range n {
				x := g[i]
				if decay != 0 {
					x += float32(r.Decay * w[i])
				}
				mm[i] = float32(r.B1*m[i]) + x
				vv[i] = float32(r.B2*v[i]) + float32(x*x)
				root := float32(math.Sqrt(float64(vv[i])))
				ww[i] -= mm[i] / (float32(root*r.Root) + r.Eps)
			}
			Adam(w, m, v, g, &r)
			if !slices.Equal(w, ww) || !slices.Equal(m, mm) || !slices.Equal(v, vv) {
				t.Errorf("%d weights, decay %v: differ from the definition", n, decay)
			}
		}
	}
}

// Moments kept as sums give the steps of the published algorithm, with its corrected averages.
func TestAdamAsPublished(t *testing.T) {
	const b1, b2, eps, n = 0.9, 0.999, 1e-8, 5
	src := rand.New(rand.NewPCG(8, 1))
	w := fill[float64](src, n)
	want, avg, avg2, m, v := slices.Clone(w), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	pow1, pow2, powers := 1.0, 1.0, NewAdamPowers()
	for step := range 30 {
		rate := 0.01 / float64(1+step)
		if step == 7 {
			rate = 0 // nothing may move, but the moments
		}
		g := fill[float64](src, n)
		g[0] = 0 // no gradient, no step, not a number either
		pow1, pow2 = pow1*b1, pow2*b2
		for i := range n {
			avg[i], avg2[i] = b1*avg[i]+(1-b1)*g[i], b2*avg2[i]+(1-b2)*g[i]*g[i]
			want[i] -= rate * (avg[i] / (1 - pow1)) / (math.Sqrt(avg2[i]/(1-pow2)) + eps)
		}
		powers.Next()
		r := NewAdamRate[float64](powers, rate, 0)
		Adam(w, m, v, g, &r)
		for i := range n {
			if !(math.Abs(w[i]-want[i]) <= 1e-13) {
				t.Fatalf("step %d, weight %d: %v, want %v", step, i, w[i], want[i])
			}
		}
	}
}

func testResidual[T Float](t *testing.T) {
	src := rand.New(rand.NewPCG(6, 1))
	for _, d := range []int{1, 4, 8, 11, 12} {
		for _, n := range []int{0, 1, 9} {
			c, s, b, db := fill[T](src, n*d), fill[T](src, n*d), fill[T](src, d), fill[T](src, d)
			y, wantY, wantDB, want := make([]T, n*d), make([]T, n*d), slices.Clone(db), 0.0
			for k := range d {
				column := 0.0
				for i := range n {
					x := c[i*d+k] + b[k] - s[i*d+k]
					column += float64(float64(x) * float64(x))
					wantY[i*d+k] = T(0.3) * x
					wantDB[k] += wantY[i*d+k]
				}
				want += column
			}
			if got := Residual(y, c, s, b, db, 0.3); got != want || !slices.Equal(y, wantY) || !slices.Equal(db, wantDB) {
				t.Errorf("Residual %d x %d differs from its definition", n, d)
			}
			sum := slices.Clone(c)
			Add(sum, s)
			for i := range sum {
				if sum[i] != c[i]+s[i] {
					t.Fatalf("Add: number %d of %d differs", i, len(sum))
				}
			}
		}
	}
}

func TestResidual(t *testing.T) {
	t.Run("float32", testResidual[float32])
	t.Run("float64", testResidual[float64])
}

// Columns before, after and between those that are reflected stay.
func TestReflect(t *testing.T) {
	src := rand.New(rand.NewPCG(7, 1))
	const tau = 1.3
	for _, n := range []int{1, 2, 9} {
		for d := range 12 {
			const from, stride = 1, 3
			width := from + d + 1
			x, v := fill[float64](src, n*width), fill[float64](src, n*stride)
			want := slices.Clone(x)
			for j := from; j < from+d; j++ {
				sum := x[j]
				for i := 1; i < n; i++ {
					sum += float64(v[i*stride] * x[i*width+j])
				}
				sum = float64(sum * tau)
				want[j] -= sum
				for i := 1; i < n; i++ {
					want[i*width+j] -= float64(v[i*stride] * sum)
				}
			}
			Reflect(x[from:], n, width, v, stride, tau, make([]float64, d))
			if !slices.Equal(x, want) {
				t.Errorf("Reflect %d x %d differs from its definition", n, d)
			}
		}
	}
}

func TestWrongShapesPanic(t *testing.T) {
	defer func() {
		if recover() != ErrShape {
			t.Error("no ErrShape")
		}
	}()
	Mul(make([]float64, 3), make([]float64, 4), make([]float64, 4), 2, 2, 2)
}

func BenchmarkAdamFactored(b *testing.B) {
	src := rand.New(rand.NewPCG(3, 1))
	const n, h, d = 1000, 256, 8
	w, m, v := fill[float32](src, n*h), make([]float32, n*h), make([]float32, n*h)
	u, du, w2 := make([]float32, n*d), fill[float32](src, n*d), fill[float32](src, h*d)
	r := NewAdamRate[float32](AdamPowers{.5, .99}, .001, 0)
	b.SetBytes(n * h * 24)
	for b.Loop() {
		AdamFactored(w, m, v, u, du, w2, w2, n, h, d, &r)
	}
}

// BenchmarkProducts reports what an entry of the large factor costs at several widths.
func BenchmarkProducts(b *testing.B) {
	src := rand.New(rand.NewPCG(4, 1))
	const n, h, each = 1000, 256, 64
	a := fill[float32](src, n*h)
	start, index := []int32{0}, []int32(nil)
	for i := range n {
		for k := range each {
			index = append(index, int32((i*7919+k*k*31)%n))
		}
		start = append(start, int32(len(index)))
	}
	value := fill[float32](src, len(index))
	for _, d := range []int{3, 4, 8, 16, 32} {
		u, w, y := make([]float32, n*d), fill[float32](src, h*d), fill[float32](src, n*d)
		run := func(name string, entries int, f func()) {
			b.Run(fmt.Sprintf("%s/d=%d", name, d), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(entries), "ns/entry")
			})
		}
		run("mul", n*h, func() { Mul(u, a, w, n, h, d) })
		run("transposed", n*h, func() { AddMulTrans(w, a, u, n, h, d) })
		run("sparse", len(index), func() { SparseMul(u, start, index, value, y, d) })
	}
}
