package chart

import (
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
)

// The projections of a glass brain: the axes of a place (0 right, 1 front, 2 up) that go across and
// up, and the labels of the left and the right end.
var projections = []struct {
	across, up  int
	left, right string
}{{0, 1, "L", "R"}, {0, 2, "L", "R"}, {1, 2, "P", "A"}}

// Brain returns a chart of regions in a glass brain, from above, from behind and from the
// right: those of top as points of their network, the others as dots. Places are in mm
// (right, front, up); a network of -1 is none. Marks are the networks' places in the table of
// marks.
func Brain(places [][3]float64, network []int, networks []string, marks, top []int) Chart {
	c := Chart{Map: true}
	for k, name := range networks {
		c.Series = append(c.Series, Series{Name: name, Kind: Points, Mark: 1 + marks[k]})
	}
	c.Series = append(c.Series, Series{Name: "no network", Kind: Circles}, Series{Name: "all regions", Kind: Dots})
	none, dots := len(networks), len(networks)+1
	const gap = 20 // mm between projections
	from := 0.0
	for _, v := range projections {
		low, high, bottom, middle := span3(places, v.across, v.up)
		add := func(k, i int) {
			s := &c.Series[k]
			s.X, s.Y = append(s.X, from+places[i][v.across]-low), append(s.Y, places[i][v.up]-middle)
		}
		for i := range places {
			add(dots, i)
		}
		for _, i := range top {
			if network[i] >= 0 {
				add(network[i], i)
			} else {
				add(none, i)
			}
		}
		y := bottom - middle - gap/2
		c.Labels = append(c.Labels, Label{from, y, v.left}, Label{from + high - low, y, v.right})
		from += high - low + gap
	}
	if len(c.Series[none].X) == 0 {
		c.Series = append(c.Series[:none], c.Series[dots])
	}
	return c
}

// Connections returns a chart of connections, each with its two ends among M regions at places, as [Brain] shows them, and with a scale of t in
// steps: the larger t is, the thicker is the line, in one colour above 0 and in another one below.
func Connections(places [][3]float64, network []int, networks []string, marks []int, ends [][2]int, t []float64) Chart {
	const steps, above, below = 3, 4, 1 // the places of colours in the table of marks
	var top []int
	for _, e := range ends {
		top = sorting.Add(sorting.Add(top, e[0]), e[1])
	}
	c := Brain(places, network, networks, marks, top)
	at := c.Series[len(c.Series)-1] // all regions, in one projection after the other
	least, most := max(t[0], -t[0]), 0.0
	for _, v := range t {
		least, most = min(least, max(v, -v)), max(most, v, -v)
	}
	var links []Series
	for _, mark := range []int{below, above} {
		for step := range steps {
			s := Series{Kind: Links, Mark: mark, Width: float64(1 + step)}
			low, high := most, least
			for k, v := range t {
				size, of := max(v, -v), steps-1
				if most > least {
					of = min(int(steps*(size-least)/(most-least)), steps-1)
				}
				if of != step || (v < 0) != (mark == below) {
					continue
				}
				low, high = min(low, size), max(high, size)
				for view := range projections {
					for _, i := range ends[k] {
						s.X, s.Y = append(s.X, at.X[view*len(places)+i]), append(s.Y, at.Y[view*len(places)+i])
					}
				}
			}
			if mark == below {
				low, high = -high, -low
			}
			if s.Name = "t " + figure.Fixed(low, 1) + " to " + figure.Fixed(high, 1); low == high {
				s.Name = "t " + figure.Fixed(low, 1)
			}
			if len(s.X) > 0 {
				links = append(links, s)
			}
		}
	}
	c.Series = append(links, c.Series...)
	return c
}

// span3 returns the least and the largest place across, and the least and the middle upwards.
func span3(places [][3]float64, across, up int) (low, high, bottom, middle float64) {
	if len(places) == 0 {
		return 0, 0, 0, 0
	}
	low, high, bottom = places[0][across], places[0][across], places[0][up]
	top := bottom
	for _, p := range places {
		low, high = min(low, p[across]), max(high, p[across])
		bottom, top = min(bottom, p[up]), max(top, p[up])
	}
	return low, high, bottom, (bottom + top) / 2
}
