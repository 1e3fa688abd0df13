package lanes

import "cadem/core/kernel/internal/wasm"

// The kernels of pooled.go in package kernel. Rows are of d numbers, a multiple of 4.

// place(dst, at, x, y, b, count, n, d): row at[i] of dst (doubles) = row i of x + count[i] b +
// row i of y.
func place(mod *wasm.Module) {
	f := mod.New("place", 8)
	const dst, at, x, y, b, count, n, d = 0, 1, 2, 3, 4, 5, 6, 7
	c, v := f.Local(wasm.V128), f.Local(wasm.V128)
	to, bp, end := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(d).Shift(2).Get(b).AddI().Set(end)
	f.Loop(func() { // rows
		f.Get(at).LoadI32(0).Get(d).MulI().Shift(3).Get(dst).AddI().Set(to)
		f.Get(count).Splat(0).Set(c)
		f.Get(b).Set(bp)
		f.Loop(func() { // four columns
			f.Get(x).Load(0).Get(c).Get(bp).Load(0).Mul().Add().Get(y).Load(0).Add().Set(v)
			f.Get(to).Get(v).Widen().Store(0)
			f.Get(to).Get(v).Get(v).Shuffle(2, 3, 2, 3).Widen().Store(16)
			for _, p := range []int{x, y, bp} {
				f.Bump(p, 16)
			}
			f.Bump(to, 32)
		}, func() { f.Get(bp).Get(end).Less() })
		f.Bump(at, 4)
		f.Bump(count, 4)
		f.Get(n).Const(1).SubI().Tee(n)
	}, func() {})
}

// collect(dst, sum, x, at, count, n, d): row i of dst = row at[i] of x (doubles), and sum +=
// count[i] times it, row after row.
func collect(mod *wasm.Module) {
	f := mod.New("collect", 7)
	const dst, sum, x, at, count, n, d = 0, 1, 2, 3, 4, 5, 6
	c, v := f.Local(wasm.V128), f.Local(wasm.V128)
	from, sp, end := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(d).Shift(2).Get(sum).AddI().Set(end)
	f.Loop(func() { // rows
		f.Get(at).LoadI32(0).Get(d).MulI().Shift(3).Get(x).AddI().Set(from)
		f.Get(count).Splat(0).Set(c)
		f.Get(sum).Set(sp)
		f.Loop(func() { // four columns
			f.Get(from).Load(0).Narrow().Get(from).Load(16).Narrow().Shuffle(0, 1, 4, 5).Set(v)
			f.Get(dst).Get(v).Store(0)
			f.Get(sp).Get(sp).Load(0).Get(c).Get(v).Mul().Add().Store(0)
			f.Bump(from, 32)
			f.Bump(dst, 16)
			f.Bump(sp, 16)
		}, func() { f.Get(sp).Get(end).Less() })
		f.Bump(at, 4)
		f.Bump(count, 4)
		f.Get(n).Const(1).SubI().Tee(n)
	}, func() {})
}
