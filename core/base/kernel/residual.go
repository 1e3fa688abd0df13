package kernel

// Residual sets y (n x d) to step (c + 1 b' - s), c and s being n x d, adds the column sums of y
// to db (d) and returns |c + 1 b' - s|^2. Squares are summed in double precision, those of
// each column apart, then the columns.
func Residual[T Float](y, c, s, b, db []T, step T) float64 {
	d := len(b)
	if d == 0 || len(y)%d != 0 || len(c) != len(y) || len(s) != len(y) || len(db) != d {
		panic(ErrShape)
	}
	total := 0.0
	for k := 0; k < d && len(y) > 0; k += 8 {
		var squares [8]float64
		width := min(8, d-k)
		switch x, single := any(y[k:]).([]float32); {
		case single && vectorReady && d%4 == 0:
			vectorResidual(x, any(c[k:]).([]float32), any(s[k:]).([]float32), any(b[k:]).([]float32), any(db[k:]).([]float32), float32(step), &squares, d)
		case d == 8:
			for at := 0; at < len(y); at += 8 {
				residual8((*[8]T)(y[at:]), (*[8]T)(c[at:]), (*[8]T)(s[at:]), (*[8]T)(b), (*[8]T)(db), step, &squares)
			}
		default:
			for at := k; at < len(y); at += d {
				for i := range width {
					x := c[at+i] + b[k+i] - s[at+i]
					squares[i] += float64(float64(x) * float64(x))
					x = T(step * x)
					y[at+i] = x
					db[k+i] += x
				}
			}
		}
		for _, v := range squares[:width] {
			total += v
		}
	}
	return total
}

// residual8 is one row of Residual for d = 8.
func residual8[T Float](y, c, s, b, db *[8]T, step T, squares *[8]float64) {
	x0, x1, x2, x3 := c[0]+b[0]-s[0], c[1]+b[1]-s[1], c[2]+b[2]-s[2], c[3]+b[3]-s[3]
	x4, x5, x6, x7 := c[4]+b[4]-s[4], c[5]+b[5]-s[5], c[6]+b[6]-s[6], c[7]+b[7]-s[7]
	squares[0] += float64(float64(x0) * float64(x0))
	squares[1] += float64(float64(x1) * float64(x1))
	squares[2] += float64(float64(x2) * float64(x2))
	squares[3] += float64(float64(x3) * float64(x3))
	squares[4] += float64(float64(x4) * float64(x4))
	squares[5] += float64(float64(x5) * float64(x5))
	squares[6] += float64(float64(x6) * float64(x6))
	squares[7] += float64(float64(x7) * float64(x7))
	x0, x1, x2, x3 = T(step*x0), T(step*x1), T(step*x2), T(step*x3)
	x4, x5, x6, x7 = T(step*x4), T(step*x5), T(step*x6), T(step*x7)
	y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7] = x0, x1, x2, x3, x4, x5, x6, x7
	db[0] += x0
	db[1] += x1
	db[2] += x2
	db[3] += x3
	db[4] += x4
	db[5] += x5
	db[6] += x6
	db[7] += x7
}

// Add adds x to dst, of the same length.
func Add[T Float](dst, x []T) {
	if len(dst) != len(x) {
		panic(ErrShape)
	}
	i := 0
	for ; i+8 <= len(x); i += 8 {
		a, b := (*[8]T)(dst[i:]), (*[8]T)(x[i:])
		a[0] += b[0]
		a[1] += b[1]
		a[2] += b[2]
		a[3] += b[3]
		a[4] += b[4]
		a[5] += b[5]
		a[6] += b[6]
		a[7] += b[7]
	}
	for ; i < len(x); i++ {
		dst[i] += x[i]
	}
}

// Pooled graphs are sums in the precision of the encoders, and the heads work in double precision,
// in an order of their own. Place and Collect convert between the two; at holds row numbers,
// checked by the caller, and a row has d numbers.

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
