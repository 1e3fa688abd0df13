package chart

import (
	"fmt"
	"math"
)

// Cells are the values of a heat map, row by row; NaN if missing.
type Cells struct {
	Columns []string  `json:"columns"`
	Rows    []string  `json:"rows"`
	Values  []float64 `json:"values"`
	// Digits of the values after the point.
	Digits int `json:"digits"`
}

const (
	cellHeight = 26.0
	cellWidth  = 110.0 // at most
)

// heat returns the picture of the cells: the darker the higher, each with its value.
func (c *Chart) heat(style string) string {
	g := c.Cells
	names := extent(c.YLabel)
	for _, s := range g.Rows {
		names = max(names, extent(s))
	}
	x0, y0 := names+20, 62.0
	w := min(cellWidth, (width-10-x0)/float64(len(g.Columns)))
	h := y0 + float64(cellHeight*float64(len(g.Rows))) + 10
	p := &pen{}
	c.begin(p, h, style)
	p.text(c.XLabel, x0, 36, "fill", "#555555")
	p.text(c.YLabel, 10, y0-8, "fill", "#555555")
	for k, s := range g.Columns {
		p.text(s, x0+float64(w*(float64(k)+0.5)), y0-8, "text-anchor", "middle")
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range g.Values {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for i, s := range g.Rows {
		y := y0 + float64(cellHeight*float64(i))
		p.text(s, x0-8, y+cellHeight/2+4, "text-anchor", "end")
		for k := range g.Columns {
			v := g.Values[i*len(g.Columns)+k]
			if math.IsNaN(v) {
				continue
			}
			share := 0.5
			if hi > lo {
				share = (v - lo) / (hi - lo)
			}
			x := x0 + float64(w*float64(k))
			p.rect(x, y, w-2, cellHeight-2, "fill", shade(share))
			ink := "#101010"
			if share > 0.55 {
				ink = "#fefefe"
			}
			p.text(fmt.Sprintf("%.*f", g.Digits, v), x+float64(w/2)-1, y+cellHeight/2+3, "text-anchor", "middle", "fill", ink)
		}
	}
	p.WriteString("</svg>")
	return p.String()
}

// shade goes from almost white to the first colour of the palette, darkened: one hue, so that the
// order is seen with any colour vision and on any ground.
func shade(share float64) string {
	from, to := [3]float64{236, 243, 249}, [3]float64{0, 74, 124}
	var c [3]int
	for k := range c {
		c[k] = int(math.Round(from[k] + float64((to[k]-from[k])*share)))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}
