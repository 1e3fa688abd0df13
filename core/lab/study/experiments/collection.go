package experiments

import (
	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

var graphCollection = study.Study{
	Name: "collection", Title: "Classes of whole graphs of your own", Seeds: 1, DataSeeds: 1, Classifies: true, Methods: study.Graphs,
	Shows: "The class of a whole multiplex graph, told from its embeddings.",
	Learn: "Whether training tells your graphs apart better than untrained encoders, and than their sizes alone.",
	Text: "Every graph is embedded, once by encoders that all graphs share and once by encoders of its own; its embeddings are added up over its " +
		"nodes, and folds that hold out whole groups tell the class from these sums. Graphs may have different nodes, but need as many layers and " +
		"features. Look at the row of sizes first: sums over more nodes are larger, so a class of larger graphs is told by its size alone. Then look " +
		"at the columns beside: untrained encoders, and trivial, the sums of the propagated features.",
	Needs: study.NeedGraphs, CheckScans: checkCollection,
	Plan: func(o *study.Order) []study.Task { return scanTasks(o, []*scanPlan{planCollection(o)}) },
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		p := planCollection(o)
		s := &scanReport{Report: r, plans: []*scanPlan{p}, results: results, classes: collectionOf(o).Conditions, dataset: "own graphs", target: "class",
			known: study.Entry{Embedding: measure.BySize, Target: "class", Metric: "macro_f1"}, knownAs: "sizes"}
		s.graphs()
		s.scores()
		if len(o.Compared()) > 0 {
			s.Text += sameFolds + ". " + oneWeights
			s.contest(o, "", "")
		}
		s.chart("collection", "Macro-F1 of the class, own graphs")
	},
}

// checkCollection refuses graphs without two classes to separate.
func checkCollection(graphs []collection.Scan) error {
	if len(graphs) == 0 || graphs[0].Graph == "" {
		return &diag.Error{Where: "files", Found: "no graphs with classes",
			Expected: "a table with the columns graph, class, file (and group) beside them, or a folder of files for each class"}
	}
	_, err := collection.NewCollection(graphs)
	return err
}

// collectionOf returns the graphs of an order, which has been checked.
func collectionOf(o *study.Order) *collection.Cohort {
	c, err := collection.NewCollection(o.Cohort)
	if err != nil {
		panic(err) // checkCollection has been there before
	}
	return c
}

func planCollection(o *study.Order) *scanPlan {
	c := collectionOf(o)
	classes, groups := c.Groups()
	var graphs []run.Scan
	for i, g := range c.Scans {
		graphs = append(graphs, run.Scan{Name: g.Graph, Class: classes[i], Group: groups[i], File: g.File})
	}
	return planScans(o, ofGraphs, graphs, nil, 0)
}

// graphs says what the graphs are like, and lists them.
func (s *scanReport) graphs() {
	sheet := study.Sheet{Title: "Graphs"}
	groups := map[int]bool{}
	var nodes []float64
	p := s.plans[0]
	i := 0
	for k := range p.prepare {
		n := len(p.prepare[k].Data.Scans)
		if t := s.results[p.prepare[k].Key()]; t != nil {
			a := t.Array(measure.ArraySizes)
			if sheet.Lines == nil {
				sheet.Lines = [][]string{{"graph", "class", "nodes"}}
				for l := range a.Shape[1] - 1 {
					sheet.Lines[0] = append(sheet.Lines[0], "links of layer "+figure.Short(float64(l+1)))
				}
			}
			for row := range n {
				g := &p.scans[i+row]
				groups[g.Group] = true
				sizes := a.Data[row*a.Shape[1] : (row+1)*a.Shape[1]]
				nodes = append(nodes, sizes[0])
				line := []string{g.Name, s.classes[g.Class]}
				for _, v := range sizes {
					line = append(line, figure.Short(v))
				}
				sheet.Lines = append(sheet.Lines, line)
			}
		}
		i += n
	}
	if len(nodes) == 0 {
		return
	}
	s.Sheets = append(s.Sheets, sheet)
	s.folds("graph", len(nodes), len(groups))
	s.Find("A graph has %.0f nodes in the mean.", *study.Average(nodes))
}
