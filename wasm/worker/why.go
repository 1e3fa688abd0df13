package worker

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem/frozen"
	"cadem.example/core/multiplex"
	"cadem.example/core/project"
	"cadem.example/core/train"
	"cadem.example/wasm/bridge"
)

// An explainer is a worker that answers questions about models.
type explainer struct {
	*Worker
	asked *frozenRun
}

// frozenRun is the model of the current weights of a run, kept from one question to the next.
type frozenRun struct {
	of    *training
	step  int
	model *frozen.Model
	// How the picture that was asked about last draws embeddings: this takes as long as all else that a change asks for.
	xy     []float32
	common bool
	draws  []*project.Affine // nil where it is no projection of them
	still  [][]float32       // where it has nodes by layers of which no link changes, as far as it was asked
}

// A contribution is one part of a place. Numbers that do not apply are -1.
type contribution struct {
	Node    int     `json:"node"`
	Feature int     `json:"feature"`
	Layer   int     `json:"layer"`
	Share   float64 `json:"share"`
}

// link is one whose weight is to be another; without a weight it goes where it is there, and else comes.
type link struct {
	Layer  int      `json:"layer"`
	I      int      `json:"i"`
	J      int      `json:"j"`
	Weight *float64 `json:"weight,omitempty"`
}

// summed reports whether places of a run are sums over nodes: of CaDeM, and of what is one linear map.
func summed(r *training) bool {
	return r.Trainer() != nil || r.Settings.Method.Name == train.Without[0]
}

// explained has what makes the place of a node: the longest of all contributions, and the shares of what else there is.
type explained struct {
	Terms  []contribution `json:"terms"`
	Count  int            `json:"count"`
	Rest   float64        `json:"rest"`
	Bias   float64        `json:"bias"`
	Mean   float64        `json:"mean"`
	Left   float64        `json:"left"` // by the split
	Place  []float64      `json:"place"`
	Length float64        `json:"length"`
	Moved  float64        `json:"moved"` // by the links
	Step   int            `json:"step"`
	Links  []link         `json:"links"`
}

// whyArgs are the arguments of why.
type whyArgs struct {
	Of     string `json:"of"`
	Layer  int    `json:"layer"`
	Node   int    `json:"node"`
	By     string `json:"by"`
	Most   int    `json:"most"`
	Links  []link `json:"links"`
	Common bool   `json:"common"`
}

// why answers which contributions make the place of a node, with present or other links.
func (w *explainer) why(_ *Worker, q *bridge.Request, r *training, given any) error {
	args := given.(*whyArgs)
	g := w.data.Graph
	bad := func(format string, values ...any) error { return bridge.Errorf("bad-request", format, values...) }
	of, known := map[string]frozen.Target{"C": frozen.C, "P": frozen.P, "S": frozen.S}[args.Of]
	switch inside := func(i int) bool { return i >= 0 && i < g.M() }; {
	case !summed(r):
		return bad("The method %s has no sums to show: CaDeM has.", r.Settings.Method.Name)
	case r.Trainer() == nil && of != frozen.S:
		return bad("Found %q, expected S: the method %s makes one embedding.", args.Of, r.Settings.Method.Name)
	case !known || args.By != "node" && args.By != "feature":
		return bad("Found %q by %q, expected C, P or S by node or feature.", args.Of, args.By)
	case !inside(args.Node) || args.Layer < 0 || args.Layer >= g.N() || args.Most < 1:
		return bad("Found node %d of layer %d and %d parts, expected those that there are.", args.Node, args.Layer, args.Most)
	default:
		for _, l := range args.Links {
			if l.Layer < 0 || l.Layer >= g.N() || !inside(l.I) || !inside(l.J) {
				return bad("Found a link of nodes %d and %d in layer %d, expected those that there are.", l.I, l.J, l.Layer)
			}
		}
	}
	defer w.begin(r)()
	m, err := w.frozen(r)
	if err != nil {
		return err
	}
	before, err := m.Why(of, args.Layer, 0, args.Node)
	if err != nil {
		return err
	}
	for k := range args.Links {
		l := &args.Links[k]
		if l.Weight == nil {
			l.Weight = new(float64)
			if !m.Linked(0, l.Layer, l.I, l.J) {
				*l.Weight = 1
			}
		}
		if m, err = m.WithLink(0, l.Layer, l.I, l.J, *l.Weight); err != nil {
			return err
		}
	}
	now, err := m.Why(of, args.Layer, 0, args.Node)
	if err != nil {
		return err
	}
	terms := now.ByNode()
	if args.By == "feature" {
		terms = now.ByFeature()
	}
	first, rest := now.Strongest(terms, args.Most)
	list := []contribution{}
	for _, c := range first {
		list = append(list, contribution{c.Node, c.Feature, c.Layer, c.Share})
	}
	bias, mean, left := now.Shares()
	moved := 0.0
	for k, x := range now.Place {
		d := x - before.Place[k]
		moved += float64(d * d)
	}
	parts := []float64{}
	for _, c := range append(first, rest, frozen.Term{X: now.Bias}, frozen.Term{X: now.Mean}, frozen.Term{X: now.Left}) {
		parts = append(parts, c.X...)
	}
	slabs := []bridge.Slab{bridge.Float64s("parts", parts, len(first)+4, len(now.Place))}
	if s := q.Slab("xy"); s != nil {
		places, err := w.redrawn(r, m, args.Links, numbers(s), args.Common)
		if err != nil {
			return err
		}
		if places != nil {
			slabs = append(slabs, bridge.Float32s("places", places))
		}
		if args.By == "node" && (of == frozen.S || args.Common == (of == frozen.C)) {
			slabs = append(slabs, w.arrows(r, now, terms)...)
		}
	}
	return q.Reply(explained{list, len(terms), rest.Share, bias, mean, left, now.Place, now.Length(), math.Sqrt(moved), r.Progress().Steps,
		append([]link{}, args.Links...)}, slabs...)
}

// mostArrows is the largest number of contributions that are drawn one by one. The weaker ones are drawn as their sum.
const mostArrows = 300

// arrows returns the contributions to a place as steps in the picture of the request, and the nodes that make them; nil if the picture is no
// projection. The first rows are the place of 0, the untrained place of the node, and the contributions that no node makes.
func (w *explainer) arrows(r *training, a *frozen.Why, terms []frozen.Term) []bridge.Slab {
	draws := w.asked.draws
	if draws == nil {
		return nil
	}
	k, untrained := 0, mat.NewDense(w.data.Graph.M(), len(a.Place), nil) // of what is not trained there is none
	if r.Trainer() != nil {
		untrained = r.Untrained.Consensus
	}
	switch a.Target {
	case frozen.C:
		k, untrained = a.Layer+1, r.Untrained.Common[a.Layer]
	case frozen.P:
		k, untrained = a.Layer+1, r.Untrained.Private[a.Layer]
	}
	draw, rows, nodes := draws[k], []float32{}, []int{}
	for _, x := range [][]float64{make([]float64, len(a.Place)), untrained.RawRowView(a.Node)} {
		rows = append(append(rows, draw.Draw(mat.NewDense(1, len(x), x))...), 0)
	}
	add := func(x []float64, share float64) {
		by := draw.Along(x)
		rows = append(rows, float32(by[0]), float32(by[1]), float32(share))
	}
	bias, mean, left := a.Shares()
	add(a.Bias, bias)
	add(a.Mean, mean)
	add(a.Left, left)
	first, rest := a.Strongest(terms, mostArrows)
	add(rest.X, rest.Share)
	for _, t := range first {
		add(t.X, t.Share)
		nodes = append(nodes, t.Node)
	}
	return []bridge.Slab{bridge.Float32s("arrows", rows), bridge.Int32s("from", nodes)}
}

// drawable is the largest distance of places of a picture from a projection of an embedding, in units of its extent, for others to be drawn
// beside: those of t-SNE are further.
const drawable = 1e-3

// redrawn returns the places of all nodes by a model with other links, in a picture of the current embeddings of a run: of S and the P_l, or the C_l.
func (w *explainer) redrawn(r *training, m *frozen.Model, changed []link, xy []float32, common bool) ([]float32, error) {
	of := frozen.P
	if common {
		of = frozen.C
	}
	draws, err := w.drawing(r, xy, common)
	if draws == nil || err != nil {
		return nil, err
	}
	var places []float32
	for k := range draws {
		target, l := frozen.S, 0
		moves := true
		if k > 0 {
			target, l = of, k-1
			moves = slices.ContainsFunc(changed, func(c link) bool { return c.Layer == l })
		}
		still := &w.asked.still[k]
		if !moves && *still != nil {
			places = append(places, *still...)
			continue
		}
		x, err := m.Places(target, l, 0)
		if err != nil {
			return nil, err
		}
		n := w.data.Graph.M()
		drawn := draws[k].Draw(mat.NewDense(n, len(x)/n, x))
		if places = append(places, drawn...); !moves {
			*still = drawn
		}
	}
	return places, nil
}

// drawing returns the maps from the current embeddings of a run, S and the P_l, or the C_l, to a picture; nil if it is no projection of them.
func (w *explainer) drawing(r *training, xy []float32, common bool) ([]*project.Affine, error) {
	kept := w.asked // which who asks has made
	if kept.common == common && slices.Equal(kept.xy, xy) {
		return kept.draws, nil
	}
	shown := []*mat.Dense{r.Embeddings(0)[0].X}
	if t := r.Trainer(); t != nil {
		e := t.Embeddings(0)
		if shown = append([]*mat.Dense{e.Consensus}, e.Private...); common {
			shown = append(shown[:1], e.Common...)
		}
	}
	n := w.data.Graph.M()
	if len(xy) != 2*n*len(shown) {
		return nil, bridge.Errorf("internal", "a picture has a place for every node in S and each layer")
	}
	kept.xy, kept.common, kept.draws, kept.still = xy, common, nil, make([][]float32, len(shown))
	var draws []*project.Affine
	for k, x := range shown {
		draw, off := project.Fit(x, xy[2*n*k:2*n*(k+1)])
		if off > drawable {
			return nil, nil
		}
		draws = append(draws, draw)
	}
	kept.draws = draws
	return draws, nil
}

// frozen returns the model of the current weights.
func (w *explainer) frozen(r *training) (*frozen.Model, error) {
	step := r.Progress().Steps
	if a := w.asked; a != nil && a.of == r && a.step == step {
		return a.model, nil
	}
	w.asked = nil
	m, err := w.modelOf(r)
	if err != nil {
		return nil, fmt.Errorf("what makes a place: %w", err)
	}
	w.asked = &frozenRun{of: r, step: step, model: m}
	return m, nil
}

// modelOf returns the model of the current weights of a run.
func (w *Worker) modelOf(r *training) (*frozen.Model, error) {
	if t := r.Trainer(); t != nil {
		return frozen.New(t, []*multiplex.Graph{w.data.Graph}, func(int, int) error { return w.breathe() })
	}
	return r.Linear(w.data.Graph)
}
