package cadem

import "cadem/core/kernel"

// selfSupervised returns the sum over the batches of
//
//	mean over the batch of CE(phi(h_P), layer)
//
// for one group of pooled graphs and adds weight times its gradient to phi and to dhP
// (K x d). hP is K x d, in the order of the batches; logits and e are scratch.
func selfSupervised[T kernel.Float](phi *head[T], g *Group, hp, dhp, logits []float64, e *crossEntropy, weight float64) float64 {
	d, n := phi.rows, phi.width
	total, from := 0.0, 0
	for _, batch := range g.Batch {
		to := from + len(batch)
		h, l := hp[from*d:to*d], logits[:len(batch)*n]
		phi.logits(l, h, 0)
		sum, share := 0.0, weight/float64(len(batch))
		for first := 0; first < len(batch); first += items {
			some := batch[first:min(first+items, len(batch))]
			l := l[first*n:]
			for i, k := range some {
				e.class[i] = g.Layer[k]
			}
			for c, b := range phi.b {
				column, b := e.x[c*len(some):][:len(some)], float64(b)
				for i := range column {
					column[i] = l[i*n+c] + b
				}
			}
			sum += e.loss(len(some))
			for c := range phi.b {
				all := phi.gb[c]
				for i, x := range e.x[c*len(some):][:len(some)] {
					x = float64(x * share)
					l[i*n+c] = x
					all += x
				}
				phi.gb[c] = all
			}
		}
		phi.back(dhp[from*d:to*d], l, 0)
		phi.learn(h, l, 0)
		total += sum / float64(len(batch))
		from = to
	}
	return total
}
