package connectome

import "math"

// Moments returns the skewness m3/m2^1.5 and the excess kurtosis m4/m2^2 - 3 of x, m being
// the central moments over all frames (biased). Both are 0 if x is constant.
func Moments(x []float64) (skewness, kurtosis float64) {
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	n := float64(len(x))
	mean /= n
	m2, m3, m4 := 0.0, 0.0, 0.0
	for _, v := range x {
		d := v - mean
		s := float64(d * d)
		m2 += s
		m3 += float64(s * d)
		m4 += float64(s * s)
	}
	m2, m3, m4 = m2/n, m3/n, m4/n
	if m2 == 0 {
		return 0, 0
	}
	return m3 / float64(m2*math.Sqrt(m2)), m4/float64(m2*m2) - 3
}

// Unbiased corrects biased moments of n frames to G1 and G2. It panics if n < 4.
func Unbiased(n int, skewness, kurtosis float64) (g1, g2 float64) {
	if n < 4 {
		panic(ErrShape)
	}
	f := float64(n)
	g1 = float64(math.Sqrt(float64(f*(f-1)))*skewness) / (f - 2)
	g2 = (f - 1) / float64((f-2)*(f-3)) * (float64((f+1)*kurtosis) + 6)
	return g1, g2
}

// ZScore scales x to mean 0 and population standard deviation 1. If its deviation is at
// most floor, x becomes 0 throughout and false is returned.
func ZScore(x []float64, floor float64) bool {
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	n := float64(len(x))
	mean /= n
	sum := 0.0
	for t := range x {
		x[t] -= mean
		sum += float64(x[t] * x[t])
	}
	deviation := math.Sqrt(sum / n)
	if !(deviation > floor) {
		clear(x)
		return false
	}
	for t := range x {
		x[t] /= deviation
	}
	return true
}

// Correlate writes the Pearson correlations of m series of n frames, rows of x, to the
// m x m matrix dst, with a diagonal of 1. The rows have mean 0 and population standard
// deviation 1, as [ZScore] leaves them; a row of zeros correlates with nothing, not with
// itself either.
func Correlate(dst []float64, x []float64, m, n int) {
	if len(dst) != m*m || len(x) != m*n {
		panic(ErrShape)
	}
	row := func(i int) []float64 { return x[i*n : (i+1)*n] }
	put := func(i, j int, sum float64) {
		r := min(max(sum/float64(n), -1), 1)
		dst[i*m+j], dst[j*m+i] = r, r
	}
	// Four columns at a time: their sums do not wait for each other.
	for i := range m {
		a := row(i)
		j := i + 1
		for ; j+4 <= m; j += 4 {
			b, c, d, e := row(j)[:len(a)], row(j + 1)[:len(a)], row(j + 2)[:len(a)], row(j + 3)[:len(a)]
			var s, t, u, v float64
			for k, y := range a {
				s += float64(y * b[k])
				t += float64(y * c[k])
				u += float64(y * d[k])
				v += float64(y * e[k])
			}
			put(i, j, s)
			put(i, j+1, t)
			put(i, j+2, u)
			put(i, j+3, v)
		}
		for ; j < m; j++ {
			b, s := row(j)[:len(a)], 0.0
			for k, y := range a {
				s += float64(y * b[k])
			}
			put(i, j, s)
		}
		dst[i*m+i] = 1
		if n > 0 && length(a) == 0 {
			dst[i*m+i] = 0
		}
	}
}
