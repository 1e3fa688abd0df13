package chart

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// The picture of sets is well formed, has a bar for every direction in proportion to its strength, and a dot for every share: filled where
// the row takes part, and joined with the others that do.
func TestSets(t *testing.T) {
	c := Chart{Title: "Who shares <what>", Text: "text", YLabel: "strength", Sets: &Sets{Rows: []string{"friends", "lunch", "work"},
		Beside:  []string{"2 own", "", "1 own"},
		Columns: []Set{{"1", 2, []float64{1, .9, .8}, []bool{true, true, true}}, {"2", 1, []float64{.9, 0, .3}, []bool{true, false, false}}}}}
	for _, svg := range []string{c.SVG(), c.Adaptive()} {
		d := xml.NewDecoder(strings.NewReader(svg))
		filled, open, lines := 0, 0, 0
		var bars []string
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			has := map[string]string{}
			for _, a := range e.Attr {
				has[a.Name.Local] = a.Value
			}
			switch {
			case e.Name.Local == "circle" && has["fill"] == "#ffffff":
				open++
			case e.Name.Local == "circle":
				filled++
			case e.Name.Local == "line" && has["stroke"] == palette[0]:
				lines++
			case e.Name.Local == "rect" && has["fill"] == palette[0]:
				bars = append(bars, has["height"])
			}
		}
		if filled != 4 || open != 1 || lines != 1 || strings.Join(bars, " ") != "90 45" {
			t.Errorf("%d filled, %d open, %d lines, bars %v", filled, open, lines, bars)
		}
		for _, text := range []string{"Who shares &lt;what&gt;", "friends carries 1: 1.00", "work has 2: 0.30", "2 own"} {
			if !strings.Contains(svg, text) {
				t.Errorf("no %q", text)
			}
		}
	}
}
