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

// embeddingsArgs are the arguments of embeddings.
type embeddingsArgs struct {
	Whole bool `json:"whole"`
}

// present names the current embeddings.
type present struct {
	Hash       string   `json:"hash"`
	Embeddings []string `json:"embeddings"`
	Rank       int      `json:"rank_S,omitempty"`
}

// embeddings answers with what names the current embeddings and, if it is asked to, with themselves.
func (w *Worker) embeddings(q *bridge.Request, r *training, given any) error {
	args := given.(*embeddingsArgs)
	names, all, err := r.present()
	if err != nil {
		return err
	}
	var slabs []bridge.Slab
	for i := 0; args.Whole && i < len(all); i++ {
		slabs = append(slabs, matrixSlab(names[i], all[i]))
	}
	reply := present{Hash: r.Hash(), Embeddings: names}
	if t := r.Trainer(); t != nil {
		reply.Rank = t.Embeddings(0).Rank
	}
	return q.Reply(reply, slabs...)
}

// frame answers with one picture of the current weights, and with earlier ones turned onto it.
func (w *Worker) frame(q *bridge.Request, r *training, _ any) error {
	fields, xy, err := r.frame(w)
	if err != nil {
		return err
	}
	s := q.Slab("planes")
	if s == nil {
		return q.Reply(fields, xy)
	}
	earlier := numbers(s)
	run.Turn(earlier, numbers(&xy), xy.Shape[0])
	return q.Reply(fields, xy, bridge.Float32s("earlier", earlier))
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

// clusterArgs are the arguments of clusters and groups.
type clusterArgs struct {
	Embedding string `json:"embedding"`
	K         int    `json:"k"`
	EvalSeed  uint64 `json:"eval_seed"`
}

// clustered has the agreement of clusters with every label set, by each metric of clusters.
type clustered struct {
	Scores []map[string]any `json:"scores"`
}

// clusters cuts a present embedding into k groups.
func (w *Worker) clusters(q *bridge.Request, r *training, given any) error {
	args := given.(*clusterArgs)
	names, all, err := r.present()
	if err != nil {
		return err
	}
	return w.cluster(q, names, all, args)
}

// groups cuts one of some embeddings into k groups.
func (w *Worker) groups(q *bridge.Request, _ *training, e *cadem.Embeddings, given any) error {
	args := given.(*clusterArgs)
	names, all := list(e)
	return w.cluster(q, names, all, args)
}

// cluster answers with k groups of one of the embeddings of those names.
func (w *Worker) cluster(q *bridge.Request, names []string, all []*mat.Dense, given any) error {
	args := given.(*clusterArgs)
	i := slices.Index(names, args.Embedding)
	if i < 0 {
		return diag.Option("embedding", strconv.Quote(args.Embedding), "one of "+strings.Join(names, ", "))
	}
	m, d := all[i].Dims()
	if args.K < 1 || args.K > m {
		return diag.Option("k", strconv.Itoa(args.K), fmt.Sprintf("a whole number from 1 to %d, the number of nodes", m))
	}
	found := evaluate.KMeans(all[i], args.K, starts(m, d, args.K), rng.New(args.EvalSeed, "clusters/"+args.Embedding)).Labels
	return q.Reply(clustered{agreement(w.data.Graph, found)}, bridge.Int32s("clusters", found))
}

// scoreArgs are the arguments of evaluate, past and leak.
type scoreArgs struct {
	Options  map[string]any `json:"options"`
	EvalSeed uint64         `json:"eval_seed"`
}

type scored struct {
	Scores []evaluate.Score `json:"scores"`
}

// evaluate scores the current embeddings on all label sets.
func (w *Worker) evaluate(q *bridge.Request, r *training, given any) error {
	args := given.(*scoreArgs)
	if _, _, err := r.present(); err != nil {
		return err
	}
	trained, untrained := r.Tokens(r.Embeddings(0))
	return w.scored(q, r, args, trained, untrained)
}

// score answers how well all label sets can be read from embeddings of a run of CaDeM.
func (w *Worker) score(q *bridge.Request, r *training, e *cadem.Embeddings, given any) error {
	args := given.(*scoreArgs)
	return w.scored(q, r, args, run.Tokens(e), run.Tokens(r.Untrained))
}

func (w *Worker) scored(q *bridge.Request, r *training, args *scoreArgs, trained, untrained []evaluate.Embedding) error {
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
	return q.Reply(scored{scores})
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
