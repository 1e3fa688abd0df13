package worker

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// matrixSlab returns a matrix as a slab of rows x columns.
func matrixSlab(name string, x *mat.Dense) bridge.Slab {
	m, d := x.Dims()
	flat := make([]float32, 0, m*d)
	for i := range m {
		for _, v := range x.RawRowView(i) {
			flat = append(flat, float32(v))
		}
	}
	return bridge.Float32s(name, flat, m, d)
}

// embeddings answers with what names the current embeddings and, if it is asked to, with themselves.
func (w *Worker) embeddings(q *bridge.Request, r *training) error {
	var args struct {
		Whole bool `json:"whole"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	names, all, err := r.present()
	if err != nil {
		return err
	}
	var slabs []bridge.Slab
	for i := 0; args.Whole && i < len(all); i++ {
		slabs = append(slabs, matrixSlab(names[i], all[i]))
	}
	reply := map[string]any{"hash": r.Hash(), "embeddings": names}
	if t := r.Trainer(); t != nil {
		reply["rank_S"] = t.Embeddings(0).Rank
	}
	q.Reply(reply, slabs...)
	return nil
}

// frame answers with one picture of the current weights, and with earlier ones turned onto it.
func (w *Worker) frame(q *bridge.Request, r *training) error {
	fields, xy, err := r.frame(w)
	if err != nil {
		return err
	}
	s := q.Slab("planes")
	if s == nil {
		q.Reply(fields, xy)
		return nil
	}
	earlier := numbers(s)
	run.Turn(earlier, numbers(&xy), xy.Shape[0])
	q.Reply(fields, xy, bridge.Float32s("earlier", earlier))
	return nil
}

// numbers returns the numbers of a slab of single precision.
func numbers(s *bridge.Slab) []float32 {
	x := make([]float32, len(s.Data)/4)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.Data[4*i:]))
	}
	return x
}

// The clusters of a picture are the best from some starts, fewer for large data: nothing
// is let in meanwhile.
const (
	mostStarts  = 10
	clusterWork = 1 << 27 // multiply-adds
	passes      = 15      // of Lloyd's iteration, typically
)

func starts(nodes, dim, k int) int {
	return max(1, min(mostStarts, clusterWork/(passes*nodes*dim*k)))
}

// clusters cuts a present embedding into k groups.
func (w *Worker) clusters(q *bridge.Request, r *training) error {
	names, all, err := r.present()
	if err != nil {
		return err
	}
	return w.cluster(q, names, all)
}

// groups cuts one of some embeddings into k groups.
func (w *Worker) groups(q *bridge.Request, _ *training, e *cadem.Embeddings) error {
	names, all := list(e)
	return w.cluster(q, names, all)
}

// cluster answers with k groups of one of the embeddings of those names.
func (w *Worker) cluster(q *bridge.Request, names []string, all []*mat.Dense) error {
	var args struct {
		Embedding string `json:"embedding"`
		K         int    `json:"k"`
		EvalSeed  uint64 `json:"eval_seed"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	i := slices.Index(names, args.Embedding)
	if i < 0 {
		return diag.Option("embedding", strconv.Quote(args.Embedding), "one of "+strings.Join(names, ", "))
	}
	m, d := all[i].Dims()
	if args.K < 1 || args.K > m {
		return diag.Option("k", strconv.Itoa(args.K), fmt.Sprintf("a whole number from 1 to %d, the number of nodes", m))
	}
	found := evaluate.KMeans(all[i], args.K, starts(m, d, args.K), rng.New(args.EvalSeed, "clusters/"+args.Embedding)).Labels
	q.Reply(map[string]any{"scores": agreement(w.data.Graph, found)}, bridge.Int32s("clusters", found))
	return nil
}

// evaluate scores the current embeddings on all label sets.
func (w *Worker) evaluate(q *bridge.Request, r *training) error {
	if _, _, err := r.present(); err != nil {
		return err
	}
	trained, untrained := r.Tokens(r.Embeddings(0))
	return w.scored(q, r, trained, untrained)
}

// score answers how well all label sets can be read from embeddings of a run of CaDeM.
func (w *Worker) score(q *bridge.Request, r *training, e *cadem.Embeddings) error {
	return w.scored(q, r, run.Tokens(e), run.Tokens(r.Untrained))
}

func (w *Worker) scored(q *bridge.Request, r *training, trained, untrained []evaluate.Embedding) error {
	var args struct {
		Options  map[string]any `json:"options"`
		EvalSeed uint64         `json:"eval_seed"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	o := r.Settings.Scoring()
	if err := property.SetAll(args.Options, &o); err != nil {
		return err
	}
	defer w.begin(r)()
	in, of, scores := w.data.Dataset.Input(trained, untrained), "", []evaluate.Score{}
	in.Tell = func(embedding string) { of = embedding }
	if len(in.Targets) > 0 {
		var err error
		if scores, err = evaluate.Table(in, o, args.EvalSeed, w.tell(q, "scoring", &of)); err != nil {
			return err
		}
	}
	q.Reply(map[string]any{"scores": scores})
	return nil
}

// agreement is the agreement of clusters with every label set, by each metric of clusters.
func agreement(g *multiplex.Graph, found []int) []map[string]any {
	scores := []map[string]any{}
	for _, l := range g.Labels {
		var truth, cluster []int
		for node, c := range l.Of {
			if c != multiplex.Missing {
				truth, cluster = append(truth, c), append(cluster, found[node])
			}
		}
		if len(truth) == 0 {
			continue
		}
		score := map[string]any{"labels": l.Name}
		for _, m := range evaluate.Metrics {
			if m.From == evaluate.Clusters {
				score[m.Name] = m.Of(truth, cluster)
			}
		}
		scores = append(scores, score)
	}
	return scores
}
