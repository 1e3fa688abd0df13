package cadem

import "cadem/core/kernel"

// selfSupervised returns the sum over the batches of
//
//	mean over the batch of CE(phi(h_P), layer)
//
// for one group of pooled graphs and adds weight times its gradient to phi and to dhP
// (K x d). hP is K x d.
func selfSupervised[T kernel.Float](phi *head[T], g *Group, hp, dhp, logits []float64, weight float64) float64 {
	d := phi.rows
	total := 0.0
	for _, batch := range g.Batch {
		sum, share := 0.0, weight/float64(len(batch))
		for _, k := range batch {
			h := hp[k*d : k*d+d]
			phi.logits(logits, h, 0)
			for c, b := range phi.b {
				logits[c] += float64(b)
			}
			sum += crossEntropy(logits, g.Layer[k])
			for c := range logits {
				logits[c] = float64(logits[c] * share)
				phi.gb[c] += logits[c]
			}
			phi.back(dhp[k*d:k*d+d], h, 0, logits)
		}
		total += sum / float64(len(batch))
	}
	return total
}
