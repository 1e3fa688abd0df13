package lanes

import (
	"fmt"

	"cadem.example/core/base/kernel/internal/wasm"
)

// The kernels of Adam. Rate is b1, b2, root, eps, decay, as in kernel.AdamRate.

// adam(w, m, v, u, du, old, w2, turned, rate, n, h): one Adam step on w (n x h, h a multiple of 16),
// whose gradient is du (n x 8) times old' (8 x h), then u (n x 8) = w times w2 (h x 8). Blocks of 16
// rows are still in cache when u is taken from them. turned is as large as W2.
func adam(mod *wasm.Module, turn, four, one *wasm.Func) {
	rows := adamRows(mod)
	f := mod.New("adam", 11)
	const w, m, v, u, du, old, w2, turned, rate, n, h = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	const block, width = 16, 8
	count, fours := f.Local(wasm.I32), f.Local(wasm.I32)
	product := func(kind *wasm.Func, n int) {
		f.Get(n)
		f.If(func() {
			f.Get(w).Get(w2).Get(u).Get(n).Get(h).Get(h).Const(width).Call(kind)
			f.Get(w).Get(n).Get(h).MulI().Shift(2).AddI().Set(w)
			f.Get(u).Get(n).Shift(5).AddI().Set(u)
		})
	}
	f.Get(old).Get(turned).Get(h).Const(width).Call(turn)
	f.Loop(func() {
		f.Const(block).Get(n).Const(block).Get(n).Less().Select().Set(count)
		f.Get(w).Get(m).Get(v).Get(du).Get(turned).Get(rate).Get(count).Get(h).Call(rows)
		for _, p := range []int{m, v} {
			f.Get(p).Get(count).Get(h).MulI().Shift(2).AddI().Set(p)
		}
		f.Bump(du, 4*width*block)
		f.Get(n).Get(count).SubI().Set(n)
		f.Get(count).Const(-4).And().Set(fours)
		f.Get(count).Get(fours).SubI().Set(count)
		product(four, fours)
		product(one, count)
	}, func() { f.Get(n) })
}

// adamRows(w, m, v, du, w2i, rate, n, h): one Adam step on w (n x h, h a multiple of 16), whose
// gradient is du (n x 8) times W2' (8 x h), formed on the fly. A vector holds four
// neighbouring weights of a row. w2i is W2 in blocks of four rows, each transposed to 8
// vectors of 4 lanes.
//
// Four vectors make a group. Roots and quotients take long, and the unit that forms them
// blocks one that multiplies; so the weights of a group are moved while the gradient of the
// next one is formed, a piece at a time: side by side, one kind of work fills the gaps of the
// other. The moments wait in memory, where they have to go anyway.
func adamRows(mod *wasm.Module) *wasm.Func {
	f := mod.Inner("adamRows", 8)
	const (
		w, m, v, du, w2i, rate, n, h = 0, 1, 2, 3, 4, 5, 6, 7

		group = 4
		ahead = 16 * group // bytes to the next group
	)
	c, g := f.Vectors(4), f.Vectors(group)
	x, root, change := f.Local(wasm.V128), f.Vectors(group), f.Vectors(group)
	t, end, last := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	// gradient adds column k of du times row k of W2' for the columns at t.
	gradient := func(k int) {
		f.Get(du).Splat(4 * k).Set(x)
		for q := range g {
			if k > 0 {
				f.Get(g[q])
			}
			f.Get(x).Get(t).Load(128*q + 16*k).Mul()
			if k > 0 {
				f.Add()
			}
			f.Set(g[q])
		}
	}
	// moments adds the gradient to the moments of vector q of the group at that byte offset.
	moments := func(q, offset int) {
		offset += 16 * q
		f.Get(m).Get(c[0]).Get(m).Load(offset).Mul().Get(g[q]).Add().Store(offset)
		f.Get(v).Get(c[1]).Get(v).Load(offset).Mul().Get(g[q]).Get(g[q]).Mul().Add().Store(offset)
	}
	rooted := func(q int) { f.Get(v).Load(16 * q).Sqrt().Set(root[q]) }
	divided := func(q int) {
		f.Get(m).Load(16 * q)
		f.Get(root[q]).Get(c[2]).Mul().Get(c[3]).Add()
		f.Div().Set(change[q])
	}
	moved := func(q int) { f.Get(w).Get(w).Load(16 * q).Get(change[q]).Sub().Store(16 * q) }

	loadRate(f, c, rate)
	f.Get(w2i).Set(t)
	f.Get(w2i).Get(h).Shift(5).AddI().Set(end)
	f.Get(w).Get(n).Get(h).MulI().Shift(2).AddI().Const(ahead).SubI().Set(last)
	for k := range 8 {
		gradient(k)
	}
	for q := range g {
		moments(q, 0)
	}
	f.Bump(t, 8*ahead)
	// After which of the eight pieces of the gradient and four of the moments each vector of
	// the group before has its root and its quotient taken: by trial.
	roots, quotients := [group]int{0, 3, 6, 8}, [group]int{5, 10, 10, 11}
	f.While(func() { f.Get(w).Get(last).Less() }, func() { // groups
		f.Get(t).Get(end).Less().Const(1).SubI()
		f.If(func() { // the next row
			f.Get(w2i).Set(t)
			f.Bump(du, 32)
		})
		for piece := range 8 + group {
			if piece < 8 {
				gradient(piece)
			} else {
				moments(piece-8, ahead)
			}
			for q := range g {
				if piece == roots[q] {
					rooted(q)
				}
				if piece == quotients[q] {
					divided(q)
					if q > 0 {
						moved(q - 1)
					}
				}
			}
		}
		moved(group - 1)
		for _, p := range []int{w, m, v} {
			f.Bump(p, ahead)
		}
		f.Bump(t, 8*ahead)
	})
	for q := range g {
		rooted(q)
		divided(q)
		moved(q)
	}
	return f
}

// adamWide(w, m, v, du, w2i, rate, n, h, d): the same for du (n x d), d and h any multiples of 4,
// and W2 in blocks of four rows of d vectors; vector after vector.
func adamWide(mod *wasm.Module) {
	f := mod.New("adamWide", 9)
	const w, m, v, du, w2i, rate, n, h, d = 0, 1, 2, 3, 4, 5, 6, 7, 8
	c := f.Vectors(4)
	g := f.Local(wasm.V128)
	t, end, a, stop := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	loadRate(f, c, rate)
	moment := newMoments(f)
	f.Get(d).Shift(2).Set(d)
	f.Loop(func() { // rows
		f.Get(w2i).Set(t)
		f.Get(w2i).Get(h).Get(d).MulI().AddI().Set(end)
		f.Get(du).Get(d).AddI().Set(stop)
		f.Loop(func() { // four columns
			f.Get(du).Set(a)
			f.Zero().Set(g)
			f.Loop(func() { // four numbers of du
				for k := range 4 {
					f.Get(g).Get(a).Splat(4 * k).Get(t).Load(16 * k).Mul().Add().Set(g)
				}
				f.Bump(a, 16)
				f.Bump(t, 64)
			}, func() { f.Get(a).Get(stop).Less() })
			moment.move(f, w, m, v, g, c)
		}, func() { f.Get(t).Get(end).Less() })
		f.Get(stop).Set(du)
		f.Get(n).Const(1).SubI().Set(n)
	}, func() { f.Get(n) })
}

// adamPlain(w, m, v, g, rate, n, decays): one Adam step on n weights, a multiple of 4, with the
// gradient g, plus the fifth number of rate times w if decays is not 0.
func adamPlain(mod *wasm.Module) {
	f := mod.New("adamPlain", 7)
	const w, m, v, g, rate, n, decays = 0, 1, 2, 3, 4, 5, 6
	c := f.Vectors(5)
	x, end := f.Local(wasm.V128), f.Local(wasm.I32)
	loadRate(f, c, rate)
	moment := newMoments(f)
	f.Get(g).Get(n).Shift(2).AddI().Set(end)
	f.Loop(func() {
		f.Get(g).Load(0).Set(x)
		f.Get(decays)
		f.If(func() { f.Get(x).Get(c[4]).Get(w).Load(0).Mul().Add().Set(x) })
		moment.move(f, w, m, v, x, c)
		f.Bump(g, 16)
	}, func() { f.Get(g).Get(end).Less() })
}

// interleave(w2, w2i, h, d): W2 (h x d, both multiples of 4) as the kernels above read it.
func interleave(mod *wasm.Module) *wasm.Func {
	f := mod.New("interleave", 4)
	const w2, w2i, h, d = 0, 1, 2, 3
	x, y := f.Vectors(4), f.Vectors(4)
	row, end := f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(d).Shift(2).Set(d)
	f.Loop(func() { // four rows
		f.Get(w2).Get(d).AddI().Set(end)
		f.Loop(func() { // four columns
			f.Get(w2).Set(row)
			for i := range x {
				f.Get(row).Load(0).Set(x[i])
				f.Advance(row, d)
			}
			for i := range 2 { // rows 0 and 1, rows 2 and 3
				f.Get(x[2*i]).Get(x[2*i+1]).Shuffle(0, 4, 1, 5).Set(y[2*i])
				f.Get(x[2*i]).Get(x[2*i+1]).Shuffle(2, 6, 3, 7).Set(y[2*i+1])
			}
			for i := range 2 {
				f.Get(w2i).Get(y[i]).Get(y[2+i]).Shuffle(0, 1, 4, 5).Store(32 * i)
				f.Get(w2i).Get(y[i]).Get(y[2+i]).Shuffle(2, 3, 6, 7).Store(32*i + 16)
			}
			f.Bump(w2i, 64)
			f.Bump(w2, 16)
		}, func() { f.Get(w2).Get(end).Less() })
		f.Get(d).Const(3).MulI().Get(w2).AddI().Set(w2)
		f.Get(h).Const(4).SubI().Set(h)
	}, func() { f.Get(h) })
	return f
}

func loadRate(f *wasm.Func, c []int, rate int) {
	for i := range c {
		f.Get(rate).Splat(4 * i).Set(c[i])
	}
}

// moments are the locals for Adam's new moments.
type moments struct{ m, v int }

func newMoments(f *wasm.Func) moments { return moments{f.Local(wasm.V128), f.Local(wasm.V128)} }

// move does the Adam step on the four weights at w with the gradient g and goes on to the
// next four; c is the rate.
func (q moments) move(f *wasm.Func, w, m, v, g int, c []int) {
	f.Get(c[0]).Get(m).Load(0).Mul().Get(g).Add().Set(q.m)
	f.Get(c[1]).Get(v).Load(0).Mul().Get(g).Get(g).Mul().Add().Set(q.v)
	f.Get(m).Get(q.m).Store(0)
	f.Get(v).Get(q.v).Store(0)
	f.Get(w).Get(w).Load(0)
	f.Get(q.m)
	f.Get(q.v).Sqrt().Get(c[2]).Mul().Get(c[3]).Add()
	f.Div().Sub().Store(0)
	f.Bump(w, 16)
	f.Bump(m, 16)
	f.Bump(v, 16)
}

// residual(y, c, s, b, db, step, squares, n, width): the columns of y (n rows) = step (c + 1 b' - s),
// whose columns are added to db; squares (doubles) = the sums of the squares of the columns of
// c + 1 b' - s. c, s and y are of the given width.
func residual(mod *wasm.Module, columns int) {
	f := mod.New(fmt.Sprintf("residual%d", columns), 9)
	const y, c, s, b, db, step, squares, n, width = 0, 1, 2, 3, 4, 5, 6, 7, 8
	vectors := columns / 4
	bias, sum, square := f.Vectors(vectors), f.Vectors(vectors), f.Vectors(2*vectors)
	factor, x, wide := f.Local(wasm.V128), f.Local(wasm.V128), f.Local(wasm.V128)
	f.Get(width).Shift(2).Set(width)
	f.Get(step).Splat(0).Set(factor)
	for k := range vectors {
		f.Get(b).Load(16 * k).Set(bias[k])
		f.Get(db).Load(16 * k).Set(sum[k])
		f.Zero().Set(square[2*k])
		f.Zero().Set(square[2*k+1])
	}
	f.Loop(func() { // rows
		for k := range vectors {
			f.Get(c).Load(16 * k).Get(bias[k]).Add().Get(s).Load(16 * k).Sub().Set(x)
			f.Get(x).Widen().Set(wide)
			f.Get(square[2*k]).Get(wide).Get(wide).MulD().AddD().Set(square[2*k])
			f.Get(x).Get(x).Shuffle(2, 3, 2, 3).Widen().Set(wide)
			f.Get(square[2*k+1]).Get(wide).Get(wide).MulD().AddD().Set(square[2*k+1])
			f.Get(x).Get(factor).Mul().Set(x)
			f.Get(y).Get(x).Store(16 * k)
			f.Get(sum[k]).Get(x).Add().Set(sum[k])
		}
		for _, p := range []int{y, c, s} {
			f.Advance(p, width)
		}
		f.Get(n).Const(1).SubI().Tee(n)
	}, func() {})
	for k := range vectors {
		f.Get(db).Get(sum[k]).Store(16 * k)
		f.Get(squares).Get(square[2*k]).Store(32 * k)
		f.Get(squares).Get(square[2*k+1]).Store(32*k + 16)
	}
}

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
