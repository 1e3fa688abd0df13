// Package lanes writes the SIMD kernels. Each does what the scalar loops of package kernel
// do, operation by operation: a vector holds four sums (two in double precision) that are
// independent of each other, never parts of one sum, so no order changes and the bits
// are the same.
//
// Matrices are row-major; pointers are byte addresses in the memory of the Go program.
// Strides and widths are lengths of rows in numbers. Lengths are checked by the caller, and n is at
// least 1. A kernel whose name ends in 2, 4 or 8 works on that number of neighbouring columns of
// matrices of any width; a d before that means double precision.
package lanes

import (
	"fmt"

	"cadem.example/core/base/kernel/internal/wasm"
)

// Module returns all kernels, in the order of their slots.
func Module() *wasm.Module {
	m := &wasm.Module{}
	adamWide(m)
	adamPlain(m)
	turn := interleave(m)
	transposedRows(m)
	for _, columns := range []int{4, 8} {
		four := product(m, false, columns, 4)
		one := product(m, false, columns, 1)
		if columns == 8 {
			adam(m, turn, four, one)
		}
		transposed(m, false, columns)
		sparse(m, false, columns, true)
		residual(m, columns)
	}
	scaleRows(m)
	for _, columns := range []int{4, 8} {
		sparse(m, false, columns, false)
	}
	for _, columns := range []int{2, 8} {
		product(m, true, columns, 1)
		transposed(m, true, columns)
		reflect(m, columns)
	}
	combine(m)
	blend(m)
	squares(m)
	inner(m)
	exps(m)
	softmax(m)
	place(m)
	collect(m)
	inner8(m)
	exchange(m)
	sparse(m, true, 8, true)
	return m
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

func (e element) mul(f *wasm.Func) *wasm.Func {
	if e.size == 8 {
		return f.MulD()
	}
	return f.Mul()
}

func (e element) add(f *wasm.Func) *wasm.Func {
	if e.size == 8 {
		return f.AddD()
	}
	return f.Add()
}

func (e element) mulAdd(f *wasm.Func, sum, a, b int) {
	e.add(e.mul(f.Get(sum).Get(a).Get(b))).Set(sum)
}

// product(a, b, u, n, h, stride, width): the columns of u (n rows) = the first h columns of a
// times those of b (h rows); n is a multiple of rows, which are done at a time. b and u are
// of the given width. In double precision an eighth number that is not 0 adds the product to u.
func product(mod *wasm.Module, double bool, columns, rows int) *wasm.Func {
	e := kind(double)
	params := 7
	if double {
		params++
	}
	f := mod.New(fmt.Sprintf("product%dx%s%d", rows, e.name, columns), params)
	const a, b, u, n, h, stride, width, adds = 0, 1, 2, 3, 4, 5, 6, 7
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
	// inner adds count columns of a times as many rows of b.
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
			if double {
				f.Get(adds)
				f.If(func() {
					for k := range y {
						f.Get(u).Load(16 * k).Get(sum[i*vectors+k]).AddD().Set(sum[i*vectors+k])
					}
				})
			}
			for k := range y {
				f.Get(u).Get(sum[i*vectors+k]).Store(16 * k)
			}
			f.Advance(u, width)
		}
		f.Get(n).Const(int32(rows)).SubI().Set(n)
	}, func() { f.Get(n) })
	return f
}

// transposed(a, g, out, n, h, stride, width): the columns of out (h rows) += a' times those of
// g (n rows) over the first h columns of a (n rows); g and out are of the given width. Rows
// come in blocks of 64, so a block of g stays in cache and a few rows of out in
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
	// inner adds to count rows of out, which belong to as many columns of a.
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
	f.Loop(func() { // 64 rows, or the rest
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

// transposed4x8(a, g, out, n, h): out (h x 8) += a' times g (n x 8), a (n x h), n a multiple of 4.
// Four rows of a are read from their beginning to their end, which suits matrices that come
// from far away; those of g stay in registers. A number of every line of the next four rows is
// read along the way, and dropped: what fetches memory ahead stops at the end of a page, which
// four rows of a thousand bytes fill.
func transposedRows(mod *wasm.Module) {
	f := mod.New("transposed4x8", 5)
	const a, g, out, n, h = 0, 1, 2, 3, 4
	y, sum, x := f.Vectors(8), f.Vectors(4), f.Local(wasm.V128)
	row := [4]int{a, f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)}
	op, end, fours, next := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	// inner adds to count rows of out, two at a time.
	inner := func(count int) {
		for from := 0; from < count; from += 2 {
			two := min(2, count-from)
			for i := range 2 * two {
				f.Get(op).Load(32*from + 16*i).Set(sum[i])
			}
			f.Get(next).LoadI32(16 * from).Drop()
			for r := range row {
				for i := range two {
					f.Get(row[r]).Splat(4 * (from + i)).Set(x)
					f.MulAdd(sum[2*i], y[2*r], x)
					f.MulAdd(sum[2*i+1], y[2*r+1], x)
				}
			}
			for i := range 2 * two {
				f.Get(op).Get(sum[i]).Store(32*from + 16*i)
			}
		}
		f.Bump(next, int32(16*count))
		for _, r := range row {
			f.Bump(r, int32(4*count))
		}
		f.Bump(op, int32(32*count))
	}
	f.Get(h).Shift(2).Set(h)
	f.Loop(func() { // four rows
		for i := range 3 {
			f.Get(row[i]).Get(h).AddI().Set(row[i+1])
		}
		for i := range y {
			f.Get(g).Load(16 * i).Set(y[i])
		}
		f.Get(out).Set(op)
		f.Get(row[3]).Get(h).AddI().Get(a).Const(4).Get(n).Less().Select().Set(next) // after the last rows memory may end
		f.Get(row[1]).Set(end)
		f.Get(row[0]).Get(h).Const(-16).And().AddI().Set(fours)
		f.While(func() { f.Get(row[0]).Get(fours).Less() }, func() { inner(4) })
		f.While(func() { f.Get(row[0]).Get(end).Less() }, func() { inner(1) })
		f.Get(row[3]).Set(a)
		f.Bump(g, 128)
		f.Get(n).Const(4).SubI().Tee(n)
	}, func() {})
}
