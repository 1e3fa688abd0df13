package measure

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// Names of what is scored beside [run.Tokens] on data with labels of nodes.
const (
	privateTokens = "private"         // P_1 to P_N as tokens, without S
	concatenated  = "concatenated"    // S and all P side by side as one token, without attention
	ZeroTokens    = "common+zeros"    // S, and zeros in place of every P
	ShuffledRows  = "common+shuffled" // S, and every P with its rows dealt to other nodes
	NoEncoder     = "features"        // Propagated features, without any encoder
)

// realTokens returns [run.Tokens] and the controls beside them. The seed deals the rows.
func realTokens(e *cadem.Embeddings, seed uint64) []evaluate.Embedding {
	list := run.Tokens(e)
	all := list[0].Tokens
	m, d := e.Consensus.Dims()
	row := make([]int, m)
	rng.New(seed, "study/shuffled rows").Perm(row)
	joined, zeros, shuffled := beside(all), []*mat.Dense{e.Consensus}, []*mat.Dense{e.Consensus}
	for t, x := range all {
		if t == 0 {
			continue
		}
		dealt := mat.NewDense(m, d, nil)
		for i, k := range row {
			dealt.SetRow(i, x.RawRowView(k))
		}
		zeros, shuffled = append(zeros, mat.NewDense(m, d, nil)), append(shuffled, dealt)
	}
	return append(list, evaluate.Embedding{Name: privateTokens, Tokens: e.Private}, evaluate.Embedding{Name: concatenated, Tokens: []*mat.Dense{joined}},
		evaluate.Embedding{Name: ZeroTokens, Tokens: zeros}, evaluate.Embedding{Name: ShuffledRows, Tokens: shuffled})
}

// features adds what is read from the leading directions of the propagated features of all layers, without any encoder, by the readers that
// embeddings have.
func (w *Work) features() error {
	d, s := w.Dataset, w.Settings
	layers := len(d.Graph.Layers)
	joined := mat.NewDense(d.Graph.M(), layers*LeadingWidth, nil)
	for l := range layers {
		q, err := leading(d.Graph, l, s.CaDeM(), steps(w.Yield, l, layers+1))
		if err != nil {
			return err
		}
		paste(joined, l*LeadingWidth, q)
	}
	x := evaluate.Embedding{Name: NoEncoder, Tokens: []*mat.Dense{joined}}
	in := evaluate.Input{Trained: []evaluate.Embedding{x}, Targets: d.Graph.Labels, Classify: true}
	if w.Fitted {
		in.Fit = evaluate.Fitted
	}
	scores, err := evaluate.Table(in, s.Scoring(), s.EvalSeed, steps(w.Yield, layers, layers+1))
	if err != nil {
		return fmt.Errorf("propagated features: %w", err)
	}
	return w.Result.scored(scores, nil)
}
