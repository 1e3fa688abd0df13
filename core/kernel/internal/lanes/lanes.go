// Package lanes writes the SIMD kernels. Each does what the scalar loops of package kernel
// do for d = 8 and float32, operation by operation: a vector holds four sums that are
// independent of each other, never parts of one sum, so that no order changes and the bits
// are the same.
//
// Matrices are row-major; pointers are byte addresses in the memory of the Go program.
// Lengths are checked by the caller. Counts n and h are at least 1; where h is counted in
// vectors it is a multiple of 4.
package lanes

import "cadem/core/kernel/internal/wasm"

// Module returns all kernels, in the order of their slots.
func Module() *wasm.Module {
	m := &wasm.Module{}
	adam(m)
	product(m)
	transposed(m)
	sparse(m)
	return m
}

// adam(w, m, v, du, w2i, rate, n, h): one Adam step on w (n x h), whose gradient is du
// (n x 8) times W2' (8 x h), formed on the fly. A vector holds four neighbouring weights of
// a row. w2i is W2 in blocks of four rows, each transposed to 8 vectors of 4 lanes; rate is
// b1, c1, b2, c2, step, invsqrt, eps.
func adam(mod *wasm.Module) {
	f := mod.New("adam", 8)
	const w, m, v, du, w2i, rate, n, h = 0, 1, 2, 3, 4, 5, 6, 7
	a, c := f.Vectors(8), f.Vectors(7) // du of the row, each number four times; the rate
	g, mv, vv := f.Local(wasm.V128), f.Local(wasm.V128), f.Local(wasm.V128)
	t, end := f.Local(wasm.I32), f.Local(wasm.I32)
	for i := range c {
		f.Get(rate).Splat(4 * i).Set(c[i])
	}
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
			f.Get(c[0]).Get(m).Load(0).Mul().Get(c[1]).Get(g).Mul().Add().Set(mv)
			f.Get(c[2]).Get(v).Load(0).Mul().Get(c[3]).Get(g).Get(g).Mul().Mul().Add().Set(vv)
			f.Get(m).Get(mv).Store(0)
			f.Get(v).Get(vv).Store(0)
			f.Get(w).Get(w).Load(0)
			f.Get(c[4]).Get(mv).Mul()
			f.Get(vv).Sqrt().Get(c[5]).Mul().Get(c[6]).Add()
			f.Div().Sub().Store(0)
			f.Bump(w, 16)
			f.Bump(m, 16)
			f.Bump(v, 16)
			f.Bump(t, 128)
		}, func() { f.Get(t).Get(end).Less() })
		f.Get(n).Const(1).SubI().Set(n)
	}, func() { f.Get(n) })
}

// product(a, b, u, n, h, stride): u (n x 8) = the first h columns of a times b (h x 8), n
// and h multiples of 4; stride is the length of a row of a in numbers. Four rows at a time;
// the sums of a row are two vectors, columns 0-3 and 4-7.
func product(mod *wasm.Module) {
	f := mod.New("product", 6)
	const a, b, u, n, h, stride = 0, 1, 2, 3, 4, 5
	sum := f.Vectors(8)
	lo, hi, x := f.Local(wasm.V128), f.Local(wasm.V128), f.Local(wasm.V128)
	row := [4]int{f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)}
	at, end := f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(stride).Shift(2).Set(stride)
	f.Loop(func() { // four rows
		f.Get(a).Set(row[0])
		for i := 1; i < 4; i++ {
			f.Get(row[i-1]).Get(stride).AddI().Set(row[i])
		}
		f.Get(row[3]).Get(stride).AddI().Set(a)
		for _, s := range sum {
			f.Zero().Set(s)
		}
		f.Get(b).Set(at)
		f.Get(b).Get(h).Shift(5).AddI().Set(end)
		f.Loop(func() { // four columns of a, four rows of b
			for q := range 4 {
				f.Get(at).Load(32 * q).Set(lo)
				f.Get(at).Load(32*q + 16).Set(hi)
				for i, r := range row {
					f.Get(r).Splat(4 * q).Set(x)
					f.MulAdd(sum[2*i], x, lo)
					f.MulAdd(sum[2*i+1], x, hi)
				}
			}
			for _, r := range row {
				f.Bump(r, 16)
			}
			f.Bump(at, 128)
		}, func() { f.Get(at).Get(end).Less() })
		for i, s := range sum {
			f.Get(u).Get(s).Store(16 * i)
		}
		f.Bump(u, 128)
		f.Get(n).Const(4).SubI().Set(n)
	}, func() { f.Get(n) })
}

// transposed(a, g, out, n, h, stride): out (h x 8) += a' times g (n x 8) over the first h
// columns of a (n rows of stride numbers), h a multiple of 4. Rows come in blocks of 64, so
// that a block of g and four rows of out stay in registers and cache; within an entry of out
// they are added in order.
func transposed(mod *wasm.Module) {
	f := mod.New("transposed", 6)
	const a, g, out, n, h, stride = 0, 1, 2, 3, 4, 5
	sum := f.Vectors(8)
	lo, hi, x := f.Local(wasm.V128), f.Local(wasm.V128), f.Local(wasm.V128)
	block, j, ap, gp, op, end := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Get(stride).Shift(2).Set(stride)
	f.Get(h).Shift(2).Set(h)
	f.Loop(func() { // 64 rows, or what is left
		f.Const(64).Set(block)
		f.Get(n).Get(block).Get(n).Get(block).Less().Select().Set(block)
		f.Const(0).Set(j)
		f.Get(out).Set(op)
		f.Loop(func() { // four columns of a, four rows of out
			f.Get(a).Get(j).AddI().Tee(ap)
			f.Get(block).Get(stride).MulI().AddI().Set(end)
			f.Get(g).Set(gp)
			for i, s := range sum {
				f.Get(op).Load(16 * i).Set(s)
			}
			f.Loop(func() { // rows
				f.Get(gp).Load(0).Set(lo)
				f.Get(gp).Load(16).Set(hi)
				for i := range 4 {
					f.Get(ap).Splat(4 * i).Set(x)
					f.MulAdd(sum[2*i], lo, x)
					f.MulAdd(sum[2*i+1], hi, x)
				}
				f.Bump(gp, 32)
				f.Advance(ap, stride)
			}, func() { f.Get(ap).Get(end).Less() })
			for i, s := range sum {
				f.Get(op).Get(s).Store(16 * i)
			}
			f.Bump(op, 128)
			f.Bump(j, 16)
		}, func() { f.Get(j).Get(h).Less() })
		f.Get(a).Get(block).Get(stride).MulI().AddI().Set(a)
		f.Get(g).Get(block).Shift(5).AddI().Set(g)
		f.Get(n).Get(block).SubI().Set(n)
	}, func() { f.Get(n) })
}

// sparse(start, index, value, b, y, n): y (n x 8) = a sparse matrix times b (? x 8). The
// sums of a row are two vectors.
func sparse(mod *wasm.Module) {
	f := mod.New("sparse", 6)
	const start, index, value, b, y, n = 0, 1, 2, 3, 4, 5
	lo, hi, x := f.Local(wasm.V128), f.Local(wasm.V128), f.Local(wasm.V128)
	at, end, row, vp := f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32), f.Local(wasm.I32)
	f.Loop(func() { // rows
		f.Zero().Tee(lo).Set(hi)
		f.Get(index).Get(start).LoadI32(0).Shift(2).AddI().Set(at)
		f.Get(value).Get(start).LoadI32(0).Shift(2).AddI().Set(vp)
		f.Get(index).Get(start).LoadI32(4).Shift(2).AddI().Set(end)
		f.Get(at).Get(end).Less()
		f.If(func() {
			f.Loop(func() { // entries
				f.Get(b).Get(at).LoadI32(0).Shift(5).AddI().Set(row)
				f.Get(vp).Splat(0).Set(x)
				f.Get(lo).Get(x).Get(row).Load(0).Mul().Add().Set(lo)
				f.Get(hi).Get(x).Get(row).Load(16).Mul().Add().Set(hi)
				f.Bump(at, 4)
				f.Bump(vp, 4)
			}, func() { f.Get(at).Get(end).Less() })
		})
		f.Get(y).Get(lo).Store(0)
		f.Get(y).Get(hi).Store(16)
		f.Bump(y, 32)
		f.Bump(start, 4)
		f.Get(n).Const(1).SubI().Set(n)
	}, func() { f.Get(n) })
}
