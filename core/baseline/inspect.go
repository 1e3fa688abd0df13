package baseline

import "cadem/core/kernel"

// Inspected is what a comparison with another program sees of a network in training: one of the
// networks of the layers, or the only one.
type Inspected struct {
	Values            map[string][]float64 // computed in the last step; those of one name one after another
	Params, Gradients map[string][]float64 // the gradients are of the last step, before it moved the parameters
	Terms             []float64            // of its loss
	Epochs, Updates   int                  // the epoch that exhausted the patience is counted, too
	Early             bool                 // the patience was exhausted
	BestEpoch         int                  // from 0; -1 where none is kept
	BestLoss          float64
}

// Inspect returns what there is to see of network k of a training, or nil where it has no such network.
// The values are there right after a step of that network.
func Inspect(t Training, k int) *Inspected {
	if n, ok := t.(interface{ inspect(k int) *Inspected }); ok {
		return n.inspect(k)
	}
	return nil
}

func (n *networks[T]) inspect(k int) *Inspected {
	if k >= len(n.nets) {
		return nil
	}
	f, values := n.fits[k], n.nets[k].values()
	i := &Inspected{Values: map[string][]float64{}, Params: map[string][]float64{}, Gradients: map[string][]float64{}, Terms: f.Terms(),
		Epochs: f.Epoch(), Updates: f.Updates(), Early: f.Early()}
	i.BestEpoch, i.BestLoss = f.Best()
	for q, p := range n.nets[k].Params() {
		i.Params[p.Name], i.Gradients[p.Name] = asDouble(p.Value), asDouble(f.Gradient(q))
	}
	if k == n.last {
		for q, name := range values.names {
			i.Values[name] = append(i.Values[name], asDouble(n.tape.Data(values.at[q]))...)
		}
	}
	return i
}

// asDouble converts numbers of either precision.
func asDouble[T kernel.Float](x []T) []float64 {
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = float64(v)
	}
	return d
}
