package kernel_test

import (
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"cadem.example/core/base/kernel"
)

// Loops work on arrays of the sizes that the compared methods give them. Other programs make the same arrays
// (scripts/bench/torch/loops.py), so sizes and numbers agree with theirs.

// The sizes. The sparse matrix is like the largest layer of ACM.
const (
	nodes    = 3000
	features = 512
	narrow   = 64

	papers  = 3025
	density = 0.24 // 2.2 million entries

	words   = 10_000
	pairs   = 20_000
	targets = 6    // of a pair: what comes with it, and five that were drawn
	rate    = 1e-4 // so small that the order of updates, which differs between programs, hardly matters

	items   = 100_000
	classes = 16
	spread  = 20 // of the numbers that softmax takes
)

// A loop makes arrays, and gives the work on them and its result: the sum of squares, or the loss of skip-gram.
type loop func() (run func(), found func() float64)

// BenchmarkLoops times the kernels that methods spend their time in, and the dense products of gonum beside them. "found" is the
// result of a loop on fresh arrays.
func BenchmarkLoops(b *testing.B) {
	for _, l := range []struct {
		key         string
		ours, gonum loop
	}{
		{"dense32", product[float32](features), gonumSingle(blas.NoTrans, nodes, features, features)},
		{"dense64", product[float64](features), gonumDouble},
		{"narrow32", product[float32](narrow), gonumSingle(blas.NoTrans, nodes, features, narrow)},
		{"transposed32", transposed[float32], gonumSingle(blas.Trans, features, nodes, features)},
		{"sparse32", sparse[float32], nil},
		{"sparse64", sparse[float64], nil},
		{"skipgram32", skipGram[float32], nil},
		{"softmax64", softmax, nil},
	} {
		measure := func(program string, make loop, vectors bool) {
			b.Run(l.key+"/"+program, func(b *testing.B) {
				defer kernel.UseVectors(kernel.UseVectors(vectors))
				run, found := make()
				run()
				sum := found()
				for b.Loop() {
					run()
				}
				b.ReportMetric(sum, "found")
			})
		}
		measure("scalar", l.ours, false)
		measure("vectors", l.ours, true)
		if l.gonum != nil {
			measure("gonum", l.gonum, true)
		}
	}
}

// squares is the sum of the squares.
func squares[T kernel.Float](x []T) (sum float64) {
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}

// mix returns number i of a sequence without a pattern.
func mix(i int) uint32 {
	x := uint32(i)
	x ^= x >> 15
	x *= 0x2c1b3c6d
	x ^= x >> 12
	x *= 0x297a2d39
	return x ^ x>>15
}

// filled returns n numbers between -1/2 and 1/2, other ones for every seed.
func filled[T kernel.Float](n, seed int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(float64(mix(i+seed<<24))/(1<<32) - 0.5)
	}
	return x
}

func product[T kernel.Float](d int) loop {
	return func() (func(), func() float64) {
		a, b, dst := filled[T](nodes*features, 1), filled[T](features*d, 2), make([]T, nodes*d)
		return func() { kernel.Mul(dst, a, b, nodes, features, d) }, func() float64 { return squares(dst) }
	}
}

func transposed[T kernel.Float]() (func(), func() float64) {
	a, g := filled[T](nodes*features, 1), filled[T](nodes*features, 2)
	dst := make([]T, features*features)
	return func() { kernel.AddMulTrans(dst, a, g, nodes, features, features) }, func() float64 { return squares(dst) }
}

func sparse[T kernel.Float]() (func(), func() float64) {
	start, index := []int32{0}, []int32(nil)
	for i := range papers {
		for j := range papers {
			if float64(mix(i*papers+j)) < density*(1<<32) {
				index = append(index, int32(j))
			}
		}
		start = append(start, int32(len(index)))
	}
	value, b, dst := filled[T](len(index), 1), filled[T](papers*narrow, 2), make([]T, papers*narrow)
	return func() { kernel.SparseMul(dst, start, index, value, b, narrow) }, func() float64 { return squares(dst) }
}

func skipGram[T kernel.Float]() (func(), func() float64) {
	input, table, change, loss := filled[T](words*narrow, 1), filled[T](words*narrow, 2), make([]T, narrow), 0.0
	row := func(i, seed int) int { return int(mix(i+seed<<24) % words) }
	var list []int32
	for i := range pairs * targets {
		t := 2 * row(i, 4)
		if i%targets == 0 {
			t++
		}
		list = append(list, int32(t))
	}
	run := func() {
		loss = 0
		for p := range pairs {
			x := input[row(p, 3)*narrow:][:narrow]
			clear(change)
			loss += kernel.SkipGram(table, x, change, list[p*targets:(p+1)*targets], rate)
			for k, v := range change {
				x[k] += v
			}
		}
	}
	return run, func() float64 { return loss }
}

// softmax keeps the rows column by column, as the evaluation does.
func softmax() (func(), func() float64) {
	x, top, sum := filled[float64](items*classes, 1), make([]float64, items), make([]float64, items)
	for i := range x {
		x[i] *= spread
	}
	return func() { kernel.Softmax(x, top, sum) }, func() float64 { return squares(x) }
}

// gonumSingle multiplies an n x h matrix, which lies transposed if told so, by an h x d matrix.
func gonumSingle(t blas.Transpose, n, h, d int) loop {
	return func() (func(), func() float64) {
		matrix := func(rows, cols, seed int) blas32.General {
			return blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: filled[float32](rows*cols, seed)}
		}
		a, b, c := matrix(n, h, 1), matrix(h, d, 2), matrix(n, d, 3)
		if t == blas.Trans {
			a = matrix(h, n, 1)
		}
		return func() { blas32.Gemm(t, blas.NoTrans, 1, a, b, 0, c) }, func() float64 { return squares(c.Data) }
	}
}

func gonumDouble() (func(), func() float64) {
	matrix := func(rows, cols, seed int) blas64.General {
		return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: filled[float64](rows*cols, seed)}
	}
	a, b, c := matrix(nodes, features, 1), matrix(features, features, 2), matrix(nodes, features, 3)
	return func() { blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c) }, func() float64 { return squares(c.Data) }
}
