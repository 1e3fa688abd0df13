package evaluate

import (
	"math"

	"cadem.example/core/base/kernel"
)

// line returns row i of a matrix of the given width. It is not inlined: every slice of its own would cost what it saves.
//
//go:noinline
func line(x []float64, i, width int) []float64 { return x[i*width:][:width] }

// begin computes what all items of a batch share.
func (c *Combiner) begin(b *Batch) {
	ErrShape.Unless(b.tokens == c.Tokens && b.dim == c.Dim)
	if c.Heads > 0 {
		c.reachOut()
		c.collapse()
	}
}

// bind cuts the work space for n items x, growing it when needed.
func (c *Combiner) bind(x []float64, n int) {
	d, h, t := c.Dim, c.Heads, c.Tokens
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
		c.mixed = x // the classifier alone sees the token itself
		return
	}
	c.weight, c.dscore, c.mixed, c.pull = take(h*t), take(h*t), take(h*d), take(h*d)
	c.tagged = x
	if c.Tag {
		c.tagged = take(t * d)
	}
}

// forward leaves the logits of the piece of a batch that begins at an item in c.prob, and returns how many items it has.
func (c *Combiner) forward(b *Batch, from int) (n int) {
	n = min(b.piece, b.n-from)
	x := b.x[from*b.tokens*b.dim:]
	c.bind(x, n)
	path, shift := c.wc.val, c.bc.val
	if c.Heads > 0 {
		c.attend(x, n)
		path, shift = c.path, c.shift
	}
	columns := len(path) / c.Classes
	for k := range c.Classes {
		kernel.Combine(line(c.prob, k, n), shift[k], path[k*columns:], 1, columns, c.mixed)
	}
	return n
}

// reachOut computes Q and r from the parameters.
func (c *Combiner) reachOut() {
	d, dh := c.Dim, c.Dim/c.Heads
	wq, wk := line(c.win.val, 0, d*d), line(c.win.val, 1, d*d)
	clear(c.reach)
	for o := range d {
		c.query[o] = c.bin.val[o] + dot(line(wq, o, d), c.q.val)
		kernel.AddScaled(line(c.reach, o/dh, d), line(wk, o, d), c.query[o]/math.Sqrt(float64(dh)))
	}
}

// attend computes the weights and the mixed tokens of the heads.
func (c *Combiner) attend(x []float64, n int) {
	d := c.Dim
	if c.Tag {
		for r, u := range c.u.val {
			for i, v := range line(x, r, n) {
				c.tagged[r*n+i] = v + u
			}
		}
	}
	for a := range c.Heads {
		w := line(c.weight, a, c.Tokens*n)
		for t := range c.Tokens {
			kernel.Combine(line(w, t, n), 0, c.reach[a*d:], 1, d, c.tagged[t*d*n:])
		}
		softmax(w, c.Tokens, c.scratch, false)
		mixed := line(c.mixed, a, d*n)
		for j := range d {
			kernel.Blend(line(mixed, j, n), w, c.tagged[j*n:], d*n, c.Tokens)
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
		e, wc := line(c.out, k, d), line(c.wc.val, k, c.width)
		c.shift[k] = c.bc.val[k]
		if c.Average {
			for o := range e {
				e[o] = wc[o%dh] / float64(c.Heads)
			}
		} else {
			clear(e)
			for i, w := range wc {
				kernel.AddScaled(e, line(c.wo.val, i, d), w)
			}
			c.shift[k] += dot(wc, c.bo.val)
		}
		c.shift[k] += dot(e, bv)
		for o, v := range e {
			kernel.AddScaled(line(c.path, k*c.Heads+o/dh, d), line(wv, o, d), v)
		}
	}
}

// Backward returns the mean cross entropy of a batch with labels and computes its gradient:
//
//	dlogits = (softmax(logits) - y) / n,  dc = sum dlogits,  dG^a = sum dlogits m^a'
//	dm^a = G^a' dlogits,  dw_t = dm . x_t,  de = w (dw - sum_s w_s dw_s)
//	dr^a = sum de_t x_t / sqrt(d_h),  dWk^a = Q^a dr^a',  dQ^a = Wk^a dr^a
func (c *Combiner) Backward(b *Batch) float64 { return c.backward(b, true) }

// backward is Backward; without valued it returns nothing of use.
func (c *Combiner) backward(b *Batch, valued bool) (loss float64) {
	ErrShape.Unless(len(b.y) == b.n)
	clear(c.grad)
	clear(c.halves)
	clear(c.tallies)
	columns := c.width
	if c.Heads > 0 {
		columns = c.Heads * c.Dim
	}
	sum := 0.0
	c.begin(b)
	for from := 0; from < b.n; from += b.piece {
		n := c.forward(b, from)
		y := b.y[from : from+n]
		if valued {
			for i, k := range y {
				loss -= c.prob[k*n+i]
			}
		}
		softmax(c.prob, c.Classes, c.scratch, valued)
		if valued {
			sum = tally(c.tallies[:4], c.scratch[:n])
		}
		for i, k := range y {
			c.prob[k*n+i]--
		}
		scale(c.prob, 1/float64(b.n))
		for k := range c.Classes {
			dl := line(c.prob, k, n)
			c.bc.grad[k] = tally(line(c.tallies, 1+k, 4), dl)
			kernel.Halves(line(c.halves, k, 2*columns), dl, c.mixed)
		}
		if c.Heads > 0 {
			c.attendBackward(n, from+n == b.n)
		}
	}
	if c.Heads > 0 {
		clear(c.pathGrad)
		kernel.AddHalves(c.pathGrad, c.halves)
		c.collapseBackward()
		c.reachBackward()
	} else {
		kernel.AddHalves(c.wc.grad, c.halves)
	}
	return (loss + sum) / float64(b.n)
}

// collapseBackward takes the gradients of G and c to the parameters they are made of:
//
//	dE_o = dG^a Wv_o + dc bv_o,  dWv_o = E_o' dG^a,  dWc = dE Wo' + dc bo',  dWo = Wc' dE
func (c *Combiner) collapseBackward() {
	d, dh := c.Dim, c.Dim/c.Heads
	wv, bv := c.win.val[2*d*d:], c.bin.val[2*d:]
	gv, gb := c.win.grad[2*d*d:], c.bin.grad[2*d:]
	for k := range c.Classes {
		e, de, dc := line(c.out, k, d), line(c.outGrad, k, d), c.bc.grad[k]
		for o := range d {
			dg := line(c.pathGrad, k*c.Heads+o/dh, d)
			de[o] = dot(dg, line(wv, o, d)) + float64(dc*bv[o])
			kernel.AddScaled(line(gv, o, d), dg, e[o])
		}
		kernel.AddScaled(gb, e, dc)
		wc, gc := line(c.wc.val, k, c.width), line(c.wc.grad, k, c.width)
		if c.Average {
			for o, v := range de {
				gc[o%dh] += v / float64(c.Heads)
			}
			continue
		}
		for i, w := range wc {
			gc[i] += dot(de, line(c.wo.val, i, d))
			kernel.AddScaled(line(c.wo.grad, i, d), de, w)
		}
		kernel.AddScaled(gc, c.bo.val, dc)
		kernel.AddScaled(c.bo.grad, wc, dc)
	}
}

// attendBackward adds what n items have of dr and du, which are whole with the last ones.
func (c *Combiner) attendBackward(n int, last bool) {
	d, tokens := c.Dim, c.Tokens
	columns := c.Heads * d
	parts, tallies := c.halves[2*c.Classes*columns:], c.tallies[4*(1+c.Classes):] // of every head and token
	for r := range columns {
		kernel.Combine(line(c.pull, r, n), 0, c.path[r:], columns, c.Classes, c.prob)
	}
	if last {
		clear(c.reachGrad)
	}
	for a := range c.Heads {
		pull, dr := line(c.pull, a, d*n), line(c.reachGrad, a, d)
		// dw_t up to a constant over t, which the softmax ignores.
		w, de := line(c.weight, a, tokens*n), line(c.dscore, a, tokens*n)
		for t := range tokens {
			kernel.Blend(line(de, t, n), pull, c.tagged[t*d*n:], n, d)
		}
		sum := c.scratch[:n]
		kernel.Blend(sum, w, de, n, tokens)
		for t := range tokens {
			wt, dt := line(w, t, n), line(de, t, n)
			for i, v := range wt {
				dt[i] = (dt[i] - sum[i]) * v
			}
			kernel.Halves(parts[:2*d], dt, c.tagged[t*d*n:])
			if last {
				kernel.AddHalves(dr, parts)
			}
			if parts = parts[2*d:]; c.Tag {
				push := tally(tallies[:4], dt)
				kernel.Halves(parts[:2*d], wt, pull)
				if last {
					u := line(c.u.grad, t, d)
					kernel.AddHalves(u, parts)
					kernel.AddScaled(u, line(c.reach, a, d), push)
				}
				parts, tallies = parts[2*d:], tallies[4:]
			}
		}
	}
}

// reachBackward takes dr to the parameters.
func (c *Combiner) reachBackward() {
	d, dh := c.Dim, c.Dim/c.Heads
	wq, wk := line(c.win.val, 0, d*d), line(c.win.val, 1, d*d)
	gq, gk := line(c.win.grad, 0, d*d), line(c.win.grad, 1, d*d)
	root := math.Sqrt(float64(dh))
	for o := range d {
		dr := line(c.reachGrad, o/dh, d)
		g := dot(line(wk, o, d), dr) / root
		c.bin.grad[o] = g
		kernel.AddScaled(line(gk, o, d), dr, c.query[o]/root)
		kernel.AddScaled(line(gq, o, d), c.q.val, g)
		kernel.AddScaled(c.q.grad, line(wq, o, d), g)
	}
}
