package skipgram

import (
	"encoding/binary"
	"math"
	"slices"
)

// Subtrees returns the words of graphs (Weisfeiler and Lehman 1968): the label of every node, then, in each
// round, one for its previous label with those of its neighbours. Words are numbered in the order of their
// first occurrence, graph by graph, round by round, node by node; different labels have different numbers.
// The first labels of graph g are labels[g].
func Subtrees(graphs []*Neighbours, labels [][]int, rounds int) [][]int32 {
	numbers := map[string]int32{}
	number := func(key []byte) int32 {
		n, known := numbers[string(key)]
		if !known {
			n = int32(len(numbers))
			numbers[string(key)] = n
		}
		return n
	}
	var documents [][]int32
	var key []byte
	var near []int
	for g, graph := range graphs {
		m := graph.Nodes()
		words := make([]int32, 0, (rounds+1)*m)
		for _, label := range labels[g] {
			// Five bytes: keys of later rounds have four for each word.
			key = append(binary.LittleEndian.AppendUint32(key[:0], uint32(label)), 0)
			words = append(words, number(key))
		}
		for r := range rounds {
			before := words[r*m : (r+1)*m]
			for v := range m {
				near = near[:0]
				for _, x := range graph.of(v) {
					near = append(near, int(before[x]))
				}
				slices.Sort(near)
				key = binary.LittleEndian.AppendUint32(key[:0], uint32(before[v]))
				for _, n := range near {
					key = binary.LittleEndian.AppendUint32(key, uint32(n))
				}
				words = append(words, number(key))
			}
		}
		documents = append(documents, words)
	}
	return documents
}

// Degrees returns how many neighbours each node has.
func (n *Neighbours) Degrees() []int {
	list := make([]int, n.Nodes())
	for v := range list {
		list[v] = len(n.of(v))
	}
	return list
}

// Bins replaces numbers by how many of the inner quantiles k/bins of all of them lie below, and returns
// these quantiles, which are interpolated linearly.
func Bins(lists [][]int, bins int) (quantiles []float64, binned [][]int) {
	all := slices.Concat(lists...)
	slices.Sort(all)
	for k := 1; k < bins; k++ {
		at := float64(k*(len(all)-1)) / float64(bins)
		low := int(math.Floor(at))
		q := float64(all[low])
		if low+1 < len(all) {
			q += float64((at - float64(low)) * float64(all[low+1]-all[low]))
		}
		quantiles = append(quantiles, q)
	}
	for _, list := range lists {
		of := make([]int, len(list))
		for i, v := range list {
			for _, q := range quantiles {
				if q < float64(v) {
					of[i]++
				}
			}
		}
		binned = append(binned, of)
	}
	return quantiles, binned
}

// Frequent returns the documents without the words that come less than least times in all, and the
// words that stay, which get new numbers in their order.
func Frequent(documents [][]int32, least int) (c *Corpus, kept []int32) {
	var counts []int
	for _, words := range documents {
		for _, w := range words {
			for int(w) >= len(counts) {
				counts = append(counts, 0)
			}
			counts[w]++
		}
	}
	place := make([]int32, len(counts))
	for w, n := range counts {
		place[w] = -1
		if n >= least {
			place[w] = int32(len(kept))
			kept = append(kept, int32(w))
		}
	}
	c = &Corpus{Start: []int{0}}
	for _, words := range documents {
		for _, w := range words {
			if place[w] >= 0 {
				c.Tokens = append(c.Tokens, place[w])
			}
		}
		c.Start = append(c.Start, len(c.Tokens))
	}
	return c, kept
}
