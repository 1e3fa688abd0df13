package study

import (
	"cadem.example/core/cadem"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

// A Curve is a line with a band of one standard deviation.
type Curve struct{ chart.Series }

// NewCurve returns a curve of that name without points.
func NewCurve(name string) *Curve { return &Curve{chart.Series{Name: name}} }

// Add adds the mean of values at x, with their sample deviation as the band.
func (c *Curve) Add(x float64, values []float64) {
	m, std := *Average(values), 0.0
	if len(values) > 1 {
		std = Deviation(values)
	}
	c.X, c.Y, c.Low, c.High = append(c.X, x), append(c.Y, m), append(c.Low, m-std), append(c.High, m+std)
}

// LossCurve averages a loss term over trainings, as far as all of them went. Results that were stored
// before there was a term have none of it.
func LossCurve(name string, list []*measure.Result, term int) chart.Series {
	s := chart.Series{Name: name}
	for epoch := 0; ; epoch++ {
		var values []float64
		for _, t := range list {
			if a := t.Array("losses"); a != nil && epoch < a.Shape[0] {
				values = append(values, cadem.LossesOf(a.Row(epoch)).Columns()[term])
			}
		}
		if len(values) == 0 || len(values) < len(list) {
			return s
		}
		s.X, s.Y = append(s.X, float64(epoch+1)), append(s.Y, *Average(values))
	}
}
