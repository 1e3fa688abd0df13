package skipgram

import "math"

// A Corpus is a list of documents, each a list of words by number.
type Corpus struct {
	Tokens []int32
	Start  []int // document k is Tokens[Start[k]:Start[k+1]]
}

// Documents returns how many there are.
func (c *Corpus) Documents() int { return len(c.Start) - 1 }

// Document returns the words of one.
func (c *Corpus) Document(k int) []int32 { return c.Tokens[c.Start[k]:c.Start[k+1]] }

// Counts returns the number of occurrences of each word, by number.
func (c *Corpus) Counts(words int) []int {
	counts := make([]int, words)
	for _, w := range c.Tokens {
		counts[w]++
	}
	return counts
}

// Keep returns for each word the probability with which a token of it is kept, min(1, sqrt(s/p) + s/p)
// for a relative frequency p; all are kept for s = 0.
func Keep(counts []int, s float64) []float64 {
	all := 0
	for _, n := range counts {
		all += n
	}
	keep := make([]float64, len(counts))
	for w, n := range counts {
		keep[w] = 1
		if s > 0 && n > 0 {
			ratio := s / (float64(n) / float64(all))
			keep[w] = min(1, math.Sqrt(ratio)+ratio)
		}
	}
	return keep
}

// A Noise draws words with probabilities in proportion to count^0.75, by inversion.
type Noise struct {
	Sums []float64 // of the weights of words, up to each
	from []int32   // of equal parts of the numbers from 0 to 1: the word of the first number
}

// NewNoise prepares the drawing of words.
func NewNoise(counts []int) *Noise {
	n := &Noise{Sums: make([]float64, len(counts))}
	sum := 0.0
	for w, c := range counts {
		root := math.Sqrt(float64(c))
		sum += float64(root * math.Sqrt(root))
		n.Sums[w] = sum
	}
	parts := 1 // a power of two: dividing numbers by it does not round
	for parts < len(counts) {
		parts *= 2
	}
	w := int32(0)
	for k := range parts {
		w = n.after(w, float64(k)/float64(parts))
		n.from = append(n.from, w)
	}
	return n
}

// after returns the first word from w on whose sum is above that share of the total.
func (n *Noise) after(w int32, share float64) int32 {
	at := float64(share * n.Sums[len(n.Sums)-1])
	for int(w) < len(n.Sums)-1 && n.Sums[w] <= at {
		w++
	}
	return w
}

// Word returns the word of a number from 0 up to 1.
func (n *Noise) Word(u float64) int32 { return n.after(n.from[int(u*float64(len(n.from)))], u) }

// Rate returns the learning rate of a document: it falls from one number to another with the tokens of
// the documents before it, of all epochs.
func (c *Corpus) Rate(epoch, epochs, document int, from, to float64) float64 {
	tokens := len(c.Tokens)
	done := float64(epoch*tokens + c.Start[document])
	return from - float64((from-to)*done)/float64(epochs*tokens)
}
