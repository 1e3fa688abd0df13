package run

import (
	"io"
	"strconv"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/formats/export"
	"cadem/core/multiplex"
	"cadem/core/rng"
)

// Export writes embeddings with the names and labels of the nodes, in one of [export.Formats].
// Where a format holds a picture, nodes stand where the one of the common embedding draws them
// and, if there are labels, are in as many K-means clusters of the common embedding as the first
// label set has classes. single says that the embeddings are of single precision.
func Export(w io.Writer, f *export.Format, d *Dataset, e *cadem.Embeddings, single bool) error {
	c := &export.Content{Graph: d.Graph, Picture: func() ([]float64, []multiplex.LabelSet, error) { return picture(d.Graph, e) }}
	for _, t := range Tokens(e)[1:] {
		x := t.Tokens[0].RawMatrix()
		c.Embeddings = append(c.Embeddings, export.Embedding{Name: t.Name, Cols: x.Cols, Values: x.Data, Single: single})
	}
	return f.Write(w, c)
}

// picture returns the places of the nodes, M x 2, and their clusters.
func picture(g *multiplex.Graph, e *cadem.Embeddings) ([]float64, []multiplex.LabelSet, error) {
	var film Film
	xy, _, err := film.Frame(e)
	if err != nil {
		return nil, nil, err
	}
	positions := make([]float64, 2*g.M()) // of the consensus, which comes first
	for i := range positions {
		positions[i] = float64(xy[i])
	}
	if len(g.Labels) == 0 {
		return positions, nil, nil
	}
	const restarts = 20 // as many as scoring takes
	k := min(len(g.Labels[0].Classes), g.M())
	s := multiplex.LabelSet{Name: "cluster", Of: evaluate.KMeans(e.Consensus, k, restarts, rng.New(0, "export/clusters")).Labels}
	for c := range k {
		s.Classes = append(s.Classes, strconv.Itoa(c))
	}
	return positions, []multiplex.LabelSet{s}, nil
}
