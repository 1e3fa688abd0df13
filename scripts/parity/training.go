package parity

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/graphsignal"
)

// arrayNames are the names of a training's tensors in an .npz file.
var arrayNames = strings.NewReplacer("init.", "init/", "grad1.", "expect/grads_step1/", "g0.", "groups/0/", "g1.", "groups/1/",
	"edges_l", "edges/", "propagation_l", "expect/propagation/", "P_final_l", "expect/P_final/", "C_final_l", "expect/C_final/",
	"S_", "expect/S_", "terms", "expect/terms")

// training replays a run in both precisions.
func training(g *golden) {
	if g.has("arrays") {
		g.readNPZ(strings.TrimSuffix(g.path, ".json")+".npz", func(name string) string {
			if after, ok := strings.CutPrefix(name, "after"); ok {
				return "expect/params_after/" + strings.Replace(after, ".", "/", 1)
			}
			return arrayNames.Replace(name)
		})
	}
	double, single := *g, *g
	double.bits, single.bits = int(precision.Double), int(precision.Single)
	double.try("options", func() { run[float64](&double) })
	single.try("options", func() { run[float32](&single) })
}

// layers returns the layers of a training case.
func (g *golden) layers() *multiplex.Graph {
	graph, m, f := &multiplex.Graph{Name: "golden"}, g.int("M"), g.int("F")
	for l := range g.int("N") {
		x := slices.Concat(g.ifAny("X_shared"), g.ifAny("X", l))
		if x == nil {
			x = make([]float64, m*f)
		}
		for i, keep := range g.ifAny("entry_masks", l) {
			x[i] *= keep
		}
		for j, keep := range g.ifAny("keep_cols", l) {
			x[j*f+j] = keep
		}
		graph.Layers = append(graph.Layers, multiplex.Layer{Name: fmt.Sprint(l), Adjacency: g.adjacency(m, "edges", l),
			Features: must(multiplex.DenseFeatures(m, f, x))})
	}
	return graph
}

// released returns the released options with the file's hyperparameters and with its options, all of which
// must be known.
func (g *golden) released() cadem.Options {
	o := cadem.Released()
	g.sub("hyper").options(&o, "outer=epochs inner=inner_steps match=weight_matching alpha=weight_selfsupervised "+
		"beta=weight_causal lr_heads lr_enc=lr_encoders wd_heads=decay_heads wd_enc=decay_encoders")
	for name, option := range map[string]string{"H": "hidden", "d": "dim", "n_aug": "augmented"} {
		g.set(&o, name, option)
	}
	for _, name := range g.names("options") {
		ok(property.Set(&o, name, g.option("options", name)))
	}
	g.sub("adam").options(nil, adam)
	inner := g.int("hyper/inner")
	if n := inner * o.Epochs; o.InnerSteps != inner || g.has("expect/terms") && g.length("expect/terms") != n {
		panic(fmt.Errorf("%d steps in each of %d epochs do not fit the file", o.InnerSteps, o.Epochs))
	}
	return o
}

// replayed hands the file's random quantities to a run. Files have no directions; they come from
// the seed.
type replayed struct {
	cadem.RandomSource
	*golden
	offset []int // batches before each set
}

func (r *replayed) Features(_, _ int, x *multiplex.Features) *multiplex.Features { return x }

func (r *replayed) Weights(name string, w []float64, rows, cols int) {
	x := r.data("init", name)
	if len(x) != len(w) {
		panic(fmt.Errorf("tensor %s has %d values, expected %d x %d", name, len(x), rows, cols))
	}
	copy(w, x)
}

func (r *replayed) Sets(int) (sets []cadem.PooledGraphs) {
	groups, batches := r.any("groups"), 0
	if groups == nil { // fresh augmentation comes as one batch of all graphs
		groups = r.list("steps")[:1]
	}
	for _, v := range groups {
		of := v
		if !v.has("layer") {
			of = r.golden
		}
		set := cadem.PooledGraphs{Layer: of.ints("layer")}
		for _, batch := range v.any("batches") {
			set.Batches = append(set.Batches, batch.ints())
		}
		if v.has("order") {
			set.Batches = [][]int{v.ints("order")}
		} else if set.Batches == nil {
			set.Batches = [][]int{complete(nil, len(set.Layer))}
		}
		for k := range set.Layer {
			set.Nodes = append(set.Nodes, v.ints("nodes", k))
			set.NoiseC, set.NoiseP = append(set.NoiseC, make([]float64, r.int("d"))), append(set.NoiseP, make([]float64, r.int("d")))
		}
		fill(&set, v)
		sets = append(sets, set)
		r.offset = append(r.offset, batches)
		batches += len(set.Batches)
	}
	return sets
}

// fill sets nodes and summed noise.
func fill(set *cadem.PooledGraphs, v *golden) {
	for k := range set.Nodes {
		copy(set.Nodes[k], v.ints("nodes", k))
		for name, sum := range map[string][]float64{"noise_c": set.NoiseC[k], "noise_p": set.NoiseP[k]} {
			clear(sum)
			for i, x := range v.data(name, k) {
				sum[i%len(sum)] += x
			}
		}
	}
}

func (r *replayed) Refresh(_, _, step int, set *cadem.PooledGraphs) { fill(set, r.sub("steps", step)) }

func (r *replayed) Pair(_, set, batch, step int, partners []int) {
	if r.has("perms") {
		copy(partners, r.ints("perms", step, r.offset[set]+batch))
		return
	}
	copy(partners, r.ints("groups", set, "perms", step))
}

// run replays the case in one precision. A file need not hold every quantity.
func run[T kernel.Float](g *golden) {
	o, graph, e := g.released(), g.layers(), g.sub("expect")
	var live [][]int
	for l, layer := range graph.Layers {
		b := multiplex.NewPropagator(layer.Adjacency, multiplex.KindOf(o.Propagation))
		e.maybe("propagation", b.Matrix().Dense(), 1e-12, "propagation", l)
		e.maybe("Z", propagated[T](b, layer.Features), 1e-12, "Z", l)
		mark := make([]bool, layer.Features.Cols)
		multiplex.LiveFeatures(mark, b, layer.Features)
		live = append(live, nil)
		for j, ok := range mark {
			if ok || o.DecayEncoders > 0 {
				live[l] = append(live[l], j)
			}
		}
	}
	t := must(cadem.NewFrom(multiplex.Held([]*multiplex.Graph{graph}), o, 0, precision.Bits(g.bits), cadem.Given{
		Source:   &replayed{RandomSource: cadem.Seeded([]*multiplex.Graph{graph}, &o, 0), golden: g},
		RankRule: g.orZero("rank_rule"),
	}))
	if o.Split == "agreement" {
		s := t.Shares()
		if s == nil || len(s.Agreement) < e.length("agreement") {
			panic(fmt.Errorf("nothing was split as expected: %+v", s))
		}
		found := []any{s.Shared, t.Embeddings(0).Rank, s.Ranks}
		e.compare("shared directions and ranks", found, [][]float64{e.data("shared"), e.data("rank_final"), e.data("ranks")}, 0)
		e.check("agreement", s.Agreement[:e.length("agreement")], 1e-8, "agreement")
		e.check("agreement by chance", s.Chance, 1e-12, "chance")
		e.check("noise edges", s.Edges, 1e-10, "edges")
	}
	// full puts rows of features without data back: they keep their initial values and
	// have no gradient.
	full := func(name string, rows, rest []float64) []float64 {
		if !strings.Contains(name, ".W1") || t.Shares() != nil {
			return rows
		}
		x := make([]float64, g.int("F")*o.Hidden)
		copy(x, rest)
		for i, j := range live[must(strconv.Atoi(name[1:strings.IndexByte(name, '.')]))] {
			copy(x[j*o.Hidden:], rows[i*o.Hidden:(i+1)*o.Hidden])
		}
		return x
	}
	for step := 0; !t.Done(); step++ {
		ok(t.Step())
		if step%o.InnerSteps == 0 {
			s, rank := cadem.Consensus(t, 0)
			e.maybe("S", s, 1e-8, "S_outer", step/o.InnerSteps)
			e.maybe("rank of S", rank, 0, "S_rank", step/o.InnerSteps)
		}
		if e.has("terms") {
			terms, want := t.Progress().Losses.Columns(), e.data("terms", step)
			last := len(want) - 1 // the total; a term that is not in the file comes right before it
			e.compare("terms", append(terms[:last:last], terms[len(terms)-1]), want, 1e-9)
		}
		for _, name := range e.names("grads_step1") {
			if _, gradient := cadem.Parameter(t, name); step == 0 {
				e.check("gradients", full(name, gradient, nil), 1e-10, "grads_step1", name)
			}
		}
		for _, name := range e.names("params_after", step+1) {
			value, _ := cadem.Parameter(t, name)
			e.check("parameters", full(name, value, g.data("init", name)), 1e-8, "params_after", step+1, name)
		}
	}
	x := t.Embeddings(0)
	e.maybe("final S", x.Consensus, 1e-8, "S_final")
	e.maybe("final C", x.Common, 1e-8, "C_final")
	e.maybe("final P", x.Private, 1e-8, "P_final")
}

// propagated returns Z, by multiplying with the identity.
func propagated[T kernel.Float](b *multiplex.Propagator, x *multiplex.Features) []T {
	f := x.Cols
	all, eye, z := make([]int32, f), make([]T, f*f), make([]T, x.Rows*f)
	for j := range all {
		all[j], eye[j*f+j] = int32(j), 1
	}
	multiplex.NewPropagation[T](b, x, all, f).Mul(z, eye, f)
	return z
}

// polar checks the consensus map, in double precision only.
func polar(c *golden) {
	shape, x := c.shape("centred"), c.data("centred")
	m, d, rank, singular := shape[0], shape[1], c.int("rank"), c.data("singular_values")
	p, consensus := linalg.NewPolar(m, d), mat.NewDense(m, d, nil)
	projector := mat.NewDense(d, d, c.data("range_projector"))
	s := consensus.RawMatrix().Data
	var gram, scaled, onRange mat.Dense
	factor := func(how linalg.Completion) {
		fill := linalg.NewFilling(how, m, d, func(x []float64) {
			src := rng.New(1, "completion")
			for i := range x {
				x[i] = src.Norm()
			}
		})
		p.Factor(s, x, math.Sqrt(float64(m)), cadem.RoundingRule(precision.Double, m, d), d, fill)
		gram.Mul(consensus.T(), consensus)
	}
	factor(linalg.NoCompletion)
	c.check("rank", p.Rank, 0, "rank")
	c.check("singular values", p.Singular[:min(m, d)], 1e-9, "singular_values")
	tolerance := 1e-7
	if rank == d {
		tolerance = 1e-8
		if singular[d-1] < 1e-6*singular[0] {
			tolerance = 1e-6
		}
	}
	c.check("S_on_range", s, tolerance, "S_on_range")
	c.maybe("S", s, tolerance, "S")
	c.check("trace(S'T)", graphsignal.Dot(s, x), 1e-10, "nuclear_times_sqrtM")
	scaled.Scale(float64(m), projector)
	c.compare("S'S = M projector", &gram, &scaled, 1e-9)
	if rank == d || d >= m {
		return // nothing to complete, or no place for d centred directions
	}
	factor(linalg.Centred)
	onRange.Mul(consensus, projector)
	eye, sums := mat.NewDense(d, d, nil), make([]float64, d)
	for i := range d {
		eye.Set(i, i, float64(m))
		sums[i] = mat.Sum(consensus.ColView(i))
	}
	c.compare("centred: S'S = M I", &gram, eye, 1e-9)
	c.compare("centred: column sums", sums, make([]float64, d), 1e-9)
	c.check("centred: S on the range", &onRange, 1e-7, "S_on_range")
	c.check("centred: trace(S'T)", graphsignal.Dot(s, x), 1e-10, "nuclear_times_sqrtM")
}
