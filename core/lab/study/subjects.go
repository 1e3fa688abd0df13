package study

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/multiplex"
)

// deciding is how many of the regions that decide are listed of each subject.
const deciding = 5

// An Answer is that of a model of subjects about a graph.
type Answer struct {
	*run.Answer
	Subject string
	Regions []string // that decide most, the first of all; none where there is no class
}

// Ask asks a model about graphs. Each, if not nil, is called before each of them. The error is a [*diag.Error] that names the graph, or that of each.
func Ask(s *run.Subjects, graphs []*multiplex.Graph, each func(done, total int) error) ([]Answer, error) {
	var list []Answer
	for i, g := range graphs {
		if each != nil {
			if err := each(i, len(graphs)); err != nil {
				return nil, err
			}
		}
		a, err := s.Ask(g)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.Name, err)
		}
		t := Answer{Answer: a, Subject: g.Name, Regions: []string{}}
		for _, r := range a.Regions[:min(deciding, len(a.Regions))] {
			t.Regions = append(t.Regions, g.NodeName(r.Node))
		}
		list = append(list, t)
	}
	return list, nil
}

// TrainedOn are the graphs that a model was trained on, with the class that they have, and the leverage that each would have if it were new.
func TrainedOn(s *run.Subjects) (list []Answer) {
	width := s.Width()
	for i, name := range s.Graphs {
		a := &run.Answer{Class: -1, Leverage: s.Seen[i], Pooled: s.Pooled[i*width : (i+1)*width]}
		if len(s.Classes) > 0 {
			a.Class = s.Class[i]
		}
		list = append(list, Answer{Answer: a, Subject: name})
	}
	return list
}

// WriteEmbeddings writes those of graphs, summed over their nodes, with their classes if there are some, and which are unlike anything seen.
func WriteEmbeddings(w io.Writer, f *export.Format, s *run.Subjects, list []Answer) error {
	class := multiplex.LabelSet{Name: "class", Classes: s.Classes}
	seen := multiplex.LabelSet{Name: "like the training", Classes: []string{"yes", "no"}}
	var names []string
	var pooled []float64
	for _, t := range list {
		names, pooled, class.Of, seen.Of = append(names, t.Subject), append(pooled, t.Pooled...), append(class.Of, t.Class), append(seen.Of, 0)
		if t.Unlike {
			seen.Of[len(seen.Of)-1] = 1
		}
	}
	labels := []multiplex.LabelSet{class, seen}
	if len(s.Classes) == 0 {
		labels = labels[1:]
	}
	return s.Write(w, f, names, pooled, labels)
}

// Subjects reports what a model of subjects says about graphs, and how far its probabilities can be trusted.
func Subjects(s *run.Subjects, list []Answer) *Report {
	r := &Report{Study: "subjects", Title: "Subjects by a model of " + Plural(len(s.Graphs), "graph"), Findings: []string{}, Rows: []Row{},
		Charts: []chart.Chart{}, Sheets: []Sheet{}}
	r.Setting = fmt.Sprintf("Encoders of %s, with %s, trained on %s.", Plural(len(s.Layers), "layer"), Plural(s.Dim, "coordinate"), Plural(len(s.Graphs), "graph"))
	r.Text = "A graph is embedded by encoders that all graphs of the training share, and its embeddings are summed over its regions. Leverage says how far the " +
		"means of its propagated features are from those of the training, in units of their spread: 1/n at their centre. Graphs of the training have " +
		"the leverage that they would have if they were new."
	counts, unlike := make([]int, len(s.Classes)), []string{}
	table := Sheet{Title: "Subjects", Lines: [][]string{{"subject", "leverage"}}, Open: true, Table: true}
	first := Sheet{Title: table.Title} // as it is printed: with the region that decides most alone
	classified := len(list) > 0 && list[0].Probabilities != nil
	if classified {
		table.Lines[0] = []string{"subject", "class", "probability", "leverage", "decide most"}
	}
	for i := range list {
		t := &list[i]
		leverage := figure.Fixed(t.Leverage, 3)
		if t.Unlike {
			leverage += ", unlike anything seen"
			unlike = append(unlike, t.Subject)
		}
		line := []string{t.Subject, leverage}
		if classified {
			counts[t.Class]++
			line = []string{t.Subject, s.Classes[t.Class], figure.Fixed(t.Probabilities[t.Class], 3), leverage, strings.Join(t.Regions, ", ")}
		}
		table.Lines = append(table.Lines, line)
		if line = slices.Clone(line); classified {
			line[len(line)-1] = t.Regions[0]
		}
		first.Lines = append(first.Lines, line)
	}
	if first.Lines = slices.Insert(first.Lines, 0, table.Lines[0]); len(list) > 0 {
		r.Sheets, r.Held = append(r.Sheets, table), append(r.Held, first)
	}
	if classified {
		var words []string
		for c, n := range counts {
			words = append(words, fmt.Sprintf("%d %s", n, s.Classes[c]))
		}
		r.Find("Of %s: %s.", Plural(len(list), "subject"), strings.Join(words, ", "))
	}
	if len(s.Classes) == 0 {
		r.Find("The subjects of the training have one condition, so that there is nothing to classify: subjects are embedded, and their leverage is told.")
	}
	r.Find("The largest leverage that a graph of the training would have if it were new is %.3f. Unlike anything seen, with more, are: %s.", s.Most,
		orNone(unlike))
	if len(s.Classes) > 0 {
		r.reliability(s)
	}
	return r
}

// reliability says how often classes are right at each probability.
func (r *Report) reliability(s *run.Subjects) {
	n := len(s.Graphs)
	r.Find("In folds that hold out whole subjects the classifier is right about %.3f of %s.", s.Accuracy, Plural(n, "graph"))
	r.Find("Its probabilities there, by a temperature that fits the other folds, have the Brier score %.3f (0 at best; the shares of the classes, told of "+
		"every graph, have %.3f) and the expected calibration error %.3f.", s.Brier, s.BrierShares, s.Gap)
	table := Sheet{Title: "Held-out graphs by the probability of their most probable class", Lines: [][]string{{"probability", "graphs", "mean probability",
		"right", "95 % interval"}}, Open: true, Table: true} // behind that of subjects, where there is one
	right := chart.Series{Name: "right, with 95 % intervals"}
	bars := chart.Series{Name: "graphs", Kind: chart.Bars}
	var names []string
	for _, b := range s.Reliability {
		name := fmt.Sprintf("%.1f to %.1f", b.Low, b.High)
		bars.X, bars.Y = append(bars.X, float64(len(names))), append(bars.Y, float64(b.Graphs))
		names = append(names, name)
		if b.Graphs == 0 {
			continue
		}
		low, high := wilson(b.Right, b.Graphs)
		right.X, right.Y = append(right.X, b.Probability), append(right.Y, b.Right)
		right.Low, right.High = append(right.Low, low), append(right.High, high)
		table.Lines = append(table.Lines, []string{name, fmt.Sprint(b.Graphs), figure.Fixed(b.Probability, 3), figure.Fixed(b.Right, 3),
			figure.Fixed(low, 3) + " to " + figure.Fixed(high, 3)})
	}
	r.Draw(chart.Chart{Name: "reliability", Title: "How often the class is right", XLabel: "probability that is told", YLabel: "share that is right",
		YRange: &[2]float64{0, 1}, Series: []chart.Series{right, chart.Straight("as often as told", 0, 0, 1, 1)},
		Text: "On the dashed line classes are right as often as their probability says; below it the model is too sure."})
	r.Draw(chart.Chart{Name: "reliability-counts", Title: "Held-out graphs by probability", XLabel: "probability that is told", YLabel: "graphs",
		YRange: &[2]float64{0, 1}, Categories: names, Series: []chart.Series{bars},
		Text: "How many held-out graphs have a most probable class of about each probability: shares of few are uncertain."})
	r.Table(table)
}

// wilson returns the 95 % interval of a share of n (E. B. Wilson, Journal of the American Statistical Association 22, 1927).
func wilson(share float64, n int) (low, high float64) {
	const z = 1.959963984540054 // of the normal distribution
	k := float64(n)
	middle := (share + z*z/(2*k)) / (1 + z*z/k)
	half := float64(z / (1 + z*z/k) * math.Sqrt(share*(1-share)/k+z*z/(4*k*k)))
	return max(0, middle-half), min(1, middle+half)
}
