package parity

import (
	"encoding/json"
	"math"

	"cadem/core/cadem"
	"cadem/core/graphsignal"
	"cadem/core/linalg"
	"cadem/core/rng"
)

// polar checks the consensus map, in double precision only.
func (r *Report) polar(file string, data []byte) {
	var f struct {
		Cases []struct {
			Name      string
			Centred   tensor
			Singular  []float64 `json:"singular_values"`
			Rank      int
			Range     tensor  `json:"S_on_range"`
			Projector tensor  `json:"range_projector"`
			Nuclear   float64 `json:"nuclear_times_sqrtM"`
			S         tensor
		}
	}
	if err := json.Unmarshal(data, &f); err != nil {
		r.fail(file, "file", 64, err)
		return
	}
	for _, c := range f.Cases {
		m, d := c.Centred.shape[0], c.Centred.shape[1]
		check := func(quantity string, got, want []float64, tolerance float64) {
			r.compare(file, c.Name+": "+quantity, 64, got, want, tolerance)
		}
		p := linalg.NewPolar(m, d)
		directions := func(x []float64) {
			src := rng.New(1, "completion")
			for i := range x {
				x[i] = src.Norm()
			}
		}
		s := make([]float64, m*d)
		scale := math.Sqrt(float64(m))
		factor := func(how linalg.Completion) {
			p.Factor(s, c.Centred.data, scale, cadem.RoundingRule(cadem.Double, m, d), d, linalg.NewFilling(how, m, d, directions))
		}
		factor(linalg.NoCompletion)
		check("rank", []float64{float64(p.Rank)}, []float64{float64(c.Rank)}, 0)
		check("singular values", p.Singular[:min(m, d)], c.Singular, 1e-9)
		full, tolerance := c.Rank == d, 1e-7
		if full {
			tolerance = 1e-8
			if c.Singular[d-1] < 1e-6*c.Singular[0] {
				tolerance = 1e-6
			}
		}
		check("S_on_range", s, c.Range.data, tolerance)
		if len(c.S.data) > 0 {
			check("S", s, c.S.data, tolerance)
		}
		check("trace(S'T)", []float64{graphsignal.Dot(s, c.Centred.data)}, []float64{c.Nuclear}, 1e-10)
		gram := make([]float64, d*d)
		for i := range gram {
			gram[i] = float64(m) * c.Projector.data[i]
		}
		check("S'S = M projector", product(s, s, m, d), gram, 1e-9)
		if full || d >= m {
			continue // nothing to complete, or no room for d centred directions
		}
		factor(linalg.Centred)
		eye, ones := make([]float64, d*d), make([]float64, d)
		for i := range d {
			eye[i*d+i] = float64(m)
		}
		check("centred: S'S = M I", product(s, s, m, d), eye, 1e-9)
		for i, v := range s {
			ones[i%d] += v
		}
		check("centred: column sums", ones, make([]float64, d), 1e-9)
		onRange := make([]float64, m*d)
		for i := range m {
			for k := range d {
				for j := range d {
					onRange[i*d+k] += float64(s[i*d+j] * c.Projector.data[j*d+k])
				}
			}
		}
		check("centred: S on the range", onRange, c.Range.data, 1e-7)
		check("centred: trace(S'T)", []float64{graphsignal.Dot(s, c.Centred.data)}, []float64{c.Nuclear}, 1e-10)
	}
}

// product returns a'b of two m x d matrices.
func product(a, b []float64, m, d int) []float64 {
	p := make([]float64, d*d)
	for i := range m {
		for j := range d {
			for k := range d {
				p[j*d+k] += float64(a[i*d+j] * b[i*d+k])
			}
		}
	}
	return p
}
