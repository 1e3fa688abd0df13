package kernel

// Round sets dst to the first numbers of x in its precision.
func Round[T Float](dst []T, x []float64) {
	for i, v := range x[:len(dst)] {
		dst[i] = T(v)
	}
}

// Doubles returns a copy of x in double precision.
func Doubles[T Float](x []T) []float64 {
	v := make([]float64, len(x))
	for i, x := range x {
		v[i] = float64(x)
	}
	return v
}
