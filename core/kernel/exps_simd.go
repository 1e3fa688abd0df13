//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// exp4 is e**x as Exps computes it.
func exp4(v archsimd.Float64x4) archsimd.Float64x4 {
	splat := archsimd.BroadcastFloat64x4
	shift := splat(1.5 * (1 << 52))
	least := splat(-100)
	v = least.Merge(v, v.Less(least))
	t := v.Mul(splat(log2E)).Add(shift)
	k := t.Sub(shift)
	r := v.Sub(k.Mul(splat(ln2Hi))).Sub(k.Mul(splat(ln2Lo)))
	r2 := r.Mul(r)
	r4 := r2.Mul(r2)
	p0 := splat(1).Add(r).Add(r2.Mul(splat(1.0 / 2).Add(r.Mul(splat(1.0 / 6)))))
	p1 := splat(1.0 / 24).Add(r.Mul(splat(1.0 / 120))).Add(r2.Mul(splat(1.0 / 720).Add(r.Mul(splat(1.0 / 5040)))))
	p2 := splat(1.0 / 40320).Add(r.Mul(splat(1.0 / 362880))).Add(r2.Mul(splat(1.0 / 3628800).Add(r.Mul(splat(1.0 / 39916800)))))
	p3 := splat(1.0 / 479001600).Add(r.Mul(splat(1.0 / 6227020800)))
	p := p0.Add(r4.Mul(p1.Add(r4.Mul(p2.Add(r4.Mul(p3))))))
	power := t.AsInt64x4().Add(archsimd.BroadcastInt64x4(1023)).ShiftAllLeft(52)
	return p.Mul(power.AsFloat64x4())
}

// vectorExps does the first numbers and returns how many.
func vectorExps(x []float64) int {
	n := len(x) &^ 3
	if !vectorReady || n == 0 {
		return 0
	}
	for i := 0; i < n; i += 4 {
		p := double(at(x), i)
		storeD4(p, exp4(loadD4(p)))
	}
	archsimd.ClearAVXUpperBits()
	return n
}

// vectorSoftmax does the first items and returns how many.
func vectorSoftmax(x, top, sum []float64) int {
	n := len(top)
	if !vectorReady || n < 4 {
		return 0
	}
	for i := 0; i+4 <= n; i += 4 {
		p := double(at(x), i)
		most := loadD4(p)
		for k := n; k < len(x); k += n {
			v := loadD4(double(p, k))
			most = v.Merge(most, v.Greater(most))
		}
		var all archsimd.Float64x4
		for k := 0; k < len(x); k += n {
			e := exp4(loadD4(double(p, k)).Sub(most))
			storeD4(double(p, k), e)
			all = all.Add(e)
		}
		for k := 0; k < len(x); k += n {
			storeD4(double(p, k), loadD4(double(p, k)).Div(all))
		}
		storeD4(double(at(top), i), most)
		storeD4(double(at(sum), i), all)
	}
	archsimd.ClearAVXUpperBits()
	return n &^ 3
}
