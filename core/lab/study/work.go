package study

import (
	"maps"
	"math"
	"strconv"

	"cadem.example/core/base/property"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
	"cadem.example/core/train"
)

// Bytes estimates, before anything is read or drawn, what memory the task needs at its
// peak, so that a pool knows how many fit beside each other.
func (t *Task) Bytes() int64 {
	const program = 40 << 20 // the program and its garbage
	switch {
	case t.Kind() == Compare:
		return program + measure.Bytes(t.Measure, t.Inputs)
	case t.Data.Example == "":
		return program + t.bytesOfFiles()
	}
	return program + bytesOfExample(&t.Data)
}

func (t *Task) bytesOfFiles() int64 {
	const most = 1 << 40 // more than any machine holds, so that no sum overflows
	total, largest := int64(0), int64(0)
	for _, f := range t.Data.Files {
		size := min(max(f.Size, 0), most)
		total, largest = min(total+size, most), max(largest, size)
	}
	if len(t.Data.Scans) > 0 && !(t.Kind() == TrainMethod && t.ofCollection()) {
		return total + 30*largest // one scan after the other is worked on, and its graph is small
	}
	return 30 * total
}

func bytesOfExample(of *run.DataSpec) int64 {
	size := map[string]any{}
	if g, err := examples.Lookup(of.Example); err == nil {
		size = property.Values(g.Options())
	}
	maps.Copy(size, of.Options)
	number := func(name string, usual int64) int64 {
		if v, err := strconv.ParseFloat(property.Text(size[name]), 64); err == nil && v >= 0 && v <= math.MaxInt32 {
			return int64(v)
		}
		return usual
	}
	m, n := number("nodes", 100), number("layers", 3)
	const hidden = 256 * 4 * 3 * 2 * 2 // two encoders with two moments each, and a copy
	return n * m * (12*m + hidden)
}

// A Work is about how much a task computes. The same machine takes about the same time for the same work.
type Work struct {
	Moves      float64 `json:"moves"`      // of a weight, in a step of the training
	Classified float64 `json:"classified"` // nodes of an embedding, in scores by classification
	Clustered  float64 `json:"clustered"`  // and by clusters, once for every start of K-means
	Tested     float64 `json:"tested"`     // multiply-adds of the tests of sharing
}

// WorkOf estimates the work of tasks on examples, and of those on files that are compared: nodes without features, and their layers. It is nil for
// a task without an estimate. It draws each example once: its size determines the number of weights.
func WorkOf(tasks []Task, compared *multiplex.Comparison) []*Work {
	drawn := map[string]*run.Dataset{}
	list := make([]*Work, len(tasks))
	for i := range tasks {
		t := &tasks[i]
		if t.Kind() == Compare {
			list[i] = &Work{} // it measures what others trained, in little time
		}
		if m, err := train.Lookup(t.Method); err == nil && (m.Fixed || m.Family == train.Untrained) {
			list[i] = &Work{} // it fits nothing
		}
		if t.Kind() != Train && t.Kind() != Look {
			continue
		}
		if t.Data.Example == "" {
			if compared != nil && len(compared.Layers) > 1 {
				list[i] = t.work(&run.Dataset{Defaults: run.OwnDefaults}, compared, compared.Nodes)
			}
			continue
		}
		size := t.Data.Example
		for _, name := range []string{"nodes", "layers", "features"} {
			size += " " + property.Text(t.Data.Options[name])
		}
		d, ok := drawn[size]
		if !ok {
			d, _ = run.OpenExample(t.Data.Example, t.Data.Options, t.Data.DataSeed) // what cannot be drawn is not estimated
			drawn[size] = d
		}
		if d != nil {
			list[i] = t.work(d, sized(d.Graph), d.Graph.F())
		}
	}
	return list
}

// sized counts nodes and the links of each layer.
func sized(g *multiplex.Graph) *multiplex.Comparison {
	c := &multiplex.Comparison{Nodes: g.M()}
	for l := range g.Layers {
		c.Layers = append(c.Layers, multiplex.Extent{Links: g.Layers[l].Summary().Edges})
	}
	return c
}

// work is the work of the task on data with that number of features.
func (t *Task) work(d *run.Dataset, compared *multiplex.Comparison, features int) *Work {
	s, err := t.Settings(d.Defaults)
	if err != nil {
		return nil
	}
	o, m, n, f := s.CaDeM(), float64(compared.Nodes), float64(len(compared.Layers)), float64(features)
	var edges []int
	for _, l := range compared.Layers {
		edges = append(edges, l.Links)
	}
	encoder := float64(o.Hidden) * (float64(f*(1-o.DropoutRate)) + float64(o.Dim)) // what is dropped moves no weight
	w, moves := &Work{}, float64(o.Epochs*o.InnerSteps)*2*n*encoder
	if measure.Trains(t.Measure) {
		w.Moves = moves
	}
	for _, spec := range t.Measure {
		trainings := float64(spec.Splits)
		switch spec.Kind {
		case measure.Induction: // without the nodes, and with them
			trainings = 2
		case measure.Faithful:
			trainings = 1
		}
		w.Moves += float64(trainings * moves)
		w.Tested += spec.Tested(compared.Nodes, edges)
		scored := spec.Kind == measure.Scores
		if scored && d.Classify || spec.Kind == measure.Classes || spec.Kind == measure.Features {
			w.Classified += float64(m * (n + 1))
		}
		if spec.Kind == measure.Untrained {
			w.Classified += float64(m * float64(len(spec.Targets)*spec.Seeds()))
		}
		if scored && d.Cluster || spec.Kind == measure.Clusters {
			embeddings := n + 1
			if k := len(spec.Embeddings); k > 0 {
				embeddings = float64(k)
			}
			w.Clustered += float64(m * embeddings * float64(s.Evaluation.KMeansRuns*s.Evaluation.KMeansRestarts))
		}
	}
	return w
}
