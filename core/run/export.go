package run

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/formats/export"
	"cadem/core/multiplex"
	"cadem/core/property"
	"cadem/core/rng"
)

// ExportFormats are the formats of [Export], which are also the endings of their files.
var ExportFormats = []string{"csv", "npz", "graphml"}

// CheckExport tells whether there is such a format.
func CheckExport(format string) error {
	if slices.Contains(ExportFormats, format) {
		return nil
	}
	return property.Unknown("format of embeddings", fmt.Sprintf("%q", format), format, ExportFormats)
}

// Export writes embeddings with the names and labels of the nodes. In a GraphML file nodes
// stand where the picture of the common embedding draws them and, if there are labels, are in
// as many K-means clusters of the common embedding as the first label set has classes. single
// says that the embeddings are of single precision.
func Export(w io.Writer, format string, d *Dataset, e *cadem.Embeddings, single bool) error {
	if err := CheckExport(format); err != nil {
		return err
	}
	var columns []export.Embedding
	for _, t := range Tokens(e)[1:] {
		x := t.Tokens[0].RawMatrix()
		columns = append(columns, export.Embedding{Name: t.Name, Cols: x.Cols, Values: x.Data, Single: single})
	}
	switch format {
	case "csv":
		return export.WriteCSV(w, d.Graph, columns)
	case "npz":
		return export.WriteNPZ(w, d.Graph, columns)
	}
	var film Film
	xy, _, err := film.Frame(e)
	if err != nil {
		return err
	}
	positions := make([]float64, 2*d.Graph.M()) // of the consensus, which comes first
	for i := range positions {
		positions[i] = float64(xy[i])
	}
	var clusters []multiplex.LabelSet
	if len(d.Graph.Labels) > 0 {
		const restarts = 20 // as many as scoring takes
		k := min(len(d.Graph.Labels[0].Classes), d.Graph.M())
		s := multiplex.LabelSet{Name: "cluster", Of: evaluate.KMeans(e.Consensus, k, restarts, rng.New(0, "export/clusters")).Labels}
		for c := range k {
			s.Classes = append(s.Classes, strconv.Itoa(c))
		}
		clusters = append(clusters, s)
	}
	return export.WriteGraphML(w, d.Graph, clusters, positions, columns)
}
