package evidence

import (
	"math"

	"cadem.example/core/base/pause"
)

// A Private is a layer's part beside the shared one (step 8): eigenvectors of (1 - J J') L_l (1 - J J') by modulus, J
// = orth(D_l^1/2 F_S).
type Private struct {
	Pool        *Pool
	J           Matrix
	Eigenvalues []float64 // one for each column of V
	V, F        Matrix    // F = D_l^-1/2 V
}

// NewPrivate returns at most k directions of a layer.
func NewPrivate(a *Layer, shared Matrix, k int, pause pause.Work) (*Private, error) {
	return besides(NewPool(a), shared, k, pause)
}

// besides returns at most k directions of a pool beside functions.
func besides(pool *Pool, shared Matrix, k int, pause pause.Work) (p *Private, err error) {
	p = &Private{Pool: pool}
	if p.J, _, err = left(shared.scaled(pool.Root), pause); err != nil {
		return nil, err
	}
	if p.Eigenvalues, p.V, err = pool.Leading(k, p.J, pause); err != nil {
		return nil, err
	}
	p.F = p.V.scaled(pool.q)
	return p, nil
}

// PrivateStrength returns the strengths of at most k private directions of layer l: held-out strengths times the signs of
// the folds' eigenvalues.
func PrivateStrength(folds []*Fold, l, k int) *Strength {
	s := newStrength(k)
	for _, f := range folds {
		t := f.private(l, len(folds))
		s.add(t.strength, t.squares, t.signs)
	}
	return s.finish()
}

// Rank returns how many directions a layer has of its own. It is where the running sum of z[k] - 2.25 is largest; the sum is returned,
// too, with the 0 that it starts from: running[k] is over the first k directions.
func Rank(z []float64) (rank int, running []float64) {
	const least = 2.25 // of z, to be worth its place
	running = []float64{0}
	for k, v := range z {
		running = append(running, running[k]+(v-least))
		if running[k+1] > running[rank] {
			rank = k + 1
		}
	}
	return rank, running
}

// Keep cuts to as many directions and returns their strengths: non-increasing, cut at 0, times the sign of the eigenvalue.
func (p *Private) Keep(rank int, strength []float64) (s []float64) {
	rank = min(rank, len(p.Eigenvalues))
	p.V, p.F, p.Eigenvalues = p.V.first(rank), p.F.first(rank), p.Eigenvalues[:rank]
	s = Cut(strength[:rank])
	for k, v := range s {
		s[k] = math.Copysign(v, p.Eigenvalues[k])
	}
	return s
}

// Oblique returns V + J (J'L_l V) / (V'L_l V), for display and clustering.
func (p *Private) Oblique(pause pause.Work) (Matrix, error) {
	if p.J.Cols == 0 || p.V.Cols == 0 {
		return p.V, nil
	}
	y := NewMatrix(p.V.Rows, p.V.Cols)
	if err := p.Pool.multiply(y, p.V, pause); err != nil {
		return y, err
	}
	lambda := make([]float64, p.V.Cols)
	for i, v := range p.V.Data {
		lambda[i%p.V.Cols] += float64(v * y.Data[i])
	}
	for k, v := range lambda {
		lambda[k] = 1
		if math.Abs(v) > 1e-9 {
			lambda[k] = 1 / v
		}
	}
	c, err := p.J.transTimes(y, pause)
	if err != nil {
		return y, err
	}
	out, err := p.J.times(c.weighted(lambda), pause)
	for i, v := range p.V.Data {
		out.Data[i] += v
	}
	return out, err
}
