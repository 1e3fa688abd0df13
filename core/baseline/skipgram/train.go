package skipgram

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
)

// Options of a training.
type Options struct {
	Window    int // words at most to the left and to the right; 0 for documents whose own vectors predict their words
	Epochs    int
	Negatives int     // words drawn for a pair; 0 for none and no loss of that part
	Tree      bool    // whether the Huffman tree is trained
	Subsample float64 // s of [Keep]
	From, To  float64 // learning rates
}

// An Input gives the vectors that predict: those of words, or of documents.
type Input[T kernel.Float] interface {
	// Vector returns a vector of the length of a row of the trainer's O, valid until the next call.
	Vector(input int) []T
	// Adjust changes what the vector of the last call was made of. (A linker takes methods of an interface with a type
	// parameter by their names alone: one named Add would bring in mat.Dense.Add.)
	Adjust(input int, change []T)
}

// A Table is an Input of one row of D numbers each.
type Table[T kernel.Float] struct {
	Rows []T
	D    int
}

// Vector returns a row.
func (t *Table[T]) Vector(input int) []T { return t.Rows[input*t.D : (input+1)*t.D] }

// Adjust adds to a row.
func (t *Table[T]) Adjust(input int, change []T) {
	row := t.Vector(input)
	for k, v := range change {
		row[k] += v
	}
}

// A Pair is one of training, as [Trainer.Watch] sees it.
type Pair[T kernel.Float] struct {
	Input, Target int
	Rate, Loss    float64
	Change        []T // of the input's vector, of its length
}

// A Trainer trains vectors on a corpus. The rows that it learns to predict with are in O (words x D)
// and H (inner nodes x D), which are the caller's.
type Trainer[T kernel.Float] struct {
	O, H  []T
	Watch func(p *Pair[T]) // sees every pair after its update; nil for nobody

	c         *Corpus
	o         Options
	d         int
	keep      []float64
	noise     *Noise
	tree      *Tree
	change    []T
	targets   []int32  // of negatives
	kept      []int32  // of a document
	reach     []int    // of each of them
	tokens    uniforms // for what is kept
	positions uniforms // for windows
	drawn     uniforms // for negatives
}

// NewTrainer prepares the training of vectors, d numbers for each word. Each word is in the corpus.
// Draws are named with prefix.
func NewTrainer[T kernel.Float](c *Corpus, words, d int, o Options, source Source, prefix string) *Trainer[T] {
	counts := c.Counts(words)
	t := &Trainer[T]{c: c, o: o, d: d, keep: Keep(counts, o.Subsample), noise: NewNoise(counts), change: make([]T, d),
		tokens: uniforms{source: source, what: prefix + "keep"}, positions: uniforms{source: source, what: prefix + "window"},
		drawn: uniforms{source: source, what: prefix + "negatives"}}
	if o.Tree {
		t.tree = NewTree(counts)
	}
	return t
}

// Epoch trains on all documents once and returns the mean loss of a pair. Yield, which may be nil, is
// called after every few milliseconds; its error ends the epoch and is returned.
func (t *Trainer[T]) Epoch(epoch int, in Input[T], yield pause.Yield) (loss float64, err error) {
	documents, pairs, pause := t.c.Documents(), 0, 0
	for k := range documents {
		sum, n := t.document(epoch, k, in)
		loss, pairs = loss+sum, pairs+n
		if pause += n * t.d; pause > 100_000 {
			pause = 0
			if err := yield.At(k, documents); err != nil {
				return 0, err
			}
		}
	}
	return loss / float64(max(pairs, 1)), nil
}

// document trains on the pairs of one and returns the sum of their losses and how many there were.
func (t *Trainer[T]) document(epoch, k int, in Input[T]) (loss float64, pairs int) {
	round := epoch*t.c.Documents() + k
	words := t.c.Document(k)
	t.kept = t.kept[:0]
	t.tokens.begin(round, len(words))
	for _, w := range words {
		if t.tokens.take() < t.keep[w] {
			t.kept = append(t.kept, w)
		}
	}
	pairs = t.windows(round)
	t.drawn.begin(round, pairs*t.o.Negatives*9/8+16)
	rate := t.c.Rate(epoch, t.o.Epochs, k, t.o.From, t.o.To)
	for i, target := range t.kept {
		if t.o.Window == 0 {
			loss += t.pair(in, k, int(target), rate)
			continue
		}
		for j := max(0, i-t.reach[i]); j < min(len(t.kept), i+t.reach[i]+1); j++ {
			if j != i {
				loss += t.pair(in, int(t.kept[j]), int(target), rate)
			}
		}
	}
	return loss, pairs
}

// windows draws how far each position of a document reaches and returns the number of its pairs.
func (t *Trainer[T]) windows(round int) (pairs int) {
	if t.o.Window == 0 {
		return len(t.kept)
	}
	t.reach = t.reach[:0]
	t.positions.begin(round, len(t.kept))
	for i := range t.kept {
		b := 1 + int(t.positions.take()*float64(t.o.Window))
		t.reach = append(t.reach, b)
		pairs += min(len(t.kept)-1, i+b) - max(0, i-b)
	}
	return pairs
}

// pair makes the update of one pair and returns its loss.
func (t *Trainer[T]) pair(in Input[T], input, target int, rate float64) (loss float64) {
	x := in.Vector(input)
	clear(t.change)
	if t.tree != nil {
		loss = kernel.SkipGram(t.H, x, t.change, t.tree.Way(target), rate)
	}
	if t.o.Negatives > 0 {
		t.targets = append(t.targets[:0], int32(2*target+1))
		for len(t.targets) <= t.o.Negatives && len(t.keep) > 1 { // an only word has no others
			if n := t.noise.Word(t.drawn.take()); int(n) != target {
				t.targets = append(t.targets, 2*n)
			}
		}
		loss += kernel.SkipGram(t.O, x, t.change, t.targets, rate)
	}
	in.Adjust(input, t.change)
	if t.Watch != nil {
		t.Watch(&Pair[T]{input, target, rate, loss, t.change})
	}
	return loss
}
