// Package chart draws the charts of a report as SVG text: lines with bands, points and
// bars. A chart is data; the picture, its text and its table are made from it, so a
// page, a file and a screen reader get the same.
//
//	c := chart.Chart{Title: "Agreement", XLabel: "gamma", YLabel: "ARI", Series: []chart.Series{
//		{Name: "common", X: []float64{0, 0.5, 1}, Y: []float64{0.2, 0.8, 1}},
//	}}
//	svg := c.SVG()
//
// The picture is light and solid whatever surrounds it, has no script and no style
// attribute, and names everything by colour and by shape.
package chart

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Chart is one picture.
type Chart struct {
	Name   string   `json:"name"` // fit for a file name
	Title  string   `json:"title"`
	Text   string   `json:"text,omitempty"` // what there is to see, in a sentence
	XLabel string   `json:"x_label,omitempty"`
	YLabel string   `json:"y_label,omitempty"`
	Series []Series `json:"series"`
	// YRange is the least range of the axis; nil takes that of the values.
	YRange *[2]float64 `json:"y_range,omitempty"`
	// Logarithmic draws places along x by the logarithm of one more than they are.
	Logarithmic bool `json:"logarithmic,omitempty"`
	// Categories name the places 0, 1, ... of the bars on the x axis.
	Categories []string `json:"categories,omitempty"`
	// Map marks a picture of points in a plane: both axes have one scale and no numbers.
	Map bool `json:"map,omitempty"`
	// Cells make a heat map; there is no series then.
	Cells *Cells `json:"cells,omitempty"`
	// Sets make a picture of who takes part in what; there is no series then.
	Sets *Sets `json:"sets,omitempty"`
	// A map has labels.
	Labels []Label `json:"labels,omitempty"`
}

// A Label is a word in a map, about the place.
type Label struct {
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	Text string  `json:"text"`
}

// A Kind says how a series is drawn.
type Kind string

const (
	Line    Kind = ""        // with points
	Dashed  Kind = "dashed"  // a line of reference
	Points  Kind = "points"  // nodes or graphs in the plane
	Rings   Kind = "rings"   // points that mark others
	Circles Kind = "circles" // points of no class
	Dots    Kind = "dots"    // small ones below all others
	Bars    Kind = "bars"
	Links   Kind = "links" // lines between every two places, below points
)

// A Series is one quantity of a chart.
type Series struct {
	Name string    `json:"name"`
	Kind Kind      `json:"kind,omitempty"`
	X    []float64 `json:"x"`
	Y    []float64 `json:"y"`
	// Mark is the place of its points in the table of marks, from 1 on; 0: they look as the
	// place of the series among the others has it.
	Mark  int     `json:"mark,omitempty"`
	Width float64 `json:"width,omitempty"` // of the lines of links
	// Low and High, if given, are the bounds of a band, or of the error bar of a bar.
	Low  []float64 `json:"low,omitempty"`
	High []float64 `json:"high,omitempty"`
}

// palette is the palette of Okabe and Ito, distinct with any colour vision; black comes last.
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// marked are the colours of the table of marks, those of classes in the page's style sheet;
// together with a shape no two of its first 56 places are the same.
var marked = []string{"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#b5a400", "#33383d"}

// escaper makes text safe between tags and in attributes. Its method is not taken here: every
// program that imports this package would link it.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// Escape returns text that is safe in HTML and SVG. A program rejects a whole file for a character that
// XML does not have, so such characters are replaced.
func Escape(s string) string {
	return escaper.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\ufffe' || r == '\uffff' {
			return utf8.RuneError
		}
		return r
	}, s))
}

// short writes a coordinate with at most that number of digits after the point.
func short(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// span returns the least and the largest of the values of all series, bands included.
func (c *Chart) span(of func(*Series) [][]float64) (lo, hi float64) {
	first := true
	for i := range c.Series {
		for _, values := range of(&c.Series[i]) {
			for _, v := range values {
				if first || v < lo {
					lo = v
				}
				if first || v > hi {
					hi = v
				}
				first = false
			}
		}
	}
	return lo, hi
}

// ticks returns round numbers from lo to hi, about n of them, and their digits after the
// point.
func ticks(lo, hi float64, n int) (at []float64, digits int) {
	if !(hi > lo) {
		return []float64{lo}, 2
	}
	step, power := 1.0, 0 // step = 10^power, then 1, 2, 5 or 10 times that
	for step*float64(n) > hi-lo {
		step /= 10
		power--
	}
	for step*10*float64(n) <= hi-lo {
		step *= 10
		power++
	}
	for _, m := range []float64{1, 2, 5, 10} {
		if hi-lo <= 1.05*step*m*float64(n) {
			step *= m
			break
		}
	}
	from, to := lo-float64(step*1e-6), hi+float64(step*1e-6)
	for k := int(lo/step) - 1; ; k++ {
		v := float64(float64(k) * step)
		if v > to {
			break
		}
		if v >= from {
			at = append(at, v)
		}
	}
	return at, max(0, -power)
}

// Straight is a dashed line between two places.
func Straight(name string, x0, y0, x1, y1 float64) Series {
	return Series{Name: name, Kind: Dashed, X: []float64{x0, x1}, Y: []float64{y0, y1}}
}
