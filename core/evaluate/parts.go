package evaluate

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/rng"
)

// Of more than Many nodes the readers learn from a part of their items in each step, and K-means begins from a part. Scores are then off by less
// than the spread of the folds, for a tenth of the work. No example and none of the paper's data sets has so many.
const Many = 8192

var many = Many // tests compare both ways

// Items of a part.
const (
	partOfReader   = 512
	partOfClusters = 1024
)

// batches deals the training items to parts of some [partOfReader], each with nearly the same share of every class, of which a reader sees one
// in each epoch, in turn. Fewer items, or those of no large graph, are one part.
func (e *evaluation) batches(tokens []*mat.Dense, train, labels []int) (list []*Batch) {
	count := e.parts(tokens, len(train))
	if count == 1 {
		return []*Batch{NewBatch(tokens, train, labels)}
	}
	parts := make([][]int, count)
	for k, f := range StratifiedFolds(pick(labels, train), count, rng.New(e.seed, "evaluate/parts")) {
		parts[f] = append(parts[f], train[k])
	}
	for _, part := range parts {
		list = append(list, NewBatch(tokens, part, labels))
	}
	return list
}

// parts is the number of parts of so many training items.
func (e *evaluation) parts(tokens []*mat.Dense, train int) int {
	if items(tokens) <= many || e.o.Authors {
		return 1
	}
	return max(1, train/partOfReader)
}

// turn takes step n on one of the parts, and returns how many items that has. Steps on parts wander about the way of those on all items. So they
// become shorter after the first hundred, and weights are averaged, late ones with more weight (Shamir and Zhang 2013, with eta 3):
//
//	mean += 4/(n+4) (weights - mean)
func (c *Combiner) turn(in []*Batch, n int, rate float64) int {
	part := in[n%len(in)]
	if len(in) > 1 {
		rate *= min(1, math.Sqrt(100/float64(n+1)))
	}
	c.Step(part, rate)
	if len(in) > 1 {
		if len(c.mean) == 0 {
			c.mean = make([]float64, len(c.param))
		}
		scale(c.mean, 1-4/float64(n+4))
		kernel.AddScaled(c.mean, c.param, 4/float64(n+4))
	}
	return part.n
}

// exchange exchanges the weights and their average, where steps are on parts.
func (c *Combiner) exchange(in []*Batch) {
	if len(in) > 1 {
		for i, v := range c.mean {
			c.param[i], c.mean[i] = v, c.param[i]
		}
	}
}

// learn takes all steps.
func (c *Combiner) learn(in []*Batch, o *Options, yield pause.Yield) error {
	for n := range o.Epochs {
		c.turn(in, n, o.Rate)
		if err := yield.At(n, o.Epochs); err != nil {
			return err
		}
	}
	c.exchange(in)
	return nil
}

// beginning is the number of items that K-means seeds and restarts with, of those seen, where there are n in all.
func beginning(n, seen, k int) int {
	if begin := max(partOfClusters, 32*k); n > many && begin < seen {
		return begin
	}
	return seen
}

// drawn are so many rows of x.
func drawn(x *mat.Dense, count int, src *rng.Stream) *mat.Dense {
	n, d := x.Dims()
	rows, some := make([]int, count), mat.NewDense(count, d, nil)
	src.Sample(rows, n)
	for i, row := range rows {
		copy(some.RawRowView(i), x.RawRowView(row))
	}
	return some
}

// take moves the centroids to the best ones of another clusterer.
func (c *clusterer) take(from *clusterer) {
	for i, v := range from.bestCentroid {
		c.centroid[i] = v + from.mean[i%c.d] - c.mean[i%c.d]
	}
}
