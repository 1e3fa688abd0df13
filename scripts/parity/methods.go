package parity

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/baseline"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// given is a source of the draws that a case lists, by purpose. A draw that is not listed is a
// mistake of the reader, except for uniform numbers: a method may ask for more than it takes.
type given map[string][]float64

func (g given) Uniform(dst []float64, _, _ float64, what string, round int) {
	for i := copy(dst, g[key(what, round)]); i < len(dst); i++ {
		dst[i] = 0.5
	}
}

func (g given) Normal(dst []float64, _ float64, what string, round int) {
	values := g[key(what, round)]
	if len(values) != len(dst) {
		panic(fmt.Errorf("%s: %d values, the method draws %d", key(what, round), len(values), len(dst)))
	}
	copy(dst, values)
}

func (g given) Permutation(dst []int, what string, round int) { g.Below(dst, 0, what, round) }

func (g given) Below(dst []int, _ int, what string, round int) {
	values := make([]float64, len(dst))
	g.Normal(values, 0, what, round)
	for i, v := range values {
		dst[i] = int(v)
	}
}

func key(what string, round int) string { return fmt.Sprintf("%s@%d", what, round) }

// A setup is a method with the settings, graph and draws of a case.
type setup struct {
	train.Setup
	method *train.Method
	given  given
}

// setup reads the graph of a case and, from what is called settings in the file, the options of a method.
func (g *golden) setup(method, settings, words string) *setup {
	m, draws := must(train.Lookup(method)), given{}
	s := &setup{train.Setup{Options: m.Options(), Source: draws, Precision: precision.Double}, m, draws}
	property.Defaults(s.Options)
	if g.has("M") {
		s.Graphs = []*multiplex.Graph{g.graph()}
	}
	g.sub("adam").options(nil, adam)
	g.sub(settings).options(s.Options, words)
	return s
}

// adam is the one that the program has.
const adam = "beta1:0.9 beta2:0.999 eps:1e-08"

// options sets options to all that is in view. The words say what the file calls them: "lr", "H=dim" for what is called dim here,
// and "self_loop:1" for what has that value only.
func (g *golden) options(o any, words string) {
	known := map[string]string{}
	for word := range strings.FieldsSeq(words) {
		known[word[:strings.IndexAny(word+"=", ":=")]] = word
	}
	for _, name := range g.names() {
		word := known[name]
		_, only, one := strings.Cut(word, ":")
		_, as, _ := strings.Cut(word, "=")
		if word == "" || one && g.option(name) != only {
			panic(unknown{name, g.option(name)})
		} else if !one {
			g.set(o, name, as)
		}
	}
}

// synonyms maps values in the files to those of the options.
var synonyms = map[string]string{"loss bce": "released", "loss log_sigma": "pyg", "diffusion neumann": "series",
	"filter_all on": "all", "filter_all off": "own"}

// set gives an option, of the same name for "", the value of a setting, or several, "x,y", one each of its numbers. A value that
// they cannot have is a setting that the program does not support.
func (g *golden) set(options any, name, as string) {
	if as == "" {
		as = name
	}
	all := strings.Split(as, ",")
	for i, option := range all {
		value := g.option(name)
		if len(all) > 1 {
			value = g.option(name, i)
		}
		if other, ok := synonyms[name+" "+value]; ok {
			value = other
		}
		if property.Set(options, option, value) != nil {
			panic(unknown{name, g.option(name)})
		}
	}
}

// first hands over the first values of the networks of that number of layers, or of the only one if there are 0.
func (s *setup) first(layers int, c *golden) {
	for _, name := range c.part("init").names() {
		s.each(layers, name, 0, c.data("init", name))
	}
}

// each hands over a draw to the networks.
func (s *setup) each(layers int, name string, round int, x []float64) {
	if layers == 0 {
		s.given[key(name, round)] = x
	}
	for l := range layers {
		s.given[key(ofLayer(l, name), round)] = x
	}
}

// rounds hands over one draw of each round.
func (s *setup) rounds(layers int, name string, list *golden) {
	for t, x := range list.part().any() {
		s.each(layers, name, t, x.data())
	}
}

// ofLayer names the purpose of a draw of a layer.
func ofLayer(l int, name string) string { return fmt.Sprintf("layer %d/%s", l+1, name) }

// randomEncoder replays the untrained encoder.
func randomEncoder(c *golden) {
	s := c.setup("random", "", "")
	o := s.Options.(*baseline.RandomOptions)
	o.Hidden, o.Dim = c.shape("R1", 0)[1], c.shape("R2", 0)[1]
	c.set(o, "propagation", "")
	for l := range s.Graphs[0].Layers {
		s.given[key(ofLayer(l, "R1"), 0)], s.given[key(ofLayer(l, "R2"), 0)] = c.data("R1", l), c.data("R2", l)
	}
	c.check("embedding", s.follow(nil).list, 1e-9, "expect/embedding")
}

// closedForm replays the closed form. Embeddings are compared by X X'W, which does not depend on how
// the directions are turned.
func closedForm(c *golden) {
	s := c.setup("closed", "settings", "dim private agreement feature_scale")
	got, e := s.follow(nil), c.sub("expect")
	report, shape := got.Report(), c.shape("W")
	figure := func(name string, want ...any) {
		x, _ := report.Figure(name)
		e.check(strings.TrimRight(name, "_0123456789"), x, 1e-9, want...)
	}
	figure("rank_S", "shared")
	figure("chance", "chance")
	for k := range e.length("agreement") {
		figure(fmt.Sprintf("agreement_%d", k+1), "agreement", k)
	}
	for l, part := range got.Embeddings(0) {
		want := []any{"private", l - 1}
		if l == 0 {
			want = []any{"common"}
		}
		var along, turned mat.Dense
		along.Mul(part.X.T(), mat.NewDense(shape[0], shape[1], c.data("W")))
		turned.Mul(part.X, &along)
		e.check(strings.TrimRight(part.Name, "_0123456789"), &turned, 1e-8, want...)
	}
}

// pooled replays all layers together. Embeddings are compared by R R' in units of its largest number, in which columns have no signs; the
// reference rounds Z to single precision.
func pooled(g *golden) {
	s, m := g.sub("constants").setup("pooled", "", ""), g.int("M")
	s.Graphs = []*multiplex.Graph{{}}
	for l := range g.length("layers") {
		s.Graphs[0].Layers = append(s.Graphs[0].Layers, multiplex.Layer{Adjacency: g.adjacency(m, "layers", l), Features: g.sub("X").features(m)})
	}
	var got mat.Dense
	r, want := s.follow(nil).Embeddings(0)[0].X, mat.NewDense(m, m, g.data("expect/gram"))
	got.Mul(r, r.T())
	by := 1 / mat.Max(want)
	got.Scale(by, &got)
	want.Scale(by, want)
	g.compare("R R'", &got, want, 5e-5)
}
