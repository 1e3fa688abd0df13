package baseline

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/cadem/split"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// The closed form: common and private directions by linear algebra alone, with the same trimming and
// the same split of Z_l = B_l X_l as CaDeM's preset refined (package split, whose symbols these are):
//
//	S   = sqrt(M) U_d,  the leading left singular vectors of [Z^C_1 ... Z^C_N]
//	P_l = sqrt(M) V_d diag(h),  V diag(t) R' = Z^P_l,  h_k = sqrt(max(0, 1 - (e_l / t_k)^2))
//
// h weighs a direction by how far it stands above the noise edge e_l, or, where no edge was reached, by its size t_k /
// t_1. With private = own a column V_k becomes V_k + J J'B_l V_k / lambda_k. At most dim directions are kept. Columns
// without a direction are zero, so an S of rank 0 says that nothing is shared.
//
// With split = evidence S and P_l are those of package evidence, times what makes their inner products rates of links:
//
//	S = sqrt(sum D_U) F_S diag(w)^1/2,   P_l = sqrt(sum D_l) F_P diag(|s|)^1/2
//
// Its source is this project; related are AJIVE (Feng, Jiang, Hannig and Marron 2018) and MAXVAR
// canonical correlations. Where the layers share at most d directions, refined trains towards
// the same embeddings, up to a rotation: what this method reaches, training is not needed for.
//
// Cost: that of the preparation, 16 (2 nnz(A) + nnz(X)) (kept + 8) multiply-adds a layer, and the
// singular values of M x (N kept).
var closedForm = train.Method{
	Name: "closed", Label: "Closed form", Doc: "Directions on which the layers agree above chance, and what each layer has beside them; nothing is trained.",
	Family: train.Disentanglement, Fusion: train.Combiner,
	Shares: true, Fixed: true, Levels: officialWith("layer_tag", "on"), Needs: []train.Need{train.Layers},
	Options: func() any { return &ClosedOptions{} },
}

// ClosedOptions are the options of the closed form.
type ClosedOptions struct {
	Dim          int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"256" default:"8" doc:"Directions at most in each embedding."`
	Private      string  `name:"private" label:"Private part" group:"Method" choices:"own|orthogonal" default:"own" doc:"Whether private directions are carried one hop along the layer's own edges, which restores what they have in common with the shared ones, or stay orthogonal to these."`
	Agreement    float64 `name:"agreement" symbol:"τ" label:"Least agreement" group:"Method" min:"0" max:"1" default:"0.5" doc:"Agreement between layers, above that of chance, from which on a direction is shared."`
	Kept         int     `name:"kept" label:"Directions kept" group:"Method" min:"1" max:"256" default:"64" doc:"Most directions of a layer that are looked at."`
	Split        string  `name:"split" label:"Split" group:"Method" choices:"agreement|evidence" default:"agreement" doc:"Whether the layers share the directions of their features on which they agree, or, without features, those that explain links of layers they were not estimated from. Then no other option but the size counts."`
	FeatureScale string  `name:"feature_scale" label:"Scale of features" group:"Method" choices:"columns|none" default:"columns" doc:"Whether every propagated feature is brought to unit length."`
	RowScale     string  `name:"row_scale" label:"Feature rows" group:"Method" choices:"sum|unit" default:"sum" doc:"Whether the rows of features are as they come, where they sum to 1, or have the length 1."`
	Propagation  string  `name:"propagation" label:"Propagation" group:"Method" choices:"twice|kipf" default:"twice" doc:"How features spread over edges: by the adjacency normalised twice, or normalised once after a self loop is added to every node."`
}

type closed struct {
	unfitted
	graphs []*multiplex.Graph
	o      *ClosedOptions
	in     precision.Bits

	rank       int
	ranks      []int     // directions of each layer
	directions int       // of all layers
	agreement  []float64 // of each of them, falling; as long as the number that may be kept
	chance     float64
	found      []float64        // the split by evidence in numbers; capacity for the largest
	remarks    []string         // on what it left out
	divided    *evidence.Result // nil after a resumption
	s          []*mat.Dense     // of each graph, M x d
	p          [][]*mat.Dense   // of each graph and layer, M x d
}

func newClosed(s *train.Setup) (train.Training, error) {
	c := &closed{graphs: s.Graphs, o: s.Options.(*ClosedOptions), in: s.Precision}
	c.total, c.embed, c.list = 1, c.split, c.parts
	g := c.graphs[0]
	c.ranks, c.agreement = make([]int, g.N()), make([]float64, g.N()*max(c.o.Kept, c.o.Dim))
	c.kept = train.State{Integers: []*int{&c.rank, &c.directions}, Numbers: []*float64{&c.chance}, Doubles: [][]float64{c.agreement}}
	for l := range c.ranks {
		c.kept.Integers = append(c.kept.Integers, &c.ranks[l])
	}
	if c.byEvidence() {
		var err error
		c.found = make([]float64, evidence.Room(g.N(), g.M()))
		if _, c.remarks, err = evidence.Layers(g, len(s.Graphs)); err != nil {
			return nil, err
		}
		c.kept.Doubles = append(c.kept.Doubles, c.found)
	}
	for _, g := range s.Graphs {
		c.s = append(c.s, c.keep(mat.NewDense(g.M(), c.o.Dim, nil))...)
		c.p = append(c.p, c.keep(empties(g.N(), g.M(), c.o.Dim)...))
	}
	return c, nil
}

// trimmed reports whether layers have more features than an embedding has columns.
func (c *closed) trimmed() bool { return c.graphs[0].F() > c.o.Dim }

// split does everything.
func (c *closed) split(_ int, yield pause.Yield) error {
	if c.byEvidence() {
		return c.divide(yield)
	}
	var graphs [][]split.Source
	for _, g := range c.graphs {
		var layers []split.Source
		for l, x := range multiplex.RowsOf(g.Layers, c.o.RowScale) {
			b := multiplex.NewPropagator(g.Layers[l].Adjacency, multiplex.KindOf(c.o.Propagation))
			layers = append(layers, split.Source{B: b, X: x})
		}
		graphs = append(graphs, layers)
	}
	o := split.Options{Scale: c.o.FeatureScale == "columns", Noise: true, Kept: c.o.Kept, Whole: !c.trimmed(),
		Split: true, Agreement: c.o.Agreement, Own: c.o.Private == "own"}
	prepare := split.Prepare[float32]
	if precision.HasDouble && c.in == precision.Double {
		prepare = split.Prepare[float64]
	}
	r, err := prepare(graphs, o, yield)
	if err != nil {
		return err
	}
	copy(c.ranks, r.Ranks())
	c.directions, c.chance = copy(c.agreement, r.Agreement), r.Chance
	if err := c.common(r, yield); err != nil {
		return err
	}
	m := r.Rows[len(c.graphs)]
	for l := range r.Layers {
		c.private(l, &r.Layers[l], m, r.Rows)
	}
	return nil
}

// byEvidence says which of the two splits it is.
func (c *closed) byEvidence() bool { return c.o.Split == "evidence" }

// divide does everything where layers are split by evidence.
func (c *closed) divide(yield pause.Yield) error {
	r, err := evidence.Find(c.graphs[0].Adjacencies(), evidence.Defaults(), evidence.Seeded(0), yield)
	if err != nil {
		return err
	}
	c.divided = r
	found := r.Weighed()
	copy(c.found, found.Numbers())
	c.rank = min(c.put(c.s[0], r.S, r.Basis.Pool.Sum), found.Rank())
	for l, p := range r.P {
		c.ranks[l] = c.put(c.p[0][l], p, r.Own[l].Pool.Sum)
	}
	return nil
}

// Links are the logits of the split by evidence.
func (c *closed) Links(_, layer int) train.PairScore {
	if c.divided == nil {
		return train.PairScore{}
	}
	rates := c.divided.Rates(layer)
	return train.PairScore{Width: evidence.PairFeatures, Of: func(dst []float64, i, j int) float64 {
		rates.Features(dst, i, j)
		return c.divided.Logit(layer, dst)
	}}
}

// put puts the leading columns of x times sqrt(scale) into an embedding, and returns their number.
func (c *closed) put(to *mat.Dense, x evidence.Matrix, scale float64) (columns int) {
	columns = min(x.Cols, c.o.Dim)
	for i := range x.Rows {
		for k, v := range x.Row(i)[:columns] {
			to.Set(i, k, float64(math.Sqrt(scale)*v))
		}
	}
	return columns
}

// common sets S.
func (c *closed) common(r *split.Result, yield pause.Yield) error {
	m, columns := r.Rows[len(c.graphs)], 0
	for i := range r.Layers {
		columns += r.Layers[i].F
	}
	s := linalg.NewSVD(max(m, columns), columns)
	from := 0
	for i := range r.Layers {
		l := &r.Layers[i]
		for k := range m {
			copy(s.A[k*columns+from:], l.Common[k*l.F:(k+1)*l.F])
		}
		from += l.F
	}
	work := 0
	pause := func(done int) error {
		work += done
		return yield.At(work, work)
	}
	if err := s.Decompose(pause); err != nil {
		return err
	}
	const negligible = 1e-6 // share of the largest singular value
	for c.rank < min(r.Shared, c.o.Dim) && s.Singular[c.rank] > negligible*s.Singular[0] {
		c.rank++
	}
	left := make([]float64, s.Rows*c.rank)
	if err := s.Left(left, c.rank, pause); err != nil {
		return err
	}
	c.place(c.s, left, c.rank, r.Rows)
	return nil
}

// private sets P of a layer. If there were too few features to trim, P is the rest of all of them.
func (c *closed) private(layer int, l *split.Layer, m int, rows []int) {
	var to []*mat.Dense
	for g := range c.graphs {
		to = append(to, c.p[g][layer])
	}
	if l.Target == nil {
		c.place(to, scaled(l.Own, 1/math.Sqrt(float64(m))), l.F, rows)
		return
	}
	width, a := l.Target.Leading(c.o.Dim)
	v := make([]float64, m*width)
	kernel.Mul(v, l.Own, a, m, l.F, width)
	c.place(to, scaled(v, 1/math.Sqrt(float64(m))), width, rows)
}

// scaled multiplies all of x.
func scaled(x []float64, by float64) []float64 {
	for i := range x {
		x[i] *= by
	}
	return x
}

// place puts sqrt(M) times columns, stacked over all graphs, into the embeddings.
// The largest entry of each becomes positive.
func (c *closed) place(to []*mat.Dense, x []float64, width int, rows []int) {
	scale := math.Sqrt(float64(rows[len(to)]))
	for k := range width {
		largest := 0.0
		for i := k; i < rows[len(to)]*width; i += width {
			if math.Abs(x[i]) > math.Abs(largest) {
				largest = x[i]
			}
		}
		sign := math.Copysign(scale, largest)
		for g, y := range to {
			raw := y.RawMatrix()
			for i := range raw.Rows {
				raw.Data[i*raw.Stride+k] = sign * x[(rows[g]+i)*width+k]
			}
		}
	}
}

// parts lists S and every P of a graph.
func (c *closed) parts(graph int) []train.Embedding {
	list := []train.Embedding{{Name: train.Common, X: c.s[graph]}}
	for l, p := range c.p[graph] {
		list = append(list, train.Embedding{Name: train.Private(l), X: p})
	}
	return list
}

// Sound reports whether State holds what a step could lead to.
func (c *closed) Sound() bool {
	if c.byEvidence() && train.Done(c) {
		if _, ok := evidence.FoundOf(c.found, c.graphs[0].N()); !ok {
			return false
		}
	}
	return c.directions >= 0 && c.directions <= len(c.agreement)
}

// Report says how the directions of the layers agree.
func (c *closed) Report() train.Report {
	if c.byEvidence() {
		return c.evidence()
	}
	r := train.Report{}.With("rank_S", float64(c.rank)).With("parameters", 0).With("chance", c.chance)
	shared := 0
	for k, v := range c.agreement[:c.directions] {
		r = r.With(fmt.Sprintf("agreement_%d", k+1), v)
		if split.Exceeds(v, c.o.Agreement, c.chance) {
			shared++
		}
	}
	note := fmt.Sprintf("Of %d directions of all layers, %d are shared: their layers agree by more than %s; by chance they would up to %s.",
		c.directions, shared, figure.Fixed(c.o.Agreement, 2), figure.Fixed(c.chance, 2))
	switch {
	case shared == 0:
		note += " The common embedding is empty."
	case shared > c.rank:
		note += fmt.Sprintf(" The common embedding holds the leading %d.", c.rank)
	}
	nodes := 0
	for _, g := range c.graphs {
		nodes += g.M()
	}
	r.Notes = append(split.Notes(c.ranks, c.trimmed(), c.graphs[0].Layers[0].Features.IsIdentity(), nodes), note)
	return r
}

// evidence says what the split by evidence found.
func (c *closed) evidence() train.Report {
	r := train.Report{Notes: c.remarks}.With("rank_S", float64(c.rank)).With("parameters", 0)
	if !train.Done(c) {
		return r
	}
	f, _ := evidence.FoundOf(c.found, c.graphs[0].N())
	r = r.With("p_least", f.Least) // a p of this size is a bound
	for l := range f.P {
		r = r.With(fmt.Sprintf("p_%d", l+1), f.Bound(l))
		r = r.With(fmt.Sprintf("rank_P_%d", l+1), float64(f.Own[l]))
	}
	r.Notes = slices.Concat(r.Notes, f.Notes(c.graphs[0].LayerNames()))
	if f.Rank() > c.rank {
		r.Notes = append(r.Notes, fmt.Sprintf("The common embedding holds the leading %d.", c.rank))
	}
	return r
}
