package cadem

import "cadem.example/core/base/kernel"

// A crossEntropy takes the cross entropies of (4) and (5) of many items at once, each with logits x
// (one for every class) and the class that it has:
//
//	CE = -log softmax(x)[class],   dx = softmax(x) - onehot(class)
//
// It keeps class c of item i of n at x[c*n+i], so that one loop without calls goes over all items.
type crossEntropy struct {
	classes  int
	class    []int     // of every item
	x        []float64 // classes x items: logits, then their gradients dx
	top, sum []float64 // of every item: its largest logit, and the sum of exp(x - top)
	own      []float64 // the logit of its class
}

// blockSize bounds how many items are taken at once.
const blockSize = 512

func newCrossEntropy(classes, most int) *crossEntropy {
	n := min(most, blockSize)
	return &crossEntropy{classes: classes, class: make([]int, n), x: make([]float64, n*classes),
		top: make([]float64, n), sum: make([]float64, n), own: make([]float64, n)}
}

// column returns the logits, or gradients, of class c of n items.
func (e *crossEntropy) column(c, n int) []float64 { return e.x[c*n:][:n] }

// loss returns the sum of CE over the first n items and turns x into dx.
func (e *crossEntropy) loss(n int) float64 {
	x, top, sum, own := e.x[:n*e.classes], e.top[:n], e.sum[:n], e.own[:n]
	for i, class := range e.class[:n] {
		own[i] = x[class*n+i]
	}
	kernel.Softmax(x, top, sum)
	total, product := 0.0, 1.0
	for i, class := range e.class[:n] {
		x[class*n+i]--           // softmax - onehot
		total += top[i] - own[i] // CE = top + log sum - own
		// The sum of logs is the log of the product. Its factors are in [1, N], so that it is far from overflowing at 1e200.
		if product *= sum[i]; product >= 1e200 {
			total += kernel.Log(product)
			product = 1
		}
	}
	return total + kernel.Log(product)
}

// rows returns the sum of CE over items whose logits are the rows of x (items x width), item i being
// of class layer[batch[i]], and turns x into dx. Blocks of rows are transposed for loss.
func (e *crossEntropy) rows(x []float64, width int, layer, batch []int) (sum float64) {
	for len(batch) > 0 {
		n := min(len(batch), blockSize)
		for i, k := range batch[:n] {
			e.class[i] = layer[k]
		}
		for c := range e.classes {
			column := e.column(c, n)
			for i := range column {
				column[i] = x[i*width+c]
			}
		}
		sum += e.loss(n)
		for c := range e.classes {
			for i, dx := range e.column(c, n) {
				x[i*width+c] = dx
			}
		}
		x, batch = x[n*width:], batch[n:]
	}
	return sum
}

// Guessing returns the losses of both predictors when these know nothing, and give each of n layers
// the same probability: log n for every mean that is added.
func (o *Options) Guessing(n int) float64 {
	means := 0
	if o.Augmented > 0 {
		means = 1
		if o.Average != "all" {
			means = (n*o.Augmented + o.Batch - 1) / o.Batch
		}
	}
	if o.Graphs == "both" {
		means++
	}
	return float64(means) * kernel.Log(float64(n))
}
