package experiments

import (
	"fmt"
	"strings"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

// drawMaps draws cluster maps on the plane of the data.
func drawMaps(r *study.Report, t *measure.Result, suffix string, names []string) {
	at := t.Array("positions")
	if at == nil {
		return
	}
	for _, name := range names {
		of := t.Array(measure.ArrayMap.Of(name))
		if of == nil {
			continue
		}
		c := chart.Chart{Name: "map-" + name + strings.ReplaceAll(strings.ReplaceAll(suffix, ",", ""), " ", "-"), Map: true}
		series := []chart.Series{{Name: "cluster 1", Kind: chart.Points}, {Name: "cluster 2", Kind: chart.Points}}
		layer, truth := strings.CutPrefix(name, "foreground_")
		if truth {
			c.Title = "Truth: foreground of layer " + layer
			series[0].Name, series[1].Name = "background", "foreground"
		} else {
			c.Title = "Clusters of " + strings.Replace(name, "_", " ", 1) + suffix
			layer, _ = strings.CutPrefix(name, "private_")
		}
		for i, k := range of.Data {
			s := &series[int(k)]
			s.X, s.Y = append(s.X, at.Data[2*i]), append(s.Y, at.Data[2*i+1])
		}
		sizes := fmt.Sprintf("%d nodes on a spiral in two colours, %d of the second.", len(of.Data), len(series[1].X))
		for l := 1; ; l++ {
			centres := t.Array(measure.ArrayCentres.Of(fmt.Sprint(l)))
			if centres == nil {
				break
			}
			if name != "common" && layer != fmt.Sprint(l) {
				continue
			}
			s := chart.Series{Name: fmt.Sprintf("centres of layer %d", l), Kind: chart.Rings}
			for _, node := range centres.Data {
				s.X, s.Y = append(s.X, at.Data[2*int(node)]), append(s.Y, at.Data[2*int(node)+1])
			}
			series = append(series, s)
		}
		c.Text, c.Series = sizes+" Rings mark the centres.", series
		r.Draw(c)
	}
}
