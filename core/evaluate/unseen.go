package evaluate

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
)

// An Unseen is a lower bound of the information of pooled embeddings about their layer, I >= log N - CE in nats, by classifiers that were
// fitted to other copies. A classifier that is confidently wrong gives less than 0, which says nothing.
type Unseen struct {
	Phi     float64 // of private parts, by the trained phi
	Private float64 // of private parts, by a richer one: linear in the numbers, their squares and their products
	Common  float64 // of common parts, by such a one
}

// Unseen draws the copies of Read and as many more, fits richer classifiers to the first and asks all of them about the others.
func (p *LayerProbe) Unseen(seed uint64) Unseen {
	twice, n := *p, len(p.Common)
	if twice.Copies == 0 {
		twice.Copies = usualCopies
	}
	twice.Copies *= 2
	common, private, layer := twice.draw(seed)
	var seen, fresh []int
	for k := range layer {
		if k%twice.Copies < twice.Copies/2 {
			seen = append(seen, k)
		} else {
			fresh = append(fresh, k)
		}
	}
	most := kernel.Log(float64(n))
	logits, ce := make([]float64, n), 0.0
	for _, k := range fresh {
		p.Phi.logits(logits, private.RawRowView(k), 0)
		ce += surprise(logits, layer[k]) / float64(len(fresh))
	}
	richer := func(x *mat.Dense) float64 {
		x = standardizedBy(withProducts(standardizedBy(x, seen)), seen)
		_, d := x.Dims()
		probe, ce := NewProbe(d, n), 0.0
		// Without a step to yield to, a fit has no error.
		_ = probe.Fit(NewBatch([]*mat.Dense{x}, seen, layer), nil)
		found := probe.model.Logits(NewBatch([]*mat.Dense{x}, fresh, nil))
		for i, k := range fresh {
			ce += surprise(found.RawRowView(i), layer[k]) / float64(len(fresh))
		}
		return most - ce
	}
	return Unseen{Phi: most - ce, Private: richer(private), Common: richer(common)}
}

// surprise is the cross entropy of logits where the layer is l.
func surprise(logits []float64, l int) float64 {
	sum, top := 0.0, largestOf(logits)
	for _, v := range logits {
		sum += kernel.Exp(v - top)
	}
	return kernel.Log(sum) - (logits[l] - top)
}

// withProducts puts the squares and products of the columns of x beside them.
func withProducts(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	y := mat.NewDense(n, d+d*(d+1)/2, nil)
	for i := range n {
		row, of := y.RawRowView(i), x.RawRowView(i)
		copy(row, of)
		at := d
		for a, v := range of {
			for _, w := range of[a:] {
				row[at] = float64(v * w)
				at++
			}
		}
	}
	return y
}
