package cohort_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	_ "cadem.example/core/baseline/all"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/multiplex"
)

// conditionScores trains one pair of encoders on all graphs of a cohort, adds embeddings up
// over nodes and returns the macro-F1 of the conditions from S and both private embeddings,
// trained and untrained, in folds that hold out subjects.
func conditionScores(t *testing.T, effect float64) (trained, untrained float64) {
	t.Helper()
	o := &cohort.Options{}
	property.Defaults(o)
	o.Subjects, o.Regions, o.Effect = 30, 60, effect
	c, err := cohort.New(o, 1)
	if err != nil {
		t.Fatal(err)
	}
	pipeline := &connectome.Options{}
	property.Defaults(pipeline)
	var graphs []*multiplex.Graph
	var subjects []int
	target := multiplex.LabelSet{Name: "condition", Classes: cohort.Conditions}
	for subject := range o.Subjects {
		for condition := range cohort.Conditions {
			g, err := c.Graph(subject, condition, pipeline)
			if err != nil {
				t.Fatal(err)
			}
			graphs, subjects, target.Of = append(graphs, g), append(subjects, subject), append(target.Of, condition)
		}
	}
	var training cadem.Options
	property.Defaults(&training)
	training.Epochs, training.InnerSteps, training.LREncoders, training.DropoutRate = 100, 1, 0.01, 0
	training.WeightSelfSupervised, training.WeightCausal = 0.01, 0.01
	run, err := cadem.New(graphs, training, 1, precision.Single)
	if err != nil {
		t.Fatal(err)
	}
	pooled := func() []evaluate.Embedding {
		tokens := []*mat.Dense{mat.NewDense(len(graphs), 8, nil), mat.NewDense(len(graphs), 8, nil), mat.NewDense(len(graphs), 8, nil)}
		for i := range graphs {
			e := run.Embeddings(i)
			for k, x := range []*mat.Dense{e.Consensus, e.Private[0], e.Private[1]} {
				for j := range 8 {
					tokens[k].Set(i, j, mat.Sum(x.ColView(j)))
				}
			}
		}
		return []evaluate.Embedding{{Name: "combined", Tokens: tokens}}
	}
	before := pooled()
	for !run.Done() {
		if err := run.Step(); err != nil {
			t.Fatal(err)
		}
	}
	evaluation := evaluate.Defaults()
	evaluation.Epochs, evaluation.Rate = 200, 0.1
	scores, err := evaluate.Table(evaluate.Input{Trained: pooled(), Untrained: before, Targets: []multiplex.LabelSet{target}, Groups: subjects,
		Classify: true}, evaluation, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		if s.Metric == "macro_f1" {
			return s.Value, s.Untrained
		}
	}
	t.Fatal("no score")
	return 0, 0
}

// With the effect set to zero a trained model is at chance: nothing leaks from the pipeline,
// the training or the folds.
func TestNoEffectNoScore(t *testing.T) {
	none, noneUntrained := conditionScores(t, 0)
	full, fullUntrained := conditionScores(t, 1)
	t.Logf("macro-F1 without an effect %.3f (untrained %.3f), with it %.3f (%.3f)", none, noneUntrained, full, fullUntrained)
	// 90 graphs: chance is 1/3, give or take 0.05.
	if max(none, noneUntrained) > 0.5 || full < 0.5 {
		t.Errorf("macro-F1 without an effect %.3f (untrained %.3f), with it %.3f (%.3f)", none, noneUntrained, full, fullUntrained)
	}
}
