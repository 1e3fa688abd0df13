package cadem

import "math"

// Kept returns how many of m nodes an augmented graph keeps: floor(r m), at least one. The small
// term keeps 0.58 of 50, which rounds to 28.999999999999996, at 29.
func (o *Options) Kept(m int) int {
	return max(1, int(math.Floor(float64(o.NodeRatio*float64(m))+1e-9)))
}

// PooledNoise returns the standard deviation of the noise of a pooled graph of count nodes: the
// sum of count draws of N(0, sigma^2) is one of N(0, count sigma^2).
func (o *Options) PooledNoise(count int) float64 {
	return float64(o.Noise * math.Sqrt(float64(count)))
}
