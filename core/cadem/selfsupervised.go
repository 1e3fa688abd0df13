package cadem

import "cadem.example/core/base/kernel"

// The self-supervised loss, equation (4): a pooled private part h_P (d) must identify its layer,
//
//	selfsupervised = sum over batches of the mean over the batch of CE(phi(h_P), layer)
//	x = h_P W + 1 b' (batch x N),   dx = (softmax(x) - onehot(layer)) / size of the batch
//	dW = h_P'dx,   db = dx'1,   dh_P = dx W'

// selfSupervised returns the loss of one set of pooled graphs and adds weight times its gradient to
// phi and to dhP. hP and dhP are K x d, in the order of the batches; logits and ce are scratch.
func selfSupervised[T kernel.Float](phi *head[T], set *PooledGraphs, hp, dhp, logits []float64, ce *crossEntropy, weight float64) (total float64) {
	d, width, from := phi.Rows, phi.Width, 0
	for _, batch := range set.Batches {
		size, to := float64(len(batch)), from+len(batch)
		hp, dhp := hp[from*d:to*d], dhp[from*d:to*d] // batch x d
		x := logits[:len(batch)*width]               // batch x N, in rows of an even width: logits, then dx
		phi.Forward(x, hp, 0)                        // x = h_P W
		phi.AddBias(x)                               // + 1 b'
		total += ce.rows(x, width, set.Layer, batch) / size
		scale(x, weight/size)       // x = weight dx
		phi.LearnBias(x)            // db = dx'1
		phi.Backward(dhp, hp, x, 0) // dh_P = dx W', dW = h_P'dx
		from = to
	}
	return total
}
