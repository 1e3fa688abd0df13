package baseline

import (
	"cadem.example/core/train"
)

// Inspected shows a network in training, of a layer or the only one, to a comparison with another
// program. Matrices are stored by rows.
type Inspected struct {
	Values            map[string][]float64 // of the last step; those of one name in order
	Params, Gradients map[string][]float64 // gradients of the last step, before it moved them
	Terms             []float64            // one for each term of its loss
	Epochs, Updates   int                  // the epoch that exhausted the patience is counted, too
	Early             bool                 // the patience was exhausted
	BestEpoch         int                  // from 0; -1 if none is kept
	BestLoss          float64
}

// Inspect returns the inner values of network k of a training, or nil if it has no such network.
// The values are there right after a step of that network.
func Inspect(t train.Training, k int) *Inspected {
	if n, ok := t.(interface{ inspect(k int) *Inspected }); ok {
		return n.inspect(k)
	}
	return nil
}
