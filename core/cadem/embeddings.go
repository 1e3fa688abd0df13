package cadem

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem/core/diag"
)

// Embeddings of one multiplex graph, each M x d. Consensus is S, what the paper calls the
// common embedding; Common are the C_l it is taken from; Private are the P_l, without noise.
type Embeddings struct {
	Consensus       *mat.Dense
	Common, Private []*mat.Dense
	Rank            int       // of the consensus
	Singular        []float64 // of the sum it was taken from, falling
}

func (r *run[T]) Embeddings(graph int) *Embeddings {
	it := r.members[graph]
	r.fetchProducts()
	s, polar := it.consensus.At(r.common)
	e := &Embeddings{Consensus: dense(s, it.m, it.d), Rank: polar.Rank, Singular: make([]float64, it.d)}
	copy(e.Singular, polar.Singular)
	y := s
	of := func(l, branch int) *mat.Dense {
		it.layers[l].z.Mul(y, r.enc[l][branch].u, it.d)
		x := dense(y, it.m, it.d)
		addRow(x, r.enc[l][branch].b)
		return x
	}
	for l := range it.layers {
		e.Common = append(e.Common, of(l, 0))
		e.Private = append(e.Private, of(l, private))
	}
	return e
}

func dense[T float32 | float64](x []T, m, d int) *mat.Dense {
	v := make([]float64, len(x))
	for i := range x {
		v[i] = float64(x[i])
	}
	return mat.NewDense(m, d, v)
}

// addRow adds b to every row, in the run's precision.
func addRow[T float32 | float64](x *mat.Dense, b []T) {
	raw := x.RawMatrix()
	for i := range raw.Rows {
		row := raw.Data[i*raw.Stride:][:raw.Cols]
		for k := range row {
			row[k] = float64(T(row[k]) + b[k])
		}
	}
}

// Hash is FNV-1a over the bits of S, C_1.., P_1.. of every graph.
func (r *run[T]) Hash() string {
	h := fnv.New64a()
	var word [8]byte
	for g := range r.members {
		e := r.Embeddings(g)
		for _, x := range append(append([]*mat.Dense{e.Consensus}, e.Common...), e.Private...) {
			for _, v := range x.RawMatrix().Data {
				binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
				h.Write(word[:])
			}
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

func (r *run[T]) Consensus(graph int) ([]float64, int) {
	q := r.members[graph].consensus
	return convert(q.Target()), q.Rank()
}

func (r *run[T]) Tensor(name string) []float64 {
	return convert(r.find(name, false))
}

func (r *run[T]) Gradient(name string) []float64 {
	return convert(r.find(name, true))
}

func convert[T float32 | float64](x []T) []float64 {
	v := make([]float64, len(x))
	for i := range x {
		v[i] = float64(x[i])
	}
	return v
}

// find returns a tensor by its name, or its gradient in the last step.
func (r *run[T]) find(name string, gradient bool) []T {
	pick := func(w, g []T) []T {
		if gradient {
			return g
		}
		return w
	}
	switch name {
	case "Wphi":
		return pick(r.phi.w, r.phi.tw)
	case "bphi":
		return pick(r.phi.b, r.phi.tb)
	case "Wpsi":
		return pick(r.psi.w, r.psi.tw)
	case "bpsi":
		return pick(r.psi.b, r.psi.tb)
	}
	r.Reclaim()
	var l int
	layer, part, _ := strings.Cut(name, ".")
	if _, err := fmt.Sscanf(layer, "l%d", &l); err != nil || l < 0 || l >= len(r.enc) || part == "" {
		panic(diag.Misuse("cadem: no tensor " + name))
	}
	e := r.enc[l][0]
	if part[len(part)-1] == 'p' {
		e = r.enc[l][private]
	}
	switch part[:len(part)-1] {
	case "W1":
		if !gradient {
			return e.w1
		}
		g := make([]T, len(e.w1)) // dU W2', which a step never stores
		for i := range e.f {
			for j := range e.h {
				for k := range e.d {
					g[i*e.h+j] += T(e.du[i*e.d+k] * e.old[j*e.d+k])
				}
			}
		}
		return g
	case "W2":
		return pick(e.w2, e.dw2)
	case "b":
		return pick(e.b, e.db)
	}
	panic(diag.Misuse("cadem: no tensor " + name))
}
