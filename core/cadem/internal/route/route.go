// Package route computes the consensus and the matching loss of a graph in cheaper ways, equivalent
// to the formulas of [cadem.example/core/cadem], without visiting the nodes in every step. It pays where
// few features are shared by many nodes.
//
// The cost of a step, in multiply-adds per column of d = 8, for one layer with f live features
// and K pooled graphs:
//
//	U = W1 W2, dW2 = W1'dU, Adam on W1   3 f H per encoder
//	pooled graphs                        2 K f per encoder
//	matching, visiting the nodes         2 nnz(Z) (dense M f; apart nnz(B) + nnz(X))
//	matching, through moments            f^2
//	Adam on W2                           H per encoder
//
// and once an epoch, for the consensus of all layers:
//
//	over the nodes                       3 M d, and 2 nnz(Z) more through moments (Z U for T, and Z'S)
//	factored, n = sum of f               n^2 + 3 n d
//
// With few features neither step nor epoch depends on the number of nodes. Memory: three numbers a
// parameter (weight and two moments), Z and its transpose, and some rows of d a node where the nodes
// are visited.
package route

import (
	"fmt"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/multiplex"
)

// A Consensus is the target to which the common embeddings C_l = Z_l U_l + 1 b_l' of one graph are
// matched, and the way to do it. U_l is F_l x d; M is the number of nodes.
type Consensus[T kernel.Float] interface {
	// Update recomputes S.
	Update(u [][]T)
	// Match sets du to weight times the gradient of |C_l - S|^2 in U_l, adds that in b_l to db,
	// and returns |C_l - S|^2. It is called once a layer between two changes of U.
	Match(l int, u, b, du, db []T, weight float64) float64
	// Target returns S (M x d) as Match uses it.
	Target() []T
	// Rank returns the rank of S.
	Rank() int
	// At returns the S (M x d) of the current U, which u must be, and the factor it comes from,
	// until the next call. Match goes on with the S of the last Update.
	At(u [][]T) ([]T, *linalg.Polar)
	// State is kept by a checkpoint: S, or the data to compute it from.
	State() []T
	// Restore continues from a State that was read back, with the rank of S; computed reports whether
	// there was an S at all.
	Restore(rank int, computed bool)
	// Notes say how S is computed, "" if the nodes are visited for it, and how every layer is matched.
	Notes() (consensus string, layers []string)
}

// Notes returns in sentences what c does and how Z of a layer is kept.
func Notes[T kernel.Float](c Consensus[T], kept func(layer int) any) (notes []string) {
	consensus, layers := c.Notes()
	if consensus != "" {
		notes = append(notes, consensus)
	}
	for l, how := range layers {
		notes = append(notes, fmt.Sprintf("layer %d: Z is kept %s, %s", l+1, kept(l), how))
	}
	return notes
}

// Held is an S (M x d) and its rank, for a [Consensus] that keeps S itself.
type Held[T kernel.Float] struct {
	S       []T
	RankOfS int
}

func (h *Held[T]) Target() []T { return h.S }
func (h *Held[T]) Rank() int   { return h.RankOfS }

// State is S.
func (h *Held[T]) State() []T { return h.S }

func (h *Held[T]) Restore(rank int, _ bool) { h.RankOfS = rank }

// VisitsNodes is the note for that number of layers matched over the nodes.
func VisitsNodes(layers int) []string {
	return slices.Repeat([]string{"matching visits the nodes"}, layers)
}

// Bound returns the largest rank that S can have, by algebra: columns of T sum to 0, and every C_l has
// the rank of Z W1 W2 at most.
func Bound[T kernel.Float](z []*multiplex.Propagation[T], d, hidden int) int {
	bound := 0
	for _, z := range z {
		bound += min(d, hidden, z.F)
	}
	return min(d, z[0].M-1, bound)
}

// Procrustes says which solution of the orthogonal Procrustes problem S is.
type Procrustes struct {
	Scale      float64           // root of the diagonal of S'S
	Rule       float64           // share of the largest singular value that does not count
	Bound      int               // what the rank is at most, by algebra
	Power      bool              // whether T is sum_l Z_l Z_l'(C_l - column means)
	Completion linalg.Completion // what fills directions without a singular value
	Directions func(x []float64) // draws those to fill with (M x d)
}

// RoundingRule returns the share of the largest singular value below which another counts as zero,
// for sums of embeddings of m rows. In double precision it is the usual max(m, d) 2^-52. In single
// precision that would cut directions of a relative size of 1e-4 that are real; rounding noise was
// measured at some units of 2^-23, and 16 of them are the limit.
func RoundingRule(single bool, m, d int) float64 {
	if single {
		return 16 * 0x1p-23
	}
	return float64(max(m, d)) * 0x1p-52
}

// Choose returns the cheapest way for layers Z_l, given the number of columns of embeddings, of steps
// an epoch and of epochs: by the multiply-adds of an epoch per column. The unit is one of a dense
// matrix in single precision on the SIMD kernels; in double precision it takes about three times
// as long. The decomposition and Z'Z are shared among the epochs. The way over the nodes is made
// by nodes if it is needed. Pause, which may be nil, is called during longer work; its error ends it.
func Choose[T kernel.Float](z []*multiplex.Propagation[T], d, steps, epochs int, p Procrustes, nodes func() Consensus[T], pause pause.Work) (
	Consensus[T], error) {
	const double = 3
	m, k := z[0].M, 0
	visiting, without := 3*double*m*d, 0 // of the polar factor; of what the factored consensus needs
	var gainful []bool
	for _, z := range z {
		k += z.F
		visit := 2 * steps * z.Cost
		through := double*steps*z.F*z.F + double*m*z.F*z.F/(d*epochs)
		both := 2*z.Cost + through // T and Z'S visit the nodes once an epoch each; visit contains the first already
		gainful = append(gainful, both < visit)
		visiting, without = visiting+min(visit, both), without+through
	}
	n := coordinates(k, d, p.Completion)
	without += double * (k*k + 3*n*d + m*n*n/(d*epochs))
	if n < m && without < visiting {
		return newFactored(z, d, p, pause)
	}
	return newMixed(z, d, gainful, nodes()), nil
}
