package cadem

import (
	"bytes"

	"cadem.example/core/base/kernel"
	_ "cadem.example/core/cadem/prepare"
)

// Methods for the tests of this package.

func (t *Trainer) Hash() string { return Hash(t) }

func (t *Trainer) Checkpoint() []byte {
	var b bytes.Buffer
	if err := WriteCheckpoint(&b, t); err != nil {
		panic(err) // memory takes all that is written
	}
	return b.Bytes()
}

func (t *Trainer) Consensus(graph int) ([]float64, int) { return Consensus(t, graph) }

func (t *Trainer) Tensor(name string) []float64 {
	w, _ := Parameter(t, name)
	return w
}

func (t *Trainer) Gradient(name string) []float64 {
	_, g := Parameter(t, name)
	return g
}

func modelOf[T kernel.Float](t *Trainer) *model[T] { return t.model.(*model[T]) }
