package kernel

// SparseMul sets dst (rows x d) to a sparse matrix times b: row i of the matrix holds
// value[k] in column index[k] for k from start[i] to start[i+1]. The columns must lie
// inside b; the matrix is checked when it is made.
func SparseMul[T Float](dst []T, start, index []int32, value, b []T, d int) {
	rows := len(start) - 1
	if len(dst) != rows*d || len(value) != len(index) || int(start[rows]) != len(index) {
		panic(ErrShape)
	}
	if x, ok := any(value).([]float32); ok && vectorReady && d%4 == 0 && len(b) > 0 {
		vectorSparse(any(dst).([]float32), start, index, x, any(b).([]float32), d, false)
		return
	}
	if x, ok := any(value).([]float64); ok && vectorSparseDouble(any(dst).([]float64), start, index, x, any(b).([]float64), d) {
		return
	}
	if d != 8 {
		for i := range rows {
			ix := index[start[i]:start[i+1]]
			sparseRow(dst[i*d:i*d+d], ix, value[start[i]:start[i+1]][:len(ix)], b)
		}
		return
	}
	for i := range rows {
		ix := index[start[i]:start[i+1]]
		vl := value[start[i]:start[i+1]][:len(ix)]
		var s0, s1, s2, s3, s4, s5, s6, s7 T
		for p, j := range ix {
			v := vl[p]
			c := (*[8]T)(b[int(j)*8:])
			s0 += T(v * c[0])
			s1 += T(v * c[1])
			s2 += T(v * c[2])
			s3 += T(v * c[3])
			s4 += T(v * c[4])
			s5 += T(v * c[5])
			s6 += T(v * c[6])
			s7 += T(v * c[7])
		}
		o := (*[8]T)(dst[i*8:])
		o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7] = s0, s1, s2, s3, s4, s5, s6, s7
	}
}

// sparseRow sets o (d) to one sparse row times b, four columns at a time.
func sparseRow[T Float](o []T, index []int32, value, b []T) {
	d := len(o)
	k := 0
	for ; k+4 <= d; k += 4 {
		var s0, s1, s2, s3 T
		for p, j := range index {
			v, c := value[p], (*[4]T)(b[int(j)*d+k:])
			s0 += T(v * c[0])
			s1 += T(v * c[1])
			s2 += T(v * c[2])
			s3 += T(v * c[3])
		}
		o[k], o[k+1], o[k+2], o[k+3] = s0, s1, s2, s3
	}
	for ; k < d; k++ {
		var s T
		for p, j := range index {
			s += T(value[p] * b[int(j)*d+k])
		}
		o[k] = s
	}
}

// PatternMul sets dst (rows x d) to a sparse matrix of ones times b, row i times scale[i]
// after that. The matrix is given as for [SparseMul], without values.
func PatternMul[T Float](dst []T, start, index []int32, scale, b []T, d int) {
	rows := len(start) - 1
	if len(dst) != rows*d || len(scale) != rows || int(start[rows]) != len(index) {
		panic(ErrShape)
	}
	if x, ok := any(scale).([]float32); ok && vectorReady && d%4 == 0 && len(b) > 0 {
		vectorSparse(any(dst).([]float32), start, index, x, any(b).([]float32), d, true)
		return
	}
	for i := range rows {
		ix, o := index[start[i]:start[i+1]], dst[i*d:i*d+d]
		if d == 8 {
			patternRow8((*[8]T)(o), ix, b, scale[i])
			continue
		}
		clear(o)
		for _, j := range ix {
			for k, v := range b[int(j)*d:][:d] {
				o[k] += v
			}
		}
		for k := range o {
			o[k] = T(o[k] * scale[i])
		}
	}
}

// patternRow8 is one row of PatternMul for d = 8.
func patternRow8[T Float](o *[8]T, index []int32, b []T, scale T) {
	var s0, s1, s2, s3, s4, s5, s6, s7 T
	for _, j := range index {
		c := (*[8]T)(b[int(j)*8:])
		s0 += c[0]
		s1 += c[1]
		s2 += c[2]
		s3 += c[3]
		s4 += c[4]
		s5 += c[5]
		s6 += c[6]
		s7 += c[7]
	}
	o[0], o[1], o[2], o[3] = T(s0*scale), T(s1*scale), T(s2*scale), T(s3*scale)
	o[4], o[5], o[6], o[7] = T(s4*scale), T(s5*scale), T(s6*scale), T(s7*scale)
}

// ScaleRows sets row i of dst to that of x times scale[i], both of width d.
func ScaleRows[T Float](dst, x, scale []T, d int) {
	if len(dst) != len(scale)*d || len(x) != len(dst) {
		panic(ErrShape)
	}
	if s, ok := any(scale).([]float32); ok && vectorReady && d > 0 && d%4 == 0 {
		vectorScaleRows(any(dst).([]float32), any(x).([]float32), s, d)
		return
	}
	for i, s := range scale {
		o := dst[i*d : i*d+d]
		for k, v := range x[i*d:][:d] {
			o[k] = T(s * v)
		}
	}
}
