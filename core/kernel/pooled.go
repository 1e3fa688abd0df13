package kernel

// Pooled graphs are sums in the precision of the encoders, and what predicts from them works
// in double precision, in an order of its own. Place and Collect go from one to the other; the
// rows at are numbers of rows of d numbers that the caller has checked.

// Place sets row at[i] of dst to row i of x (n x d) + count[i] b + row i of y (n x d), rounded
// to T after each operation, for i < n = len(at).
func Place[T Float](dst []float64, at []int32, x, y, b, count []T) {
	n, d := len(at), len(b)
	if len(x) != n*d || len(y) != n*d || len(count) != n {
		panic(ErrShape)
	}
	if x, ok := any(x).([]float32); ok && vectorReady && d%4 == 0 {
		vectorPlace(dst, at, x, any(y).([]float32), any(b).([]float32), any(count).([]float32))
		return
	}
	for i, to := range at {
		c, j := count[i], 0
		o, x, y := dst[int(to)*d:][:d], x[i*d:][:d], y[i*d:][:d]
		for ; j+8 <= d; j += 8 {
			o, x, y, b := (*[8]float64)(o[j:]), (*[8]T)(x[j:]), (*[8]T)(y[j:]), (*[8]T)(b[j:])
			o[0], o[1] = float64(x[0]+T(c*b[0])+y[0]), float64(x[1]+T(c*b[1])+y[1])
			o[2], o[3] = float64(x[2]+T(c*b[2])+y[2]), float64(x[3]+T(c*b[3])+y[3])
			o[4], o[5] = float64(x[4]+T(c*b[4])+y[4]), float64(x[5]+T(c*b[5])+y[5])
			o[6], o[7] = float64(x[6]+T(c*b[6])+y[6]), float64(x[7]+T(c*b[7])+y[7])
		}
		for ; j < d; j++ {
			o[j] = float64(x[j] + T(c*b[j]) + y[j])
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
	if dst, ok := any(dst).([]float32); ok && vectorReady && d%4 == 0 {
		vectorCollect(dst, any(sum).([]float32), x, at, any(count).([]float32))
		return
	}
	for i, from := range at {
		c, j := count[i], 0
		o, x := dst[i*d:][:d], x[int(from)*d:][:d]
		for ; j+4 <= d; j += 4 {
			o, s, x := (*[4]T)(o[j:]), (*[4]T)(sum[j:]), (*[4]float64)(x[j:])
			x0, x1, x2, x3 := T(x[0]), T(x[1]), T(x[2]), T(x[3])
			o[0], o[1], o[2], o[3] = x0, x1, x2, x3
			s[0] += T(c * x0)
			s[1] += T(c * x1)
			s[2] += T(c * x2)
			s[3] += T(c * x3)
		}
		for ; j < d; j++ {
			v := T(x[j])
			o[j] = v
			sum[j] += T(c * v)
		}
	}
}
