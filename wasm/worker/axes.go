package worker

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/project"
	"cadem.example/wasm/bridge"
)

// mostLaidOut is the largest number of nodes that t-SNE lays out here, whose time grows with their square: of more it lays out a sample, and the
// others are put beside their nearest.
const mostLaidOut = 3000

// Layouts are those of t-SNE that were begun for a request of the page, so that one which was stopped can go on.
type layouts struct {
	of    string // what the page calls them
	done  [][]float32
	next  layout                       // nil between two
	whole func(xy []float32) []float32 // the places of all nodes, of those that next lays out
}

// A layout is a [project.TSNE]. Every program has a [Worker], and would have what its fields are of.
type layout interface {
	Step()
	Done() bool
	Progress() (done, of int)
	Layout(dst []float32) []float32
}

// plotted says what is in a picture along other axes.
type plotted struct {
	Explained []float64    `json:"explained,omitempty"`
	Shares    [][2]float64 `json:"shares,omitempty"`
	Aside     int          `json:"aside,omitempty"`   // nodes without links, which stand below
	Sampled   int          `json:"sampled,omitempty"` // nodes that were laid out, if not all were
}

// laidOut says how far a layout is, and of which embedding it comes along.
type laidOut struct {
	Embedding int `json:"embedding"`
	Done      int `json:"done"`
	Total     int `json:"total"`
}

// axesArgs are the arguments of axes.
type axesArgs struct {
	Axes    string `json:"axes"`
	Common  bool   `json:"common"` // the C_l in place of the P_l
	Columns [2]int `json:"columns"`
	Seed    uint64 `json:"eval_seed"`
	Of      string `json:"of"`
}

// axes draws the embeddings of an epoch along other axes than those of a frame.
func (w *Worker) axes(q *bridge.Request, r *training, e *cadem.Embeddings, given any) error {
	args := given.(*axesArgs)
	var err error
	_, list := list(e)
	if args.Common {
		list = append(list[:1:1], e.Common...)
	}
	m, d := e.Consensus.Dims()
	var xy []float32
	var shares [][2]float64
	switch args.Axes {
	case "principal":
		if args.Common { // as a frame draws the others
			e.Private = e.Common
		}
		var film run.Film
		var explained []float64
		if xy, explained, err = film.Frame(e); err != nil {
			return err
		}
		return q.Reply(plotted{Explained: explained}, bridge.Float32s("xy", xy, len(list), m, 2))
	case "separating":
		classes := q.Slab("classes")
		if classes == nil || len(classes.Data) != 4*m*len(list) {
			return bridge.Errorf("internal", "every embedding needs a class for every node")
		}
		of := make([]int, m*len(list))
		for i := range of {
			of[i] = int(int32(binary.LittleEndian.Uint32(classes.Data[4*i:])))
		}
		for k, x := range list {
			plane, share, err := project.Separate(x, of[k*m:(k+1)*m])
			if err != nil {
				return err
			}
			xy, shares = append(xy, plane...), append(shares, share)
		}
	case "columns":
		for _, c := range args.Columns {
			if c < 1 || c > d {
				return &bridge.Error{Code: "bad-option", Field: "axes", Message: fmt.Sprintf("axes: found column %d, expected 1 to %d", c, d)}
			}
		}
		for _, x := range list {
			for i := range m {
				row := x.RawRowView(i)
				xy = append(xy, float32(row[args.Columns[0]-1]), float32(row[args.Columns[1]-1]))
			}
		}
	case "whole":
		var whole []float32
		for _, x := range slices.Concat(list[:1+r.layers], e.Common) {
			for _, v := range x.RawMatrix().Data {
				whole = append(whole, float32(v))
			}
		}
		return q.Reply(none{}, bridge.Float32s("tokens", whole))
	case "tsne":
		var p plotted
		if xy, p.Aside, p.Sampled, err = w.layOut(q, r, list, args.Of, args.Seed); err != nil {
			return err
		}
		return q.Reply(p, bridge.Float32s("xy", xy, len(list), m, 2))
	default:
		return bridge.Errorf("internal", "there are no axes %q", args.Axes)
	}
	return q.Reply(plotted{Shares: shares}, bridge.Float32s("xy", xy, len(list), m, 2))
}

// layOut returns the t-SNE of embeddings, one after the other. The page hears several times a second of how far it is and of the
// layout as it stands; one that is stopped goes on when it is asked for again.
//
// Nodes without any link have the same embedding, or none of their own. As points of the layout they would attract each other and
// nothing else, and fly so far that the rest is a dot: they stand aside, and it is returned how many. Of too many others a sample is laid out, of the
// size that is returned, and 0 if it is all of them.
func (w *Worker) layOut(q *bridge.Request, r *training, list []*mat.Dense, of string, seed uint64) (xy []float32, aside, sampled int, err error) {
	if w.layouts.of != of {
		w.layouts = layouts{of: of}
	}
	l := &w.layouts
	defer w.begin(r)()
	linked, lone := apart(w.data.Graph)
	var sent time.Time
	for k := len(l.done); k < len(list); k++ {
		if l.next == nil {
			if err := l.begin(list[k], linked, lone, seed, w.breathe); err != nil {
				return nil, 0, 0, err
			}
		}
		for !l.next.Done() {
			l.next.Step()
			if now := time.Now(); now.Sub(sent) >= progressEvery {
				sent = now
				done, total := l.next.Progress()
				if err := q.Event("layout", laidOut{k, k*total + done, len(list) * total},
					bridge.Float32s("xy", l.whole(l.next.Layout(nil)))); err != nil {
					return nil, 0, 0, err
				}
			}
			if err := w.breathe(); err != nil {
				return nil, 0, 0, err
			}
		}
		l.done, l.next = append(l.done, l.whole(l.next.Layout(nil))), nil
	}
	for _, x := range l.done {
		xy = append(xy, x...)
	}
	if len(linked) > mostLaidOut {
		sampled = mostLaidOut
	}
	return xy, len(lone), sampled, nil
}

// begin begins the t-SNE of the linked nodes of an embedding, or of a sample of them.
func (l *layouts) begin(x *mat.Dense, linked, lone []int, seed uint64, breathe func() error) error {
	x = rowsOf(x, linked)
	placed, err := project.NewPlacement(x, mostLaidOut, seed, func(int) error { return breathe() })
	if err != nil {
		return err
	}
	next, err := project.NewTSNE(rowsOf(x, placed.Sample), project.TSNEDefaults(), seed)
	if err != nil {
		return err
	}
	l.next, l.whole = next, func(xy []float32) []float32 { return beside(placed.All(xy), linked, lone) }
	return nil
}

// apart returns the nodes that have a link in some layer and those that have none; all are among the first where these are too few to be
// laid out by themselves.
func apart(g *multiplex.Graph) (linked, lone []int) {
	const fewest = 4
	for i := range g.M() {
		joined := slices.ContainsFunc(g.Layers, func(l multiplex.Layer) bool {
			return slices.ContainsFunc(l.Adjacency.Index[l.Adjacency.Start[i]:l.Adjacency.Start[i+1]], func(j int32) bool { return int(j) != i })
		})
		if joined {
			linked = append(linked, i)
		} else {
			lone = append(lone, i)
		}
	}
	if len(linked) < fewest {
		return append(linked, lone...), nil
	}
	return linked, lone
}

// rowsOf returns some rows of a matrix; the matrix itself where these are all.
func rowsOf(x *mat.Dense, rows []int) *mat.Dense {
	m, d := x.Dims()
	if len(rows) == m {
		return x
	}
	some := mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		some.SetRow(k, x.RawRowView(i))
	}
	return some
}

// beside puts the layout of the linked nodes in the places of all nodes, and the lone ones in rows below it.
func beside(xy []float32, linked, lone []int) []float32 {
	if len(lone) == 0 {
		return xy
	}
	const across = 40 // nodes of a row
	all, reach := make([]float32, 2*(len(linked)+len(lone))), float32(0)
	for _, v := range xy {
		reach = max(reach, v, -v)
	}
	for k, i := range linked {
		copy(all[2*i:], xy[2*k:2*k+2])
	}
	for k, i := range lone {
		step := 2 * reach / across
		all[2*i] = float32((float32(k%across)+0.5)*step) - reach
		all[2*i+1] = -reach - float32(float32(k/across+2)*step)
	}
	return all
}
