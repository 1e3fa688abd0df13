package measures

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/brain/subject"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// lengths adds, of a graph whose nodes have places, the length of every node's private
// embedding in each layer, trained ("length_1", ...), untrained ("untrained:length_1") and
// that of its propagated features ("trivial:length_1"), the "places" of the nodes and their
// "network", whose names become words of the result.
func lengths(w *measure.Work) error {
	r, g, trained := w.Result, w.Dataset.Graph, w.Training
	if g.Places == nil {
		return diag.Option("measure", "regions of data without places", "a table of regions with the columns name, network, x, y and z beside the series")
	}
	add := func(name measure.ArrayName, x *mat.Dense) {
		r.Arrays = append(r.Arrays, measure.Array{Name: name, Shape: []int{g.M()}, Data: run.Lengths(x)})
	}
	for _, of := range []struct {
		prefix measure.ArrayName
		e      *cadem.Embeddings
	}{{"", trained.Trained}, {"untrained:", trained.Untrained}} {
		for l, x := range of.e.Private {
			add((of.prefix + measure.ArrayLength).Layer(l), x)
		}
	}
	for l := range g.Layers {
		z, err := measure.Propagated(g, l, w.Settings.CaDeM().Propagation)
		if err != nil {
			return err
		}
		add(("trivial:" + measure.ArrayLength).Layer(l), z)
		r.Words = append(r.Words, g.Layers[l].Name)
	}
	if about, ok := w.Dataset.Subject.(*subject.Subject); ok {
		r.Row(ArrayScans, qualityOf(&about.Quality, 0, 0))
	}
	places := make([]float64, 0, 3*g.M())
	for _, p := range g.Places {
		places = append(places, p[:]...)
	}
	r.Arrays = append(r.Arrays, measure.Array{Name: "places", Shape: []int{g.M(), 3}, Data: places})
	i := slices.IndexFunc(g.Labels, func(l multiplex.LabelSet) bool { return l.Name == connectome.NetworkLabels })
	if i < 0 {
		return diag.Option("measure", "regions without networks", "a label set "+connectome.NetworkLabels)
	}
	r.Integers("network", g.Labels[i].Of)
	r.Words = append(r.Words, g.Labels[i].Classes...)
	return nil
}
