package worker

import (
	"fmt"
	"math"

	"cadem/core/cadem/frozen"
	"cadem/core/multiplex"
	"cadem/wasm/bridge"
)

// frozenRun is the model of the current weights of a run, kept from one question to the next.
type frozenRun struct {
	of    *training
	step  int
	model *frozen.Model
}

// A contribution is one of what makes a place. Numbers that do not apply are -1.
type contribution struct {
	Node    int     `json:"node"`
	Feature int     `json:"feature"`
	Layer   int     `json:"layer"`
	Share   float64 `json:"share"`
}

// link is one whose weight is to be another.
type link struct {
	Layer  int     `json:"layer"`
	I      int     `json:"i"`
	J      int     `json:"j"`
	Weight float64 `json:"weight"`
}

// why answers what makes the place of a node, as it is or with other links.
func (w *Worker) why(q *bridge.Request, r *training) error {
	var args struct {
		Of    string `json:"of"`
		Layer int    `json:"layer"`
		Node  int    `json:"node"`
		By    string `json:"by"`
		Most  int    `json:"most"`
		Links []link `json:"links"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	t, g := r.Trainer(), w.data.Graph
	bad := func(format string, values ...any) error { return bridge.Errorf("bad-request", format, values...) }
	of, known := map[string]frozen.Target{"C": frozen.C, "P": frozen.P, "S": frozen.S}[args.Of]
	switch inside := func(i int) bool { return i >= 0 && i < g.M() }; {
	case t == nil:
		return bad("The method %s has no sums to show: CaDeM has.", r.Settings.Method.Name)
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
	for _, l := range args.Links {
		if m, err = m.WithLink(0, l.Layer, l.I, l.J, l.Weight); err != nil {
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
	q.Reply(map[string]any{"terms": list, "count": len(terms), "rest": rest.Share, "bias": bias, "mean": mean, "left": left,
		"place": now.Place, "length": now.Length(), "moved": math.Sqrt(moved), "step": t.Progress().Step})
	return nil
}

// frozen returns the model of the current weights.
func (w *Worker) frozen(r *training) (*frozen.Model, error) {
	step := r.Trainer().Progress().Step
	if a, ok := w.model.(*frozenRun); ok && a.of == r && a.step == step {
		return a.model, nil
	}
	w.model = nil
	m, err := frozen.New(r.Trainer(), []*multiplex.Graph{w.data.Graph}, func(int, int) error { return w.breathe() })
	if err != nil {
		return nil, fmt.Errorf("what makes a place: %w", err)
	}
	w.model = &frozenRun{r, step, m}
	return m, nil
}
