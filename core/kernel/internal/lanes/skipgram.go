package lanes

import "cadem/core/kernel/internal/wasm"

// The kernels of skipgram.go in package kernel; n is a multiple of 8.

// inner8(sums, x, y, n): eight sums of every eighth product of x and y.
func inner8(mod *wasm.Module) {
	f := mod.New("inner8", 4)
	const sums, x, y, n = 0, 1, 2, 3
	sum := f.Vectors(2)
	for _, s := range sum {
		f.Zero().Set(s)
	}
	f.Loop(func() {
		for q, s := range sum {
			f.Get(s).Get(x).Load(16 * q).Get(y).Load(16 * q).Mul().Add().Set(s)
		}
		f.Bump(x, 32)
		f.Bump(y, 32)
		f.Get(n).Const(8).SubI().Tee(n)
	}, func() {})
	for q, s := range sum {
		f.Get(sums).Get(s).Store(16 * q)
	}
}

// exchange(change, row, x, g, n): change += g row, then row += g x.
func exchange(mod *wasm.Module) {
	f := mod.New("exchange", 5)
	const change, row, x, g, n = 0, 1, 2, 3, 4
	factor, old := f.Local(wasm.V128), f.Local(wasm.V128)
	f.Get(g).Splat(0).Set(factor)
	f.Loop(func() {
		for q := range 2 {
			f.Get(row).Load(16 * q).Set(old)
			f.Get(change).Get(change).Load(16 * q).Get(factor).Get(old).Mul().Add().Store(16 * q)
			f.Get(row).Get(old).Get(factor).Get(x).Load(16 * q).Mul().Add().Store(16 * q)
		}
		for _, p := range []int{change, row, x} {
			f.Bump(p, 32)
		}
		f.Get(n).Const(8).SubI().Tee(n)
	}, func() {})
}
