package study

import (
	"cmp"

	"cadem.example/core/lab/study/chart"
)

// Bars draws the rows of one metric that label names: ours with the spread between
// trainings, or of one training between its folds, untrained, and the paper's.
func (r *Report) Bars(name, title, metric string, label func(*Row) string) {
	c := chart.Chart{Name: name, Title: title, YLabel: metricLabel(metric), YRange: &[2]float64{0, 1}, Categories: []string{},
		Text: "Bars of what was trained here, with the spread between trainings, or between the folds of one, of the same encoders untrained, and of " +
			"what the paper prints."}
	ours, untrained, paper := chart.Series{Name: "here", Kind: chart.Bars}, chart.Series{Name: "untrained", Kind: chart.Bars},
		chart.Series{Name: "paper", Kind: chart.Bars}
	add := func(s *chart.Series, x float64, v *float64) {
		if v != nil {
			s.X, s.Y = append(s.X, x), append(s.Y, *v)
		}
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		text := label(row)
		if row.Metric != metric || text == "" {
			continue
		}
		x := float64(len(c.Categories))
		c.Categories = append(c.Categories, text)
		add(&ours, x, row.Ours)
		if row.Ours != nil {
			spread := 0.0
			if s := cmp.Or(row.SeedStd, row.FoldStd); s != nil {
				spread = *s
			}
			ours.Low, ours.High = append(ours.Low, *row.Ours-spread), append(ours.High, *row.Ours+spread)
		}
		add(&untrained, x, row.Untrained)
		add(&paper, x, row.Paper)
	}
	for _, s := range []chart.Series{ours, untrained, paper} {
		if len(s.X) > 0 {
			c.Series = append(c.Series, s)
		}
	}
	r.Draw(c)
}
