package export

import (
	"fmt"
	"io"

	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
)

// Content is the input of an export.
type Content struct {
	Graph      *multiplex.Graph
	Embeddings []Embedding
	// Picture returns the places of nodes, M x 2, and computed label sets beside the graph's own. It
	// is called by the formats that hold them, and may take a while.
	Picture func() (positions []float64, found []multiplex.LabelSet, err error)
}

// A Format is a kind of file that embeddings are written to.
type Format struct {
	Name  string                              `json:"name"`  // also the ending of its files
	Label string                              `json:"label"` // what there is to save
	Note  string                              `json:"note"`  // what to know of such a file
	MIME  string                              `json:"-"`
	Write func(w io.Writer, c *Content) error `json:"-"`
}

// Formats lists every format, in the order in which to offer them. All code that names, offers or
// writes formats uses this list. Writers do not register themselves: every program that imports
// this package would link them all, whether it exports or not.
var Formats = []Format{
	{
		Name: "csv", Label: "Embeddings, CSV", Note: "Names that a spreadsheet would run as a formula begin with an apostrophe.", MIME: "text/csv",
		Write: func(w io.Writer, c *Content) error { return WriteCSV(w, c.Graph, c.Embeddings) },
	},
	{
		Name: "npz", Label: "Embeddings, NPZ", Note: "Arrays for NumPy, without pickles.", MIME: "application/zip",
		Write: func(w io.Writer, c *Content) error { return WriteNPZ(w, c.Graph, c.Embeddings) },
	},
	{
		Name: "graphml", Label: "Graph, GraphML", Note: "Positions and clusters are included; Gephi opens it.", MIME: "application/xml",
		Write: func(w io.Writer, c *Content) error {
			positions, found, err := c.Picture()
			if err != nil {
				return err
			}
			return WriteGraphML(w, c.Graph, found, positions, c.Embeddings)
		},
	},
}

// Lookup returns the format of that name. The error, a [*property.Error], lists the existing names.
func Lookup(name string) (*Format, error) {
	var names []string
	for i := range Formats {
		if Formats[i].Name == name {
			return &Formats[i], nil
		}
		names = append(names, Formats[i].Name)
	}
	return nil, property.Unknown("format of embeddings", fmt.Sprintf("%q", name), name, names)
}
