// Package skipgram trains vectors of words, which may be nodes met on random walks, by stochastic
// gradient descent in which every update takes effect at once (Mikolov, Sutskever, Chen, Corrado and
// Dean 2013).
//
//	walks, err := skipgram.NewWalker(skipgram.Without(a), 1, 1, true).Walks(10, 40, source, "layer 1/", nil)
//	trainer := skipgram.NewTrainer[float32](walks, m, d, options, source, "layer 1/")
//	loss, err := trainer.Epoch(0, table, nil)
//
// In a pair, an input u predicts a target t. Its loss has two parts, and each may be left out:
//
//	negatives  -log sigma(e_u . o_t) - sum over n of log(1 - sigma(e_u . o_n)),  n drawn by count^0.75, never t
//	tree       -sum over the inner nodes a on the way to t of log sigma(+-e_u . h_a),  of the Huffman tree of the counts
//
// All targets of a pair see the initial e_u; e_u moves last. Rows of o and h start at 0.
//
// The rest is in the order in which it was drawn: a token of relative frequency p stays in its
// document with probability min(1, sqrt(s / p) + s / p) in every epoch; the window of each position
// is 1 to the full one; inputs are those within it, from left to right; the rate falls with the
// tokens of the documents that are done, and is the same within a document. With a window of 0 it
// is the vectors of documents that predict their words.
//
// Everything random is asked for by a name and a number, and a longer request begins with the same
// numbers: so nothing that was drawn belongs to a state.
package skipgram

import "cadem.example/core/base/diag"

// ErrShape is the panic value when the sizes of the arguments do not fit together.
const ErrShape diag.Misuse = "skipgram: dimension mismatch"

// A Source fills dst, of any length, with random numbers; see the one of package baseline. A longer dst
// begins with the same numbers.
type Source interface {
	Uniform(dst []float64, low, high float64, what string, round int)
	Permutation(dst []int, what string, round int)
}

// uniforms are the numbers between 0 and 1 of one name and round, as many as are taken.
type uniforms struct {
	source  Source
	what    string
	round   int
	list    []float64 // drawn so far
	next    int
	scratch []float64
}

// begin starts a round that will take about this number of values.
func (u *uniforms) begin(round, about int) {
	u.round, u.next = round, 0
	u.ask(about)
}

func (u *uniforms) ask(n int) {
	if len(u.scratch) < n {
		u.scratch = make([]float64, n)
	}
	u.list = u.scratch[:n]
	u.source.Uniform(u.list, 0, 1, u.what, u.round)
}

// take returns the next number.
func (u *uniforms) take() float64 {
	if u.next == len(u.list) {
		u.ask(2*len(u.list) + 8)
	}
	u.next++
	return u.list[u.next-1]
}
