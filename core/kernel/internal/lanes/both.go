package lanes

import "cadem/core/kernel/internal/wasm"

// adamBoth(w1, m1, v1, u, du, w2, m2, v2, dw2, old, rate, n, h): one Adam step on both factors
// of U = W1 W2 (n x h and h x 8, h a multiple of 4, n at least 1) from the gradient du (n x 8),
// for few rows n. old becomes W2 before the step, dw2 its gradient W1'dU, u the new product.
func adamBoth(mod *wasm.Module) {
	f := mod.New("adamBoth", 13)
	const w1, m1, v1, u, du, w2, m2, v2, dw2, old, rate, n, h = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
	c, y, a := f.Vectors(4), f.Vectors(8), f.Vectors(2)
	s, g := f.Local(wasm.V128), f.Local(wasm.V128)
	local := func() int { return f.Local(wasm.I32) }
	w, m, v, k, p, behind, four, end, last, skip := local(), local(), local(), local(), local(), local(), local(), local(), local(), local()
	loadRate(f, c, rate)
	moment := newMoments(f)
	// rows repeats body for the n rows of a matrix of eight columns at p.
	rows := func(body func()) {
		f.Get(n).Set(k)
		f.Loop(func() {
			body()
			f.Bump(p, 32)
			f.Get(k).Const(1).SubI().Tee(k)
		}, func() {})
	}
	f.Get(u).Set(p)
	rows(func() {
		f.Get(p).Zero().Store(0)
		f.Get(p).Zero().Store(16)
	})

	// W2, two rows at a time, which belong to two columns of W1.
	sum := y[:4]
	f.Get(w2).Set(four)
	f.Get(h).Shift(2).Set(h)
	f.Get(w2).Get(h).Shift(3).AddI().Set(end)
	f.Get(w1).Set(w)
	f.Loop(func() {
		for _, x := range sum {
			f.Zero().Set(x)
		}
		f.Get(w).Set(m)
		f.Get(du).Set(p)
		rows(func() {
			for i := range a {
				f.Get(p).Load(16 * i).Set(a[i])
			}
			for r := range 2 {
				f.Get(m).Splat(4 * r).Set(s)
				for i := range a {
					f.MulAdd(sum[2*r+i], a[i], s)
				}
			}
			f.Advance(m, h)
		})
		for i, x := range sum {
			f.Get(old).Get(w2).Load(0).Store(16 * i)
			f.Get(dw2).Get(x).Store(16 * i)
			moment.move(f, w2, m2, v2, x, c)
		}
		f.Bump(old, 64)
		f.Bump(dw2, 64)
		f.Bump(w, 8)
	}, func() { f.Get(w2).Get(end).Less() })
	f.Get(old).Get(h).Shift(3).SubI().Set(old)
	f.Get(end).Const(128).SubI().Set(last)

	// W1, four columns at a time, which belong to four rows of W2. What they add to U is taken
	// while the next ones are moved.
	f.Get(w1).Set(behind)
	product := func() {
		f.Get(behind).Set(w)
		f.Get(u).Set(p)
		rows(func() {
			for i := range a {
				f.Get(p).Load(16 * i).Set(a[i])
			}
			for r := range 4 {
				f.Get(w).Splat(4 * r).Set(s)
				for i := range a {
					f.Get(a[i]).Get(s).Get(four).Load(32*r + 16*i).Mul().Add().Set(a[i])
				}
			}
			for i := range a {
				f.Get(p).Get(a[i]).Store(16 * i)
			}
			f.Advance(w, h)
		})
		f.Bump(behind, 16)
		f.Bump(four, 128)
	}
	f.Get(h).Const(16).SubI().Set(skip) // from four columns to those of the next row
	move := func() {
		for half := range 2 { // y[k]: column k of the four rows
			var x [4]int
			for r := range x {
				x[r] = y[4*half+r]
				f.Get(old).Load(32*r + 16*half).Set(x[r])
			}
			transposed4(f, x, x[:])
		}
		f.Get(w1).Set(w)
		f.Get(m1).Set(m)
		f.Get(v1).Set(v)
		f.Get(du).Set(p)
		rows(func() {
			for i := range y {
				if i > 0 {
					f.Get(g)
				}
				f.Get(p).Splat(4 * i).Get(y[i]).Mul()
				if i > 0 {
					f.Add()
				}
				f.Set(g)
			}
			moment.move(f, w, m, v, g, c)
			for _, p := range []int{w, m, v} {
				f.Advance(p, skip)
			}
		})
		f.Bump(old, 128)
		for _, p := range []int{w1, m1, v1} {
			f.Bump(p, 16)
		}
	}
	move()
	f.While(func() { f.Get(four).Get(last).Less() }, func() {
		move()
		product()
	})
	product()
}
