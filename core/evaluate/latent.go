package evaluate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
)

// R2 returns, for each fold, the share of the variance of the latent variables y (n x k) that a linear
// regression on an embedding x (n x d) predicts for the items of the fold, fitted to the others: 1 less
// the squared errors over the squared distances from the mean of the fitted items. It is 0 if the mean
// predicts better, and for an embedding without any direction.
//
// Both are centred by the fitted items; a ridge of a millionth of the mean variance of x suppresses
// spurious directions.
func R2(x, y *mat.Dense, folds int, seed uint64) []float64 {
	n, d := x.Dims()
	rows, k := y.Dims()
	ErrShape.Unless(rows == n && folds >= 2 && folds <= n)
	order := make([]int, n)
	rng.New(seed, "evaluate/r2").Perm(order)
	var found []float64
	for f := range folds {
		var train, test []int
		for i, item := range order {
			if i%folds == f {
				test = append(test, item)
			} else {
				train = append(train, item)
			}
		}
		slices.Sort(train)
		xm, ym := meanOf(x, train), meanOf(y, train)
		gram, along := make([]float64, d*d), make([]float64, d*k)
		for _, i := range train {
			xi, yi := less(x.RawRowView(i), xm), less(y.RawRowView(i), ym)
			for a, v := range xi {
				kernel.AddScaled(gram[a*d:(a+1)*d], xi, v)
				kernel.AddScaled(along[a*k:(a+1)*k], yi, v)
			}
		}
		trace := 0.0
		for a := range d {
			trace += gram[a*d+a]
		}
		if trace == 0 {
			found = append(found, 0)
			continue
		}
		for a := range d {
			gram[a*d+a] += 1e-6 * trace / float64(d)
		}
		cholesky(gram, d)
		weight := make([][]float64, k)
		for c := range weight {
			weight[c] = make([]float64, d)
			for a := range d {
				weight[c][a] = along[a*k+c]
			}
			solve(gram, d, weight[c])
		}
		wrong, all := 0.0, 0.0
		for _, i := range test {
			xi, yi := less(x.RawRowView(i), xm), less(y.RawRowView(i), ym)
			for c, v := range yi {
				e := v - dot(weight[c], xi)
				wrong += float64(e * e)
				all += float64(v * v)
			}
		}
		found = append(found, max(0, 1-wrong/math.Max(all, math.SmallestNonzeroFloat64)))
	}
	return found
}

func meanOf(x *mat.Dense, items []int) []float64 {
	_, d := x.Dims()
	m := make([]float64, d)
	for _, i := range items {
		kernel.AddScaled(m, x.RawRowView(i), 1/float64(len(items)))
	}
	return m
}

func less(x, mean []float64) []float64 {
	y := slices.Clone(x)
	kernel.AddScaled(y, mean, -1)
	return y
}

// HSIC returns how much two embeddings of the same items (n x any) depend on each other: the
// Hilbert-Schmidt independence criterion with Gaussian kernels (Gretton and others 2005), of a width
// that is the median distance between items, over the root of what each has with itself: 0 for
// independent ones of many items, 1 for the same. It is 0 of an embedding whose items are all one point.
func HSIC(x, y *mat.Dense) float64 {
	a, b := centredKernel(x), centredKernel(y)
	ErrShape.Unless(len(a) == len(b))
	if norm := math.Sqrt(dot(a, a)) * math.Sqrt(dot(b, b)); norm > 0 {
		return dot(a, b) / norm
	}
	return 0
}

// centredKernel returns the Gaussian kernel between all items, less the means of rows and columns.
func centredKernel(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	k := products(x)
	square := func(i, j int) float64 { return max(0, k[i*n+i]+k[j*n+j]-float64(2*k[i*n+j])) }
	var distances []float64
	for i := range n {
		for j := range i {
			distances = append(distances, square(i, j))
		}
	}
	slices.Sort(distances)
	middle := 0.0
	if len(distances) > 0 {
		middle = distances[len(distances)/2]
	}
	if middle == 0 {
		return make([]float64, n*n)
	}
	g := make([]float64, n*n)
	mean, total := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			g[i*n+j] = kernel.Exp(-square(i, j) / (2 * middle))
			mean[i] += g[i*n+j] / float64(n)
		}
		total += mean[i] / float64(n)
	}
	for i := range n {
		for j := range n {
			g[i*n+j] += total - mean[i] - mean[j]
		}
	}
	return g
}
