package baseline

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/baseline/skipgram"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// walking says how the documents of a skip-gram training are made.
type walking struct {
	rounds, length int
	p, q           float64
	weighted       bool
}

// A walked is a skip-gram training on random walks, of every layer by itself, one after the other. A
// step is an epoch of one layer.
type walked[T kernel.Float] struct {
	graph  *multiplex.Graph
	walk   walking
	o      skipgram.Options
	size   int
	source train.Source

	steps int
	loss  float64
	e     [][]T // of each layer, M x size
	out   []T   // rows that are learned with those of the current layer: of nodes, then inner ones of the tree

	trainer *skipgram.Trainer[T] // of layer number trains
	trains  int
}

func newWalked(s *train.Setup, walk walking, o skipgram.Options, size int) train.Training {
	if precision.HasDouble && s.Precision == precision.Double {
		return newWalkedIn[float64](s, walk, o, size)
	}
	return newWalkedIn[float32](s, walk, o, size)
}

func newWalkedIn[T kernel.Float](s *train.Setup, walk walking, o skipgram.Options, size int) train.Training {
	w := &walked[T]{graph: s.Graphs[0], walk: walk, o: o, size: size, source: s.Source, trains: -1}
	for l := range w.graph.Layers {
		w.e = append(w.e, startVectors[T](s.Source, w.graph.M(), size, prefix(l)+"e"))
	}
	w.out = outputs[T](w.graph.M(), size, o)
	return w
}

// startVectors draws vectors, n x size, within 0.5/size of zero.
func startVectors[T kernel.Float](source train.Source, n, size int, what string) []T {
	drawn, x := make([]float64, n*size), make([]T, n*size)
	source.Uniform(drawn, -0.5/float64(size), 0.5/float64(size), what, 0)
	for i, v := range drawn {
		x[i] = T(v)
	}
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

// attach gives a trainer its rows of outputs.
func attach[T kernel.Float](t *skipgram.Trainer[T], out []T, words, size int, o skipgram.Options) {
	if o.Negatives > 0 {
		t.O, out = out[:words*size], out[words*size:]
	}
	t.H = out
}

// Step makes an epoch of a layer.
func (w *walked[T]) Step(yield pause.Yield) error {
	if train.Done(w) {
		return train.ErrDone
	}
	l, epoch := w.steps/w.o.Epochs, w.steps%w.o.Epochs
	if w.trains != l {
		walker := skipgram.NewWalker(skipgram.Without(w.graph.Layers[l].Adjacency), w.walk.p, w.walk.q, w.walk.weighted)
		walks, err := walker.Walks(w.walk.rounds, w.walk.length, w.source, prefix(l), yield)
		if err != nil {
			return err
		}
		w.trainer, w.trains = skipgram.NewTrainer[T](walks, w.graph.M(), w.size, w.o, w.source, prefix(l)), l
		attach(w.trainer, w.out, w.graph.M(), w.size, w.o)
	}
	if epoch == 0 {
		clear(w.out)
	}
	loss, err := w.trainer.Epoch(epoch, &skipgram.Table[T]{Rows: w.e[l], D: w.size}, yield)
	if err != nil {
		return err
	}
	w.loss = loss
	w.steps++
	return finite(loss, w.graph.Layers[l].Name)
}

// finite refuses a loss that is not a number.
func finite(loss float64, layer string) error {
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return &diag.Error{Where: "layer " + layer, Found: fmt.Sprint("the loss ", loss), Expected: "a finite one; a smaller learning rate may give it"}
	}
	return nil
}

func (w *walked[T]) Progress() train.Progress {
	return train.Progress{Steps: w.steps, Total: w.graph.N() * w.o.Epochs, Epoch: w.steps, Losses: []float64{w.loss}}
}

func (w *walked[T]) Embeddings(int) []train.Embedding {
	var list []*mat.Dense
	for _, e := range w.e {
		list = append(list, asDense(e, w.graph.M(), w.size))
	}
	return ofLayers(list)
}

// asDense returns a matrix of numbers of either precision.
func asDense[T kernel.Float](x []T, rows, cols int) *mat.Dense {
	return mat.NewDense(rows, cols, kernel.Doubles(x))
}

func (w *walked[T]) State() *train.State {
	s := &train.State{Integers: []*int{&w.steps}, Numbers: []*float64{&w.loss}}
	for _, e := range w.e {
		s.Add(e)
	}
	s.Add(w.out)
	return s
}

// Report counts the parameters that a layer has beside its embedding, too.
func (w *walked[T]) Report() train.Report {
	count := len(w.out)
	for _, e := range w.e {
		count += len(e)
	}
	return parameters(count)
}
