package export

import (
	"bufio"
	"io"
	"strconv"
	"unicode/utf8"

	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
)

// WriteGraphML writes a graph as GraphML, which Gephi, igraph and NetworkX read. A node's
// attributes are its name, x and y of its position (M x 2, which Gephi takes for the place
// to draw it; nil: none), a label of every set, those given beside the graph's own among
// them, and the coordinates of the embeddings, as in [WriteCSV]. An edge's are layer
// and weight; a pair that several layers join has an edge for each.
func WriteGraphML(w io.Writer, g *multiplex.Graph, more []multiplex.LabelSet, positions []float64, embeddings []Embedding) error {
	m := g.M()
	npy.ErrShape.Unless(positions == nil || len(positions) == 2*m)
	x := &markup{w: bufio.NewWriter(w)}
	x.add(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	keys := 0
	key := func(what, name, kind string) {
		x.add(`<key id="k`, strconv.Itoa(keys), `" for="`, what, `" attr.name="`)
		x.text(name)
		x.add(`" attr.type="`, kind, `"/>`+"\n")
		keys++
	}
	key("node", "name", "string")
	if positions != nil {
		key("node", "x", "double")
		key("node", "y", "double")
	}
	labels := append(append([]multiplex.LabelSet(nil), g.Labels...), more...)
	for _, s := range labels {
		npy.ErrShape.Unless(len(s.Of) == m)
		key("node", s.Name, "string")
	}
	for _, e := range embeddings {
		npy.ErrShape.Unless(len(e.Values) == m*e.Cols)
		for c := range e.Cols {
			key("node", e.coordinate(c), "double")
		}
	}
	layerKey := keys
	key("edge", "layer", "string")
	key("edge", "weight", "double")
	x.add(`<graph edgedefault="undirected">` + "\n")
	for i := range m {
		x.add(`<node id="`, strconv.Itoa(i), `">`)
		k := 0
		data := func(value string) {
			x.add(`<data key="k`, strconv.Itoa(k), `">`)
			x.text(value)
			x.add(`</data>`)
			k++
		}
		data(g.NodeName(i))
		if positions != nil {
			data(digits(positions[2*i], false))
			data(digits(positions[2*i+1], false))
		}
		for n := range labels {
			if labels[n].Of[i] == multiplex.Missing {
				k++
				continue
			}
			data(labels[n].ClassOf(i))
		}
		for _, e := range embeddings {
			for _, v := range e.Values[i*e.Cols : (i+1)*e.Cols] {
				data(digits(v, e.Single))
			}
		}
		x.add("</node>\n")
	}
	for l := range g.Layers {
		a := g.Layers[l].Adjacency
		for i := range m {
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				if int(a.Index[k]) < i {
					continue
				}
				weight := 1.0
				if a.Value != nil {
					weight = a.Value[k]
				}
				x.add(`<edge source="`, strconv.Itoa(i), `" target="`, strconv.Itoa(int(a.Index[k])), `"><data key="k`, strconv.Itoa(layerKey), `">`)
				x.text(g.Layers[l].Name)
				x.add(`</data><data key="k`, strconv.Itoa(layerKey+1), `">`, digits(weight, false), "</data></edge>\n")
			}
		}
	}
	x.add("</graph>\n</graphml>\n")
	return x.w.Flush()
}

// digits writes a number with as many digits as it takes to read back the same one.
func digits(v float64, single bool) string {
	bits := 64
	if single {
		bits = 32
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

// markup writes XML.
type markup struct{ w *bufio.Writer }

func (x *markup) add(parts ...string) {
	for _, s := range parts {
		x.w.WriteString(s) // Flush returns the first error
	}
}

// text writes text, without the control characters that XML has no way to hold.
func (x *markup) text(s string) {
	for _, r := range s {
		switch {
		case r == '&':
			x.w.WriteString("&amp;")
		case r == '<':
			x.w.WriteString("&lt;")
		case r == '>':
			x.w.WriteString("&gt;")
		case r == '"':
			x.w.WriteString("&quot;")
		case r == '\t' || r == '\n' || r == '\r':
			x.w.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		case r < ' ' || r == utf8.RuneError || r == 0xfffe || r == 0xffff:
			x.w.WriteRune(utf8.RuneError)
		default:
			x.w.WriteRune(r)
		}
	}
}
