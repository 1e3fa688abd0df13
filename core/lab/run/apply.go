package run

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Model returns the model of a training on one data set, to leave with its scores; t is nil of a method other than CaDeM, of which those that
// are one linear map have a model, too. The error is a [*diag.Error].
func Model(t *cadem.Trainer, d *Dataset, s *Settings, scores []evaluate.Score, yield pause.Yield) (m *frozen.Saved, err error) {
	of := (*frozen.Model)(nil)
	if t == nil {
		of, err = s.linear(d, yield)
	} else {
		of, err = frozen.New(t, []*multiplex.Graph{d.Graph}, yield)
	}
	if err != nil {
		return nil, err
	}
	return Leaving(of, d, s, scores)
}

// linear returns the model of a method that is one linear map, found anew.
func (s *Settings) linear(d *Dataset, yield pause.Yield) (*frozen.Model, error) {
	t, err := train.Start(s.Method, s.setup([]*multiplex.Graph{d.Graph}, precision.Single, Watch{}))
	for err == nil && !train.Done(t) {
		err = t.Step(yield)
	}
	if err != nil {
		return nil, err
	}
	return (&Run{training: t}).Linear(d.Graph)
}

// Linear returns the model of a run that is over, of a method that is one linear map of a graph. The error is a [*diag.Error].
func (r *Run) Linear(g *multiplex.Graph) (*frozen.Model, error) {
	l, ok := r.training.(interface {
		Linear() (w [][]float64, bias []float64)
	})
	if !ok || !train.Done(r.training) {
		return nil, diag.Option("-model", "another method", "CaDeM, whose encoders embed new nodes, or pooled, when it is over")
	}
	w, bias := l.Linear()
	return frozen.Pooled(g, w, bias), nil
}

// Leaving is [Model] of a model that is there.
func Leaving(m *frozen.Model, d *Dataset, s *Settings, scores []evaluate.Score) (*frozen.Saved, error) {
	model, err := m.Save()
	if err != nil {
		return nil, err
	}
	o := s.Scoring()
	model.Data, model.Evaluation, model.EvalSeed, model.Scores = d.Name, property.Values(&o), s.EvalSeed, map[string]float64{}
	for _, row := range scores {
		if row.Embedding == Combined && row.Metric == "macro_f1" {
			model.Scores[row.Target] = row.Value
		}
	}
	return model, nil
}

// An Application is a model applied to the nodes of a data set.
type Application struct {
	Data *Dataset // with label sets that mark new nodes and the classes predicted for them
	*frozen.Found
	Embedded   *cadem.Embeddings // of all nodes of the data set: known ones as trained
	Scored     []evaluate.Embedding
	Predicted  []Prediction
	Notes      []string
	model      *frozen.Saved
	isNew      []bool
	predicting pause.Yield
}

// A Prediction is the answer for new nodes of the classifier of a label set, trained on the nodes that the model knows.
type Prediction struct {
	Target  string         `json:"target"`
	Score   float64        `json:"macro_f1"` // of the run, in its folds; 0 if nothing was scored
	Classes map[string]int `json:"classes"`  // how many new nodes are given each
}

// Apply embeds the nodes of a data set that a model does not know. The error is a [*diag.Error]. Yield, which may be nil, is called while
// the classifiers are trained.
func Apply(model *frozen.Saved, d *Dataset, yield pause.Yield) (*Application, error) {
	found, err := model.Find(d.Graph)
	if err != nil {
		return nil, err
	}
	g, fresh, w := *d.Graph, model.Embed(found.Nodes), model.Dim
	a := &Application{Data: &Dataset{Name: d.Name, Graph: &g, Classify: d.Classify}, Found: found, model: model, predicting: yield, isNew: make([]bool, g.M())}
	at := map[string]int{}
	for i, name := range model.Nodes {
		at[name] = i
	}
	flag := multiplex.LabelSet{Name: "new", Classes: []string{"known", "new"}, Of: make([]int, g.M())}
	for _, i := range found.New {
		a.isNew[i], flag.Of[i] = true, 1
	}
	merge := func(known, added []float64) *mat.Dense {
		x := mat.NewDense(g.M(), w, nil)
		next := 0
		for i := range g.M() {
			if a.isNew[i] {
				x.SetRow(i, added[next*w:(next+1)*w])
				next++
			} else {
				k := at[g.NodeName(i)]
				x.SetRow(i, known[k*w:(k+1)*w])
			}
		}
		return x
	}
	a.Embedded = &cadem.Embeddings{Consensus: merge(model.Known.S, fresh.S), Rank: model.Rank}
	for l := range model.Layers[:len(model.Known.C)] {
		a.Embedded.Common = append(a.Embedded.Common, merge(model.Known.C[l], fresh.C[l]))
		a.Embedded.Private = append(a.Embedded.Private, merge(model.Known.P[l], fresh.P[l]))
	}
	if a.Scored = Tokens(a.Embedded); model.Own > 0 {
		a.Scored[1].Name = train.Fused // all layers together are no S
	}
	g.Labels = append([]multiplex.LabelSet{flag}, g.Labels...)
	for _, s := range model.Labels {
		if err := a.predict(model, fresh, &s); err != nil {
			return nil, err
		}
	}
	a.Notes = a.say()
	return a, nil
}

// Because returns what most of the place of new node k in S comes from, the longest first. Nodes have the numbers that the model gives them.
func (a *Application) Because(k, most int) []frozen.Term {
	terms := a.model.Because(&a.Nodes[k])
	sorting.Stable(terms, func(x, y frozen.Term) int { return cmp.Compare(math.Abs(y.Share), math.Abs(x.Share)) })
	return terms[:min(most, len(terms))]
}

// KnownName names a node by the number that the model gives it; "" for -1.
func (a *Application) KnownName(i int) string {
	if i < 0 {
		return ""
	}
	return a.model.Nodes[i]
}

// LayerName names a layer by the number that the model gives it.
func (a *Application) LayerName(l int) string { return a.model.Layers[l] }

// predict has the classifier of a label set name the classes of new nodes.
func (a *Application) predict(model *frozen.Saved, fresh *frozen.Embedded, l *frozen.Labels) error {
	var o evaluate.Options
	property.Defaults(&o)
	if err := property.SetAll(model.Evaluation, &o); err != nil {
		return err
	}
	stacked := func(known, added []float64) *mat.Dense {
		x := append(append([]float64(nil), known...), added...)
		return mat.NewDense(len(x)/model.Dim, model.Dim, x)
	}
	all := &cadem.Embeddings{Consensus: stacked(model.Known.S, fresh.S)}
	for k := range model.Layers[:len(model.Known.P)] {
		all.Private = append(all.Private, stacked(model.Known.P[k], fresh.P[k]))
	}
	s := &multiplex.LabelSet{Name: l.Name, Classes: l.Classes, Of: append([]int(nil), l.Of...)}
	for range a.New {
		s.Of = append(s.Of, multiplex.Missing)
	}
	classes, err := evaluate.Predict(Tokens(all)[0].Tokens, s, o, model.EvalSeed, a.predicting)
	if err != nil || classes == nil {
		return err
	}
	p, given := Prediction{Target: l.Name, Score: model.Scores[l.Name], Classes: map[string]int{}}, multiplex.LabelSet{
		Name: l.Name + " (predicted)", Classes: l.Classes, Of: make([]int, a.Data.Graph.M())}
	for i := range given.Of {
		given.Of[i] = multiplex.Missing
	}
	for k, i := range a.New {
		c := classes[len(model.Nodes)+k]
		given.Of[i] = c
		p.Classes[l.Classes[c]]++
	}
	a.Predicted, a.Data.Graph.Labels = append(a.Predicted, p), append(a.Data.Graph.Labels, given)
	return nil
}

// say returns in sentences what was found.
func (a *Application) say() (notes []string) {
	n := len(a.New)
	notes = append(notes, fmt.Sprintf("%s of the data %s new, and the model knows %d", figure.Count(n, "node"), figure.Plural(n, "is", "are"), a.Found.Known))
	if a.Unknown > 0 {
		notes = append(notes, figure.Count(a.Unknown, "end")+" of links among new nodes are left out: a new node is embedded by its links to known ones")
	}
	if a.Apart > 0 {
		notes = append(notes, figure.Count(a.Apart, "new node")+" without a link to a known one: all that the model says of these is its bias")
	}
	return notes
}
