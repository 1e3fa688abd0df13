package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func testPooled[T Float](t *testing.T) {
	src := rand.New(rand.NewPCG(11, 1))
	for _, d := range []int{1, 3, 4, 8, 9, 12, 16} {
		for _, n := range []int{0, 1, 7} {
			at := make([]int32, n)
			for i, row := range src.Perm(n + 2)[:n] {
				at[i] = int32(row)
			}
			x, y, b, count := fill[T](src, n*d), fill[T](src, n*d), fill[T](src, d), fill[T](src, n)
			got := fill[float64](src, (n+2)*d)
			want := slices.Clone(got)
			for i, row := range at {
				for k := range d {
					want[int(row)*d+k] = float64(x[i*d+k] + T(count[i]*b[k]) + y[i*d+k])
				}
			}
			Place(got, at, x, y, b, count)
			if !slices.Equal(got, want) {
				t.Errorf("Place %d x %d differs from its definition", n, d)
			}
			rows, out, sum := fill[float64](src, (n+2)*d), fill[T](src, n*d), fill[T](src, d)
			rounded, total := make([]T, n*d), slices.Clone(sum)
			for i, row := range at {
				for k := range d {
					v := T(rows[int(row)*d+k])
					rounded[i*d+k] = v
					total[k] += T(count[i] * v)
				}
			}
			Collect(out, sum, rows, at, count)
			if !slices.Equal(out, rounded) || !slices.Equal(sum, total) {
				t.Errorf("Collect %d x %d differs from its definition", n, d)
			}
		}
	}
}

func TestPooled(t *testing.T) {
	t.Run("float32", testPooled[float32])
	t.Run("float64", testPooled[float64])
}
