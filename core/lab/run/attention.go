package run

import (
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// Attention is the name under which weights of the combiner are written.
const Attention = "attention"

// AttentionTo returns the combiner's attention to each embedding of each node, M x (N + 1) in the order of the scored ones, after it was trained on
// all nodes that have a class of a label set, and that set. A missing set, or one with too few classes, is a [*diag.Error].
func AttentionTo(d *Dataset, list []evaluate.Embedding, set string, s *Settings, yield pause.Yield) (*evaluate.Embedding, *multiplex.LabelSet, error) {
	labels, err := LabelSet(d, set)
	if err != nil {
		return nil, nil, err
	}
	weights, err := evaluate.Attend(list[0].Tokens, labels, s.Scoring(), s.EvalSeed, yield)
	if err == nil && weights == nil {
		err = diag.Option(Attention, strconv.Quote(set), "a label set of which at least two classes are known, of a method with several embeddings")
	}
	if err != nil {
		return nil, nil, err
	}
	return &evaluate.Embedding{Name: Attention, Tokens: []*mat.Dense{weights}}, labels, nil
}

// LabelSet returns the label set of that name. The error, a [*diag.Error], lists the existing ones.
func LabelSet(d *Dataset, name string) (*multiplex.LabelSet, error) {
	var names []string
	for i := range d.Graph.Labels {
		s := &d.Graph.Labels[i]
		if names = append(names, s.Name); s.Name == name {
			return s, nil
		}
	}
	expected := "one of " + strings.Join(names, ", ")
	if names == nil {
		expected = "none: the data have no labels"
	}
	return nil, diag.Option(Attention, strconv.Quote(name), expected)
}
