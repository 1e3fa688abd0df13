package parity

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cadem/core/cadem"
	"cadem/core/kernel"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// training is one golden training run, whichever container it came in.
type training struct {
	M, N, F, H, D int
	Hyper         struct {
		Alpha, Beta, Match float64
		LRHeads            float64 `json:"lr_heads"`
		LREnc              float64 `json:"lr_enc"`
		WDHeads            float64 `json:"wd_heads"`
		WDEnc              float64 `json:"wd_enc"`
		Inner, Outer       int
	}
	Adam *struct {
		Beta1, Beta2, Eps float64
	}
	NAug       int            `json:"n_aug"`
	Options    map[string]any // those that differ from released
	RankRule   float64        `json:"rank_rule"`
	Edges      []tensor
	X          []tensor
	XShared    tensor   `json:"X_shared"`
	EntryMasks []tensor `json:"entry_masks"`
	Init       map[string]tensor
	RawGroups  []rawGroup `json:"groups"`
	Layer      []int
	Steps      []rawGroup // fresh augmentation: one group per step
	Perms      [][][]int
	Expect     struct {
		Propagation, Z []tensor
		SOuter         []tensor                     `json:"S_outer"`
		SRank          []int                        `json:"S_rank"`
		Singular       []tensor                     `json:"sv_outer"`
		Terms          tensor                       `json:"terms"`
		Grads          map[string]tensor            `json:"grads_step1"`
		After          map[string]map[string]tensor `json:"params_after"`
		SFinal         tensor                       `json:"S_final"`
		CFinal         []tensor                     `json:"C_final"`
		PFinal         []tensor                     `json:"P_final"`
		// What the layers share, of inputs that are split.
		Agreement []float64
		Chance    float64
		Shared    int
		Ranks     []int
		Edges     []float64
		RankFinal int `json:"rank_final"`
	}
}

type rawGroup struct {
	Layer   []int
	Nodes   [][]int
	NoiseC  tensor `json:"noise_c"`
	NoiseP  tensor `json:"noise_p"`
	Batches [][]int
}

func readTraining(data []byte) (*training, error) {
	t := &training{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, err
	}
	if len(t.EntryMasks) > 0 {
		for _, mask := range t.EntryMasks {
			x := tensor{t.XShared.shape, slices.Clone(t.XShared.data)}
			for i, keep := range mask.data {
				x.data[i] *= keep
			}
			t.X = append(t.X, x)
		}
	}
	return t, t.check()
}

// check finds what the replay could not index.
func (t *training) check() error {
	switch {
	case t.M < 1 || t.N < 1 || t.F < 1 || t.H < 1 || t.D < 1:
		return fmt.Errorf("sizes M %d, N %d, F %d, H %d, d %d", t.M, t.N, t.F, t.H, t.D)
	case len(t.Edges) != t.N || len(t.X) != t.N:
		return fmt.Errorf("%d edge lists and %d feature matrices for %d layers", len(t.Edges), len(t.X), t.N)
	case t.Adam != nil && (t.Adam.Beta1 != kernel.Beta1 || t.Adam.Beta2 != kernel.Beta2 || t.Adam.Eps != kernel.AdamEps):
		return fmt.Errorf("Adam with %+v, known is %v, %v, %v", *t.Adam, kernel.Beta1, kernel.Beta2, kernel.AdamEps)
	case t.Expect.Terms.data != nil && t.Expect.Terms.len() != t.Hyper.Inner*t.Hyper.Outer:
		return fmt.Errorf("losses of %d steps, expected %d", t.Expect.Terms.len(), t.Hyper.Inner*t.Hyper.Outer)
	}
	return nil
}

func (t *training) graph() (*multiplex.Graph, error) {
	g := &multiplex.Graph{Name: "golden"}
	for l := range t.N {
		var edges []multiplex.Edge
		for i := range t.Edges[l].len() {
			e := t.Edges[l].at(i).data
			w := 1.0
			if len(e) > 2 {
				w = e[2]
			}
			edges = append(edges, multiplex.Edge{I: int(e[0]), J: int(e[1]), Weight: w})
		}
		a, err := multiplex.FromEdges(t.M, edges)
		if err != nil {
			return nil, err
		}
		x, err := multiplex.DenseFeatures(t.M, t.F, t.X[l].data)
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: a, Features: x})
	}
	return g, nil
}

// options are released with the file's hyperparameters and with its options, each of which
// must be known.
func (t *training) options() (cadem.Options, error) {
	o := cadem.Released()
	o.Epochs, o.InnerSteps, o.Hidden, o.Dim, o.Augmented = t.Hyper.Outer, t.Hyper.Inner, t.H, t.D, t.NAug
	o.WeightMatching, o.WeightSelfSupervised, o.WeightCausal = t.Hyper.Match, t.Hyper.Alpha, t.Hyper.Beta
	o.LRHeads, o.LREncoders, o.DecayHeads, o.DecayEncoders = t.Hyper.LRHeads, t.Hyper.LREnc, t.Hyper.WDHeads, t.Hyper.WDEnc
	for _, name := range slices.Sorted(maps.Keys(t.Options)) {
		if err := property.Set(&o, name, property.Text(t.Options[name])); err != nil {
			return o, err
		}
	}
	if o.InnerSteps != t.Hyper.Inner {
		return o, fmt.Errorf("option inner_steps is %d, hyper.inner %d", o.InnerSteps, t.Hyper.Inner)
	}
	return o, nil
}

// replayed hands the file's random quantities to a run; directions, of which files have none,
// come from the seed.
type replayed struct {
	cadem.RandomSource
	*training
	offset []int // batches before each set
}

func (t *replayed) Features(_, _ int, x *multiplex.Features) *multiplex.Features { return x }

func (t *replayed) Weights(name string, w []float64, rows, cols int) {
	x := t.Init[name]
	if len(x.data) != len(w) {
		panic(fmt.Errorf("tensor %s has %d values, expected %d x %d", name, len(x.data), rows, cols))
	}
	copy(w, x.data)
}

func (t *replayed) Sets(int) []cadem.PooledGraphs {
	raw := t.RawGroups
	if len(t.Steps) > 0 { // fresh augmentation comes as one batch of all graphs
		first := t.Steps[0]
		first.Layer, first.Batches = t.Layer, [][]int{make([]int, len(t.Layer))}
		for k := range t.Layer {
			first.Batches[0][k] = k
		}
		raw = []rawGroup{first}
	}
	var sets []cadem.PooledGraphs
	batches := 0
	for _, g := range raw {
		group := cadem.PooledGraphs{Layer: g.Layer, Batches: g.Batches, Nodes: make([][]int, len(g.Layer)),
			NoiseC: make([][]float64, len(g.Layer)), NoiseP: make([][]float64, len(g.Layer))}
		for k := range g.Layer {
			group.Nodes[k] = make([]int, len(g.Nodes[k]))
			group.NoiseC[k], group.NoiseP[k] = make([]float64, t.D), make([]float64, t.D)
		}
		copyGroup(&group, g)
		sets = append(sets, group)
		t.offset = append(t.offset, batches)
		batches += len(g.Batches)
	}
	return sets
}

// copyGroup fills nodes and summed noise.
func copyGroup(dst *cadem.PooledGraphs, g rawGroup) {
	for k := range dst.Nodes {
		copy(dst.Nodes[k], g.Nodes[k])
		for _, n := range []struct {
			sum  []float64
			rows tensor
		}{{dst.NoiseC[k], g.NoiseC.at(k)}, {dst.NoiseP[k], g.NoiseP.at(k)}} {
			clear(n.sum)
			for i, v := range n.rows.data {
				n.sum[i%len(n.sum)] += v
			}
		}
	}
}

func (t *replayed) Refresh(_, _, step int, g *cadem.PooledGraphs) { copyGroup(g, t.Steps[step]) }

func (t *replayed) Pair(_, set, batch, step int, partners []int) {
	copy(partners, t.Perms[step][t.offset[set]+batch])
}

func (r *Report) training(file string, read func() (*training, error)) {
	t, err := read()
	if err != nil {
		r.fail(file, "file", 64, err)
		return
	}
	for _, p := range []cadem.Precision{cadem.Double, cadem.Single} {
		if err := r.replay(file, t, p); err != nil {
			r.fail(file, "options", int(p), err)
		}
	}
}

// replay runs the case in one precision. A tensor of the wrong size is reported, not
// panicked: it is the file's.
func (r *Report) replay(file string, t *training, p cadem.Precision) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("%v", e)
		}
	}()
	o, err := t.options()
	if err != nil {
		return err
	}
	g, err := t.graph()
	if err != nil {
		return err
	}
	// A file need not hold every quantity; its losses it does.
	check := func(quantity string, got, want []float64, tolerance float64) {
		if want != nil {
			r.compare(file, quantity, int(p), got, want, tolerance)
		}
	}
	live := make([][]int32, t.N)
	for l, layer := range g.Layers {
		b := multiplex.NewPropagator(layer.Adjacency, multiplex.KindOf(o.Propagation))
		check("propagation", b.Matrix().Dense(), part(t.Expect.Propagation, l), 1e-12)
		if part(t.Expect.Z, l) != nil {
			z := propagated[float64]
			if p == cadem.Single {
				z = propagated[float32]
			}
			check("Z", z(b, layer.Features), part(t.Expect.Z, l), 1e-12)
		}
		mark := make([]bool, t.F)
		multiplex.LiveFeatures(mark, b, layer.Features)
		for j, ok := range mark {
			if ok || o.DecayEncoders > 0 {
				live[l] = append(live[l], int32(j))
			}
		}
	}
	run, err := cadem.NewFrom(multiplex.Held([]*multiplex.Graph{g}), o, 0, p, cadem.Given{
		Source:   &replayed{RandomSource: cadem.Seeded([]*multiplex.Graph{g}, &o, 0), training: t},
		RankRule: t.RankRule,
	})
	if err != nil {
		return err
	}
	if o.Split == "agreement" {
		if err := r.shares(file, int(p), run, t); err != nil {
			return err
		}
	}
	// full puts rows of features without data back: they keep their initial values and
	// have no gradient.
	full := func(name string, rows []float64, rest []float64) []float64 {
		if !strings.Contains(name, ".W1") || run.Shares() != nil {
			return rows
		}
		x := make([]float64, t.F*t.H)
		copy(x, rest)
		l, _ := strconv.Atoi(name[1:strings.IndexByte(name, '.')])
		for i, j := range live[l] {
			copy(x[int(j)*t.H:int(j+1)*t.H], rows[i*t.H:(i+1)*t.H])
		}
		return x
	}
	for step := 0; !run.Done(); step++ {
		if err := run.Step(); err != nil {
			return err
		}
		if step%t.Hyper.Inner == 0 {
			s, rank := cadem.Consensus(run, 0)
			check("S", s, part(t.Expect.SOuter, step/t.Hyper.Inner), 1e-8)
			if step/t.Hyper.Inner < len(t.Expect.SRank) {
				check("rank of S", []float64{float64(rank)}, []float64{float64(t.Expect.SRank[step/t.Hyper.Inner])}, 0)
			}
		}
		if t.Expect.Terms.data != nil {
			terms := run.Progress().Losses.Columns()
			expected := cadem.LossesOf(t.Expect.Terms.at(step).data).Columns()
			check("terms", terms[:], expected[:], 1e-9)
		}
		if step == 0 {
			for _, name := range slices.Sorted(maps.Keys(t.Expect.Grads)) {
				_, gradient := cadem.Parameter(run, name)
				check("gradients", full(name, gradient, nil), t.Expect.Grads[name].data, 1e-10)
			}
		}
		after := t.Expect.After[strconv.Itoa(step+1)]
		for _, name := range slices.Sorted(maps.Keys(after)) {
			value, _ := cadem.Parameter(run, name)
			check("parameters", full(name, value, t.Init[name].data), after[name].data, 1e-8)
		}
	}
	e := run.Embeddings(0)
	check("final S", e.Consensus.RawMatrix().Data, t.Expect.SFinal.data, 1e-8)
	for l := range t.N {
		check("final C", e.Common[l].RawMatrix().Data, part(t.Expect.CFinal, l), 1e-8)
		check("final P", e.Private[l].RawMatrix().Data, part(t.Expect.PFinal, l), 1e-8)
	}
	return nil
}

// shares compares what the layers were found to share.
func (r *Report) shares(file string, bits int, run *cadem.Trainer, t *training) error {
	s, e := run.Shares(), &t.Expect
	if s == nil || len(s.Agreement) < len(e.Agreement) || len(s.Ranks) != len(e.Ranks) {
		return fmt.Errorf("nothing was split as expected: %+v", s)
	}
	counts := func(shared, final int, ranks []int) []float64 {
		x := []float64{float64(shared), float64(final)}
		for _, n := range ranks {
			x = append(x, float64(n))
		}
		return x
	}
	r.compare(file, "shared directions and ranks", bits, counts(s.Shared, run.Embeddings(0).Rank, s.Ranks), counts(e.Shared, e.RankFinal, e.Ranks), 0)
	r.compare(file, "agreement", bits, s.Agreement[:len(e.Agreement)], e.Agreement, 1e-8)
	r.compare(file, "agreement by chance", bits, []float64{s.Chance}, []float64{e.Chance}, 1e-12)
	r.compare(file, "noise edges", bits, s.Edges, e.Edges, 1e-10)
	return nil
}

// part returns entry i of a list, nil when the file does not go that far.
func part(list []tensor, i int) []float64 {
	if i >= len(list) {
		return nil
	}
	return list[i].data
}

// propagated returns Z, by multiplying with the identity.
func propagated[T kernel.Float](b *multiplex.Propagator, x *multiplex.Features) []float64 {
	f := x.Cols
	all, eye, z := make([]int32, f), make([]T, f*f), make([]T, x.Rows*f)
	for j := range all {
		all[j], eye[j*f+j] = int32(j), 1
	}
	multiplex.NewPropagation[T](b, x, all, f).Mul(z, eye, f)
	out := make([]float64, len(z))
	for i, v := range z {
		out[i] = float64(v)
	}
	return out
}
