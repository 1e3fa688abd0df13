package lanes

import "cadem/core/kernel/internal/wasm"

// The kernels of pooled.go in package kernel. Rows are of d numbers, a multiple of 4.

// pooled does something to four columns after four columns of n pooled graphs, one after the
// other: it begins at row at[i] of doubles and at the first number of line, count[i] being in
// all lanes of c. Four moves the two on; v is left to it.
func pooled(f *wasm.Func, at, count, n, d, doubles, line int, four func(c, v, row, p int)) {
	c, v := f.Local(wasm.V128), f.Local(wasm.V128)
	row, p, end := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(d).Shift(2).Get(line).AddI().Set(end)
	f.Loop(func() { // rows
		f.Get(at).LoadI32(0).Get(d).MulI().Shift(3).Get(doubles).AddI().Set(row)
		f.Get(count).Splat(0).Set(c)
		f.Get(line).Set(p)
		f.Loop(func() { four(c, v, row, p) }, func() { f.Get(p).Get(end).Less() })
		f.Bump(at, 4)
		f.Bump(count, 4)
		f.Get(n).Const(1).SubI().Tee(n)
	}, func() {})
}

// place(dst, at, x, y, b, count, n, d): row at[i] of dst (doubles) = row i of x + count[i] b +
// row i of y.
func place(mod *wasm.Module) {
	f := mod.New("place", 8)
	const dst, at, x, y, b, count, n, d = 0, 1, 2, 3, 4, 5, 6, 7
	pooled(f, at, count, n, d, dst, b, func(c, v, to, bp int) {
		f.Get(x).Load(0).Get(c).Get(bp).Load(0).Mul().Add().Get(y).Load(0).Add().Set(v)
		f.Get(to).Get(v).Widen().Store(0)
		f.Get(to).Get(v).Get(v).Shuffle(2, 3, 2, 3).Widen().Store(16)
		for _, p := range []int{x, y, bp} {
			f.Bump(p, 16)
		}
		f.Bump(to, 32)
	})
}

// collect(dst, sum, x, at, count, n, d): row i of dst = row at[i] of x (doubles), and sum +=
// count[i] times it, row after row.
func collect(mod *wasm.Module) {
	f := mod.New("collect", 7)
	const dst, sum, x, at, count, n, d = 0, 1, 2, 3, 4, 5, 6
	pooled(f, at, count, n, d, x, sum, func(c, v, from, sp int) {
		f.Get(from).Load(0).Narrow().Get(from).Load(16).Narrow().Shuffle(0, 1, 4, 5).Set(v)
		f.Get(dst).Get(v).Store(0)
		f.Get(sp).Get(sp).Load(0).Get(c).Get(v).Mul().Add().Store(0)
		f.Bump(from, 32)
		f.Bump(dst, 16)
		f.Bump(sp, 16)
	})
}
