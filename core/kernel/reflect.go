package kernel

// Reflect applies the reflection 1 - tau v v' to len(sum) columns of x, n rows of the given
// width: x -= tau v (v'x), summed in the order of the rows. v is 1, then v[stride],
// v[2 stride] and so on. sum is scratch.
func Reflect(x []float64, n, width int, v []float64, stride int, tau float64, sum []float64) {
	d := len(sum)
	if n < 1 || d > width || len(x) < (n-1)*width+d || len(v) <= (n-1)*stride {
		panic(ErrShape)
	}
	done := vectorReflect(x, n, width, v, stride, tau, d)
	if done == d {
		return
	}
	sum = sum[done:]
	copy(sum, x[done:d])
	for i := 1; i < n; i++ {
		AddScaled(sum, x[i*width+done:i*width+d], v[i*stride])
	}
	for j := range sum {
		sum[j] = float64(sum[j] * tau)
		x[done+j] -= sum[j]
	}
	for i := 1; i < n; i++ {
		AddScaled(x[i*width+done:i*width+d], sum, -v[i*stride])
	}
}

// AddScaled adds v times y to x; y is at least as long.
func AddScaled(x, y []float64, v float64) {
	y = y[:len(x)]
	j := 0
	for ; j+4 <= len(x); j += 4 {
		x, y := (*[4]float64)(x[j:]), (*[4]float64)(y[j:])
		x[0] += float64(v * y[0])
		x[1] += float64(v * y[1])
		x[2] += float64(v * y[2])
		x[3] += float64(v * y[3])
	}
	for ; j < len(x); j++ {
		x[j] += float64(v * y[j])
	}
}
