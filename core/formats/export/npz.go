package export

import (
	"io"
	"strconv"
	"strings"

	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
)

// WriteNPZ writes embeddings of a graph's nodes as an .npz file: an M x d array for
// each, and arrays of text: "nodes", "layer_names", whose k-th is the layer of private_k, and
// "labels_NAME" for each label set, "" if the label is missing. With NumPy:
//
//	f = numpy.load("embeddings.npz"); S, y = f["common"], f["nodes"]
func WriteNPZ(w io.Writer, g *multiplex.Graph, embeddings []Embedding) error {
	var arrays []npy.Named
	taken := map[string]bool{}
	add := func(name string, a *npy.Array) {
		for stem, k := name, 2; taken[name]; k++ {
			name = stem + "_" + strconv.Itoa(k)
		}
		taken[name] = true
		arrays = append(arrays, npy.Named{Name: name, Array: a})
	}
	m := g.M()
	for _, e := range embeddings {
		a := &npy.Array{Shape: []int{m, e.Cols}, Data: e.Values}
		if e.Single {
			single := make([]float32, len(e.Values))
			for k, v := range e.Values {
				single[k] = float32(v)
			}
			a.Data = single
		}
		add(e.Name, a)
	}
	words := make([]string, m)
	for i := range words {
		words[i] = g.NodeName(i)
	}
	add("nodes", &npy.Array{Shape: []int{m}, Data: words})
	add("layer_names", &npy.Array{Shape: []int{g.N()}, Data: g.LayerNames()})
	for k := range g.Labels {
		words := make([]string, m)
		for i := range words {
			words[i] = g.Labels[k].ClassOf(i)
		}
		add("labels_"+safeName(g.Labels[k].Name), &npy.Array{Shape: []int{m}, Data: words})
	}
	return npy.WriteNPZ(w, arrays)
}

// safeName makes a name fit for a member of an archive.
func safeName(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '/' || r == '\\' || r == ':' || r == 0x7f {
			return '_'
		}
		return r
	}, s)
}
