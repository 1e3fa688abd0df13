package worker

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// embedded returns the embeddings that a request brings along, as [training.keep] sent them, or the current ones.
func (w *Worker) embedded(q *bridge.Request, r *training) (*cadem.Embeddings, error) {
	s := q.Slab("tokens")
	if s == nil {
		return r.Trainer().Embeddings(0), nil
	}
	m, d, x := w.data.Graph.M(), r.Trainer().Options().Dim, numbers(s)
	if s.Type != bridge.Float32 || len(x) != (1+2*r.layers)*m*d {
		return nil, bridge.Errorf("corrupt", "The embeddings of that epoch are of other data.")
	}
	var all []*mat.Dense
	for range 1 + 2*r.layers {
		next := mat.NewDense(m, d, nil)
		for i := range next.RawMatrix().Data {
			next.RawMatrix().Data[i] = float64(x[i])
		}
		all, x = append(all, next), x[m*d:]
	}
	return &cadem.Embeddings{Consensus: all[0], Private: all[1 : 1+r.layers], Common: all[1+r.layers:]}, nil
}

// leak answers what linear probes read from the embeddings of an epoch: label sets from S and the private ones, and the layer
// from the common and the private parts of pooled copies.
func (w *Worker) leak(q *bridge.Request, r *training, e *cadem.Embeddings) error {
	var args struct {
		Options  map[string]any `json:"options"`
		EvalSeed uint64         `json:"eval_seed"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	s, err := settings(w.data.Dataset, "", args.Options)
	if err != nil {
		return err
	}
	defer w.begin(r)()
	var probes []map[string]any
	if labels := w.data.Graph.Labels; len(labels) > 0 {
		o := s.Scoring()
		o.KMeansRuns = 1 // clusters come with the table; the probe alone is wanted
		rows, err := evaluate.Table(evaluate.Input{Trained: run.Tokens(e)[1:], Targets: labels, Cluster: true}, o, args.EvalSeed,
			func(int, int) error { return w.breathe() })
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.Metric == "ari" {
				probes = append(probes, map[string]any{"embedding": row.Embedding, "target": row.Target, "value": row.Probe})
			}
		}
	}
	if err := w.breathe(); err != nil {
		return err
	}
	o := r.Trainer().Options()
	common, private := run.LayerTold(e, &o, args.EvalSeed)
	q.Reply(map[string]any{"probes": probes, "layer": map[string]any{"common": common, "private": private}})
	return nil
}
