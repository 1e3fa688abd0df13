package lanes

import (
	"fmt"

	"cadem/core/kernel/internal/wasm"
)

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
