package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// A heat map has a cell for each value, the darkest for the highest, and is well-formed.
func TestHeatMap(t *testing.T) {
	c := &Chart{Title: "F1 <here>", XLabel: "dim", YLabel: "noise", Cells: &Cells{Columns: []string{"4", "8"}, Rows: []string{"0", "0.5"},
		Values: []float64{0.25, math.NaN(), 0.5, 0.75}, Digits: 2}}
	for _, svg := range []string{c.SVG(), c.Adaptive()} {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		for what, n := range map[string]int{"<rect": 4, shade(0): 1, shade(1): 1, ">0.75<": 1, ">0.25<": 1, "NaN": 0, "F1 &lt;here&gt;": 2} {
			if got := strings.Count(svg, what); got != n {
				t.Errorf("%d of %q, expected %d: %s", got, what, n, svg)
			}
		}
	}
}
