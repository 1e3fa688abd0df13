package split

import (
	"math"

	"cadem.example/core/multiplex"
)

// scattered is how many multiply-adds of a product take as long as one of a row of Z, whose entries are scattered.
const scattered = 4

// columns takes the squared lengths of the f columns of Z, all graphs one below the other, and
// those of their means, from rows of Z, one after the other. Each is the multiply-adds of a row.
func columns(parts []Source, f, each int, pause func(work int) error) (squares, means []float64, err error) {
	squares, means = make([]float64, f), make([]float64, f)
	for _, p := range parts {
		sums := make([]float64, f)
		add := func(row []float64) error {
			for j, v := range row {
				squares[j] += float64(v * v)
				sums[j] += v
			}
			return pause(scattered * each)
		}
		if p.X.IsIdentity() { // rows of B, which are mostly 0
			for i := range p.X.Rows {
				index, values := p.B.Row(i)
				for k, j := range index {
					squares[j] += float64(values[k] * values[k])
					sums[j] += values[k]
				}
				if err := pause(scattered * len(index)); err != nil {
					return nil, nil, err
				}
			}
		} else if err := p.B.Rows(p.X, add); err != nil {
			return nil, nil, err
		}
		for j, v := range sums {
			means[j] += float64(v*v) / float64(p.X.Rows)
		}
	}
	return squares, means, nil
}

// lengths returns what columns are multiplied by to have the length 1; those of zeros stay.
func lengths(squares []float64) []float64 {
	scale := make([]float64, len(squares))
	for j, v := range squares {
		if scale[j] = 1; v > 0 {
			scale[j] = 1 / math.Sqrt(v)
		}
	}
	return scale
}

func (s *Source) unscaled() bool { return s.Featureless || s.X.IsIdentity() }

// form gives a layer Z for its features and the identity for B, which is n(A + I) without edges. Z is then
// summed in double precision and rounded once, as where nothing is split, and a graph whose features
// come propagated has the same one. Each is the multiply-adds of a row.
func (s *Source) form(each int, pause func(work int) error) error {
	m := s.X.Rows
	z := &multiplex.Features{Rows: m, Cols: s.X.Cols}
	err := s.B.Rows(s.X, func(row []float64) error {
		z.Dense = append(z.Dense, row...)
		return pause(scattered * each)
	})
	s.X, s.B = z, multiplex.NewPropagator(&multiplex.CSR{Rows: m, Cols: m, Start: make([]int32, m+1)}, multiplex.Kipf)
	return err
}
