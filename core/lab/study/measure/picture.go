package measure

import (
	"slices"

	"cadem.example/core/lab/run"
)

// Arrays of a picture, those of labels and links by name and by layer.
const (
	ArrayPlaces ArrayName = "places"
	ArrayLinks  ArrayName = "links"
	ArrayLabels ArrayName = "labels"
)

// mostPicturedLinks is the largest number of links of a layer that a picture has. Of more it has a regular sample.
const mostPicturedLinks = 1 << 17

// picture adds what there is to draw of a graph and of a training on it: the links of every layer ("links_1", E x 2, nodes i < j), the classes of
// the label sets asked for ("labels:NAME", M, -1 for missing), and the "places" of the nodes in S and every P_l ((1 + N) x M x 2), as [run.Film] draws a
// first frame. The error, a [*diag.Error], names a place that is not finite.
func (w *Work) picture() error {
	g, e := w.Dataset.Graph, w.Training.Trained
	for l := range g.Layers {
		pairs, _ := g.Layers[l].Adjacency.Links(mostPicturedLinks)
		w.Result.Arrays = append(w.Result.Arrays, array(ArrayLinks.Layer(l), pairs, len(pairs)/2, 2))
	}
	for _, set := range w.of(slices.Clone(g.Labels)) {
		w.Result.Integers(ArrayLabels.Of(set.Name), set.Of)
	}
	xy, _, err := new(run.Film).Frame(e)
	if err != nil {
		return err
	}
	w.Result.Arrays = append(w.Result.Arrays, array(ArrayPlaces, xy, 1+len(e.Private), g.M(), 2))
	return nil
}
