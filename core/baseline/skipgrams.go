package baseline

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/baseline/skipgram"
	"cadem.example/core/train"
)

// skipGrams is a training that fits vectors which predict words (package skipgram). Its parts are fitted
// one after the other. A step is an epoch of one part.
type skipGrams[T kernel.Float] struct {
	words, size int
	source      train.Source
	parts       []skipPart[T]
	corpus      func(part int, yield pause.Yield) (*skipgram.Corpus, error)
	vectors     [][]T // of all parts
	out         []T   // rows that are learned with those of the current part: of words, then inner ones of the tree
	list        func(graph int) []train.Embedding

	steps   int
	loss    float64
	trainer *skipgram.Trainer[T] // of part number trains
	trains  int
}

type skipPart[T kernel.Float] struct {
	layer string // in errors
	draws string // what the names of its draws begin with
	o     skipgram.Options
	in    skipgram.Input[T]
}

// walking says how the documents of a skip-gram training are made.
type walking struct {
	rounds, length int
	p, q           float64
	weighted       bool
}

// newWalked trains on random walks on every layer by itself.
func newWalked[T kernel.Float](s *train.Setup, walk walking, o skipgram.Options, size int) train.Training {
	g := s.Graphs[0]
	w := &skipGrams[T]{words: g.M(), size: size, source: s.Source, out: outputs[T](g.M(), size, o), trains: -1}
	for l := range g.Layers {
		e := startVectors[T](s.Source, g.M(), size, prefix(l)+"e")
		w.vectors = append(w.vectors, e)
		w.parts = append(w.parts, skipPart[T]{g.Layers[l].Name, prefix(l), o, &skipgram.Table[T]{Rows: e, D: size}})
	}
	w.corpus = func(l int, yield pause.Yield) (*skipgram.Corpus, error) {
		walker := skipgram.NewWalker(skipgram.Without(g.Layers[l].Adjacency), walk.p, walk.q, walk.weighted)
		return walker.Walks(walk.rounds, walk.length, s.Source, prefix(l), yield)
	}
	w.list = func(int) []train.Embedding {
		var list []*mat.Dense
		for _, e := range w.vectors {
			list = append(list, asDense(e, w.words, size))
		}
		return ofLayers(list)
	}
	return w
}

// startVectors draws vectors, n x size, within 0.5/size of zero.
func startVectors[T kernel.Float](source train.Source, n, size int, what string) []T {
	drawn, x := make([]float64, n*size), make([]T, n*size)
	source.Uniform(drawn, -0.5/float64(size), 0.5/float64(size), what, 0)
	kernel.Round(x, drawn)
	return x
}

// outputs returns the rows that learn to predict words: none of the tree if it is not trained, none
// of words if there are no negatives.
func outputs[T kernel.Float](words, size int, o skipgram.Options) []T {
	rows := 0
	if o.Negatives > 0 {
		rows += words
	}
	if o.Tree {
		rows += words - 1
	}
	return make([]T, rows*size)
}

// Step makes an epoch.
func (w *skipGrams[T]) Step(yield pause.Yield) error {
	if train.Done(w) {
		return train.ErrDone
	}
	at, epoch := 0, w.steps
	for epoch >= w.parts[at].o.Epochs {
		epoch -= w.parts[at].o.Epochs
		at++
	}
	part := &w.parts[at]
	if w.trains != at {
		corpus, err := w.corpus(at, yield)
		if err != nil {
			return err
		}
		w.trainer, w.trains = skipgram.NewTrainer[T](corpus, w.words, w.size, part.o, w.source, part.draws), at
		w.trainer.H = w.out
		if part.o.Negatives > 0 {
			w.trainer.O, w.trainer.H = w.out[:w.words*w.size], w.out[w.words*w.size:]
		}
	}
	if epoch == 0 {
		clear(w.out)
	}
	loss, err := w.trainer.Epoch(epoch, part.in, yield)
	if err != nil {
		return err
	}
	w.loss = loss
	w.steps++
	return finite(loss, part.layer)
}

// finite refuses a loss that is not a number.
func finite(loss float64, layer string) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return &diag.Error{Where: "layer " + layer, Found: fmt.Sprint("the loss ", loss), Expected: "a finite one; a smaller learning rate may give it"}
	}
	return nil
}

func (w *skipGrams[T]) Progress() train.Progress {
	p := train.Progress{Steps: w.steps, Epoch: w.steps, Losses: []float64{w.loss}}
	for k := range w.parts {
		p.Total += w.parts[k].o.Epochs
	}
	return p
}

func (w *skipGrams[T]) Embeddings(graph int) []train.Embedding { return w.list(graph) }

// asDense returns a matrix of numbers of either precision.
func asDense[T kernel.Float](x []T, rows, cols int) *mat.Dense {
	return mat.NewDense(rows, cols, kernel.Doubles(x))
}

func (w *skipGrams[T]) State() *train.State {
	s := &train.State{Integers: []*int{&w.steps}, Numbers: []*float64{&w.loss}}
	for _, x := range w.vectors {
		s.Add(x)
	}
	s.Add(w.out)
	return s
}

// Report counts the parameters, those of the outputs of one part among them.
func (w *skipGrams[T]) Report() train.Report {
	count := len(w.out)
	for _, x := range w.vectors {
		count += len(x)
	}
	return parameters(count)
}
