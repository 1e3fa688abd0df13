package skipgram

import (
	"cmp"
	"slices"

	"cadem.example/core/base/sorting"
)

// A Tree is the Huffman tree of the counts of words. Inner node k is the k-th that was made, so that
// the last is the root.
type Tree struct {
	Targets []int32 // of all words: inner nodes from the root on, each doubled, plus 1 where the way goes to the first child
	Start   []int   // those of word w are Targets[Start[w]:Start[w+1]]
}

// NewTree repeatedly joins the two nodes of the smallest counts. Ties go to the lower number: words
// come before inner nodes, and these in the order in which they were made.
func NewTree(counts []int) *Tree {
	words := len(counts)
	inner := max(words-1, 0)
	count := append(slices.Clone(counts), make([]int, inner)...) // of words, then inner nodes
	leaves := sorting.Order(words, func(a, b int) int { return cmp.Compare(counts[a], counts[b]) })
	parent, second := make([]int, words+inner), make([]bool, words+inner)
	leaf, next := 0, words // the smallest word and inner node without a parent: counts of inner nodes never fall
	for made := words; made < words+inner; made++ {
		for child := range 2 {
			node := next
			if leaf < words && (next == made || count[leaves[leaf]] <= count[next]) {
				node = leaves[leaf]
				leaf++
			} else {
				next++
			}
			parent[node], second[node] = made, child == 1
			count[made] += count[node]
		}
	}
	t := &Tree{Start: make([]int, 1, words+1)}
	for w := range words {
		for node := w; node < words+inner-1; node = parent[node] {
			target := int32(2 * (parent[node] - words))
			if !second[node] {
				target++
			}
			t.Targets = append(t.Targets, target)
		}
		slices.Reverse(t.Targets[t.Start[w]:])
		t.Start = append(t.Start, len(t.Targets))
	}
	return t
}

// Way returns the targets of a word.
func (t *Tree) Way(word int) []int32 { return t.Targets[t.Start[word]:t.Start[word+1]] }
