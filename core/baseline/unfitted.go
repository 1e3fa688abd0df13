package baseline

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/pause"
	"cadem.example/core/train"
)

// unfitted is the training of a method that fits nothing: after its steps, of which most methods have one, the embeddings are there.
type unfitted struct {
	steps, total int
	embed        func(step int, yield pause.Yield) error
	list         func(graph int) []train.Embedding // after the last step
	kept         train.State                       // what steps change, beside their number
}

func (u *unfitted) Step(yield pause.Yield) error {
	if train.Done(u) {
		return train.ErrDone
	}
	if err := u.embed(u.steps, yield); err != nil {
		return err
	}
	u.steps++
	return nil
}

func (u *unfitted) Progress() train.Progress {
	return train.Progress{Steps: u.steps, Total: u.total}
}

func (u *unfitted) Embeddings(graph int) []train.Embedding {
	if !train.Done(u) {
		return nil
	}
	return u.list(graph)
}

func (u *unfitted) State() *train.State {
	s := u.kept
	s.Integers = append([]*int{&u.steps}, s.Integers...)
	return &s
}

// Report counts nothing: no parameter is fitted.
func (u *unfitted) Report() train.Report { return parameters(0) }

// keep lists matrices in the state, and returns them.
func (u *unfitted) keep(list ...*mat.Dense) []*mat.Dense {
	for _, x := range list {
		u.kept.Doubles = append(u.kept.Doubles, x.RawMatrix().Data)
	}
	return list
}

// empties returns n matrices of zeros.
func empties(n, rows, columns int) (list []*mat.Dense) {
	for range n {
		list = append(list, mat.NewDense(rows, columns, nil))
	}
	return list
}
