package study

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/kernel"
	"cadem/core/rng"
)

// A posterior follows, over a training, what pooled embeddings tell of the layer they come
// from (proposition 2 of the paper). It looks at graphs of its own, cut from the layers as
// the augmented ones of training are: so many copies of each layer, a share of the nodes,
// noise on every node kept.
type posterior struct {
	layers, dim int
	concat      bool
	every       int           // outer epochs between two looks
	copies      []layerCopy   // layer after layer
	looks       [][]float64   // a row of posteriorColumns each
	last        [2][]float64  // of common and private: N x N, mean posterior of psi for each layer
	probe       [2]*mat.Dense // copies x d: pooled common and private embeddings, scratch
}

type layerCopy struct {
	layer int
	nodes []int
	noise [2][]float64 // d: on the pooled common and private embedding
}

// Columns of a look: the outer epoch; for the common and the private embeddings the entropy
// of psi's posterior over log N, its divergence from the uniform one in nats, and the
// accuracy of a fresh probe; and the bound log N - CE of proposition 1, from phi on P, in
// nats.
var posteriorColumns = []string{"epoch", "entropy_C", "kl_C", "probe_C", "entropy_P", "kl_P", "probe_P", "bound_P"}

const (
	posteriorCopies = 40 // of each layer; a probe is fitted to 70 % of them
	posteriorLooks  = 20 // over a training, beside the first
)

func newPosterior(d *Dataset, s *Settings) *posterior {
	o := &s.Training
	p := &posterior{layers: d.Graph.N(), dim: o.Dim, concat: o.Combine == "concat", every: max(1, o.Epochs/posteriorLooks)}
	m := d.Graph.M()
	keep := max(1, int(float64(o.NodeRatio*float64(m))))
	scale := o.Noise * math.Sqrt(float64(keep))
	for l := range p.layers {
		for k := range posteriorCopies {
			src := rng.New(s.EvalSeed, fmt.Sprintf("study/posterior/layer %d/copy %d", l, k))
			c := layerCopy{layer: l, nodes: make([]int, keep)}
			src.Sample(c.nodes, m)
			for b := range c.noise {
				c.noise[b] = make([]float64, p.dim)
				for j := range c.noise[b] {
					c.noise[b][j] = float64(scale * src.Norm()) // the sum over the nodes kept
				}
			}
			p.copies = append(p.copies, c)
		}
	}
	for b := range p.probe {
		p.probe[b] = mat.NewDense(len(p.copies), p.dim, nil)
	}
	return p
}

// watch looks at a training after its first step, every few epochs and at its end.
func (p *posterior) watch(t cadem.Trainer) {
	at := t.Progress()
	inner := t.Options().InnerSteps
	if at.Step == 1 || at.Step%(inner*p.every) == 0 || t.Done() {
		p.look(t, float64(at.Step)/float64(inner))
	}
}

func (p *posterior) look(t cadem.Trainer, epoch float64) {
	e := t.Embeddings(0)
	var mean [2][]float64
	for b, of := range [2][]*mat.Dense{e.Common, e.Private} {
		mean[b] = make([]float64, p.dim)
		for k := range p.copies {
			h := p.probe[b].RawRowView(k)
			p.copies[k].pool(h, of[p.copies[k].layer], b)
			for j, v := range h {
				mean[b][j] += v / float64(len(p.copies))
			}
		}
	}
	psi, phi := headOf(t, "psi"), headOf(t, "phi")
	row := []float64{epoch}
	n, share := kernel.Log(float64(p.layers)), 1/float64(len(p.copies))
	for b := range p.probe {
		p.last[b] = make([]float64, p.layers*p.layers)
		entropy := 0.0
		for k := range p.copies {
			// Each embedding is paired with the mean of the other kind.
			pair := [2][]float64{p.probe[0].RawRowView(k), mean[1]}
			if b == 1 {
				pair = [2][]float64{mean[0], p.probe[1].RawRowView(k)}
			}
			var logs []float64
			if p.concat {
				logs = psi.logs(append(append([]float64(nil), pair[1]...), pair[0]...))
			} else {
				logs = psi.logs(added(pair[0], pair[1]))
			}
			for j, v := range logs {
				q := kernel.Exp(v)
				entropy -= float64(float64(q*v) * share)
				p.last[b][p.copies[k].layer*p.layers+j] += q / posteriorCopies
			}
		}
		row = append(row, entropy/n, n-entropy, p.accuracy(p.probe[b]))
	}
	ce := 0.0
	for k := range p.copies {
		ce -= float64(phi.logs(p.probe[1].RawRowView(k))[p.copies[k].layer] * share)
	}
	p.looks = append(p.looks, append(row, n-ce))
}

// pool sets h to the sum of the rows of x that are kept, with noise b.
func (c *layerCopy) pool(h []float64, x *mat.Dense, b int) {
	copy(h, c.noise[b])
	for _, i := range c.nodes {
		for j := range h {
			h[j] += x.At(i, j)
		}
	}
}

func added(a, b []float64) []float64 {
	sum := make([]float64, len(a))
	for j := range sum {
		sum[j] = a[j] + b[j]
	}
	return sum
}

// accuracy fits a fresh probe to most copies of each layer, standardised, and returns how
// often it names the layer of the others.
func (p *posterior) accuracy(x *mat.Dense) float64 {
	const fitted = posteriorCopies * 7 / 10
	var train, test, truth []int
	labels := make([]int, len(p.copies))
	for k := range p.copies {
		labels[k] = p.copies[k].layer
		if k%posteriorCopies < fitted {
			train = append(train, k)
		} else {
			test, truth = append(test, k), append(truth, labels[k])
		}
	}
	y := mat.DenseCopyOf(x)
	for j := range p.dim {
		mean, square := 0.0, 0.0
		for _, k := range train {
			mean += x.At(k, j) / float64(len(train))
		}
		for _, k := range train {
			v := x.At(k, j) - mean
			square += float64(v*v) / float64(len(train))
		}
		for k := range p.copies {
			v := x.At(k, j) - mean
			if square > 0 {
				v /= math.Sqrt(square)
			}
			y.Set(k, j, v)
		}
	}
	probe, tokens := evaluate.NewProbe(p.dim, p.layers), []*mat.Dense{y}
	if err := probe.Fit(evaluate.NewBatch(tokens, train, labels), nil); err != nil {
		panic(err) // only a step that is given fails
	}
	predicted := make([]int, len(test))
	probe.Predict(predicted, evaluate.NewBatch(tokens, test, nil))
	_, share := evaluate.F1(truth, predicted)
	return share
}

// A head is phi or psi as it stands in a training: weights rows x N, biases N.
type head struct{ w, b []float64 }

func headOf(t cadem.Trainer, name string) *head {
	return &head{t.Tensor("W" + name), t.Tensor("b" + name)}
}

// logs returns the logarithms of the softmax of h W + b.
func (f *head) logs(h []float64) []float64 {
	z := append([]float64(nil), f.b...)
	for i, v := range h {
		for j := range z {
			z[j] += float64(v * f.w[i*len(z)+j])
		}
	}
	largest, sum := z[0], 0.0
	for _, v := range z {
		largest = max(largest, v)
	}
	for _, v := range z {
		sum += kernel.Exp(v - largest)
	}
	log := largest + kernel.Log(sum)
	for j := range z {
		z[j] -= log
	}
	return z
}

// add puts what was seen into the result: "posterior", a row of posteriorColumns for every
// look, and "posterior:C" and "posterior:P", N x N, of the last.
func (p *posterior) add(r *TaskResult) {
	a := NamedArray{Name: "posterior", Shape: []int{len(p.looks), len(posteriorColumns)}}
	for _, row := range p.looks {
		a.Data = append(a.Data, row...)
	}
	square := []int{p.layers, p.layers}
	r.Arrays = append(r.Arrays, a, NamedArray{"posterior:C", square, p.last[0]}, NamedArray{"posterior:P", square, p.last[1]})
}
