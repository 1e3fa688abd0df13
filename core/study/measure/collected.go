package measure

import (
	"fmt"

	"cadem/core/diag"
	"cadem/core/evaluate"
	"cadem/core/formats"
	"cadem/core/multiplex"
	"cadem/core/run"
)

// PrepareGraphs reads every graph of a collection, which [run.DataSpec.Scans] lists, and keeps what later tasks need of
// it: "class", "group"; "sizes", a row a graph, its nodes and the links of every layer; and "features", a row for every
// node of every layer of every graph, its propagated features. Words are the names of the graphs.
func PrepareGraphs(r *Result, spec *run.DataSpec, s *run.Settings, files *run.Files, yield func(done, total int) error) error {
	source, err := openCollection(spec, files)
	if err != nil {
		return err
	}
	var class, group []int
	for i := range spec.Scans {
		item := &spec.Scans[i]
		g, err := source.graph(item)
		if err != nil {
			return err
		}
		class, group = append(class, item.Class), append(group, item.Group)
		r.Words = append(r.Words, item.Name)
		r.graph(g, s.Training.Propagation)
		if err := yield(i+1, len(spec.Scans)); err != nil {
			return err
		}
	}
	r.integers("class", class)
	r.integers("group", group)
	return nil
}

// A shelf holds the files of a collection, whose graphs it reads one at a time.
type shelf struct {
	files  map[string]formats.File
	choice formats.Choice
	alike  alike
}

func openCollection(spec *run.DataSpec, files *run.Files) (*shelf, error) {
	contents, err := files.Contents(spec.Files)
	if err != nil {
		return nil, err
	}
	s := &shelf{files: map[string]formats.File{}}
	for _, f := range contents {
		s.files[f.Name] = f
	}
	if spec.Choice != nil {
		s.choice = *spec.Choice
	}
	return s, nil
}

// graph reads a graph, which must be like those before it.
func (s *shelf) graph(item *run.Scan) (*multiplex.Graph, error) {
	f, ok := s.files[item.File]
	if !ok {
		return nil, &diag.Error{File: item.File, Found: "no such file", Expected: "the file of graph " + item.Name}
	}
	c, err := formats.Read([]formats.File{f})
	if err != nil {
		return nil, err
	}
	g, _, err := c.Graph(s.choice)
	if err != nil {
		return nil, inFile(item.File, err)
	}
	return g, s.alike.check(item.File, g.N(), g.F())
}

func (s *shelf) said() []string { return nil }

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
			r.row("features", row)
		}
	}
	r.row("sizes", sizes)
}

// alike compares graphs that encoders are to share: these need as many layers and features.
type alike struct {
	first    string
	layers   int
	features int
}

func (a *alike) check(name string, layers, features int) error {
	if a.layers == 0 {
		a.first, a.layers, a.features = name, layers, features
	}
	if layers != a.layers {
		return &diag.Error{File: name, Where: "layers", Found: fmt.Sprint(layers), Expected: fmt.Sprintf("%d, as in %s", a.layers, a.first)}
	}
	if features != a.features {
		return &diag.Error{File: name, Where: "features", Found: fmt.Sprint(features),
			Expected: fmt.Sprintf("%d, as in %s: encoders are shared by all graphs, and nodes without features get one each", a.features, a.first)}
	}
	return nil
}

// BySize is what is known of graphs by their numbers of nodes and links alone.
const BySize = "size"

// sizes scores the sizes of prepared graphs.
func sizes(inputs Inputs, s *run.Settings, yield func(done, total int) error) ([]evaluate.Score, error) {
	return scoresOf(inputs, nil, []known{{BySize, "sizes", 0, evaluate.StandardisedDistance}}, s, yield)
}
