package baseline

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex"
)

// SymNorm returns D^-1/2 B D^-1/2 of B = A + w I, D being the diagonal of the row sums of B. Rows and
// columns whose sum is 0 are 0.
func SymNorm(a *multiplex.CSR, w float64) *multiplex.CSR {
	m := a.Rows
	start, index, value := make([]int32, 1, m+1), make([]int32, 0, a.NNZ()+m), make([]float64, 0, a.NNZ()+m)
	scale := make([]float64, m)
	for i := range m {
		own := w == 0 // whether the diagonal is done
		diagonal := func() {
			if !own {
				index, value, own = append(index, int32(i)), append(value, w), true
			}
		}
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			j, v := a.Index[k], 1.0
			if a.Value != nil {
				v = a.Value[k]
			}
			if int(j) == i {
				v, own = v+w, true
			} else if int(j) > i {
				diagonal()
			}
			index, value = append(index, j), append(value, v)
		}
		diagonal()
		sum := 0.0
		for _, v := range value[start[i]:] {
			sum += v
		}
		if sum > 0 {
			scale[i] = 1 / math.Sqrt(sum)
		}
		start = append(start, int32(len(index)))
	}
	b, err := multiplex.NewCSR(m, m, start, index, value)
	if err != nil {
		panic(err) // A is one
	}
	return onBothSides(b, scale)
}

// onBothSides makes A with values diag(s) A diag(s), and returns it.
func onBothSides(a *multiplex.CSR, s []float64) *multiplex.CSR {
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			a.Value[k] = float64(s[i]*a.Value[k]) * s[a.Index[k]]
		}
	}
	return a
}

// times sets dst (rows x d) to X u, u being columns x d.
func times(dst []float64, x *multiplex.Features, u []float64, d int) {
	switch {
	case x.IsIdentity():
		copy(dst, u)
	case x.Sparse == nil:
		kernel.Mul(dst, x.Dense, u, x.Rows, x.Cols, d)
	default:
		kernel.SparseMul(dst, x.Sparse.Start, x.Sparse.Index, valuesOf(x.Sparse), u, d)
	}
}

// valuesOf returns the stored values of a matrix, also where all of them are 1.
func valuesOf(a *multiplex.CSR) []float64 {
	if a.Value != nil {
		return a.Value
	}
	return slices.Repeat([]float64{1}, a.NNZ())
}
