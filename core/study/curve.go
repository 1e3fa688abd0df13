package study

import "cadem/core/study/chart"

// A curve is a line with a band of one standard deviation.
type curve struct{ chart.Series }

func newCurve(name string) *curve { return &curve{chart.Series{Name: name}} }

func (c *curve) add(x float64, values []float64) {
	m, std := *average(values), 0.0
	if len(values) > 1 {
		std = deviation(values)
	}
	c.X, c.Y, c.Low, c.High = append(c.X, x), append(c.Y, m), append(c.Low, m-std), append(c.High, m+std)
}

// lossCurve averages a loss term over trainings, as far as all of them went.
func lossCurve(name string, list []*TaskResult, term int) chart.Series {
	s := chart.Series{Name: name}
	for epoch := 0; ; epoch++ {
		var values []float64
		for _, t := range list {
			if a := t.array("losses"); a != nil && epoch < a.Shape[0] {
				values = append(values, a.Data[epoch*a.Shape[1]+term])
			}
		}
		if len(values) == 0 || len(values) < len(list) {
			return s
		}
		s.X, s.Y = append(s.X, float64(epoch+1)), append(s.Y, *average(values))
	}
}
