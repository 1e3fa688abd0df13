package experiments

import (
	"fmt"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

var faithful = study.Study{
	Name: "faithful", Title: "Whether contributions say what holds a place", Trains: true, Seeds: 1, DataSeeds: 1, Apart: true, Together: true,
	Takes: study.NeedGraph, Preset: "released,refined,evidence",
	Shows: "How far a place in S moves as links go in the order of their contributions.",
	Learn: "Whether the links that are named first hold the place more than others do.",
	Text: "A place is a sum over links. That is exact as long as the links are there. A link that goes changes the weights of all others of its node, too, " +
		"so it may matter more or less than its contribution says. Here the links of a node go one after the other, with frozen weights: " +
		"those of the largest contributions first, those to nodes of many links first, or at random. Deletion is how far the place is from where it was, " +
		"in units of its length, and should rise fast. Insertion begins without any link and adds them in the same order, and should fall fast. " +
		"The area below a curve sums it up. Nothing is trained again, so that nothing here tells what causes what.",
	Plan:     func(o *study.Order) []study.Task { return tasksOf(o, measure.Faithful) },
	Assemble: assembleFaithful,
}

func assembleFaithful(o *study.Order, results study.Results, r *study.Report) {
	sheet := study.Sheet{Title: "Areas below the curves", Open: true, Table: true, Lines: [][]string{{"data, preset", "nodes", "curve"}}}
	sheet.Lines[0] = append(sheet.Lines[0], measure.LinkOrders...)
	eachFound(o, measure.Faithful, results, r, func(name string, found []*measure.Result) {
		nodes := 0.0
		for _, t := range found {
			nodes += t.Array(measure.ArrayHeld).Data[0]
		}
		for k, array := range []measure.ArrayName{measure.ArrayDeletion, measure.ArrayInsertion} {
			curve := []string{"deletion", "insertion"}[k]
			c := chart.Chart{Name: curve + "-" + fmt.Sprint(len(r.Charts)), Title: name + ": " + curve, XLabel: "share of links", YLabel: "distance",
				Text: "How far a place in S is from where it was, by the share of the node's links that are " + []string{"gone", "there"}[k] + "."}
			var areas []float64
			for way, order := range measure.LinkOrders {
				s := chart.Series{Name: order}
				area := 0.0
				a := found[0].Array(array)
				for i := range a.Shape[1] {
					y := 0.0
					for _, t := range found {
						y += t.Array(array).Data[way*a.Shape[1]+i] / float64(len(found))
					}
					x := float64(i) / float64(a.Shape[1]-1)
					if i > 0 {
						area += float64((y + s.Y[i-1]) / 2 * (x - s.X[i-1]))
					}
					s.X, s.Y = append(s.X, x), append(s.Y, y)
				}
				areas, c.Series = append(areas, area), append(c.Series, s)
			}
			r.Draw(c)
			line := []string{name, fmt.Sprint(nodes), curve}
			for _, area := range areas {
				line = append(line, fmt.Sprintf("%.3f", area))
			}
			sheet.Lines = append(sheet.Lines, line)
			better := func(a, b float64) bool { return a > b == (k == 0) && a != b }
			verdict := "the order of contributions is better than that of degrees and than chance"
			switch byDegree, byChance := better(areas[0], areas[1]), better(areas[0], areas[2]); {
			case !byDegree && !byChance:
				verdict = "the order of contributions is no better than that of degrees, nor than chance"
			case !byDegree:
				verdict = "the order of contributions is better than chance, and no better than that of degrees"
			case !byChance:
				verdict = "the order of contributions is better than that of degrees, and no better than chance"
			}
			r.Find("%s, %s: %s (areas %.3f, %.3f and %.3f).", name, curve, verdict, areas[0], areas[1], areas[2])
		}
	})
	r.Table(sheet)
}
