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

// leaks are the scores of linear probes: ARI with label sets, and how often one finds the layer.
type leaks struct {
	Probes []probed   `json:"probes"`
	Layer  layerProbe `json:"layer"`
}

type probed struct {
	Embedding string  `json:"embedding"`
	Target    string  `json:"target"`
	Value     float64 `json:"value"`
}

type layerProbe struct {
	Common  float64 `json:"common"`
	Private float64 `json:"private"`
}

// leak answers what linear probes read from the embeddings of an epoch: label sets from S and the private ones, and the layer
// from the common and the private parts of pooled copies.
func (w *Worker) leak(q *bridge.Request, r *training, e *cadem.Embeddings, given any) error {
	args := given.(*scoreArgs)
	s, err := settings(w.data.Dataset, "", args.Options)
	if err != nil {
		return err
	}
	defer w.begin(r)()
	var probes []probed
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
				probes = append(probes, probed{row.Embedding, row.Target, row.Probe})
			}
		}
	}
	if err := w.breathe(); err != nil {
		return err
	}
	o := r.Trainer().Options()
	common, private := run.LayerAccuracy(e, &o, args.EvalSeed)
	return q.Reply(leaks{probes, layerProbe{common, private}})
}
