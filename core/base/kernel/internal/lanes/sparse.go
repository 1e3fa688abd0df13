package lanes

import (
	"fmt"

	"cadem.example/core/base/kernel/internal/wasm"
)

// sparse(start, index, value, b, y, n, width): the columns of y (n rows) = a sparse matrix
// times those of b, both of the given width. pattern has the same parameters except for scale, a
// number a row, in place of value: the entries of the matrix are ones, and a row of sums is
// multiplied by its number. sparsed8 is sparse8 in double precision.
//
// Two rows are done side by side as far as both go, four entries of each at a time: one alone
// would wait for its sums.
func sparse(mod *wasm.Module, double bool, columns int, valued bool) {
	name, e := "pattern", kind(double)
	if valued {
		name = "sparse"
	}
	f := mod.New(fmt.Sprintf("%s%s%d", name, e.name, columns), 7)
	const start, index, value, b, y, n, width = 0, 1, 2, 3, 4, 5, 6
	type line struct{ sum, at, vp, end, row, x int }
	vectors, local := columns*e.size/16, func() int { return f.Local(wasm.I32) }
	var lines [2]line
	for i := range lines {
		lines[i] = line{f.Vectors(vectors)[0], local(), local(), local(), local(), f.Local(wasm.V128)}
	}
	both, fours := local(), local()
	begin := func(l line) { // the row that start points to
		for k := range vectors {
			f.Zero().Set(l.sum + k)
		}
		f.Get(index).Get(start).LoadI32(0).Shift(2).AddI().Set(l.at)
		if valued {
			f.Get(value).Get(start).LoadI32(0).Shift(e.shift).AddI().Set(l.vp)
		}
		f.Get(index).Get(start).LoadI32(4).Shift(2).AddI().Set(l.end)
		f.Bump(start, 4)
	}
	entry := func(l line, i int) { // the one i on
		f.Get(b).Get(l.at).LoadI32(4 * i).Get(width).MulI().AddI().Set(l.row)
		if valued {
			e.splat(f.Get(l.vp), e.size*i).Set(l.x)
		}
		for k := range vectors {
			f.Get(l.sum + k)
			if valued {
				e.mul(f.Get(l.x).Get(l.row).Load(16 * k))
			} else {
				f.Get(l.row).Load(16 * k)
			}
			e.add(f).Set(l.sum + k)
		}
	}
	pass := func(l line, count int) {
		f.Bump(l.at, int32(4*count))
		if valued {
			f.Bump(l.vp, int32(e.size*count))
		}
	}
	end := func(l line) {
		f.While(func() { f.Get(l.at).Get(l.end).Less() }, func() {
			entry(l, 0)
			pass(l, 1)
		})
		if !valued {
			f.Get(value).Splat(0).Set(l.x)
			f.Bump(value, 4)
		}
		for k := range vectors {
			f.Get(y).Get(l.sum + k)
			if !valued {
				f.Get(l.x).Mul()
			}
			f.Store(16 * k)
		}
		f.Advance(y, width)
		f.Get(n).Const(1).SubI().Set(n)
	}
	first, second := lines[0], lines[1]
	together := func(count int) {
		for i := range count {
			entry(first, i)
			entry(second, i)
		}
		pass(first, count)
		pass(second, count)
	}
	f.Get(width).Shift(e.shift).Set(width)
	f.While(func() { f.Const(1).Get(n).Less() }, func() {
		begin(first)
		begin(second)
		// The second row begins where the first one ends; both go as far as the shorter one.
		f.Get(second.end).Get(first.end).SubI().Set(both)
		f.Get(first.end).Get(first.at).SubI().Get(both).Get(first.end).Get(first.at).SubI().Get(both).Less().Select().Set(both)
		f.Get(first.at).Get(both).Const(-16).And().AddI().Set(fours)
		f.Get(first.at).Get(both).AddI().Set(both)
		f.While(func() { f.Get(first.at).Get(fours).Less() }, func() { together(4) })
		f.While(func() { f.Get(first.at).Get(both).Less() }, func() { together(1) })
		end(first)
		end(second)
	})
	f.Get(n)
	f.If(func() {
		begin(first)
		end(first)
	})
}

// scaleRows(y, x, scale, n, d): row i of y (n x d, d a multiple of 4) = that of x times
// number i of scale.
func scaleRows(mod *wasm.Module) {
	f := mod.New("scaleRows", 5)
	const y, x, scale, n, d = 0, 1, 2, 3, 4
	s, end := f.Local(wasm.V128), f.Local(wasm.I32)
	f.Get(d).Shift(2).Set(d)
	f.Loop(func() { // rows
		f.Get(scale).Splat(0).Set(s)
		f.Get(x).Get(d).AddI().Set(end)
		f.Loop(func() {
			f.Get(y).Get(x).Load(0).Get(s).Mul().Store(0)
			f.Bump(x, 16)
			f.Bump(y, 16)
		}, func() { f.Get(x).Get(end).Less() })
		f.Bump(scale, 4)
		f.Get(n).Const(1).SubI().Tee(n)
	}, func() {})
}

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
