package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
)

func ExampleChart_SVG() {
	c := Chart{Title: "Agreement", Series: []Series{{Name: "common", X: []float64{0, 1}, Y: []float64{0.2, 1}}}}
	svg := c.SVG()
	fmt.Println(strings.HasPrefix(svg, "<svg "), strings.Count(svg, "<polyline "), strings.Count(svg, "<path "))
	// Output: true 1 1
}

// count parses the picture and counts its elements; it refuses what a page would not show.
func count(t *testing.T, c *Chart) map[string]int {
	t.Helper()
	n := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(c.SVG()))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			n[e.Name.Local]++
			for _, a := range e.Attr {
				if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s %s=%q", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestEveryKindIsDrawn(t *testing.T) {
	x := []float64{0, 1, 2}
	n := count(t, &Chart{Title: `a < b & "c"`, Text: "<script>\x00\x1b\ufffe\xff", XLabel: "γ", YLabel: "ARI", YRange: &[2]float64{0, 1}, Series: []Series{
		{Name: "line", X: x, Y: x, Low: x, High: []float64{1, 2, 3}}, {Name: "reference", Kind: Dashed, X: x, Y: x},
		{Name: "points", Kind: Points, X: x, Y: x}, {Name: "marked", Kind: Rings, X: x[:1], Y: x[:1]}}})
	if n["script"] != 0 || n["polygon"] != 1 || n["polyline"] != 4 || n["path"] != 6 || n["title"] != 1 || n["desc"] != 1 {
		t.Error(n)
	}
	n = count(t,
		&Chart{Categories: []string{"a", "b", "c"},
			Series: []Series{{Name: "one", Kind: Bars, X: x, Y: x}, {Name: "two", Kind: Bars, X: x, Y: x, Low: x, High: x}}})
	if n["rect"] != 2+2*3+2 { // ground and frame, bars, legend
		t.Error(n)
	}
	long := &Chart{Categories: []string{"a name too long to stand beside others, whatever they are", "b"}, Series: []Series{{Kind: Bars, X: x[:2], Y: x[:2]}}}
	if count(t, long); strings.Count(long.SVG(), "rotate(-35") != 2 {
		t.Error("long names are not tilted")
	}
	n = count(t, &Chart{Map: true, Series: []Series{{Name: "points", Kind: Points, X: x, Y: []float64{5, 5, 5}}}})
	if n["path"] != 1 || n["line"] != 0 {
		t.Error(n)
	}
	for _, c := range []Chart{{}, {Series: []Series{{}}}, {Map: true}, {Series: []Series{{X: []float64{1}, Y: []float64{2}}}}, {Categories: []string{}}} {
		count(t, &c)
	}
}

// A unit is as long on both axes of a map, and all points are inside the frame.
func TestMapsKeepTheirShape(t *testing.T) {
	for _, c := range []Chart{
		{Map: true, Series: []Series{{Kind: Points, X: []float64{0, 10}, Y: []float64{0, 1}}}},
		{Map: true, Series: []Series{{Kind: Points, X: []float64{0, 1}, Y: []float64{0, 10}}}},
	} {
		p := &pen{x0: left, x1: width - right, y0: mapHeight - bottom, y1: top}
		c.scale(p)
		if x, y := (p.x1-p.x0)/(p.hx-p.lx), (p.y0-p.y1)/(p.hy-p.ly); math.Abs(x-y) > 1e-9*x {
			t.Errorf("%v and %v a unit", x, y)
		}
		if p.lx >= 0 || p.ly >= 0 || p.hx <= c.Series[0].X[1] || p.hy <= c.Series[0].Y[1] {
			t.Errorf("%+v", p)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{{0, 1, "[0 0.2 0.4 0.6 0.8 1]1"}, {-0.02, 1.02, "[0 0.2 0.4 0.6 0.8 1]1"}, {0, 2100, "[0 500 1000 1500 2000]0"}, {-0.1, 0.05, "[-0.1 -0.05 0 0.05]2"},
		{3, 3, "[3]2"}} {
		at, digits := ticks(c.lo, c.hi, 5)
		for i := range at {
			at[i] = math.Round(at[i]*1e6)/1e6 + 0
		}
		if got := fmt.Sprint(at, digits); got != strings.Replace(c.want, "]", "] ", 1) {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{1.50: "1.5", 2: "2", -0.04: "0", 120: "120"} {
		if got := short(v, 1); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

// A glass brain has every marked region three times, one a projection, as its network.
func TestBrain(t *testing.T) {
	places := [][3]float64{{-50, 0, 10}, {50, 20, 30}, {0, -80, 0}, {10, 60, -20}}
	c := Brain(places, []int{0, 1, -1, 1}, []string{"A", "B"}, []int{3, 0}, []int{1, 2})
	if len(c.Series) != 4 || len(c.Series[0].X) != 0 || len(c.Series[1].X) != 3 || c.Series[2].Name != "no network" || len(c.Series[3].X) != 12 {
		t.Fatalf("%+v", c.Series)
	}
	// From above, 0 is the left end; from the right, the back lies left of the front.
	if dots := c.Series[3]; dots.X[0] != 0 || dots.X[1] != 100 || dots.X[8+2] >= dots.X[8+3] {
		t.Errorf("%v", dots.X)
	}
	if all := Brain(places, []int{0, 1, 0, 1}, []string{"A", "B"}, []int{0, 1}, []int{0}); len(all.Series) != 3 {
		t.Error("a series for no network where every region has one")
	}
	svg := c.SVG()
	if strings.Count(svg, "m-1 -1h2v2h-2z") != 12 || !strings.Contains(svg, ">P</text>") {
		t.Error(svg)
	}
	if h := c.flat(); h <= 0 || h >= mapHeight {
		t.Errorf("a picture %v high, expected a flat one", h)
	}
	empty := Brain(nil, nil, nil, nil, nil)
	if !strings.HasPrefix(empty.SVG(), "<svg") {
		t.Error("no regions, no picture")
	}
}

// Connections are lines between their ends in every projection, thicker in steps of t and of another colour below 0; their ends are regions as in
// any brain.
func TestConnections(t *testing.T) {
	places := [][3]float64{{-50, 0, 10}, {50, 20, 30}, {0, -80, 0}, {10, 60, -20}}
	c := Connections(places, []int{0, 1, 1, 1}, []string{"A", "B"}, []int{3, 0}, [][2]int{{0, 1}, {1, 2}, {0, 3}}, []float64{9, 3, -6})
	var said []string
	for _, s := range c.Series[:3] {
		said = append(said, fmt.Sprint(s.Name, ", ", s.Width, " wide, ", len(s.X), " ends"))
	}
	if got := strings.Join(said, "; "); got != "t −6.0, 2 wide, 6 ends; t 3.0, 1 wide, 6 ends; t 9.0, 3 wide, 6 ends" {
		t.Errorf("drawn are %s", got)
	}
	if c.colour(0) == c.colour(1) || c.colour(1) != c.colour(2) || len(c.Series[3].X)+len(c.Series[4].X) != 3*4 {
		t.Errorf("%+v", c.Series)
	}
	first, dots := c.Series[2], c.Series[len(c.Series)-1]
	if first.X[0] != dots.X[0] || first.Y[1] != dots.Y[1] || first.X[2] != dots.X[4] {
		t.Errorf("the ends %v, %v of the largest are not its regions", first.X, first.Y)
	}
	if svg := c.SVG(); !strings.Contains(svg, `stroke-width="3"`) || strings.Contains(svg, "NaN") {
		t.Error(svg)
	}
	if one := Connections(places, []int{0, 1, 1, 1}, []string{"A", "B"}, []int{3, 0}, [][2]int{{0, 1}}, []float64{4}); one.Series[0].Name != "t 4.0" {
		t.Errorf("%+v", one.Series[0])
	}
}

// A class has the same colour and shape on the page, whose style sheet holds the colours.
func TestMarksAreThoseOfThePage(t *testing.T) {
	css, err := os.ReadFile("../../../../www/colours.css")
	if err != nil {
		t.Fatal(err)
	}
	light, _, _ := strings.Cut(string(css), "@media")
	for k, colour := range marked {
		if want := fmt.Sprintf("--class-%d: %s;", k, colour); !strings.Contains(light, want) {
			t.Errorf("the style sheet has no %s", want)
		}
		if k > 0 && !strings.Contains(dark(), colour) && !strings.Contains(string(css)[len(light):], fmt.Sprintf("--class-%d: %s;", k, colour)) {
			t.Errorf("%s is the same on dark ground, and not on the page", colour)
		}
	}
	seen := map[string]int{}
	for m := range len(marked) * len(shapes) {
		c := Chart{Series: []Series{{}, {Mark: m + 1}}}
		colour, shape := c.look(1)
		if other, ok := seen[fmt.Sprint(colour, shape)]; ok {
			t.Errorf("places %d and %d look the same", other, m)
		}
		seen[fmt.Sprint(colour, shape)] = m
	}
}
