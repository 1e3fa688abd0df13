package baseline

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/baseline/skipgram"
	"cadem.example/core/train"
)

// graph2vec (Narayanan, Chandramohan, Venkatesan, Chen, Liu and Jaiswal 2017) embeds whole graphs. The
// words of a graph are its rooted subtrees: the degree of every node, then, twice, a word for that of a
// node with those of its neighbours. A vector z_g predicts the words w of its graph, with n five words
// drawn by count^0.75 (package skipgram):
//
//	minimise  the sum over graphs and their words of  -log sigma(z_g . o_w) - sum over n of log sigma(-z_g . o_n)
//
// Every layer of every graph is a document of one corpus; the vectors of the layers go to the combiner.
// Features and weights of edges are ignored.
//
// Cost: 2 x 6 x 128 multiply-adds a word, 3 M words a document, 10 epochs.
//
// Not in the paper: the layers of a multiplex graph. Words with fewer than five occurrences are dropped,
// frequent ones at random. In dense graphs this drops nearly every word of the second round and leaves little
// more than degrees: the report has the number of words, and bins = 8 replaces degrees by their octiles. There
// is no lite level: it is fast.
var graph2vec = train.Method{
	Name: "graph2vec", Label: "graph2vec", Doc: "Vectors of whole graphs that predict the subtrees around their nodes.",
	Family: train.Walks, Fusion: train.Combiner, Unscaled: true,
	Levels: official, Needs: []train.Need{train.Graphs}, Losses: []string{"total"},
	Options: func() any { return &Graph2vecOptions{} },
}

// Graph2vecOptions are the options of graph2vec.
type Graph2vecOptions struct {
	Dim       int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"512" default:"128" doc:"Numbers per layer of a graph."`
	Rounds    int     `name:"rounds" label:"Rounds" group:"Method" min:"0" max:"10" default:"2" doc:"Steps from a node to the rim of the largest subtree."`
	Bins      int     `name:"bins" label:"Bins of degrees" group:"Method" min:"0" max:"64" default:"0" doc:"Quantiles by which degrees are told apart; 0 for degrees as they are."`
	Least     int     `name:"least" label:"Least count" group:"Method" min:"1" max:"1000" default:"5" doc:"How often a word must come to count."`
	Epochs    int     `name:"epochs" label:"Epochs" group:"Method" min:"1" max:"10000" default:"10" doc:"Passes over all documents."`
	Negatives int     `name:"negatives" label:"Negatives" group:"Method" min:"1" max:"100" default:"5" doc:"Words drawn for each word, from which the right one is told."`
	Subsample float64 `name:"subsample" label:"Subsampling" group:"Method" min:"0" max:"1" default:"0.0001" doc:"Relative frequency from which on words are left out at random; 0 leaves out none."`
	Rate      float64 `name:"lr" symbol:"η" label:"Learning rate" group:"Method" min:"0" max:"10" default:"0.025" doc:"The learning rate at the start."`
	LastRate  float64 `name:"lr_last" label:"Last learning rate" group:"Method" min:"0" max:"10" default:"0.0001" doc:"The learning rate at the end, to which it falls linearly."`
}

// documents is graph2vec in training: all documents in one part.
type documents[T kernel.Float] struct {
	skipGrams[T]
	o *Graph2vecOptions
}

func newGraph2vec[T kernel.Float](s *train.Setup) (train.Training, error) {
	o := s.Options.(*Graph2vecOptions)
	var graphs []*skipgram.Neighbours
	var labels [][]int
	for _, g := range s.Graphs {
		for _, a := range g.Adjacencies() {
			n := skipgram.Without(a)
			graphs, labels = append(graphs, n), append(labels, n.Degrees())
		}
	}
	if o.Bins > 0 {
		_, labels = skipgram.Bins(labels, o.Bins)
	}
	corpus, kept := skipgram.Frequent(skipgram.Subtrees(graphs, labels, o.Rounds), o.Least)
	words := len(kept)
	if words == 0 {
		return nil, &diag.Error{Where: "data", Found: fmt.Sprintf("no subtree that comes %d times", o.Least),
			Expected: "one, which graph2vec needs; least = 1 keeps all of them, and bins = 8 makes more of them alike"}
	}
	options := skipgram.Options{Epochs: o.Epochs, Negatives: o.Negatives, Subsample: o.Subsample, From: o.Rate, To: o.LastRate}
	z := startVectors[T](s.Source, len(graphs), o.Dim, "z") // of each layer of the first graph, then of the next
	d := &documents[T]{skipGrams[T]{words: words, size: o.Dim, source: s.Source, trains: -1, vectors: [][]T{z}, out: outputs[T](words, o.Dim, options),
		parts: []skipPart[T]{{"all", "", options, &skipgram.Table[T]{Rows: z, D: o.Dim}}}}, o}
	d.corpus = func(int, pause.Yield) (*skipgram.Corpus, error) { return corpus, nil }
	d.list = func(graph int) []train.Embedding {
		var list []*mat.Dense
		for l := range s.Graphs[0].N() {
			at := graph*s.Graphs[0].N() + l
			list = append(list, asDense(z[at*o.Dim:(at+1)*o.Dim], 1, o.Dim))
		}
		return ofLayers(list)
	}
	return d, nil
}

// fewWords is the number of words below which the words are hardly more than degrees.
const fewWords = 20

// Report says how many words there are.
func (d *documents[T]) Report() train.Report {
	r := d.skipGrams.Report().With("vocabulary", float64(d.words))
	if d.words < fewWords && d.o.Bins == 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Only %d words come %d times or more; with bins = 8 more of them would.", d.words, d.o.Least))
	}
	return r
}
