package cadem

import "cadem/core/kernel"

// A crossEntropy takes the cross entropies of many items at once,
//
//	CE = -log softmax(x)[class],   dx = softmax(x) - onehot(class).
//
// Logit l of item i of n stands at x[l*n+i], so that one loop without calls goes over all items.
type crossEntropy struct {
	classes  int
	class    []int     // of every item
	x        []float64 // classes x items
	top, sum []float64 // of every item: its largest logit, and the sum of exp(x - top)
	own      []float64 // the logit of its class
}

// blockSize bounds how many are taken at once.
const blockSize = 512

func newCrossEntropy(classes, most int) *crossEntropy {
	n := min(most, blockSize)
	return &crossEntropy{classes: classes, class: make([]int, n), x: make([]float64, n*classes),
		top: make([]float64, n), sum: make([]float64, n), own: make([]float64, n)}
}

// column returns the logits or residuals of class c of n items.
func (e *crossEntropy) column(c, n int) []float64 { return e.x[c*n:][:n] }

// loss returns the sum over the first n items of CE and turns the logits into the residuals dx.
func (e *crossEntropy) loss(n int) float64 {
	x, top, sum, own := e.x[:n*e.classes], e.top[:n], e.sum[:n], e.own[:n]
	for i, class := range e.class[:n] {
		own[i] = x[class*n+i]
	}
	kernel.Softmax(x, top, sum)
	total, product := 0.0, 1.0
	for i, class := range e.class[:n] {
		x[class*n+i]--
		total += top[i] - own[i]
		// The sum of logs is the log of the product; factors are in [1, N].
		if product *= sum[i]; !(product < 1e200) {
			total += kernel.Log(product)
			product = 1
		}
	}
	return total + kernel.Log(product)
}
