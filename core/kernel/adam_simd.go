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

// turned holds room for W2 in columns, as vectorAdam reads it: several runs may take a step at once.
var turned = sync.Pool{New: func() any { return new([]float32) }}

// vectorAdam is AdamFactored for h and d multiples of 4 and no decay.
func vectorAdam(w1, m, v, u, du, old, w2 []float32, n, h, d int, r *AdamRate[float32]) {
	if n == 0 {
		return
	}
	room := turned.Get().(*[]float32)
	if len(*room) < h*d {
		*room = make([]float32, h*d)
	}
	t := *room
	for j := range h {
		for k, x := range old[j*d:][:d] {
			t[k*h+j] = x
		}
	}
	const block = 16 // rows that are still in cache when U is taken from them
	for from := 0; from < n; from += block {
		rows := min(block, n-from)
		for i := range rows {
			i += from
			w, m, v, du := single(at(w1), i*h), single(at(m), i*h), single(at(v), i*h), single(at(du), i*d)
			if d == 8 {
				adamRow(w, m, v, du, at(t), h, r)
			} else {
				adamRowWide(w, m, v, du, at(t), h, d, r)
			}
		}
		vectorMul(u[from*d:(from+rows)*d], w1[from*h:(from+rows)*h], w2, rows, h, d)
	}
	turned.Put(room)
}

// adamRow moves the row w (h, a multiple of 4), whose gradient is du (8) times t (8 x h).
func adamRow(w, m, v, du, t address, h int, r *AdamRate[float32]) {
	b1, b2, root, eps := rate8(r)
	a0, a1, a2, a3 := splat8(du), splat8(single(du, 1)), splat8(single(du, 2)), splat8(single(du, 3))
	a4, a5, a6, a7 := splat8(single(du, 4)), splat8(single(du, 5)), splat8(single(du, 6)), splat8(single(du, 7))
	t1, t2, t3, t4, t5, t6, t7 := single(t, h), single(t, 2*h), single(t, 3*h), single(t, 4*h), single(t, 5*h), single(t, 6*h), single(t, 7*h)
	j := 0
	for ; j+8 <= h; j += 8 {
		g := a0.Mul(load8(single(t, j)))
		g = g.Add(a1.Mul(load8(single(t1, j))))
		g = g.Add(a2.Mul(load8(single(t2, j))))
		g = g.Add(a3.Mul(load8(single(t3, j))))
		g = g.Add(a4.Mul(load8(single(t4, j))))
		g = g.Add(a5.Mul(load8(single(t5, j))))
		g = g.Add(a6.Mul(load8(single(t6, j))))
		g = g.Add(a7.Mul(load8(single(t7, j))))
		mm := b1.Mul(load8(single(m, j))).Add(g)
		vv := b2.Mul(load8(single(v, j))).Add(g.Mul(g))
		store8(single(m, j), mm)
		store8(single(v, j), vv)
		store8(single(w, j), load8(single(w, j)).Sub(mm.Div(vv.Sqrt().Mul(root).Add(eps))))
	}
	if j < h {
		g := a0.GetLo().Mul(load4(single(t, j)))
		g = g.Add(a1.GetLo().Mul(load4(single(t1, j))))
		g = g.Add(a2.GetLo().Mul(load4(single(t2, j))))
		g = g.Add(a3.GetLo().Mul(load4(single(t3, j))))
		g = g.Add(a4.GetLo().Mul(load4(single(t4, j))))
		g = g.Add(a5.GetLo().Mul(load4(single(t5, j))))
		g = g.Add(a6.GetLo().Mul(load4(single(t6, j))))
		g = g.Add(a7.GetLo().Mul(load4(single(t7, j))))
		moveFour(single(w, j), single(m, j), single(v, j), g, r)
	}
}

// adamRowWide is the same for du (d) and t (d x h).
func adamRowWide(w, m, v, du, t address, h, d int, r *AdamRate[float32]) {
	b1, b2, root, eps := rate8(r)
	j := 0
	for ; j+8 <= h; j += 8 {
		var g archsimd.Float32x8
		for k := range d {
			g = g.Add(splat8(single(du, k)).Mul(load8(single(t, k*h+j))))
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
			g = g.Add(splat4(single(du, k)).Mul(load4(single(t, k*h+j))))
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
