package evaluate

import "gonum.org/v1/gonum/mat"

// A Batch is the part of the nodes that a combiner sees at once.
type Batch struct {
	n, tokens, dim int
	x              []float64 // coordinate j of token t: x[(t*dim+j)*n : +n]
	y              []int     // class of each item; nil when only predicting
}

// NewBatch copies the given rows of every token (each M x d) and their labels (one a
// node of M, or nil). Rows nil means all.
func NewBatch(tokens []*mat.Dense, rows, labels []int) *Batch {
	m, d := tokens[0].Dims()
	b := &Batch{n: len(rows), tokens: len(tokens), dim: d}
	if rows == nil {
		b.n = m
	}
	b.x = make([]float64, b.tokens*d*b.n)
	for t, token := range tokens {
		if tm, td := token.Dims(); tm != m || td != d {
			panic(ErrShape)
		}
		columns(b.x[t*d*b.n:(t+1)*d*b.n], token, rows)
	}
	if labels != nil {
		if len(labels) != m {
			panic(ErrShape)
		}
		b.y = make([]int, b.n)
		for i := range b.y {
			if rows == nil {
				b.y[i] = labels[i]
			} else {
				b.y[i] = labels[rows[i]]
			}
		}
	}
	return b
}

// Len returns the number of items.
func (b *Batch) Len() int { return b.n }
