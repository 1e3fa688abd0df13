package parity

import (
	"encoding/json"

	"cadem/core/baseline/skipgram"
)

// graph2vec replays the words of graphs and the training of their vectors. The labels of words are
// not compared: words have numbers here, not hashes.
func (r *Report) graph2vec(file string, data []byte) error {
	var f struct {
		Cases []struct {
			Name   string
			Graphs []struct {
				M     int
				Edges [][3]float64
			}
			Settings struct {
				skipGramSettings
				Rounds int `json:"wl_rounds"`
				Least  int `json:"min_count"`
				Bins   int
			}
			Start     tensor `json:"z_start"`
			Decisions [][]decision
			Expect    struct {
				skipGramExpect
				Degree, Bin [][]int
				Edges       []float64 `json:"bin_edges"`
				Numbers     [][]int   `json:"word_number"`
				Kept        []int     `json:"kept_words"`
				Documents   [][]int
				Embedding   tensor
			}
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	for _, c := range f.Cases {
		compare := func(what string, got, want []int) {
			r.compare(file, c.Name+": "+what, 64, numbers(got), numbers(want), 0)
		}
		var graphs []*skipgram.Neighbours
		var labels [][]int
		for _, g := range c.Graphs {
			a, err := layerOfEdges(g.M, g.Edges)
			if err != nil {
				return err
			}
			n := skipgram.Without(a)
			graphs, labels = append(graphs, n), append(labels, n.Degrees())
		}
		for g, want := range c.Expect.Degree {
			compare("degrees", labels[g], want)
		}
		if c.Settings.Bins > 0 {
			var edges []float64
			edges, labels = skipgram.Bins(labels, c.Settings.Bins)
			r.compare(file, c.Name+": edges of bins", 64, edges, c.Expect.Edges, 1e-12)
			for g, want := range c.Expect.Bin {
				compare("bins", labels[g], want)
			}
		}
		words := skipgram.Subtrees(graphs, labels, c.Settings.Rounds)
		for g, want := range c.Expect.Numbers {
			compare("numbers of words", integers(words[g]), want)
		}
		corpus, kept := skipgram.Frequent(words, c.Settings.Least)
		compare("words kept", integers(kept), c.Expect.Kept)
		for g, want := range c.Expect.Documents {
			compare("documents", integers(corpus.Document(g)), want)
		}
		stage := skipGramStage{Walks: c.Expect.Documents, Decisions: c.Decisions}
		draws := decided{}
		stage.draws(draws, "", len(kept), 0)
		s := &c.Settings
		z := append([]float64(nil), c.Start.data...)
		err := r.stage(file, c.Name, corpus, len(kept), s.Size, s.options(s.Epochs), draws, "", &skipgram.Table[float64]{Rows: z, D: s.Size},
			&c.Expect.skipGramExpect, map[string][]float64{"z": z})
		if err != nil {
			return err
		}
		r.compare(file, c.Name+": embedding", 64, z, c.Expect.Embedding.data, 1e-9)
	}
	return nil
}

func integers(x []int32) []int {
	list := make([]int, len(x))
	for i, v := range x {
		list[i] = int(v)
	}
	return list
}
