package kernel

// Every product below sums in increasing order of the inner index, whatever the
// blocking, so the blocked loops, the plain ones and any later variant agree in
// every bit. The width d = 8 of the paper's embeddings has loops of its own: a loop
// over 8 columns costs more in its jumps than in its arithmetic.

// Mul sets dst (n x d) to a (n x h) times b (h x d).
func Mul[T Float](dst, a, b []T, n, h, d int) {
	if len(dst) != n*d || len(a) != n*h || len(b) != h*d {
		panic(ErrShape)
	}
	if x, ok := any(a).([]float32); ok && vectorMul(any(dst).([]float32), x, any(b).([]float32), n, h, d) {
		return
	}
	if x, ok := any(a).([]float64); ok && vectorMulDouble(any(dst).([]float64), x, any(b).([]float64), n, h, d, false) {
		return
	}
	if d == 8 {
		for i := range n {
			mulRow8((*[8]T)(dst[i*8:]), a[i*h:i*h+h], b)
		}
		return
	}
	for i := range n {
		mulRow(dst[i*d:i*d+d], a[i*h:i*h+h], b)
	}
}

// AddMul adds a (n x h) times b (h x d) to dst (n x d): entries are summed first, then added.
func AddMul(dst, a, b []float64, n, h, d int) {
	if len(dst) != n*d || len(a) != n*h || len(b) != h*d {
		panic(ErrShape)
	}
	if vectorMulDouble(dst, a, b, n, h, d, true) {
		return
	}
	for i := range n {
		x, o, k := a[i*h:i*h+h], dst[i*d:i*d+d], 0
		for ; k+4 <= d; k += 4 {
			var s0, s1, s2, s3 float64
			at := k
			for _, v := range x {
				c := (*[4]float64)(b[at:])
				s0 += float64(v * c[0])
				s1 += float64(v * c[1])
				s2 += float64(v * c[2])
				s3 += float64(v * c[3])
				at += d
			}
			o[k] += s0
			o[k+1] += s1
			o[k+2] += s2
			o[k+3] += s3
		}
		for ; k < d; k++ {
			s, at := 0.0, k
			for _, v := range x {
				s += float64(v * b[at])
				at += d
			}
			o[k] += s
		}
	}
}

// mulRow sets o (d) to the row x times b (len(x) x d), four columns at a time.
func mulRow[T Float](o, x, b []T) {
	d := len(o)
	k := 0
	for ; k+4 <= d; k += 4 {
		var s0, s1, s2, s3 T
		at := k
		for _, v := range x {
			c := (*[4]T)(b[at:])
			s0 += T(v * c[0])
			s1 += T(v * c[1])
			s2 += T(v * c[2])
			s3 += T(v * c[3])
			at += d
		}
		o[k], o[k+1], o[k+2], o[k+3] = s0, s1, s2, s3
	}
	for ; k < d; k++ {
		var s T
		at := k
		for _, v := range x {
			s += T(v * b[at])
			at += d
		}
		o[k] = s
	}
}

// mulRow8 sets o to the row x times b (len(x) x 8).
func mulRow8[T Float](o *[8]T, x, b []T) {
	var s0, s1, s2, s3, s4, s5, s6, s7 T
	j := 0
	for ; j+4 <= len(x); j += 4 {
		a := (*[4]T)(x[j:])
		c := (*[32]T)(b[j*8:])
		x0, x1, x2, x3 := a[0], a[1], a[2], a[3]
		s0 = s0 + T(x0*c[0]) + T(x1*c[8]) + T(x2*c[16]) + T(x3*c[24])
		s1 = s1 + T(x0*c[1]) + T(x1*c[9]) + T(x2*c[17]) + T(x3*c[25])
		s2 = s2 + T(x0*c[2]) + T(x1*c[10]) + T(x2*c[18]) + T(x3*c[26])
		s3 = s3 + T(x0*c[3]) + T(x1*c[11]) + T(x2*c[19]) + T(x3*c[27])
		s4 = s4 + T(x0*c[4]) + T(x1*c[12]) + T(x2*c[20]) + T(x3*c[28])
		s5 = s5 + T(x0*c[5]) + T(x1*c[13]) + T(x2*c[21]) + T(x3*c[29])
		s6 = s6 + T(x0*c[6]) + T(x1*c[14]) + T(x2*c[22]) + T(x3*c[30])
		s7 = s7 + T(x0*c[7]) + T(x1*c[15]) + T(x2*c[23]) + T(x3*c[31])
	}
	for ; j < len(x); j++ {
		v := x[j]
		c := (*[8]T)(b[j*8:])
		s0 += T(v * c[0])
		s1 += T(v * c[1])
		s2 += T(v * c[2])
		s3 += T(v * c[3])
		s4 += T(v * c[4])
		s5 += T(v * c[5])
		s6 += T(v * c[6])
		s7 += T(v * c[7])
	}
	o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7] = s0, s1, s2, s3, s4, s5, s6, s7
}

// AddMulTrans adds a' (h x n) times g (n x d) to dst (h x d).
func AddMulTrans[T Float](dst, a, g []T, n, h, d int) {
	if len(dst) != h*d || len(a) != n*h || len(g) != n*d {
		panic(ErrShape)
	}
	if x, ok := any(a).([]float32); ok && vectorMulTrans(any(dst).([]float32), x, any(g).([]float32), n, h, d) {
		return
	}
	if x, ok := any(a).([]float64); ok && vectorMulTransDouble(any(dst).([]float64), x, any(g).([]float64), n, h, d) {
		return
	}
	i := 0
	if d == 8 {
		for ; i+4 <= n; i += 4 {
			r0, r1, r2, r3 := a[i*h:][:h], a[(i+1)*h:][:h], a[(i+2)*h:][:h], a[(i+3)*h:][:h]
			c := (*[32]T)(g[i*8:])
			for j := range r0 {
				x0, x1, x2, x3 := r0[j], r1[j], r2[j], r3[j]
				o := (*[8]T)(dst[j*8:])
				o[0] = o[0] + T(c[0]*x0) + T(c[8]*x1) + T(c[16]*x2) + T(c[24]*x3)
				o[1] = o[1] + T(c[1]*x0) + T(c[9]*x1) + T(c[17]*x2) + T(c[25]*x3)
				o[2] = o[2] + T(c[2]*x0) + T(c[10]*x1) + T(c[18]*x2) + T(c[26]*x3)
				o[3] = o[3] + T(c[3]*x0) + T(c[11]*x1) + T(c[19]*x2) + T(c[27]*x3)
				o[4] = o[4] + T(c[4]*x0) + T(c[12]*x1) + T(c[20]*x2) + T(c[28]*x3)
				o[5] = o[5] + T(c[5]*x0) + T(c[13]*x1) + T(c[21]*x2) + T(c[29]*x3)
				o[6] = o[6] + T(c[6]*x0) + T(c[14]*x1) + T(c[22]*x2) + T(c[30]*x3)
				o[7] = o[7] + T(c[7]*x0) + T(c[15]*x1) + T(c[23]*x2) + T(c[31]*x3)
			}
		}
	}
	for ; i < n; i++ {
		row, k := a[i*h:i*h+h], 0
		for ; k+4 <= d; k += 4 {
			c := (*[4]T)(g[i*d+k:])
			c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
			at := k
			for _, x := range row {
				o := (*[4]T)(dst[at:])
				o[0] += T(c0 * x)
				o[1] += T(c1 * x)
				o[2] += T(c2 * x)
				o[3] += T(c3 * x)
				at += d
			}
		}
		for ; k < d; k++ {
			y, at := g[i*d+k], k
			for _, x := range row {
				dst[at] += T(y * x)
				at += d
			}
		}
	}
}
