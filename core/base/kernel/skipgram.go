package kernel

import "math"

// SkipGram trains logistic predictions from the input vector x (d). Each target, in order, is twice
// the number of a row of table (rows x d) plus its label y, 0 or 1. With sigma(f) = 1 / (1 + exp(-f)):
//
//	f = x . row,  g = rate (y - sigma(f)),  change += g row,  row += g x
//
// change uses the row before its update; a row that comes twice moves twice. It returns the sum of
// -log sigma(f) for label 1 and -log(1 - sigma(f)) for label 0, each before its row moves.
//
// f has eight partial sums, of every eighth product each.
func SkipGram[T Float](table, x, change []T, targets []int32, rate float64) (loss float64) {
	d := len(x)
	if len(change) != d || d == 0 || len(table)%d != 0 {
		panic(ErrShape)
	}
	all := 1.0 // product of the probabilities of the labels
	for _, t := range targets {
		row := table[int(t>>1)*d:][:d]
		f := float64(Dot(x, row))
		e := Exp(-math.Abs(f))
		right := 1 / (1 + e)
		wrong := float64(e * right)
		if (f >= 0) != (t&1 == 1) {
			right, wrong = wrong, right
		}
		if float64(all*right) < 0x1p-1000 { // the product could become 0
			loss, all = loss-Log(all), 1
		}
		all *= right
		g := T(rate * wrong)
		if t&1 == 0 {
			g = -g
		}
		exchange(change, row, x, g)
	}
	return loss - Log(all)
}

// Dot returns the inner product of two vectors of the same length, as eight partial sums.
func Dot[T Float](x, y []T) T {
	y = y[:len(x)]
	var s [8]T
	i := 0
	switch x := any(x).(type) {
	case []float32:
		i = vectorInner8(any(&s).(*[8]float32), x, any(y).([]float32))
	case []float64:
		i = vectorInner8Double(any(&s).(*[8]float64), x, any(y).([]float64))
	}
	if i == 0 {
		i = scalarInner8(&s, x, y)
	}
	for k := i; k < len(x); k++ {
		s[k-i] += T(x[k] * y[k])
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// scalarInner8 sets s to the sums of every eighth product, and returns how many it took; this and
// the vector kernels take as many as make up whole eights.
func scalarInner8[T Float](s *[8]T, x, y []T) int {
	var s0, s1, s2, s3, s4, s5, s6, s7 T
	i := 0
	for ; i+8 <= len(x); i += 8 {
		a, b := (*[8]T)(x[i:]), (*[8]T)(y[i:])
		s0 += T(a[0] * b[0])
		s1 += T(a[1] * b[1])
		s2 += T(a[2] * b[2])
		s3 += T(a[3] * b[3])
		s4 += T(a[4] * b[4])
		s5 += T(a[5] * b[5])
		s6 += T(a[6] * b[6])
		s7 += T(a[7] * b[7])
	}
	*s = [8]T{s0, s1, s2, s3, s4, s5, s6, s7}
	return i
}

// exchange adds g row to change and then g x to row.
func exchange[T Float](change, row, x []T, g T) {
	change, row = change[:len(x)], row[:len(x)]
	i := 0
	switch x := any(x).(type) {
	case []float32:
		i = vectorExchange(any(change).([]float32), any(row).([]float32), x, float32(g))
	case []float64:
		i = vectorExchangeDouble(any(change).([]float64), any(row).([]float64), x, float64(g))
	}
	for ; i+4 <= len(x); i += 4 {
		c, r, v := (*[4]T)(change[i:]), (*[4]T)(row[i:]), (*[4]T)(x[i:])
		r0, r1, r2, r3 := r[0], r[1], r[2], r[3]
		c[0] += T(g * r0)
		c[1] += T(g * r1)
		c[2] += T(g * r2)
		c[3] += T(g * r3)
		r[0] = r0 + T(g*v[0])
		r[1] = r1 + T(g*v[1])
		r[2] = r2 + T(g*v[2])
		r[3] = r3 + T(g*v[3])
	}
	for ; i < len(x); i++ {
		r := row[i]
		change[i] += T(g * r)
		row[i] = r + T(g*x[i])
	}
}
