package measure

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/project"
)

// layouts adds a picture in the plane of every embedding asked for, with the class of
// every point: "tsne:NAME", n x 2, and "classes:NAME".
func (c *Items) layouts(w *Work) error {
	o := project.TSNEDefaults()
	if err := w.Set(&o); err != nil {
		return err
	}
	for k, name := range w.Embeddings {
		var x *mat.Dense
		classes := c.class
		if name == "private_all" {
			x, classes = c.below(c.names(ArrayPrivate)), c.subclasses()
		} else {
			x = stack(c.inputs, ArrayName(name))
		}
		t, err := project.NewTSNE(x, o, w.Settings.EvalSeed)
		if err != nil {
			return err
		}
		for !t.Done() {
			t.Step()
			done, of := t.Progress()
			if err := w.Yield(k*of+done, len(w.Embeddings)*of); err != nil {
				return err
			}
		}
		n, _ := x.Dims()
		w.Result.Arrays = append(w.Result.Arrays, array(ArrayTSNE.Of(name), t.Layout(nil), n, 2),
			Array{ArrayDivergence.Of(name), []int{1}, []float64{t.Divergence()}})
		w.Result.Integers(ArrayClasses.Of(name), classes)
	}
	return nil
}
