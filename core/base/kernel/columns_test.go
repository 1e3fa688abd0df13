package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every loop must be its definition, term by term in order, with the same bits: many counts of
// columns and items, since loops and kernels take several at a time.
func TestColumnsFromTheirDefinition(t *testing.T) {
	src := rand.New(rand.NewPCG(4, 1))
	for q := range 20 {
		for _, n := range []int{1, 2, 7, 8, 9, 16, 20, 33} {
			const stride = 3
			x, a, coef, weight := fill[float64](src, q*n), fill[float64](src, n), fill[float64](src, stride*q), fill[float64](src, q*n)
			start := fill[float64](src, q)
			got, mixed, dist, sums := make([]float64, n), make([]float64, n), make([]float64, n), slices.Clone(start)
			Combine(got, 0.5, coef, stride, q, x)
			Blend(mixed, weight, x, n, q)
			Squares(dist, x, coef[:q])
			Inner(sums, a, x)
			// In two parts, the first of an even number of items, each with its columns side by side.
			halves, part := make([]float64, 2*q), n/2&^1
			for _, of := range [2][2]int{{0, part}, {part, n}} {
				var columns []float64
				for j := range q {
					columns = append(columns, x[j*n+of[0]:j*n+of[1]]...)
				}
				Halves(halves, a[of[0]:of[1]], columns)
			}
			for i := range n {
				want, wantMixed, wantDist := 0.5, 0.0, 0.0
				for j := range q {
					v := x[j*n+i]
					d := v - coef[j]
					want += float64(coef[j*stride] * v)
					wantMixed += float64(weight[j*n+i] * v)
					wantDist += float64(d * d)
				}
				if got[i] != want || mixed[i] != wantMixed || dist[i] != wantDist {
					t.Fatalf("%d columns, item %d of %d: %v, %v, %v, want %v, %v, %v", q, i, n, got[i], mixed[i], dist[i], want, wantMixed, wantDist)
				}
			}
			for j := range q {
				var half [2]float64
				for i := range n {
					half[i%2] += float64(a[i] * x[j*n+i])
				}
				if want := start[j] + (half[0] + half[1]); sums[j] != want {
					t.Fatalf("%d columns of %d items: inner product %d is %v, want %v", q, n, j, sums[j], want)
				}
				if halves[2*j] != half[0] || halves[2*j+1] != half[1] {
					t.Fatalf("%d columns of %d items: halves %d are %v, want %v", q, n, j, halves[2*j:2*j+2], half)
				}
			}
		}
	}
}

// The exponentials have the same bits at any position in a column.
func TestExpsDoNotDependOnTheirPlace(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 1))
	x := make([]float64, 1001)
	for i := range x {
		x[i] = -src.ExpFloat64() * math.Pow(10, 3*src.Float64()-1)
	}
	together := slices.Clone(x)
	Exps(together)
	for i, v := range x {
		alone := []float64{v}
		Exps(alone)
		if alone[0] != together[i] {
			t.Fatalf("e**%v is %v alone and %v among others", v, alone[0], together[i])
		}
	}
}

func TestColumnsRefuseShapes(t *testing.T) {
	x := make([]float64, 6)
	for name, f := range map[string]func(){
		"combine":         func() { Combine(x[:3], 0, x, 1, 3, x) },
		"combine, stride": func() { Combine(x[:3], 0, x[:1], 1, 2, x) },
		"blend":           func() { Blend(x[:3], x, x, 4, 2) },
		"blend, weights":  func() { Blend(x[:3], x[:5], x, 3, 2) },
		"squares":         func() { Squares(x[:3], x, x[:3]) },
		"inner":           func() { Inner(x[:3], x[:3], x) },
		"halves":          func() { Halves(x[:6], x[:3], x) },
		"odd halves":      func() { Halves(x[:3], x[:1], x) },
	} {
		func() {
			defer func() {
				if recover() != ErrShape {
					t.Errorf("%s: no ErrShape", name)
				}
			}()
			f()
		}()
	}
}
