package lanes

import (
	"fmt"

	"cadem/core/kernel/internal/wasm"
)

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
