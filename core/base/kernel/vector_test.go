package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// narrower calls f without the widest vectors if there are narrower ones, too.
var narrower = func(f func()) {}

// inAllWays calls f with the vector kernels, where this program and machine have them, of every width, and with
// the scalar loops.
func inAllWays(f func(way string)) {
	before := UseVectors(true)
	defer UseVectors(before)
	f("in vectors")
	narrower(func() { f("in narrower ones") })
	UseVectors(false)
	f("alone")
}

// awkward is fill with numbers among the others that arithmetic treats in a way of its own: zeros
// of both signs, subnormal ones, infinities, and those that are none.
func awkward[T Float](src *rand.Rand, n int) []T {
	x := fill[T](src, n)
	single := []float64{0, math.Copysign(0, -1), 1e-41, -3e-40, math.Inf(1), math.Inf(-1), math.NaN(), 3e38, -3e38, 1e-30}
	double := []float64{0, math.Copysign(0, -1), 5e-324, -1e-310, math.Inf(1), math.Inf(-1), math.NaN(), 1e308, -1e308, 1e-200}
	if src.IntN(2) == 0 { // a few that stay numbers
		single, double = single[:4], double[:4]
	}
	for i := range x {
		if src.IntN(6) == 0 {
			switch v := any(x).(type) {
			case []float32:
				v[i] = float32(single[src.IntN(len(single))])
			case []float64:
				v[i] = double[src.IntN(len(double))]
			}
		}
	}
	return x
}

// bits returns the bits of a number; what is not a number has many, which differ between machines.
func bits[T Float](v T) uint64 {
	if v != v {
		return 1
	}
	return math.Float64bits(float64(v))
}

// sameBits calls f in all ways, each time with the same random numbers, and compares what it
// returns.
func sameBits[T Float](t *testing.T, name string, seed uint64, f func(src *rand.Rand) [][]T) {
	t.Helper()
	var want [][]T
	inAllWays(func(way string) {
		got := f(rand.New(rand.NewPCG(seed, 2)))
		if want == nil {
			want = got
			return
		}
		for k := range want {
			for i, v := range want[k] {
				if bits(v) != bits(got[k][i]) {
					t.Fatalf("%s, result %d, number %d: %v in vectors, %v %s", name, k, i, v, got[k][i], way)
				}
			}
		}
	})
}

// Vector kernels give the bits of the scalar loops: any sizes, and numbers of every kind.
func TestVectorsGiveTheBitsOfScalars(t *testing.T) {
	shapes := rand.New(rand.NewPCG(12, 1))
	large := [][3]int{{67, 3, 19}, {9, 261, 18}, {10, 9, 517}, {67, 259, 50}, {150, 20, 36}, // more than a block of copies
		{261, 48, 8}, {258, 64, 8}} // tall
	for seed := range uint64(200) {
		n, h, d := shapes.IntN(35), shapes.IntN(35), shapes.IntN(21)
		if seed%8 == 0 {
			d = 4 * shapes.IntN(20)
		}
		if at := int(seed) - 100; at >= 0 && at < len(large) {
			n, h, d = large[at][0], large[at][1], large[at][2]
		}
		name := fmt.Sprintf("%d x %d x %d", n, h, d)
		sameBits(t, "float32 "+name, seed, func(src *rand.Rand) [][]float32 { return matrices[float32](src, n, h, d) })
		sameBits(t, "float64 "+name, seed, func(src *rand.Rand) [][]float64 { return matrices[float64](src, n, h, d) })
		sameBits(t, "columns "+name, seed, func(src *rand.Rand) [][]float64 { return columns(src, n+1, d) })
	}
}

// matrices runs the loops over matrices.
func matrices[T Float](src *rand.Rand, n, h, d int) [][]T {
	a, b, g := awkward[T](src, n*h), awkward[T](src, h*d), awkward[T](src, n*d)
	product, sum := make([]T, n*d), awkward[T](src, h*d)
	Mul(product, a, b, n, h, d)
	AddMulTrans(sum, a, g, n, h, d)
	start, index := []int32{0}, []int32(nil)
	for range n {
		for j := range h {
			if src.IntN(3) == 0 {
				index = append(index, int32(j))
			}
		}
		start = append(start, int32(len(index)))
	}
	sparse, pattern, scaled := make([]T, n*d), make([]T, n*d), awkward[T](src, n*d)
	SparseMul(sparse, start, index, awkward[T](src, len(index)), b, d)
	scale := awkward[T](src, n)
	PatternMul(pattern, start, index, scale, b, d)
	ScaleRows(scaled, scaled, scale, d)
	out := [][]T{product, sum, sparse, pattern, scaled}
	if d > 0 {
		y, db := awkward[T](src, n*d), awkward[T](src, d)
		squares := Residual(y, y, awkward[T](src, n*d), awkward[T](src, d), db, 0.3)
		out = append(out, y, db, []T{T(squares)})
	}
	for _, decay := range []float64{0, 0.01} {
		r := NewAdamRate[T](AdamPowers{.5, .99}, .02, decay)
		w, m, v, w2 := awkward[T](src, n*h), awkward[T](src, n*h), awkward[T](src, n*h), awkward[T](src, h*d)
		u := make([]T, n*d)
		AdamFactored(w, m, v, u, g, b, w2, n, h, d, &r)
		out = append(out, w, m, v, u)
		w, m, v = awkward[T](src, n*h), awkward[T](src, n*h), awkward[T](src, n*h)
		Adam(w, m, v, a, &r)
		out = append(out, w, m, v)
	}
	at := make([]int32, n)
	for i, row := range src.Perm(n + 2)[:n] {
		at[i] = int32(row)
	}
	placed, collected, total := make([]float64, (n+2)*d), make([]T, n*d), awkward[T](src, d)
	Place(placed, at, product, g, awkward[T](src, d), scale)
	Collect(collected, total, awkward[float64](src, (n+2)*d), at, scale)
	rounded := make([]T, len(placed))
	Round(rounded, placed)
	if h > 0 {
		table, change := awkward[T](src, n*h), awkward[T](src, h)
		targets := make([]int32, 3*n)
		for i := range targets {
			targets[i] = int32(src.IntN(2 * n))
		}
		loss := SkipGram(table, awkward[T](src, h), change, targets, 0.025)
		out = append(out, table, change, []T{T(loss)})
	}
	return append(out, rounded, collected, total)
}

// columns runs the loops over columns, and the reflection.
func columns(src *rand.Rand, n, count int) [][]float64 {
	const stride = 3
	x, a, coef, weight := awkward[float64](src, count*n), awkward[float64](src, n), awkward[float64](src, stride*count), awkward[float64](src, count*n)
	combined, mixed, distance, sums := make([]float64, n), make([]float64, n), make([]float64, n), awkward[float64](src, count)
	Combine(combined, 0.5, coef, stride, count, x)
	Blend(mixed, weight, x, n, count)
	Squares(distance, x, coef[:count])
	Inner(sums, a, x)
	exps := fill[float64](src, n)
	for i, v := range exps {
		exps[i] = -math.Abs(v) * math.Pow(10, 3*src.Float64()-1)
	}
	exps[src.IntN(n)] = math.NaN()
	Exps(exps)
	add := awkward[float64](src, n*count)
	AddMul(add, awkward[float64](src, n*7), awkward[float64](src, 7*count), n, 7, count)
	reflected := awkward[float64](src, n*(count+1))
	Reflect(reflected, n, count+1, awkward[float64](src, n*stride), stride, 1.3, make([]float64, count))
	out := [][]float64{combined, mixed, distance, sums, exps, add, reflected}
	if count > 0 {
		soft, top, sum := fill[float64](src, count*n), make([]float64, n), make([]float64, n)
		Softmax(soft, top, sum)
		out = append(out, soft, top, sum)
	}
	return out
}
