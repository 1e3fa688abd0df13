package worker

import (
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// An attended is the last known attention of the combiner, which goes into exports of the same weights.
type attended struct {
	of   *training
	step int
	list *evaluate.Embedding
}

// attention answers how much the combiner looks at each embedding of each node.
func (w *Worker) attention(q *bridge.Request, r *training, e *cadem.Embeddings) error {
	var args struct {
		Set      string         `json:"set"`
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
	s.EvalSeed = args.EvalSeed
	defer w.begin(r)()
	list := run.Tokens(e)
	found, labels, err := run.AttentionTo(w.data.Dataset, list, args.Set, s, func(int, int) error { return w.breathe() })
	if err != nil {
		return err
	}
	if q.Slab("tokens") == nil {
		w.attended = &attended{r, r.Trainer().Progress().Step, found}
	}
	x := found.Tokens[0]
	m, n := x.Dims()
	values := make([]float32, 0, m*n)
	for i := range m {
		for _, v := range x.RawRowView(i) {
			values = append(values, float32(v))
		}
	}
	var names []string
	for _, of := range list[1:] {
		names = append(names, of.Name)
	}
	q.Reply(map[string]any{"embeddings": names, "classes": meansByClass(x, labels)}, bridge.Float32s("weights", values, m, n))
	return nil
}

// meansByClass are the mean weights of the nodes of each class, with how many there are.
func meansByClass(x *mat.Dense, s *multiplex.LabelSet) []map[string]any {
	var list []map[string]any
	for k, name := range s.Classes {
		_, n := x.Dims()
		mean, nodes := make([]float64, n), 0
		for i, c := range s.Of {
			if c != k {
				continue
			}
			nodes++
			for j, v := range x.RawRowView(i) {
				mean[j] += v
			}
		}
		for j := range mean {
			mean[j] /= float64(max(nodes, 1))
		}
		list = append(list, map[string]any{"class": name, "nodes": nodes, "mean": mean})
	}
	return list
}
