package kernel

// Pooled graphs are sums in the precision of the encoders, and what predicts from them works in
// double precision, in an order of its own. Place and Collect go from one to the other; at holds
// row numbers, checked by the caller, and a row has d numbers.

// Place sets row at[i] of dst to row i of x (n x d) + count[i] b + row i of y (n x d), rounded
// to T after each operation, for i < n = len(at).
func Place[T Float](dst []float64, at []int32, x, y, b, count []T) {
	n, d := len(at), len(b)
	if len(x) != n*d || len(y) != n*d || len(count) != n {
		panic(ErrShape)
	}
	if x, ok := any(x).([]float32); ok && vectorReady && d%4 == 0 && d > 0 {
		vectorPlace(dst, at, x, any(y).([]float32), any(b).([]float32), any(count).([]float32))
		return
	}
	for i, to := range at {
		c, o, x, y := count[i], dst[int(to)*d:][:d], x[i*d:][:d], y[i*d:][:d]
		for j, b := range b {
			o[j] = float64(x[j] + T(c*b) + y[j])
		}
	}
}

// Collect sets row i of dst (n x d) to row at[i] of x, rounded to T, and adds count[i] times it
// to sum (d), in the order of i.
func Collect[T Float](dst, sum []T, x []float64, at []int32, count []T) {
	n, d := len(at), len(sum)
	if len(dst) != n*d || len(count) != n {
		panic(ErrShape)
	}
	if dst, ok := any(dst).([]float32); ok && vectorReady && d%4 == 0 && d > 0 {
		vectorCollect(dst, any(sum).([]float32), x, at, any(count).([]float32))
		return
	}
	for i, from := range at {
		c, o, x := count[i], dst[i*d:][:d], x[int(from)*d:][:d]
		for j, v := range x {
			v := T(v)
			o[j] = v
			sum[j] += T(c * v)
		}
	}
}
