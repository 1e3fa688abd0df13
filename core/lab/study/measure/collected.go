package measure

import (
	"fmt"
	"slices"
	"strconv"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// prepareGraphs reads every graph of a collection, which [run.DataSpec.Scans] lists, and keeps what later tasks need of
// it: classes, groups, sizes and propagated features. Words are the names of the graphs.
func prepareGraphs(w *Work) error {
	r, source, list := w.Result, openCollection(w.Data, w.Files), &Items{}
	err := list.Read(w.Data.Scans, nil, func(item *run.Scan) error {
		g, err := source.Graph(item)
		if err == nil {
			r.Words = append(r.Words, item.Name)
			r.graph(g, w.Settings.CaDeM().Propagation)
		}
		return err
	}, w.Yield)
	r.Groups(list)
	return err
}

// graphFiles reads the graphs of a collection, one at a time.
type graphFiles struct {
	files  *run.Files
	specs  map[string]run.FileSpec
	choice formats.Choice
	alike  alike
}

func openCollection(spec *run.DataSpec, files *run.Files) *graphFiles {
	s := &graphFiles{files: files, specs: map[string]run.FileSpec{}}
	for _, f := range spec.Files {
		s.specs[f.Name] = f
	}
	if choice := spec.Chosen(); choice != nil {
		s.choice = *choice
	}
	s.choice.Unscored = true
	return s
}

// graph reads a graph, which must be like those before it.
func (s *graphFiles) Graph(item *run.Scan) (*multiplex.Graph, error) {
	spec, ok := s.specs[item.File]
	if !ok {
		return nil, diag.At(item.File, 0, "", "no such file", "the file of graph "+item.Name)
	}
	read, err := s.files.Contents([]run.FileSpec{spec})
	if err != nil {
		return nil, err
	}
	c, err := formats.Read(read)
	if err != nil {
		return nil, err
	}
	g, _, err := c.Graph(s.choice)
	if err != nil {
		return nil, inFile(item.File, err)
	}
	if err := s.alike.check(item.File, g.N(), g.F()); err != nil {
		return nil, err
	}
	return g, s.alike.named(item.File, g)
}

func (s *graphFiles) Said() []string { return nil }

// inFile names the file in an error that names none.
func inFile(file string, err error) error {
	if bad, ok := err.(*diag.Error); ok && bad.File == "" {
		named := *bad
		named.File = file
		return &named
	}
	return err
}

// graph adds the rows of one graph.
func (r *Result) graph(g *multiplex.Graph, propagation string) {
	sizes := []float64{float64(g.M())}
	for l := range g.Layers {
		layer := &g.Layers[l]
		sizes = append(sizes, float64(layer.Summary().Edges))
		z := multiplex.NewPropagator(layer.Adjacency, multiplex.KindOf(propagation)).Product(layer.Features)
		for i, f := 0, g.F(); i < g.M(); i++ {
			row := make([]float64, f)
			for k, v := range z[i*f : (i+1)*f] {
				row[k] = float64(float32(v)) // as training has it
			}
			r.Row(ArrayFeatures, row)
		}
	}
	r.Row(ArraySizes, sizes)
}

// alike compares graphs that encoders are to share: these need as many layers and features.
type alike struct {
	first    string
	layers   int
	features int
	names    []string // of the layers of the first
	nodes    []string // its nodes, where each has a feature of its own
}

// named brings the layers of a graph into the order of the first graph, by name. Where nodes have a feature of their
// own each, encoders know them by it: then the nodes need the same names, too.
func (a *alike) named(file string, g *multiplex.Graph) error {
	names, nodes := g.LayerNames(), []string(nil)
	if g.Layers[0].Features.IsIdentity() {
		nodes = g.Nodes
	}
	if a.names == nil {
		a.names, a.nodes = names, nodes
		return nil
	}
	if err := a.same(file, "layer", slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(a.names))); err != nil {
		return err
	}
	layers := g.Layers
	g.Layers = make([]multiplex.Layer, 0, len(layers))
	for _, name := range a.names {
		g.Layers = append(g.Layers, layers[slices.Index(names, name)])
	}
	return a.same(file, "node", nodes, a.nodes)
}

// same returns an error that names the first place at which two lists of names in one order differ.
func (a *alike) same(file, what string, names, first []string) error {
	for k := range max(len(names), len(first)) {
		found, expected := "no more", "none"
		if k < len(names) {
			found = strconv.Quote(names[k])
		}
		if k < len(first) {
			expected = strconv.Quote(first[k])
		}
		if found != expected && (k >= len(names) || k >= len(first) || names[k] != first[k]) {
			advice := ""
			if what == "node" {
				advice = "; encoders are shared by all graphs, and nodes without features are known by their names: a node file lists those without links"
			}
			return diag.At(file, 0, what+"s", fmt.Sprintf("%s where %s has %s (%s and %d)", found, a.first, expected,
				figure.Count(len(names), what), len(first)),
				"the same "+what+"s in all graphs"+advice)
		}
	}
	return nil
}

func (a *alike) check(name string, layers, features int) error {
	if a.layers == 0 {
		a.first, a.layers, a.features = name, layers, features
	}
	if layers != a.layers {
		return diag.At(name, 0, "layers", fmt.Sprint(layers),
			fmt.Sprintf("%d, as in %s", a.layers, a.first))
	}
	if features != a.features {
		return diag.At(name, 0, "features", fmt.Sprint(features),
			fmt.Sprintf("%d, as in %s: encoders are shared by all graphs, and nodes without features get one each", a.features, a.first))
	}
	return nil
}

// BySize scores graphs by their numbers of nodes and links alone.
const BySize = "size"

// sizes scores the sizes of prepared graphs.
func sizes(w *Work) error {
	return w.known(nil, known{BySize, ArraySizes, 0, evaluate.StandardisedDistance})
}
