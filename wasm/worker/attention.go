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

// attentions has how much the combiner looks at each embedding, as means of classes; that of each node comes along.
type attentions struct {
	Embeddings []string    `json:"embeddings"`
	Classes    []classMean `json:"classes"`
}

type classMean struct {
	Class string    `json:"class"`
	Nodes int       `json:"nodes"`
	Mean  []float64 `json:"mean"`
}

// attentionArgs are the arguments of attention.
type attentionArgs struct {
	Set      string         `json:"set"`
	Options  map[string]any `json:"options"`
	EvalSeed uint64         `json:"eval_seed"`
}

// attention answers how much the combiner looks at each embedding of each node.
func (w *Worker) attention(q *bridge.Request, r *training, e *cadem.Embeddings, given any) error {
	args := given.(*attentionArgs)
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
	var names []string
	for _, of := range list[1:] {
		names = append(names, of.Name)
	}
	return q.Reply(attentions{names, meansByClass(x, labels)}, matrixSlab("weights", x))
}

// meansByClass are the mean weights of the nodes of each class, with how many there are.
func meansByClass(x *mat.Dense, s *multiplex.LabelSet) []classMean {
	var list []classMean
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
		list = append(list, classMean{name, nodes, mean})
	}
	return list
}
