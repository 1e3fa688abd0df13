package run

import (
	"io"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats/export"
	"cadem.example/core/multiplex"
	"cadem.example/core/project"
)

// Export writes embeddings of one token each with the names and labels of the nodes, in one of
// [export.Formats]. Where a format holds a picture, nodes stand where that of the first embedding
// draws them, along the principal axes of axes, and, if there are labels, are in as many K-means
// clusters of it as the first label set has classes. single says that the embeddings are of single
// precision.
func Export(w io.Writer, f *export.Format, d *Dataset, list []evaluate.Embedding, axes *mat.Dense, single bool) error {
	c := &export.Content{Graph: d.Graph, Picture: func() ([]float64, []multiplex.LabelSet, error) { return picture(d.Graph, list[0].Tokens[0], axes) }}
	of := map[string]string{}
	for l := range d.Graph.Layers {
		for _, part := range [...]string{"private_", "C_", "layer_"} { // of CaDeM and of methods
			of[part+strconv.Itoa(l+1)] = d.Graph.Layers[l].Name
		}
	}
	for _, e := range list {
		x := e.Tokens[0].RawMatrix()
		c.Embeddings = append(c.Embeddings, export.Embedding{Name: e.Name, Layer: of[e.Name], Cols: x.Cols, Values: x.Data, Single: single})
	}
	return f.Write(w, c)
}

// WithCommon appends the common embedding of each layer, C_1 and so on, which is drawn to the consensus and not scored.
func WithCommon(list []evaluate.Embedding, e *cadem.Embeddings) []evaluate.Embedding {
	list = slices.Clip(list)
	for l, c := range e.Common {
		list = append(list, evaluate.Embedding{Name: "C_" + strconv.Itoa(l+1), Tokens: []*mat.Dense{c}})
	}
	return list
}

// Axes returns the embedding whose axes nodes are drawn along: the sum of the common embeddings, M x d, or the only one.
func Axes(e *cadem.Embeddings) *mat.Dense {
	if len(e.Common) == 0 {
		return e.Consensus
	}
	return sumOf(e.Common)
}

// picture returns the places of the nodes, M x 2, and their clusters.
func picture(g *multiplex.Graph, x, axes *mat.Dense) ([]float64, []multiplex.LabelSet, error) {
	xy := make([]float32, 2*g.M())
	var p project.Projector
	if _, _, err := p.Along(xy, x, axes); err != nil {
		return nil, nil, err
	}
	positions := kernel.Doubles(xy)
	if len(g.Labels) == 0 {
		return positions, nil, nil
	}
	const restarts = 20 // as many as scoring takes
	k := min(len(g.Labels[0].Classes), g.M())
	s := multiplex.LabelSet{Name: "cluster", Of: evaluate.KMeans(x, k, restarts, rng.New(0, "export/clusters")).Labels}
	for c := range k {
		s.Classes = append(s.Classes, strconv.Itoa(c))
	}
	return positions, []multiplex.LabelSet{s}, nil
}
