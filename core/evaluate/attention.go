package evaluate

import (
	"math"

	"cadem/core/kernel"
)

// bind cuts the work space for a batch, growing it when needed.
func (c *Combiner) bind(b *Batch) {
	if b.tokens != c.Tokens || b.dim != c.Dim {
		panic(ErrShape)
	}
	n, d, h, t := b.n, c.Dim, c.Heads, c.Tokens
	rows := c.Classes + 2 + 2*h*t + 2*h*d
	if c.Tag {
		rows += t * d
	}
	if len(c.memory) < rows*n {
		c.memory = make([]float64, rows*n)
	}
	rest := c.memory
	take := func(count int) []float64 {
		s := rest[: count*n : count*n]
		rest = rest[count*n:]
		return s
	}
	c.prob, c.scratch = take(c.Classes), take(2)
	if h == 0 {
		c.mixed = b.x // the classifier alone sees the token itself
		return
	}
	c.weight, c.dscore, c.mixed, c.pull = take(h*t), take(h*t), take(h*d), take(h*d)
	c.tagged = b.x
	if c.Tag {
		c.tagged = take(t * d)
	}
}

// forward leaves the logits of a batch in c.prob.
func (c *Combiner) forward(b *Batch) {
	c.bind(b)
	n, path, shift := b.n, c.wc.val, c.bc.val
	if c.Heads > 0 {
		c.attend(b)
		c.collapse()
		path, shift = c.path, c.shift
	}
	columns := len(path) / c.Classes
	for k := range c.Classes {
		kernel.Combine(c.prob[k*n:][:n], shift[k], path[k*columns:], 1, columns, c.mixed)
	}
}

// attend computes the weights and the mixed tokens of the heads.
func (c *Combiner) attend(b *Batch) {
	n, d, dh := b.n, c.Dim, c.Dim/c.Heads
	if c.Tag {
		for r, u := range c.u.val {
			x := b.x[r*n:][:n]
			for i, v := range x {
				c.tagged[r*n+i] = v + u
			}
		}
	}
	wq, wk := c.win.val[:d*d], c.win.val[d*d:2*d*d]
	clear(c.reach)
	for o := range d {
		c.query[o] = c.bin.val[o] + dot(wq[o*d:(o+1)*d], c.q.val)
		axpy(c.reach[o/dh*d:][:d], c.query[o]/math.Sqrt(float64(dh)), wk[o*d:(o+1)*d])
	}
	for a := range c.Heads {
		w := c.weight[a*c.Tokens*n:][:c.Tokens*n]
		for t := range c.Tokens {
			kernel.Combine(w[t*n:][:n], 0, c.reach[a*d:], 1, d, c.tagged[t*d*n:])
		}
		softmax(w, c.Tokens, c.scratch, false)
		mixed := c.mixed[a*d*n:][:d*n]
		for j := range d {
			kernel.Blend(mixed[j*n:][:n], w, c.tagged[j*n:], d*n, c.Tokens)
		}
	}
}

// collapse computes E, G and c from the parameters. Averaged heads are concatenated ones
// whose Wo takes the mean.
func (c *Combiner) collapse() {
	d, dh := c.Dim, c.Dim/c.Heads
	wv, bv := c.win.val[2*d*d:], c.bin.val[2*d:]
	clear(c.path)
	for k := range c.Classes {
		e, wc := c.out[k*d:][:d], c.wc.val[k*c.width:][:c.width]
		c.shift[k] = c.bc.val[k]
		if c.Average {
			for o := range e {
				e[o] = wc[o%dh] / float64(c.Heads)
			}
		} else {
			clear(e)
			for i, w := range wc {
				axpy(e, w, c.wo.val[i*d:][:d])
			}
			c.shift[k] += dot(wc, c.bo.val)
		}
		c.shift[k] += dot(e, bv)
		for o, v := range e {
			axpy(c.path[(k*c.Heads+o/dh)*d:][:d], v, wv[o*d:][:d])
		}
	}
}

// Backward computes the gradient of the mean cross entropy of the batch that
// [Combiner.Loss] was just called with. It consumes the probabilities kept there.
//
//	dlogits = (softmax(logits) - y) / n,  dc = sum dlogits,  dG^a = sum dlogits m^a'
//	dm^a = G^a' dlogits,  dw_t = dm . x_t,  de = w (dw - sum_s w_s dw_s)
//	dr^a = sum de_t x_t / sqrt(d_h),  dWk^a = Q^a dr^a',  dQ^a = Wk^a dr^a
func (c *Combiner) Backward(b *Batch) {
	n := b.n
	if len(b.y) != n {
		panic(ErrShape)
	}
	clear(c.grad)
	for i, k := range b.y {
		c.prob[k*n+i]--
	}
	scale(c.prob, 1/float64(n))
	pathGrad := c.wc.grad
	if c.Heads > 0 {
		pathGrad = c.pathGrad
		clear(pathGrad)
	}
	columns := len(pathGrad) / c.Classes
	for k := range c.Classes {
		dl := c.prob[k*n:][:n]
		c.bc.grad[k] = total(dl)
		kernel.Inner(pathGrad[k*columns:][:columns], dl, c.mixed)
	}
	if c.Heads == 0 {
		return
	}
	for r := range columns {
		kernel.Combine(c.pull[r*n:][:n], 0, c.path[r:], columns, c.Classes, c.prob)
	}
	c.collapseBackward()
	c.attendBackward(b)
}

// collapseBackward takes the gradients of G and c to the parameters they are made of:
//
//	dE_o = dG^a Wv_o + dc bv_o,  dWv_o = E_o' dG^a,  dWc = dE Wo' + dc bo',  dWo = Wc' dE
func (c *Combiner) collapseBackward() {
	d, dh := c.Dim, c.Dim/c.Heads
	wv, bv := c.win.val[2*d*d:], c.bin.val[2*d:]
	gv, gb := c.win.grad[2*d*d:], c.bin.grad[2*d:]
	for k := range c.Classes {
		e, de, dc := c.out[k*d:][:d], c.outGrad[k*d:][:d], c.bc.grad[k]
		for o := range d {
			dg := c.pathGrad[(k*c.Heads+o/dh)*d:][:d]
			de[o] = dot(dg, wv[o*d:][:d]) + float64(dc*bv[o])
			axpy(gv[o*d:][:d], e[o], dg)
		}
		axpy(gb, dc, e)
		wc, gc := c.wc.val[k*c.width:][:c.width], c.wc.grad[k*c.width:][:c.width]
		if c.Average {
			for o, v := range de {
				gc[o%dh] += v / float64(c.Heads)
			}
			continue
		}
		for i, w := range wc {
			gc[i] += dot(de, c.wo.val[i*d:][:d])
			axpy(c.wo.grad[i*d:][:d], w, de)
		}
		axpy(gc, dc, c.bo.val)
		axpy(c.bo.grad, dc, wc)
	}
}

func (c *Combiner) attendBackward(b *Batch) {
	n, d, dh, tokens := b.n, c.Dim, c.Dim/c.Heads, c.Tokens
	wq, wk := c.win.val[:d*d], c.win.val[d*d:2*d*d]
	gq, gk := c.win.grad[:d*d], c.win.grad[d*d:2*d*d]
	clear(c.reachGrad)
	for a := range c.Heads {
		pull := c.pull[a*d*n:][:d*n]
		// dw_t up to a constant over t, which the softmax ignores.
		w, de := c.weight[a*tokens*n:][:tokens*n], c.dscore[a*tokens*n:][:tokens*n]
		for t := range tokens {
			kernel.Blend(de[t*n:][:n], pull, c.tagged[t*d*n:], n, d)
		}
		sum := c.scratch[:n]
		kernel.Blend(sum, w, de, n, tokens)
		for t := range tokens {
			wt, dt := w[t*n:][:n], de[t*n:][:n]
			for i, v := range wt {
				dt[i] = (dt[i] - sum[i]) * v
			}
			kernel.Inner(c.reachGrad[a*d:][:d], dt, c.tagged[t*d*n:])
			if c.Tag {
				u, push := c.u.grad[t*d:][:d], total(dt)
				kernel.Inner(u, wt, pull)
				axpy(u, push, c.reach[a*d:][:d])
			}
		}
	}
	root := math.Sqrt(float64(dh))
	for o := range d {
		dr := c.reachGrad[o/dh*d:][:d]
		g := dot(wk[o*d:(o+1)*d], dr) / root
		c.bin.grad[o] = g
		axpy(gk[o*d:][:d], c.query[o]/root, dr)
		axpy(gq[o*d:][:d], g, c.q.val)
		axpy(c.q.grad, g, wq[o*d:][:d])
	}
}
