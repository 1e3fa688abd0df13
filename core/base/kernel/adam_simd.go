//go:build goexperiment.simd && amd64

package kernel

import (
	"math"
	"simd/archsimd"
	"sync"
)

// rate8 are the constants of a step in all lanes.
func rate8(r *AdamRate[float32]) (b1, b2, root, eps archsimd.Float32x8) {
	return archsimd.BroadcastFloat32x8(r.B1), archsimd.BroadcastFloat32x8(r.B2), archsimd.BroadcastFloat32x8(r.Root), archsimd.BroadcastFloat32x8(r.Eps)
}

// vectorAdamPlain is Adam for a number of weights that is a multiple of 4.
func vectorAdamPlain(w, m, v, g []float32, r *AdamRate[float32]) {
	b1, b2, root, eps := rate8(r)
	// A whole number, since a comparison of floats between vectors of 256 bits costs some hundred cycles.
	decay, decays := archsimd.BroadcastFloat32x8(r.Decay), math.Float32bits(r.Decay)<<1
	i := 0
	for ; i+8 <= len(w); i += 8 {
		wp, mp, vp := single(at(w), i), single(at(m), i), single(at(v), i)
		x := load8(single(at(g), i))
		if decays != 0 {
			x = x.Add(decay.Mul(load8(wp)))
		}
		mm := b1.Mul(load8(mp)).Add(x)
		vv := b2.Mul(load8(vp)).Add(x.Mul(x))
		store8(mp, mm)
		store8(vp, vv)
		store8(wp, load8(wp).Sub(mm.Div(vv.Sqrt().Mul(root).Add(eps))))
	}
	if i < len(w) { // four more
		x := load4(single(at(g), i))
		if decays != 0 {
			x = x.Add(decay.GetLo().Mul(load4(single(at(w), i))))
		}
		moveFour(single(at(w), i), single(at(m), i), single(at(v), i), x, r)
	}
	archsimd.ClearAVXUpperBits()
}

// turned holds W2 as vectorAdam reads it: several runs may take a step at once.
var turned = sync.Pool{New: func() any { return new([]float32) }}

// vectorAdam is AdamFactored for h and d multiples of 4 and no decay.
func vectorAdam(w1, m, v, u, du, old, w2 []float32, n, h, d int, r *AdamRate[float32]) {
	if n == 0 {
		return
	}
	lanes := 8
	if d == 8 && h%16 == 0 && wideReady {
		lanes = 16
	}
	// Numbers of a column of W2 are side by side, as many as there are lanes, and then those of the next column.
	scratch := turned.Get().(*[]float32)
	if size := (h + lanes - 1) / lanes * lanes * d; len(*scratch) < size {
		*scratch = make([]float32, size)
	}
	t := *scratch
	for j := 0; j < h; j += lanes {
		block := t[j*d:][:lanes*d]
		for i := range min(lanes, h-j) {
			for k, x := range old[(j+i)*d:][:d] {
				block[k*lanes+i] = x
			}
		}
	}
	const block = 16 // rows that are still in cache when U is taken from them
	for from := 0; from < n; from += block {
		rows := min(block, n-from)
		for i := from; i < from+rows; i++ {
			w, m, v, du := single(at(w1), i*h), single(at(m), i*h), single(at(v), i*h), single(at(du), i*d)
			switch {
			case lanes == 16:
				adamRow16(w, m, v, du, at(t), h, r)
			case d == 8:
				adamRow(w, m, v, du, at(t), h, r)
			default:
				adamRowWide(w, m, v, du, at(t), h, d, r)
			}
		}
		vectorMul(u[from*d:(from+rows)*d], w1[from*h:(from+rows)*h], w2, rows, h, d)
	}
	turned.Put(scratch)
}

// adamRow moves the row w (h, a multiple of 4 above 0), whose gradient is du (8) times t (8 x h). Addresses go on from turn to turn, and
// no further than there are numbers: the compiler makes instructions of each that is computed anew.
func adamRow(w, m, v, du, t address, h int, r *AdamRate[float32]) {
	b1, b2, root, eps := rate8(r)
	a0, a1, a2, a3 := splat8(du), splat8(single(du, 1)), splat8(single(du, 2)), splat8(single(du, 3))
	a4, a5, a6, a7 := splat8(single(du, 4)), splat8(single(du, 5)), splat8(single(du, 6)), splat8(single(du, 7))
	for h >= 8 {
		g := a0.Mul(load8(t))
		g = g.Add(a1.Mul(load8(single(t, 8))))
		g = g.Add(a2.Mul(load8(single(t, 16))))
		g = g.Add(a3.Mul(load8(single(t, 24))))
		g = g.Add(a4.Mul(load8(single(t, 32))))
		g = g.Add(a5.Mul(load8(single(t, 40))))
		g = g.Add(a6.Mul(load8(single(t, 48))))
		g = g.Add(a7.Mul(load8(single(t, 56))))
		mm := b1.Mul(load8(m)).Add(g)
		vv := b2.Mul(load8(v)).Add(g.Mul(g))
		store8(m, mm)
		store8(v, vv)
		store8(w, load8(w).Sub(mm.Div(vv.Sqrt().Mul(root).Add(eps))))
		if h -= 8; h == 0 {
			return
		}
		w, m, v, t = single(w, 8), single(m, 8), single(v, 8), single(t, 64)
	}
	g := a0.GetLo().Mul(load4(t))
	g = g.Add(a1.GetLo().Mul(load4(single(t, 8))))
	g = g.Add(a2.GetLo().Mul(load4(single(t, 16))))
	g = g.Add(a3.GetLo().Mul(load4(single(t, 24))))
	g = g.Add(a4.GetLo().Mul(load4(single(t, 32))))
	g = g.Add(a5.GetLo().Mul(load4(single(t, 40))))
	g = g.Add(a6.GetLo().Mul(load4(single(t, 48))))
	g = g.Add(a7.GetLo().Mul(load4(single(t, 56))))
	moveFour(w, m, v, g, r)
}

// adamRow16 is the same for h a multiple of 16 and t in sixteens.
func adamRow16(w, m, v, du, t address, h int, r *AdamRate[float32]) {
	b1, b2 := archsimd.BroadcastFloat32x16(r.B1), archsimd.BroadcastFloat32x16(r.B2)
	root, eps := archsimd.BroadcastFloat32x16(r.Root), archsimd.BroadcastFloat32x16(r.Eps)
	a0, a1, a2, a3 := splat16(du), splat16(single(du, 1)), splat16(single(du, 2)), splat16(single(du, 3))
	a4, a5, a6, a7 := splat16(single(du, 4)), splat16(single(du, 5)), splat16(single(du, 6)), splat16(single(du, 7))
	for {
		g := a0.Mul(load16(t))
		g = g.Add(a1.Mul(load16(single(t, 16))))
		g = g.Add(a2.Mul(load16(single(t, 32))))
		g = g.Add(a3.Mul(load16(single(t, 48))))
		g = g.Add(a4.Mul(load16(single(t, 64))))
		g = g.Add(a5.Mul(load16(single(t, 80))))
		g = g.Add(a6.Mul(load16(single(t, 96))))
		g = g.Add(a7.Mul(load16(single(t, 112))))
		mm := b1.Mul(load16(m)).Add(g)
		vv := b2.Mul(load16(v)).Add(g.Mul(g))
		store16(m, mm)
		store16(v, vv)
		store16(w, load16(w).Sub(mm.Div(vv.Sqrt().Mul(root).Add(eps))))
		if h -= 16; h == 0 {
			return
		}
		w, m, v, t = single(w, 16), single(m, 16), single(v, 16), single(t, 128)
	}
}

// adamRowWide is adamRow for du (d) and t (d x h).
func adamRowWide(w, m, v, du, t address, h, d int, r *AdamRate[float32]) {
	b1, b2, root, eps := rate8(r)
	j := 0
	for ; j+8 <= h; j += 8 {
		var g archsimd.Float32x8
		for k := range d {
			g = g.Add(splat8(single(du, k)).Mul(load8(single(t, d*j+8*k))))
		}
		mm := b1.Mul(load8(single(m, j))).Add(g)
		vv := b2.Mul(load8(single(v, j))).Add(g.Mul(g))
		store8(single(m, j), mm)
		store8(single(v, j), vv)
		store8(single(w, j), load8(single(w, j)).Sub(mm.Div(vv.Sqrt().Mul(root).Add(eps))))
	}
	if j < h {
		var g archsimd.Float32x4
		for k := range d {
			g = g.Add(splat4(single(du, k)).Mul(load4(single(t, d*j+8*k))))
		}
		moveFour(single(w, j), single(m, j), single(v, j), g, r)
	}
}

// moveFour moves the four weights at w against the gradient g.
func moveFour(w, m, v address, g archsimd.Float32x4, r *AdamRate[float32]) {
	mm := archsimd.BroadcastFloat32x4(r.B1).Mul(load4(m)).Add(g)
	vv := archsimd.BroadcastFloat32x4(r.B2).Mul(load4(v)).Add(g.Mul(g))
	store4(m, mm)
	store4(v, vv)
	store4(w, load4(w).Sub(mm.Div(vv.Sqrt().Mul(archsimd.BroadcastFloat32x4(r.Root)).Add(archsimd.BroadcastFloat32x4(r.Eps)))))
}
