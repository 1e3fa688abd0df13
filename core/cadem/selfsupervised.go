package cadem

import "cadem/core/kernel"

// The self-supervised loss, equation (7): a pooled private part must tell its layer,
//
//	selfsupervised = sum over batches, mean over the batch of CE(phi(h_P), layer)
//	x = h_P W + 1 b' (batch x N),   dx = (softmax(x) - onehot(layer)) / size of the batch
//	dW = h_P'dx,   db = dx'1,   dh_P = dx W'

// selfSupervised returns the loss of one set of pooled graphs and adds weight times its gradient to
// phi and to dhP. hP and dhP are K x d, in the order of the batches; logits and e are scratch. The
// heads have a row for every graph, crossEntropy one for every class, so each block is transposed
// in, and its residuals out. Rows are width long: N, or N + 1 to be even.
func selfSupervised[T kernel.Float](phi *head[T], set *PooledGraphs, hp, dhp, logits []float64, e *crossEntropy, weight float64) float64 {
	d, width := phi.Rows, phi.Width
	total, from := 0.0, 0
	for _, batch := range set.Batches {
		to := from + len(batch)
		r := logits[:len(batch)*width] // batch x width: h_P W without bias, then the gradient in it
		phi.Forward(r, hp[from*d:to*d], 0)
		sum, perGraph := 0.0, weight/float64(len(batch))
		for start := 0; start < len(batch); start += blockSize {
			block := batch[start:min(start+blockSize, len(batch))]
			rows := r[start*width:]
			for i, k := range block {
				e.class[i] = set.Layer[k]
			}
			for c, b := range phi.B { // classes
				column, b := e.column(c, len(block)), float64(b)
				for i := range column {
					column[i] = rows[i*width+c] + b
				}
			}
			sum += e.loss(len(block))
			for c := range phi.B {
				db := phi.GB[c]
				for i, x := range e.column(c, len(block)) {
					x = float64(x * perGraph)
					rows[i*width+c] = x
					db += x
				}
				phi.GB[c] = db
			}
		}
		phi.Backward(dhp[from*d:to*d], hp[from*d:to*d], r, 0)
		total += sum / float64(len(batch))
		from = to
	}
	return total
}
