package lanes

import (
	"fmt"

	"cadem.example/core/base/kernel/internal/wasm"
)

// The kernels below are those of columns.go in package kernel: a vector holds two
// neighbouring items in float64. Column and stride are distances in numbers; n is a multiple
// of 8, 2 for exps, and count at least 1.

// blocks repeats body for every 8 items; the pointers advance by 64 bytes.
func blocks(f *wasm.Func, n int, body func(), pointers ...int) {
	f.Loop(func() {
		body()
		for _, p := range pointers {
			f.Bump(p, 64)
		}
		f.Get(n).Const(8).SubI().Tee(n)
	}, func() {})
}

// combine(dst, bias, coef, x, stride, count, n, column): dst[i] = bias + sum over j of
// coef[j*stride] x[j*column+i].
func combine(mod *wasm.Module) {
	f := mod.New("combine", 8)
	const dst, bias, coef, x, stride, count, n, column = 0, 1, 2, 3, 4, 5, 6, 7
	sum, c := f.Vectors(4), f.Local(wasm.V128)
	xp, cp, k := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(stride).Shift(3).Set(stride)
	f.Get(column).Shift(3).Set(column)
	blocks(f, n, func() {
		for _, s := range sum {
			f.Get(bias).SplatD(0).Set(s)
		}
		f.Get(x).Set(xp)
		f.Get(coef).Set(cp)
		f.Get(count).Set(k)
		f.Loop(func() { // columns
			f.Get(cp).SplatD(0).Set(c)
			for q, s := range sum {
				f.Get(s).Get(c).Get(xp).Load(16 * q).MulD().AddD().Set(s)
			}
			f.Advance(xp, column)
			f.Advance(cp, stride)
			f.Get(k).Const(1).SubI().Tee(k)
		}, func() {})
		for q, s := range sum {
			f.Get(dst).Get(s).Store(16 * q)
		}
	}, dst, x)
}

// blend(dst, a, x, column, stride, count, n): dst[i] = sum over s of a[s*column+i]
// x[s*stride+i].
func blend(mod *wasm.Module) {
	f := mod.New("blend", 7)
	const dst, a, x, column, stride, count, n = 0, 1, 2, 3, 4, 5, 6
	sum := f.Vectors(4)
	ap, xp, k := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(stride).Shift(3).Set(stride)
	f.Get(column).Shift(3).Set(column)
	blocks(f, n, func() {
		for _, s := range sum {
			f.Zero().Set(s)
		}
		f.Get(a).Set(ap)
		f.Get(x).Set(xp)
		f.Get(count).Set(k)
		f.Loop(func() { // terms
			for q, s := range sum {
				f.Get(s).Get(ap).Load(16 * q).Get(xp).Load(16 * q).MulD().AddD().Set(s)
			}
			f.Advance(ap, column)
			f.Advance(xp, stride)
			f.Get(k).Const(1).SubI().Tee(k)
		}, func() {})
		for q, s := range sum {
			f.Get(dst).Get(s).Store(16 * q)
		}
	}, dst, a, x)
}

// squares(dst, x, c, count, n, column): dst[i] = sum over j of (x[j*column+i] - c[j])^2.
func squares(mod *wasm.Module) {
	f := mod.New("squares", 6)
	const dst, x, c, count, n, column = 0, 1, 2, 3, 4, 5
	sum, v, d := f.Vectors(4), f.Local(wasm.V128), f.Local(wasm.V128)
	xp, cp, k := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(column).Shift(3).Set(column)
	blocks(f, n, func() {
		for _, s := range sum {
			f.Zero().Set(s)
		}
		f.Get(x).Set(xp)
		f.Get(c).Set(cp)
		f.Get(count).Set(k)
		f.Loop(func() { // coordinates
			f.Get(cp).SplatD(0).Set(v)
			for q, s := range sum {
				f.Get(xp).Load(16 * q).Get(v).SubD().Set(d)
				f.Get(s).Get(d).Get(d).MulD().AddD().Set(s)
			}
			f.Advance(xp, column)
			f.Bump(cp, 8)
			f.Get(k).Const(1).SubI().Tee(k)
		}, func() {})
		for q, s := range sum {
			f.Get(dst).Get(s).Store(16 * q)
		}
	}, dst, x)
}

// inner(sums, a, x, count, n, column): adds the inner products of a with four columns of x at a
// time, those of even and of odd items as the halves of a vector. Count is a multiple of 4.
func inner(mod *wasm.Module) {
	f := mod.New("inner", 6)
	const sums, a, x, count, n, column = 0, 1, 2, 3, 4, 5
	sum, v := f.Vectors(4), f.Local(wasm.V128)
	row := [4]int{f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)}
	ap, k := f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(column).Shift(3).Set(column)
	f.Loop(func() { // four columns
		f.Get(x).Set(row[0])
		for i := 1; i < 4; i++ {
			f.Get(row[i-1]).Get(column).AddI().Set(row[i])
		}
		f.Get(row[3]).Get(column).AddI().Set(x)
		for i, s := range sum {
			f.Get(sums).Load(16 * i).Set(s)
		}
		f.Get(a).Set(ap)
		f.Get(n).Set(k)
		blocks(f, k, func() {
			for q := range 4 {
				f.Get(ap).Load(16 * q).Set(v)
				for i, s := range sum {
					f.Get(s).Get(v).Get(row[i]).Load(16 * q).MulD().AddD().Set(s)
				}
			}
		}, ap, row[0], row[1], row[2], row[3])
		for i, s := range sum {
			f.Get(sums).Get(s).Store(16 * i)
		}
		f.Bump(sums, 64)
		f.Get(count).Const(4).SubI().Tee(count)
	}, func() {})
}

// An exponential holds the constants and temporaries of e**x as kernel.Exps computes it.
type exponential struct {
	f                                      *wasm.Func
	least, scale, shift, hi, lo, one, bias int
	series                                 [14]int // 1/k!
	v, t, k, r, r2, r4, p                  int
}

func newExponential(f *wasm.Func) *exponential {
	constant := func(v float64) int {
		c := f.Local(wasm.V128)
		f.ConstD(v).Set(c)
		return c
	}
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
		log2E = 1.44269504088896338700e+00
	)
	e := &exponential{
		f:     f,
		least: constant(-100),
		scale: constant(log2E),
		shift: constant(1.5 * (1 << 52)),
		hi:    constant(ln2Hi),
		lo:    constant(ln2Lo),
		one:   constant(1),
	}
	factorial := 1.0
	for k := 2; k < 14; k++ {
		factorial *= float64(k)
		e.series[k] = constant(1 / factorial)
	}
	e.bias = f.Local(wasm.V128)
	f.ConstL(1023).Set(e.bias)
	for _, local := range []*int{&e.v, &e.t, &e.k, &e.r, &e.r2, &e.r4, &e.p} {
		*local = f.Local(wasm.V128)
	}
	return e
}

// push replaces the vector on the stack by its exponentials.
func (e *exponential) push() {
	f := e.f
	// pair pushes 1/i! + r/(i+1)!.
	pair := func(i int) { f.Get(e.series[i]).Get(e.r).Get(e.series[i+1]).MulD().AddD() }
	f.Get(e.least).MaxD().Set(e.v)
	f.Get(e.v).Get(e.scale).MulD().Get(e.shift).AddD().Tee(e.t)
	f.Get(e.shift).SubD().Set(e.k)
	f.Get(e.v).Get(e.k).Get(e.hi).MulD().SubD().Get(e.k).Get(e.lo).MulD().SubD().Set(e.r)
	f.Get(e.r).Get(e.r).MulD().Tee(e.r2)
	f.Get(e.r2).MulD().Set(e.r4)
	// From the last pair of pairs to the first: p = p0 + r4 (p1 + r4 (p2 + r4 p3)).
	pair(12)
	f.Set(e.p)
	for _, i := range []int{8, 4} {
		pair(i)
		f.Get(e.r2)
		pair(i + 2)
		f.MulD().AddD().Get(e.r4).Get(e.p).MulD().AddD().Set(e.p)
	}
	f.Get(e.one).Get(e.r).AddD().Get(e.r2)
	pair(2)
	f.MulD().AddD().Get(e.r4).Get(e.p).MulD().AddD()
	f.Get(e.t).Get(e.bias).AddL().ShiftL(52)
	f.MulD()
}

// exps(x, n): x[i] = e**x[i].
func exps(mod *wasm.Module) {
	f := mod.New("exps", 2)
	const x, n = 0, 1
	e := newExponential(f)
	f.Loop(func() {
		f.Get(x).Get(x).Load(0)
		e.push()
		f.Store(0)
		f.Bump(x, 16)
		f.Get(n).Const(2).SubI().Tee(n)
	}, func() {})
}

// softmax(x, top, sum, count, n, column): count values x[k*column+i] of every item become
// weights e**(x-top) / sum; top is their maximum. Two items at a time.
func softmax(mod *wasm.Module) {
	f := mod.New("softmax", 6)
	const x, top, sum, count, n, column = 0, 1, 2, 3, 4, 5
	e := newExponential(f)
	most, all := f.Local(wasm.V128), f.Local(wasm.V128)
	xp, k := f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(column).Shift(3).Set(column)
	values := func(body func()) {
		f.Get(x).Set(xp)
		f.Get(count).Set(k)
		f.Loop(func() {
			body()
			f.Advance(xp, column)
			f.Get(k).Const(1).SubI().Tee(k)
		}, func() {})
	}
	f.Loop(func() { // two items
		f.Get(x).Load(0).Set(most)
		values(func() { f.Get(most).Get(xp).Load(0).MaxD().Set(most) })
		f.Zero().Set(all)
		values(func() {
			f.Get(xp)
			f.Get(xp).Load(0).Get(most).SubD()
			e.push()
			f.Tee(e.v).Store(0)
			f.Get(all).Get(e.v).AddD().Set(all)
		})
		values(func() { f.Get(xp).Get(xp).Load(0).Get(all).DivD().Store(0) })
		f.Get(top).Get(most).Store(0)
		f.Get(sum).Get(all).Store(0)
		f.Bump(x, 16)
		f.Bump(top, 16)
		f.Bump(sum, 16)
		f.Get(n).Const(2).SubI().Tee(n)
	}, func() {})
}

// reflect(x, v, tau, n, width, stride): x -= tau v (v'x) for neighbouring columns of x (n rows of
// the given width) in double precision, v being 1 and then every stride-th number after the
// one at v.
func reflect(mod *wasm.Module, columns int) {
	f := mod.New(fmt.Sprintf("reflectd%d", columns), 6)
	const x, v, tau, n, width, stride = 0, 1, 2, 3, 4, 5
	sum, c := f.Vectors(columns/2), f.Local(wasm.V128)
	xp, vp, k := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(width).Shift(3).Set(width)
	f.Get(stride).Shift(3).Set(stride)
	rows := func(body func()) { // after the first
		f.Get(x).Set(xp)
		f.Get(v).Set(vp)
		f.Get(n).Const(1).SubI().Set(k)
		f.While(func() { f.Get(k) }, func() {
			f.Advance(xp, width)
			f.Advance(vp, stride)
			f.Get(vp).SplatD(0).Set(c)
			body()
			f.Get(k).Const(1).SubI().Set(k)
		})
	}
	for q, s := range sum {
		f.Get(x).Load(16 * q).Set(s)
	}
	rows(func() {
		for q, s := range sum {
			f.Get(s).Get(c).Get(xp).Load(16 * q).MulD().AddD().Set(s)
		}
	})
	for q, s := range sum {
		f.Get(s).Get(tau).SplatD(0).MulD().Set(s)
		f.Get(x).Get(x).Load(16 * q).Get(s).SubD().Store(16 * q)
	}
	rows(func() {
		for q, s := range sum {
			f.Get(xp).Get(xp).Load(16 * q).Get(c).Get(s).MulD().SubD().Store(16 * q)
		}
	})
}
