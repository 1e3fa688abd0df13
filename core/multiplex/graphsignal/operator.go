package graphsignal

import (
	"math"
	"slices"

	"cadem.example/core/multiplex"
)

// An Operator sets dst to a symmetric matrix times x, both of one value a node.
type Operator func(dst, x []float64)

// Adjacency returns the product with the adjacency matrix a (n x n).
func Adjacency(a *multiplex.CSR) Operator { return func(dst, x []float64) { multiply(dst, a, x) } }

func multiply(dst []float64, a *multiplex.CSR, x []float64) {
	ErrShape.Unless(len(dst) == a.Rows && len(x) == a.Cols)
	for i := range dst {
		from, to, sum := a.Start[i], a.Start[i+1], 0.0
		index := a.Index[from:to]
		if a.Value != nil {
			for k, j := range index {
				sum += float64(a.Value[int(from)+k] * x[j])
			}
			index = nil
		}
		for len(index) >= 4 { // turns of a loop are dear in WebAssembly
			j := (*[4]int32)(index)
			sum = sum + x[j[0]] + x[j[1]] + x[j[2]] + x[j[3]]
			index = index[4:]
		}
		for _, j := range index {
			sum += x[j]
		}
		dst[i] = sum
	}
}

// Laplacian returns the product with L = diag(W 1) - W.
func Laplacian(w *multiplex.CSR) Operator {
	product := Adjacency(w)
	degree := make([]float64, w.Rows)
	product(degree, slices.Repeat([]float64{1}, w.Cols))
	return func(dst, x []float64) {
		product(dst, x)
		for i, d := range degree {
			dst[i] = float64(d*x[i]) - dst[i]
		}
	}
}

// PowerIteration returns the Rayleigh quotient v'Av of the power iteration from start
// once it changes by less than one part in a million, after 200 steps at most: from
// below close to the largest eigenvalue, as far as start is not orthogonal to it.
func PowerIteration(a Operator, start []float64) float64 {
	const tiny = 1e-12 // added to norms, as in the authors' program
	v, w := make([]float64, len(start)), make([]float64, len(start))
	Add(v, 1/(Norm(start)+tiny), start)
	value := 0.0
	for range 200 {
		a(w, v)
		last := value
		value = Dot(v, w)
		scale := Norm(w) + tiny
		for i := range v {
			v[i] = w[i] / scale
		}
		if math.Abs(value-last) < float64(1e-6*(math.Abs(last)+tiny)) {
			break
		}
	}
	return value
}

// SpectralRadius returns the largest absolute eigenvalue of the adjacency matrix of a
// connected graph with weights >= 0, which is its largest eigenvalue; to rounding, by
// the Lanczos method from the vector of ones.
func SpectralRadius(a *multiplex.CSR) float64 {
	_, diagonal, below := lanczos(Adjacency(a), slices.Repeat([]float64{1}, a.Rows), 80)
	eigenTridiagonal(diagonal, below, nil)
	radius := 0.0
	for _, v := range diagonal {
		radius = max(radius, v)
	}
	return radius
}
