package linalg

import (
	"slices"
	"testing"

	"cadem.example/core/base/rng"
)

// Columns that are centred have the bits of one that is summed and centred alone; others stay.
func TestCentreColumns(t *testing.T) {
	src := rng.New(3, "centre")
	for _, c := range []struct{ rows, d, from, to int }{
		{1, 1, 0, 1}, {5, 3, 0, 3}, {7, 8, 0, 8}, {40, 21, 0, 21}, {40, 21, 2, 19}, {6, 4, 2, 2}, {0, 4, 0, 4}, {3, 0, 0, 0},
	} {
		x := make([]float64, c.rows*c.d)
		for i := range x {
			x[i] = src.Norm() + 3
		}
		want, means := slices.Clone(x), make([]float64, c.to-c.from)
		for k := c.from; k < c.to && c.rows > 0; k++ {
			sum := 0.0
			for i := range c.rows {
				sum += x[i*c.d+k]
			}
			means[k-c.from] = sum / float64(c.rows)
			for i := range c.rows {
				want[i*c.d+k] -= means[k-c.from]
			}
		}
		got := make([]float64, len(means))
		if c.to-c.from == c.d {
			whole := slices.Clone(x)
			Centre(whole, c.d)
			if !slices.Equal(whole, want) {
				t.Errorf("%+v: the whole differs", c)
			}
		}
		CentreColumns(x, c.d, c.from, c.to, got)
		if !slices.Equal(x, want) || c.rows > 0 && !slices.Equal(got, means) {
			t.Errorf("%+v: %v with means %v, want %v with %v", c, x, got, want, means)
		}
	}
}
