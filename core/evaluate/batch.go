package evaluate

import "gonum.org/v1/gonum/mat"

// A Batch is the part of the nodes that a combiner sees at once. Its items lie in pieces that stay in cache while a
// combiner goes over them several times, so that what an item takes does not grow with the batch.
type Batch struct {
	n, tokens, dim int
	piece          int       // items of every piece but the last, a multiple of 8
	x              []float64 // coordinate j of token t of the k items from one on: x[from*tokens*dim+(t*dim+j)*k : +k]
	y              []int     // class of each item; nil when only predicting
}

// NewBatch copies the given rows of every token (each M x d) and their labels (one a
// node of M, or nil).
func NewBatch(tokens []*mat.Dense, rows, labels []int) *Batch {
	_, d := tokens[0].Dims()
	return inPieces(tokens, rows, labels, max(leastPiece, pieceNumbers/(len(tokens)*d)&^7))
}

// inPieces is NewBatch with pieces of so many items.
func inPieces(tokens []*mat.Dense, rows, labels []int, piece int) *Batch {
	m, d := tokens[0].Dims()
	width := len(tokens) * d
	b := &Batch{n: len(rows), tokens: len(tokens), dim: d, piece: piece, x: make([]float64, width*len(rows))}
	for t, token := range tokens {
		if tm, td := token.Dims(); tm != m || td != d {
			panic(ErrShape)
		}
		for i, k := range rows {
			from := i / piece * piece
			n := min(piece, b.n-from)
			to := b.x[from*width+t*d*n+i-from:]
			for j, v := range token.RawRowView(k) {
				to[j*n] = v
			}
		}
	}
	if labels != nil {
		if len(labels) != m {
			panic(ErrShape)
		}
		b.y = make([]int, b.n)
		for i, k := range rows {
			b.y[i] = labels[k]
		}
	}
	return b
}

const (
	pieceNumbers = 1 << 14 // of the tokens; the combiner has some six times as many beside them
	leastPiece   = 32      // items
)

// Len returns the number of items.
func (b *Batch) Len() int { return b.n }
