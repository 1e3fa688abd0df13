package cadem

import "cadem/core/kernel"

// selfSupervised returns the sum over the batches of
//
//	mean over the batch of CE(phi(h_P), layer)
//
// for one group of pooled graphs and adds weight times its gradient to phi and to dhP
// (K x d). hP is K x d, in the order of the batches; logits is scratch.
func selfSupervised[T kernel.Float](phi *head[T], g *Group, hp, dhp, logits []float64, weight float64) float64 {
	d, n := phi.rows, phi.width
	total, from := 0.0, 0
	for _, batch := range g.Batch {
		to := from + len(batch)
		h, l := hp[from*d:to*d], logits[:len(batch)*n]
		phi.logits(l, h, 0, d)
		sum, share := 0.0, weight/float64(len(batch))
		for i, k := range batch {
			row := l[i*n:][:phi.n]
			for c, b := range phi.b {
				row[c] += float64(b)
			}
			sum += crossEntropy(row, g.Layer[k])
			for c, x := range row {
				row[c] = float64(x * share)
				phi.gb[c] += row[c]
			}
		}
		phi.back(dhp[from*d:to*d], l, 0, d)
		phi.learn(h, l, 0, d)
		total += sum / float64(len(batch))
		from = to
	}
	return total
}
