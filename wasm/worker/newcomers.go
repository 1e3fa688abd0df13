package worker

import (
	"bytes"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/evaluate"
	"cadem.example/core/formats/export"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// A newcomer is a node of other files, which the run has not seen.
type newcomer struct {
	Node    string            `json:"node"`
	Links   int               `json:"links"` // to nodes that the run has seen
	Classes map[string]string `json:"classes"`
	From    []cause           `json:"from"` // contributions to S by node, the longest first
}

// A cause is a node that the run has seen, by its number, in one layer; -1: the new node's own features.
type cause struct {
	Node  int     `json:"node"`
	Layer int     `json:"layer"`
	Share float64 `json:"share"`
}

// applied is what a model finds in other files, or names a file of all embeddings.
type applied struct {
	New       []newcomer       `json:"new"`
	Known     int              `json:"known"`
	Unknown   int              `json:"unknown"`
	Apart     int              `json:"apart"`
	Predicted []run.Prediction `json:"predicted"`
	Notes     []string         `json:"notes"`
	written
}

// newcomersArgs are the arguments of newcomers.
type newcomersArgs struct {
	Data   run.DataSpec       `json:"data"`
	Scores map[string]float64 `json:"scores"`
	Format string             `json:"format"`
}

// newcomers embeds the nodes of files that the run has not seen, or answers with a file of all embeddings.
func (w *explainer) newcomers(_ *Worker, q *bridge.Request, r *training, given any) error {
	args := given.(*newcomersArgs)
	if !summed(r) {
		return bridge.Errorf("bad-request", "The method %s embeds no new nodes: CaDeM does.", r.Settings.Method.Name)
	}
	defer w.begin(r)()
	data, err := w.load(args.Data, q)
	if err != nil {
		return err
	}
	m, err := w.frozen(r)
	if err != nil {
		return err
	}
	var scores []evaluate.Score
	for target, v := range args.Scores {
		scores = append(scores, evaluate.Score{Embedding: run.Combined, Target: target, Metric: "macro_f1", Value: v})
	}
	model, err := run.Leaving(m, w.data.Dataset, r.Settings, scores)
	if err != nil {
		return err
	}
	a, err := run.Apply(model, data.Dataset, func(int, int) error { return w.breathe() })
	if err != nil {
		return err
	}
	if args.Format != "" {
		f, err := export.Lookup(args.Format)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := run.Export(&out, f, a.Data, a.Scored[1:], run.Axes(a.Embedded), true); err != nil {
			return err
		}
		return q.Reply(written{fmt.Sprintf("%s-with-new-nodes.%s", baseName(w.data.Name), f.Name), f.MIME}, bridge.Bytes("file", out.Bytes()))
	}
	const most = 3 // causes
	list, g, first := []newcomer{}, a.Data.Graph, len(a.Data.Graph.Labels)-len(a.Predicted)
	for k, i := range a.New {
		n := newcomer{Node: g.NodeName(i), Classes: map[string]string{}, From: []cause{}}
		for _, links := range a.Nodes[k].Links {
			n.Links += len(links)
		}
		for t, p := range a.Predicted {
			n.Classes[p.Target] = g.Labels[first+t].ClassOf(i)
		}
		for _, t := range a.Because(k, most) {
			n.From = append(n.From, cause{t.Node, t.Layer, t.Share})
		}
		list = append(list, n)
	}
	var slabs []bridge.Slab
	for t := range a.Predicted {
		var classes []int
		for _, i := range a.New {
			classes = append(classes, g.Labels[first+t].Of[i])
		}
		slabs = append(slabs, bridge.Int32s(fmt.Sprintf("classes:%d", t), classes))
	}
	if s := q.Slab("xy"); s != nil && len(a.New) > 0 {
		places, err := w.fresh(r, a, numbers(s))
		if err != nil {
			return err
		}
		if places != nil {
			slabs = append(slabs, bridge.Float32s("places", places))
		}
	}
	return q.Reply(applied{list, a.Found.Known, a.Unknown, a.Apart, append([]run.Prediction{}, a.Predicted...), a.Notes, written{}}, slabs...)
}

// fresh returns the places of new nodes in a picture of the current embeddings S and P_l of a run; nil if it is no projection of them.
func (w *explainer) fresh(r *training, a *run.Application, xy []float32) (places []float32, err error) {
	draws, err := w.drawing(r, xy, false)
	if draws == nil || err != nil {
		return nil, err
	}
	for k, all := range append([]*mat.Dense{a.Embedded.Consensus}, a.Embedded.Private...) {
		_, d := all.Dims()
		x := mat.NewDense(len(a.New), d, nil)
		for n, i := range a.New {
			x.SetRow(n, all.RawRowView(i))
		}
		places = append(places, draws[k].Draw(x)...)
	}
	return places, nil
}
