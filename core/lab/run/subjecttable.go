package run

import (
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/evaluate"
	"cadem.example/core/formats/export"
	"cadem.example/core/multiplex"
)

// Write writes the embeddings of graphs, C_l and P_l summed over their nodes, in one of [export.Formats]: a row for each graph, with its name and
// the label sets. Pooled holds C_1, P_1, C_2, ... of each, graphs x [frozen.Encoders.Width].
func (s *Subjects) Write(w io.Writer, f *export.Format, names []string, pooled []float64, labels []multiplex.LabelSet) error {
	n, d, width := len(names), s.Dim, s.Width()
	none, err := multiplex.FromEdges(n, nil)
	if err != nil {
		return err
	}
	g := &multiplex.Graph{Name: "subjects", Nodes: names, Labels: labels}
	var list []evaluate.Embedding
	axes := mat.NewDense(n, d, nil)
	for l, layer := range s.Layers {
		g.Layers = append(g.Layers, multiplex.Layer{Name: layer, Adjacency: none})
		for k, part := range []string{"C", "private"} {
			x := mat.NewDense(n, d, nil)
			for i := range n {
				x.SetRow(i, pooled[i*width+(2*l+k)*d:][:d])
			}
			if list = append(list, evaluate.Embedding{Name: fmt.Sprintf("%s_%d", part, l+1), Tokens: []*mat.Dense{x}}); k == 0 {
				for i, v := range x.RawMatrix().Data { // Add links code for every kind of matrix
					axes.RawMatrix().Data[i] += v
				}
			}
		}
	}
	return Export(w, f, &Dataset{Name: g.Name, Graph: g}, list, axes, false)
}
