package multiplex

// A layer that joins nearly all nodes is multiplied by what it leaves out. Without weights b_ij
// = s_i s_j wherever i and j are joined, s_i being the product of the scales, and so
//
//	(B X)_i = s_i (sum over all j of s_j x_j - sum over the j that i is not joined to)
//
// which is worth it for rows that are full beyond question, and for features of more than a
// few entries a node: rows of other layers are summed in the order of their entries.

// isFull tells whether row i has more than three quarters of all entries.
func (b *Propagator) isFull(i int) bool { return 4*int(b.a.Start[i+1]-b.a.Start[i]) > 3*b.a.Cols }

// whole returns the sum over all j of s_j x_j; nil where rows are summed by their entries.
func (b *Propagator) whole(x *CSR) []float64 {
	if b.a.Value != nil || 2*b.a.NNZ() < b.a.Rows*b.a.Cols || x.NNZ() < 8*x.Rows {
		return nil
	}
	all := make([]float64, x.Cols)
	for j := range x.Rows {
		b.addScaled(all, x, j, b.scale(j))
	}
	return all
}

// scale returns s_i.
func (b *Propagator) scale(i int) float64 {
	s := 1.0
	for _, scale := range b.scales {
		s *= scale[i]
	}
	return s
}

// addScaled adds v x_j.
func (b *Propagator) addScaled(row []float64, x *CSR, j int, v float64) {
	for k := x.Start[j]; k < x.Start[j+1]; k++ {
		row[x.Index[k]] += float64(v * x.at(int(k)))
	}
}

// lessMissing sets row to (B X)_i.
func (b *Propagator) lessMissing(row, all []float64, x *CSR, i int) {
	copy(row, all)
	next := 0
	for _, j := range b.a.Index[b.a.Start[i]:b.a.Start[i+1]] {
		for ; next < int(j); next++ {
			b.addScaled(row, x, next, -b.scale(next))
		}
		next++
	}
	for ; next < x.Rows; next++ {
		b.addScaled(row, x, next, -b.scale(next))
	}
	s := b.scale(i)
	for f := range row {
		row[f] *= s
	}
}
