// Package lanes writes the SIMD kernels. Each does what the scalar loops of package kernel
// do, operation by operation: a vector holds four sums (two in double precision) that are
// independent of each other, never parts of one sum, so that no order changes and the bits
// are the same.
//
// Matrices are row-major; pointers are byte addresses in the memory of the Go program.
// Strides and widths are lengths of rows in numbers. Lengths are checked by the caller, and
// n is at least 1. A kernel whose name ends in 2, 4 or 8 works on so many neighbouring columns
// of matrices of any width; a d before that means double precision.
package lanes

import (
	"fmt"

	"cadem/core/kernel/internal/wasm"
)

// Module returns all kernels, in the order of their slots.
func Module() *wasm.Module {
	m := &wasm.Module{}
	adam(m)
	adamWide(m)
	adamPlain(m)
	interleave(m)
	for _, columns := range []int{4, 8} {
		product(m, false, columns, 4)
		product(m, false, columns, 1)
		transposed(m, false, columns)
		sparse(m, columns)
	}
	for _, columns := range []int{2, 8} {
		product(m, true, columns, 1)
		transposed(m, true, columns)
	}
	combine(m)
	blend(m)
	squares(m)
	inner(m)
	exps(m)
	softmax(m)
	return m
}

// adam(w, m, v, du, w2i, rate, n, h): one Adam step on w (n x h, h a multiple of 4), whose
// gradient is du (n x 8) times W2' (8 x h), formed on the fly. A vector holds four
// neighbouring weights of a row. w2i is W2 in blocks of four rows, each transposed to 8
// vectors of 4 lanes; rate is b1, c1, b2, c2, step, invsqrt, eps.
func adam(mod *wasm.Module) {
	f := mod.New("adam", 8)
	const w, m, v, du, w2i, rate, n, h = 0, 1, 2, 3, 4, 5, 6, 7
	a, c := f.Vectors(8), f.Vectors(7) // du of the row, each number four times; the rate
	g, t, end := f.Local(wasm.V128), f.Local(wasm.I32), f.Local(wasm.I32)
	loadRate(f, c, rate)
	moment := newMoments(f)
	f.Loop(func() { // rows
		for k := range a {
			f.Get(du).Splat(4 * k).Set(a[k])
		}
		f.Bump(du, 32)
		f.Get(w2i).Set(t)
		f.Get(w2i).Get(h).Shift(5).AddI().Set(end)
		f.Loop(func() { // four columns
			f.Get(a[0]).Get(t).Load(0).Mul().Set(g)
			for k := 1; k < 8; k++ {
				f.Get(g).Get(a[k]).Get(t).Load(16 * k).Mul().Add().Set(g)
			}
			moment.move(f, w, m, v, g, c)
			f.Bump(t, 128)
		}, func() { f.Get(t).Get(end).Less() })
		f.Get(n).Const(1).SubI().Set(n)
	}, func() { f.Get(n) })
}

// adamWide(w, m, v, du, w2i, rate, n, h, d): the same for du (n x d) and W2 in blocks of four
// rows of d vectors, d a multiple of 4.
func adamWide(mod *wasm.Module) {
	f := mod.New("adamWide", 9)
	const w, m, v, du, w2i, rate, n, h, d = 0, 1, 2, 3, 4, 5, 6, 7, 8
	c := f.Vectors(7)
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

// adamPlain(w, m, v, g, rate, n, decays): one Adam step on n weights, a multiple of 4, with
// the gradient g, to which the eighth number of rate times w is added if decays is not 0.
func adamPlain(mod *wasm.Module) {
	f := mod.New("adamPlain", 7)
	const w, m, v, g, rate, n, decays = 0, 1, 2, 3, 4, 5, 6
	c := f.Vectors(8)
	x, end := f.Local(wasm.V128), f.Local(wasm.I32)
	loadRate(f, c, rate)
	moment := newMoments(f)
	f.Get(g).Get(n).Shift(2).AddI().Set(end)
	f.Loop(func() {
		f.Get(g).Load(0).Set(x)
		f.Get(decays)
		f.If(func() { f.Get(x).Get(c[7]).Get(w).Load(0).Mul().Add().Set(x) })
		moment.move(f, w, m, v, x, c)
		f.Bump(g, 16)
	}, func() { f.Get(g).Get(end).Less() })
}

// interleave(w2, w2i, h, d): W2 (h x d, both multiples of 4) as the kernels above read it.
func interleave(mod *wasm.Module) {
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
	f.Get(c[0]).Get(m).Load(0).Mul().Get(c[1]).Get(g).Mul().Add().Set(q.m)
	f.Get(c[2]).Get(v).Load(0).Mul().Get(c[3]).Get(g).Get(g).Mul().Mul().Add().Set(q.v)
	f.Get(m).Get(q.m).Store(0)
	f.Get(v).Get(q.v).Store(0)
	f.Get(w).Get(w).Load(0)
	f.Get(c[4]).Get(q.m).Mul()
	f.Get(q.v).Sqrt().Get(c[5]).Mul().Get(c[6]).Add()
	f.Div().Sub().Store(0)
	f.Bump(w, 16)
	f.Bump(m, 16)
	f.Bump(v, 16)
}

// An element is a kind of number: its name, size in bytes and the logarithm of that.
type element struct {
	name  string
	size  int
	shift int32
}

func kind(double bool) element {
	if double {
		return element{"d", 8, 3}
	}
	return element{"", 4, 2}
}

// splat pushes a number in all lanes.
func (e element) splat(f *wasm.Func, offset int) *wasm.Func {
	if e.size == 8 {
		return f.SplatD(offset)
	}
	return f.Splat(offset)
}

func (e element) mulAdd(f *wasm.Func, sum, a, b int) {
	if e.size == 8 {
		f.Get(sum).Get(a).Get(b).MulD().AddD().Set(sum)
	} else {
		f.MulAdd(sum, a, b)
	}
}

// product(a, b, u, n, h, stride, width): the columns of u (n rows) = the first h columns of a
// times those of b (h rows); n is a multiple of rows, which are done at a time. b and u are
// of the given width.
func product(mod *wasm.Module, double bool, columns, rows int) {
	e := kind(double)
	f := mod.New(fmt.Sprintf("product%dx%s%d", rows, e.name, columns), 7)
	const a, b, u, n, h, stride, width = 0, 1, 2, 3, 4, 5, 6
	vectors := columns * e.size / 16
	sum, y, x := f.Vectors(rows*vectors), f.Vectors(vectors), f.Local(wasm.V128)
	row := make([]int, rows)
	for i := range row {
		row[i] = f.Local(wasm.I32)
	}
	at, fours, end := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(stride).Shift(e.shift).Set(stride)
	f.Get(width).Shift(e.shift).Set(width)
	f.Get(h).Shift(e.shift).Set(h)
	// inner adds so many columns of a times as many rows of b.
	inner := func(count int) {
		for q := range count {
			for i := range y {
				f.Get(at).Load(16 * i).Set(y[i])
			}
			f.Advance(at, width)
			for i, r := range row {
				e.splat(f.Get(r), e.size*q).Set(x)
				for k := range y {
					e.mulAdd(f, sum[i*vectors+k], x, y[k])
				}
			}
		}
		for _, r := range row {
			f.Bump(r, int32(e.size*count))
		}
	}
	f.Loop(func() {
		for i, r := range row {
			f.Get(a).Set(r)
			f.Advance(a, stride)
			for k := range y {
				f.Zero().Set(sum[i*vectors+k])
			}
		}
		f.Get(b).Set(at)
		f.Get(row[0]).Get(h).AddI().Set(end)
		f.Get(row[0]).Get(h).Const(int32(-4 * e.size)).And().AddI().Set(fours)
		f.While(func() { f.Get(row[0]).Get(fours).Less() }, func() { inner(4) })
		f.While(func() { f.Get(row[0]).Get(end).Less() }, func() { inner(1) })
		for i := range row {
			for k := range y {
				f.Get(u).Get(sum[i*vectors+k]).Store(16 * k)
			}
			f.Advance(u, width)
		}
		f.Get(n).Const(int32(rows)).SubI().Set(n)
	}, func() { f.Get(n) })
}

// transposed(a, g, out, n, h, stride, width): the columns of out (h rows) += a' times those of
// g (n rows) over the first h columns of a (n rows); g and out are of the given width. Rows
// come in blocks of 64, so that a block of g stays in cache and a few rows of out in
// registers; within an entry of out they are added in order.
func transposed(mod *wasm.Module, double bool, columns int) {
	e := kind(double)
	f := mod.New(fmt.Sprintf("transposed%s%d", e.name, columns), 7)
	const a, g, out, n, h, stride, width = 0, 1, 2, 3, 4, 5, 6
	vectors := columns * e.size / 16
	sum, y, x := f.Vectors(4*vectors), f.Vectors(vectors), f.Local(wasm.V128)
	local := func() int { return f.Local(wasm.I32) }
	block, ap, gp, op, top, end, fours, last := local(), local(), local(), local(), local(), local(), local(), local()
	f.Get(stride).Shift(e.shift).Set(stride)
	f.Get(width).Shift(e.shift).Set(width)
	// inner adds to so many rows of out, which belong to as many columns of a.
	inner := func(count int) {
		f.Get(op).Set(gp)
		for i := range count {
			for k := range y {
				f.Get(gp).Load(16 * k).Set(sum[i*vectors+k])
			}
			f.Advance(gp, width)
		}
		f.Get(top).Set(ap)
		f.Get(top).Get(block).Get(stride).MulI().AddI().Set(end)
		f.Get(g).Set(gp)
		f.Loop(func() { // rows
			for k := range y {
				f.Get(gp).Load(16 * k).Set(y[k])
			}
			for i := range count {
				e.splat(f.Get(ap), e.size*i).Set(x)
				for k := range y {
					e.mulAdd(f, sum[i*vectors+k], y[k], x)
				}
			}
			f.Advance(gp, width)
			f.Advance(ap, stride)
		}, func() { f.Get(ap).Get(end).Less() })
		for i := range count {
			for k := range y {
				f.Get(op).Get(sum[i*vectors+k]).Store(16 * k)
			}
			f.Advance(op, width)
		}
		f.Bump(top, int32(e.size*count))
	}
	f.Loop(func() { // 64 rows, or what is left
		f.Const(64).Set(block)
		f.Get(n).Get(block).Get(n).Get(block).Less().Select().Set(block)
		f.Get(out).Set(op)
		f.Get(a).Set(top)
		f.Get(a).Get(h).Shift(e.shift).AddI().Set(last)
		f.Get(a).Get(h).Shift(e.shift).Const(int32(-4 * e.size)).And().AddI().Set(fours)
		f.While(func() { f.Get(top).Get(fours).Less() }, func() { inner(4) })
		f.While(func() { f.Get(top).Get(last).Less() }, func() { inner(1) })
		f.Get(a).Get(block).Get(stride).MulI().AddI().Set(a)
		f.Get(g).Get(block).Get(width).MulI().AddI().Set(g)
		f.Get(n).Get(block).SubI().Set(n)
	}, func() { f.Get(n) })
}

// sparse(start, index, value, b, y, n, width): the columns of y (n rows) = a sparse matrix
// times those of b, both of the given width.
func sparse(mod *wasm.Module, columns int) {
	f := mod.New(fmt.Sprintf("sparse%d", columns), 7)
	const start, index, value, b, y, n, width = 0, 1, 2, 3, 4, 5, 6
	sum, x := f.Vectors(columns/4), f.Local(wasm.V128)
	at, end, row, vp := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(width).Shift(2).Set(width)
	f.Loop(func() { // rows
		for _, s := range sum {
			f.Zero().Set(s)
		}
		f.Get(index).Get(start).LoadI32(0).Shift(2).AddI().Set(at)
		f.Get(value).Get(start).LoadI32(0).Shift(2).AddI().Set(vp)
		f.Get(index).Get(start).LoadI32(4).Shift(2).AddI().Set(end)
		f.While(func() { f.Get(at).Get(end).Less() }, func() { // entries
			f.Get(b).Get(at).LoadI32(0).Get(width).MulI().AddI().Set(row)
			f.Get(vp).Splat(0).Set(x)
			for k, s := range sum {
				f.Get(s).Get(x).Get(row).Load(16 * k).Mul().Add().Set(s)
			}
			f.Bump(at, 4)
			f.Bump(vp, 4)
		})
		for k, s := range sum {
			f.Get(y).Get(s).Store(16 * k)
		}
		f.Advance(y, width)
		f.Bump(start, 4)
		f.Get(n).Const(1).SubI().Set(n)
	}, func() { f.Get(n) })
}
