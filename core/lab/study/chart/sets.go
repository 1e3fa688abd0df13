package chart

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/figure"
)

// Sets show which of several things take part in which directions: a column for each direction, with its strength as a bar above, and a
// row for each thing, with a dot by its share.
type Sets struct {
	Rows    []string `json:"rows"`
	Beside  []string `json:"beside,omitempty"` // a word at the end of each row
	Columns []Set    `json:"columns"`
}

// A Set is a direction.
type Set struct {
	Name   string    `json:"name"`
	Height float64   `json:"height"` // at least 0
	Share  []float64 `json:"share"`  // of each row, from 0 to 1
	In     []bool    `json:"in"`     // whether the row takes part
}

// Sizes of the picture of sets.
const (
	setWidth  = 54.0 // of a column, at most
	setHeight = 90.0 // of the highest bar
	setDot    = 9.0  // radius of a whole share
)

// sets returns the picture: dots that take part are filled and joined by a line, others are rings.
func (c *Chart) sets(style string) string {
	g := c.Sets
	names, beside := extent(c.YLabel), 0.0
	for _, s := range g.Rows {
		names = max(names, extent(s))
	}
	for _, s := range g.Beside {
		beside = max(beside, extent(s)+10)
	}
	x0, y0 := names+20, 44+setHeight+18
	w := min(setWidth, (width-10-x0-beside)/float64(len(g.Columns)))
	h := y0 + float64(cellHeight*float64(len(g.Rows))) + 24
	p := &pen{}
	c.begin(p, h, style)
	p.text(c.YLabel, x0-8, 40, "text-anchor", "end", "fill", "#555555")
	for i, s := range g.Rows {
		y := y0 + float64(cellHeight*(float64(i)+.5))
		p.tag("line", "x1", short(x0, 1), "x2", short(x0+float64(w*float64(len(g.Columns))), 1), "y1", short(y, 1), "y2", short(y, 1), "stroke", "#dddddd")
		p.text(s, x0-8, y+4, "text-anchor", "end")
		if len(g.Beside) > 0 {
			p.text(g.Beside[i], x0+float64(w*float64(len(g.Columns)))+8, y+4, "fill", "#555555")
		}
	}
	highest := 0.0
	for _, s := range g.Columns {
		highest = max(highest, s.Height)
	}
	for k, s := range g.Columns {
		x := x0 + float64(w*(float64(k)+.5))
		bar := 0.0
		if highest > 0 {
			bar = setHeight * (s.Height / highest)
		}
		p.rect(x-float64(w*.3), y0-10-bar, w*.6, bar, "fill", palette[0])
		p.text(figure.Fixed(s.Height, 2), x, y0-14-bar, "text-anchor", "middle", "font-size", "11")
		p.text(s.Name, x, h-8, "text-anchor", "middle", "fill", "#555555")
		first, last := slices.Index(s.In, true), len(s.In)-1
		for last >= 0 && !s.In[last] {
			last--
		}
		if first < last {
			y := func(i int) string { return short(y0+float64(cellHeight*(float64(i)+.5)), 1) }
			p.tag("line", "x1", short(x, 1), "x2", short(x, 1), "y1", y(first), "y2", y(last), "stroke", palette[0], "stroke-width", "2")
		}
		for i, share := range s.Share {
			r := setDot * math.Sqrt(min(max(share, 0), 1))
			if r < .5 && !s.In[i] {
				continue
			}
			look := []string{"cx", short(x, 1), "cy", short(y0+float64(cellHeight*(float64(i)+.5)), 1), "r", short(max(r, 2), 1), "stroke", "#0072b2", "stroke-width",
				"1.5", "fill", "#ffffff"}
			says := "has"
			if s.In[i] {
				look[len(look)-1], says = palette[0], "carries"
			}
			p.open("circle", look...)
			p.WriteString("<title>" + Escape(fmt.Sprintf("%s %s %s: %s", g.Rows[i], says, s.Name, figure.Fixed(share, 2))) + "</title></circle>")
		}
	}
	p.WriteString("</svg>")
	return p.String()
}
