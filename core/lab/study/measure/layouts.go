package measure

import (
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/property"
	"cadem.example/core/project"
)

// layouts adds a picture in the plane of every embedding asked for, with the class of
// every point: "tsne:NAME", n x 2, and "classes:NAME".
func (c *Items) layouts(w *Work) error {
	o := project.TSNEDefaults()
	for _, name := range slices.Sorted(maps.Keys(w.Options)) {
		if err := property.Set(&o, name, w.Options[name]); err != nil {
			return err
		}
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
		a := Array{ArrayTSNE.Of(name), []int{n, 2}, make([]float64, 2*n)}
		for i, v := range t.Layout(nil) {
			a.Data[i] = float64(v)
		}
		w.Result.Arrays = append(w.Result.Arrays, a, Array{ArrayDivergence.Of(name), []int{1}, []float64{t.Divergence()}})
		w.Result.Integers(ArrayClasses.Of(name), classes)
	}
	return nil
}
