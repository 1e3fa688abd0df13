package experiments

import (
	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
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
	Plan: func(o *study.Order) []study.Task { return ScanTasks(o, []*ScanPlan{planCollection(o)}) },
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		p := planCollection(o)
		s := &ScanReport{Report: r, Plans: []*ScanPlan{p}, Results: results, Classes: collectionOf(o).Conditions, Dataset: "own graphs", Target: "class",
			known: study.Entry{Embedding: measure.BySize, Target: "class", Metric: "macro_f1"}, knownAs: "sizes"}
		s.graphs()
		s.Scores()
		if len(o.Compared()) > 0 {
			s.Text += sameFolds + ". " + OneWeights
			s.Contest(o)
		}
		s.Chart("collection", "Macro-F1 of the class, own graphs")
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

var ofGraphs = ScanKind{"graphs", measure.Collected, measure.Sizes, measure.CombinedGraphs, measure.Conditions, nil, run.CollectionData}

func planCollection(o *study.Order) *ScanPlan {
	c := collectionOf(o)
	classes, groups := c.Groups()
	var graphs []run.Scan
	for i, g := range c.Scans {
		graphs = append(graphs, run.Scan{Name: g.Graph, Class: classes[i], Group: groups[i], File: g.File})
	}
	return PlanScans(o, ofGraphs, graphs, nil, 0)
}

// graphs says what the graphs are like, and lists them.
func (s *ScanReport) graphs() {
	sheet := study.Sheet{Title: "Graphs"}
	groups := map[int]bool{}
	var nodes []float64
	p := s.Plans[0]
	i := 0
	for k := range p.Prepare {
		n := len(p.Prepare[k].Data.Scans)
		if t := s.Results[p.Prepare[k].Key()]; t != nil {
			a := t.Array(measure.ArraySizes)
			if sheet.Lines == nil {
				sheet.Lines = [][]string{{"graph", "class", "nodes"}}
				for l := range a.Shape[1] - 1 {
					sheet.Lines[0] = append(sheet.Lines[0], "links of layer "+figure.Short(float64(l+1)))
				}
			}
			for row := range n {
				g := &p.Scans[i+row]
				groups[g.Group] = true
				sizes := a.Row(row)
				nodes = append(nodes, sizes[0])
				line := append([]string{g.Name, s.Classes[g.Class]}, sorting.Map(sizes, figure.Short)...)
				sheet.Lines = append(sheet.Lines, line)
			}
		}
		i += n
	}
	if len(nodes) == 0 {
		return
	}
	s.Sheets = append(s.Sheets, sheet)
	s.Folds("graph", len(nodes), len(groups))
	s.Find("A graph has %.0f nodes in the mean.", mean(nodes))
}
