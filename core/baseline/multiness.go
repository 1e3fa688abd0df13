package baseline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/sorting"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// MultiNeSS (MacDonald, Levina and Zhu 2022) takes the links of a layer for a common part F and one of its own, G_l, both of low rank:
//
//	Theta_l = b_l + F + G_l,  A_lij is a link with probability 1 / (1 + exp(-Theta_lij)), or Theta_lij and noise (link = gaussian)
//	minimise  the sum over l and i != j of the negative log-likelihood of A_lij  + phi |F|_* + sum over l of phi_l |G_l|_*
//	phi_l = 2 c sqrt(M var_l),  phi = 2 c sqrt(M sum of var_l)
//
// |.|_* is the sum of the moduli of the eigenvalues and var_l the variance of the entries of the layer. A step of proximal gradient
// descent takes F, then every G_l along its gradient, as far as no curvature forbids, and each eigenvalue by the threshold towards 0:
//
//	F <- soft(F + s/N sum over l of (A_l - mean_l), s/N phi),  G_l <- soft(G_l + s (A_l - mean_l), s phi_l),  s = 4, or 1 for gaussian
//
// so that the objective falls in every step. The embeddings are V |w|^1/2 of the leading eigenvalues w of F ("common") and of each G_l
// ("private_1" and so on). A link of layer l is as probable as F + G_l. Features are ignored. Nothing is random.
//
// Cost: N + 1 symmetric eigenproblems of M x M a step, of 5 M^3 multiply-adds each, or of 150 M^2 above 200 nodes; N + 4 matrices of M x M.
//
// Not in the paper: b_l, the mean of the layer, which for the logistic link moves by a Newton step every five steps; how the noise is
// found. The paper's final refit without thresholds is left out. Without weights the gaussian link takes the mean for the variance. The
// logistic link takes every weight for a link. Self-loops are left out.
var multiNeSS = train.Method{
	Name: "multiness", Label: "MultiNeSS", Doc: "A common matrix of low rank, and one for each layer, that make links probable by their sum.",
	Family: train.Disentanglement, Fusion: train.Combiner, Unscaled: true,
	Shares: true, Fixed: true, Needs: []train.Need{train.OneGraph, train.Layers, train.Edges}, Losses: []string{"total"},
	Levels:  append(officialWith("layer_tag", "on"), levels(train.Lite, []any{"layer_tag", "on", "steps", 40})...),
	Options: func() any { return &MultiNeSSOptions{} },
	Memory: func(s *train.Setup) float64 {
		m, _, n := extentOf(s)
		return 8 * float64(m*m*(n+4))
	},
}

// MultiNeSSOptions are the options of MultiNeSS.
type MultiNeSSOptions struct {
	Dim       int     `name:"dim" symbol:"d" label:"Embedding size" group:"Method" min:"1" max:"256" default:"8" doc:"Directions at most in each embedding."`
	Link      string  `name:"link" label:"Link" group:"Method" choices:"logistic|gaussian" default:"logistic" doc:"Whether F + G says how probable a link is, or what its weight is in the mean."`
	Penalty   float64 `name:"penalty" symbol:"c" label:"Penalty" group:"Method" min:"0" max:"100" default:"1" doc:"How far a direction has to stand above what noise alone would have; the larger, the fewer directions."`
	Steps     int     `name:"steps" label:"Steps" group:"Method" min:"1" max:"100000" default:"100" doc:"Steps of the descent, at most."`
	Tolerance float64 `name:"tolerance" label:"Stop at" group:"Method" min:"0" max:"1" default:"0.0000001" doc:"Relative change of the objective in a step below which the descent ends."`
}

// An additive split is MultiNeSS in training. Its parts are F, then the G_l.
type additive struct {
	o     *MultiNeSSOptions
	m     int
	rate  float64          // s
	links []*multiplex.CSR // A_l without its diagonal
	phi   []float64        // of every part
	note  string

	steps, early int
	loss         float64
	b            []float64    // of every layer
	parts        [][]float64  // M x M
	norms        []float64    // of every part, |.|_*
	ranks        []int        // of every part
	y            []*mat.Dense // of every part, M x d
	signs        [][]float64  // of the columns of each

	work, exps, g []float64 // scratch: M x M, and rows
}

func newMultiNeSS(s *train.Setup) (train.Training, error) {
	g := s.Graphs[0]
	m, n := g.M(), g.N()
	t := &additive{o: s.Options.(*MultiNeSSOptions), m: m, rate: 1, b: make([]float64, n), phi: make([]float64, n+1), norms: make([]float64, n+1),
		ranks: make([]int, n+1), work: make([]float64, m*m), exps: make([]float64, m), g: make([]float64, m)}
	if t.logistic() {
		t.rate = 4
	}
	all, sum := float64(m)*float64(m), 0.0
	for l := range g.Layers {
		a, degrees := together(g.Layers[l : l+1])
		weighted := g.Layers[l].Adjacency.Value != nil
		mean, squares := 0.0, 0.0
		for _, d := range degrees {
			mean += d / all
		}
		for _, v := range a.Value {
			squares += float64(v * v)
		}
		variance := mean
		if weighted {
			variance = squares/all - float64(mean*mean)
		}
		t.b[l] = mean
		if t.logistic() {
			mean = float64(a.NNZ()) / all
			t.b[l], variance = kernel.Log(mean/(1-mean)), float64(mean*(1-mean))
			if weighted {
				t.note = "Weights were taken for links: the link is logistic."
			}
		}
		t.links = append(t.links, a)
		t.phi[l+1] = float64(2*t.o.Penalty) * math.Sqrt(float64(float64(m)*variance))
		sum += variance
	}
	t.phi[0] = float64(2*t.o.Penalty) * math.Sqrt(float64(float64(m)*sum))
	for range n + 1 {
		t.parts = append(t.parts, make([]float64, m*m))
		t.y, t.signs = append(t.y, mat.NewDense(m, t.o.Dim, nil)), append(t.signs, make([]float64, t.o.Dim))
	}
	return t, nil
}

func (t *additive) logistic() bool { return t.o.Link == "logistic" }

// Step moves F, then every G_l.
func (t *additive) Step(yield pause.Yield) error {
	if train.Done(t) {
		return train.ErrDone
	}
	pause := pauses(yield)
	loss := 0.0
	for k, v := range t.norms {
		loss += float64(t.phi[k] * v)
	}
	n := len(t.links)
	for l := range n {
		if !t.logistic() || t.steps%5 != 4 {
			break
		}
		_, sum, slope, err := t.residuals(l, t.work, pause)
		if err != nil {
			return err
		}
		t.b[l] += min(max(sum/max(slope, 1e-9), -1), 1)
	}
	clear(t.work)
	for l := range n {
		fit, _, _, err := t.residuals(l, t.work, pause)
		if err != nil {
			return err
		}
		loss += fit
	}
	if err := finite(loss, "all"); err != nil {
		return err
	}
	rate := t.rate / float64(n)
	for i, v := range t.parts[0] {
		t.work[i] = v + float64(rate*t.work[i])
	}
	if err := t.soften(0, rate, pause); err != nil {
		return err
	}
	for l := range n {
		clear(t.work)
		if _, _, _, err := t.residuals(l, t.work, pause); err != nil {
			return err
		}
		for i, v := range t.parts[l+1] {
			t.work[i] = v + float64(t.rate*t.work[i])
		}
		if err := t.soften(l+1, t.rate, pause); err != nil {
			return err
		}
	}
	if t.steps > 0 && math.Abs(t.loss-loss) < float64(t.o.Tolerance*math.Abs(loss)) {
		t.early = 1
	}
	t.loss = loss
	t.steps++
	return nil
}

// residuals adds A_l - mean_l to dst, except for the diagonal. It returns the negative log-likelihood, the sum of what was added, and that of
// the derivatives of mean_l.
func (t *additive) residuals(l int, dst []float64, pause pause.Work) (fit, sum, slope float64, err error) {
	a, f, own := t.links[l], t.parts[0], t.parts[l+1]
	for i := range t.m {
		at := i * t.m
		g := t.g
		for j := range g {
			g[j] = f[at+j] + own[at+j] + t.b[l]
		}
		if t.logistic() {
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				fit -= g[a.Index[k]]
			}
			for j, v := range g {
				t.exps[j] = -math.Abs(v)
			}
			kernel.Exps(t.exps)
			for j, v := range g {
				mean := 1 / (1 + t.exps[j])
				other := float64(t.exps[j] * mean)
				if v < 0 {
					mean = other
				}
				g[j] = -mean
				if i != j {
					slope += float64(other * (1 - other))
					fit += max(v, 0) + kernel.Log(1+t.exps[j])
				}
			}
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				g[a.Index[k]]++
			}
		} else {
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				g[a.Index[k]] -= a.Value[k]
			}
			for j, v := range g {
				g[j] = -v
				if i != j {
					fit += float64(float64(v*v) / 2)
				}
			}
		}
		g[i] = 0
		for j, v := range g {
			dst[at+j] += v
			sum += v
		}
		if err := pause.After(20 * t.m); err != nil {
			return 0, 0, 0, err
		}
	}
	return fit, sum, slope, nil
}

// soften makes a part of the work: its eigenvalues, each nearer to 0 by rate times phi.
func (t *additive) soften(part int, rate float64, pause pause.Work) error {
	threshold := float64(rate * t.phi[part])
	values, v, err := t.eigenpairs(threshold, t.ranks[part], pause)
	if err != nil {
		return err
	}
	m, d := t.m, t.o.Dim
	t.ranks[part], t.norms[part] = len(values), 0
	t.y[part].Zero()
	clear(t.signs[part])
	clear(t.parts[part])
	y := t.y[part].RawMatrix().Data
	for k, w := range values {
		row, sign, size := v[k*m:(k+1)*m], math.Copysign(1, w), math.Abs(w)-threshold
		t.norms[part] += size
		by := math.Sqrt(size)
		for i := range row {
			row[i] *= by
		}
		if k < d {
			t.signs[part][k] = sign
			for i, x := range row {
				y[i*d+k] = x
			}
		}
		for i, x := range row {
			kernel.AddScaled(t.parts[part][i*m:(i+1)*m], row, float64(sign*x))
		}
		if err := pause.After(m * m); err != nil {
			return err
		}
	}
	return nil
}

// wholeUpTo is the largest number of nodes for which all eigenvalues are found; above it only the leading ones.
const wholeUpTo = 200

// eigenpairs returns the eigenpairs of the work whose values are above the threshold, by falling modulus; each row is a vector whose entry of largest
// absolute value is positive. Rank is the expected number.
func (t *additive) eigenpairs(threshold float64, rank int, pause pause.Work) (values, rows []float64, err error) {
	m := t.m
	for count := rank + 8; m > wholeUpTo && count < m/4; count *= 2 {
		w, v, err := linalg.Extreme(m, count, func(dst, x []float64, columns int) error {
			return inRows(m, func(from, to int) error {
				kernel.Mul(dst[from*columns:to*columns], t.work[from*m:to*m], x, to-from, m, columns)
				return pause.After((to - from) * m * columns)
			})
		}, 1e-7, pause)
		if err != nil {
			return nil, nil, err
		}
		if len(w) == count && math.Abs(w[count-1]) > threshold {
			continue // there are more
		}
		for k, x := range w {
			if math.Abs(x) > threshold {
				values = append(values, x)
				for i := range m {
					rows = append(rows, v[i*len(w)+k])
				}
			}
		}
		return values, rows, nil
	}
	w, err := linalg.Symmetric(t.work, m, pause)
	if err != nil {
		return nil, nil, err
	}
	var order []int
	for k, x := range w {
		if math.Abs(x) > threshold {
			order = append(order, k)
		}
	}
	sorting.Stable(order, func(i, j int) int { return cmp.Compare(math.Abs(w[j]), math.Abs(w[i])) })
	for _, k := range order {
		values, rows = append(values, w[k]), append(rows, t.work[k*m:(k+1)*m]...)
		linalg.Upright(rows[len(rows)-m:], 1)
	}
	return values, rows, nil
}

func (t *additive) Progress() train.Progress {
	return train.Progress{Steps: t.steps, Total: t.o.Steps, Epoch: t.steps, Losses: []float64{t.loss}, Early: t.early == 1 && t.steps < t.o.Steps}
}

func (t *additive) Embeddings(int) []train.Embedding {
	if t.steps == 0 {
		return nil
	}
	list := []train.Embedding{{Name: train.Common, X: t.y[0]}}
	for l, y := range t.y[1:] {
		list = append(list, train.Embedding{Name: train.Private(l), X: y})
	}
	return list
}

// sound reports whether State holds what a step could lead to.
func (t *additive) Sound() bool {
	return t.early&^1 == 0 && !slices.ContainsFunc(t.ranks, func(r int) bool { return r < 0 || r > t.m })
}

func (t *additive) State() *train.State {
	s := &train.State{Integers: []*int{&t.steps, &t.early}, Numbers: []*float64{&t.loss}, Doubles: [][]float64{t.b, t.norms}}
	for k := range t.parts {
		s.Integers = append(s.Integers, &t.ranks[k])
		s.Doubles = append(s.Doubles, t.parts[k], t.y[k].RawMatrix().Data, t.signs[k])
	}
	return s
}

// Report gives the rank of every part.
func (t *additive) Report() train.Report {
	directions := 0
	for _, r := range t.ranks {
		directions += r
	}
	r := train.Report{}.With("rank_S", float64(t.ranks[0]))
	r = r.With("parameters", float64(t.m*directions+len(t.b)))
	var list []string
	for l, rank := range t.ranks[1:] {
		r = r.With(fmt.Sprintf("rank_P_%d", l+1), float64(rank))
		list = append(list, fmt.Sprint(rank))
	}
	text := fmt.Sprintf("The common part has rank %d, that of the layers %s.", t.ranks[0], strings.Join(list, ", "))
	if most := slices.Max(t.ranks); most > t.o.Dim {
		text += fmt.Sprintf(" The embeddings hold the leading %d directions of each.", t.o.Dim)
	}
	r.Notes = append(r.Notes, text)
	if t.note != "" {
		r.Notes = append(r.Notes, t.note)
	}
	return r
}

// Links is F + G of a layer.
func (t *additive) Links(_, layer int) train.PairScore {
	return own(func(i, j int) float64 { return t.parts[0][i*t.m+j] + t.parts[layer+1][i*t.m+j] })
}
