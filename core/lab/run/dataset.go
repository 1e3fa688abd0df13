package run

import (
	"fmt"
	"maps"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

// A Dataset is a multiplex graph with what is to be done with it.
type Dataset struct {
	Name     string
	Graph    *multiplex.Graph
	Classify bool           // score by classification
	Cluster  bool           // score by K-means clusters
	Defaults map[string]any // training and evaluation options that differ from the general ones
	Expect   string         // what one should see; "" for data of one's own
	Paper    string         // its name in the paper's tables, if it is a real data set of it
	Notes    []string       // what reading the data did, in sentences
	Subject  any            // how an [Opener] made it, as JSON for people; nil for files of graphs
}

// Task names how the data set is scored.
func (d *Dataset) Task() examples.Scoring {
	switch {
	case d.Classify && d.Cluster:
		return examples.Both
	case d.Cluster:
		return examples.Clustering
	}
	return examples.Classification
}

// Summary counts what the data set holds.
type Summary struct {
	Name     string                   `json:"name"`
	Paper    string                   `json:"paper,omitempty"` // as in [Dataset]
	Nodes    int                      `json:"nodes"`
	Features int                      `json:"features"`
	Layers   []multiplex.LayerSummary `json:"layers"`
	Labels   []LabelSummary           `json:"labels"`
	Notes    []string                 `json:"notes"`
	Subject  json.RawMessage          `json:"subject,omitempty"` // as in [Dataset]
}

// LabelSummary counts the classes of a label set.
type LabelSummary struct {
	Name    string   `json:"name"`
	Classes []string `json:"classes"`
	Counts  []int    `json:"counts"`
	Missing int      `json:"missing"`
	// Marks are the places of the classes in the table of colours and shapes; nil: their own
	// order.
	Marks []int `json:"marks,omitempty"`
}

// Summary counts the data set's nodes, layers and labels.
func (d *Dataset) Summary() Summary {
	s := Summary{Name: d.Name, Paper: d.Paper, Nodes: d.Graph.M(), Features: d.Graph.F(), Labels: []LabelSummary{}, Notes: append([]string{}, d.Notes...)}
	if d.Subject != nil {
		text, err := json.Marshal(d.Subject)
		if err != nil {
			panic(err)
		}
		s.Subject = text
	}
	for i := range d.Graph.Layers {
		s.Layers = append(s.Layers, d.Graph.Layers[i].Summary())
	}
	for i := range d.Graph.Labels {
		l := &d.Graph.Labels[i]
		counts, missing := l.Counts()
		s.Labels = append(s.Labels, LabelSummary{Name: l.Name, Classes: l.Classes, Counts: counts, Missing: missing, Marks: l.Marks})
	}
	return s
}

// OwnDefaults are the initial settings for data of one's own: those most of the published data sets
// share, with an evaluation rate that also suits wider embeddings. K-means is the best of ten starts, which the paper's protocol has for Syn3 alone.
var OwnDefaults = map[string]any{"eval_epochs": 400, "eval_lr": 0.1, "kmeans_runs": 10, "kmeans_restarts": 10}

// ForSize returns defaults suited to a number of nodes: features made of links, and a sample to score.
func ForSize(defaults map[string]any, nodes int) map[string]any {
	if nodes <= evaluate.SampleAbove {
		return defaults
	}
	sized := map[string]any{"features": cadem.LargeFeatures, "score": evaluate.UsualScore(nodes)}
	maps.Copy(sized, defaults)
	return sized
}

// maxClasses of a label set that is scored by K-means: beyond it clusters are too small to
// be compared.
const maxClasses = 50

// OfGraph makes the data set of a graph of files.
func OfGraph(g *multiplex.Graph, notes []string) (*Dataset, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	d := &Dataset{Name: g.Name, Graph: g, Defaults: OwnDefaults, Notes: notes, Classify: true, Cluster: true}
	if p := published(g); p != nil {
		d.Paper, d.Defaults = p.Name, p.Defaults
		d.Notes = append(d.Notes, p.note(g))
	}
	d.Defaults = ForSize(d.Defaults, g.M())
	for _, l := range g.Labels {
		if len(l.Classes) > maxClasses {
			d.Notes = append(d.Notes, fmt.Sprintf("label set %s has %d classes: scores with so many mean little", l.Name, len(l.Classes)))
		}
	}
	return d, nil
}

// OpenFiles reads a data set from files. Choice says which parts make the graph; nil: a guess, before which every [Opener] may take the
// files for its own. Options are an opener's.
func OpenFiles(files []formats.File, choice *formats.Choice, options map[string]any) (*Dataset, error) {
	chosen := choice != nil && !choice.IsZero()
	if !chosen {
		if d, err := openKnown(files, options); d != nil || err != nil {
			return d, err
		}
	}
	if err := refuseOptions(options); err != nil {
		return nil, err
	}
	d, err := openGraph(files, choice)
	if err != nil && chosen {
		if s, bad := SurveyFiles(files); s != nil && bad == nil {
			return nil, diag.Option("choice", "layers, features, labels or columns chosen of the files of one subject's brain",
				"none: its layers are made of the series or the matrix")
		}
	}
	return d, err
}

func openGraph(files []formats.File, choice *formats.Choice) (*Dataset, error) {
	var columns []string
	if choice != nil {
		columns = append(columns, choice.Columns)
	}
	c, err := formats.Read(files, columns...)
	if err != nil {
		return nil, err
	}
	return OpenContent(c, choice)
}

// OpenContent makes a data set of the content of files, as [OpenFiles] does for files that no opener knows.
func OpenContent(c *formats.Content, choice *formats.Choice) (*Dataset, error) {
	if choice == nil {
		choice = &formats.Choice{}
	}
	g, report, err := c.Graph(*choice)
	if err != nil {
		return nil, err
	}
	if !choice.Unplaced {
		place(g, report.Note)
	}
	return OfGraph(g, report.Notes)
}
