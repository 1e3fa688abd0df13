package baseline

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// shrunk returns the matrix whose eigenvalues are nearer to 0 by a threshold.
func shrunk(a *mat.Dense, threshold float64) *mat.Dense {
	m, _ := a.Dims()
	values, v := ranked(a, m, byModulus)
	out := mat.NewDense(m, m, nil)
	for k, w := range values {
		if size := math.Abs(w) - threshold; size > 0 {
			out.RankOne(out, math.Copysign(size, w), v.ColView(k), v.ColView(k))
		}
	}
	return out
}

// A plainSplit is MultiNeSS in plain loops.
type plainSplit struct {
	logistic bool
	a        []*mat.Dense
	b        []float64
	phi      []float64    // of F, then of every G_l
	parts    []*mat.Dense // likewise
}

func newPlainSplit(g *multiplex.Graph, logistic bool) *plainSplit {
	m := g.M()
	p := &plainSplit{logistic: logistic, phi: []float64{0}, parts: []*mat.Dense{mat.NewDense(m, m, nil)}}
	sum := 0.0
	for l := range g.Layers {
		a, _ := hollow(&multiplex.Graph{Layers: g.Layers[l : l+1]})
		if logistic {
			a.Apply(func(_, _ int, v float64) float64 { return min(1, math.Ceil(v)) }, a)
		}
		mean, squares := mat.Sum(a)/float64(m*m), 0.0
		for _, v := range a.RawMatrix().Data {
			squares += v * v / float64(m*m)
		}
		variance := mean
		if logistic || g.Layers[l].Adjacency.Value != nil {
			variance = squares - mean*mean
		}
		if logistic {
			mean = math.Log(mean / (1 - mean))
		}
		sum += variance
		p.a, p.b, p.phi = append(p.a, a), append(p.b, mean), append(p.phi, 2*math.Sqrt(float64(m)*variance))
		p.parts = append(p.parts, mat.NewDense(m, m, nil))
	}
	p.phi[0] = 2 * math.Sqrt(float64(m)*sum)
	return p
}

// residual returns A_l less its mean, 0 on the diagonal, and the sum of the derivatives of the mean.
func (p *plainSplit) residual(l int) (r *mat.Dense, slope float64) {
	m, _ := p.a[l].Dims()
	r = mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			if i == j {
				continue
			}
			mean := p.b[l] + p.parts[0].At(i, j) + p.parts[l+1].At(i, j)
			if p.logistic {
				mean = 1 / (1 + math.Exp(-mean))
				slope += mean * (1 - mean)
			}
			r.Set(i, j, p.a[l].At(i, j)-mean)
		}
	}
	return r, slope
}

func (p *plainSplit) shift(t int) {
	for l := range p.a {
		if p.logistic && t%5 == 4 {
			r, slope := p.residual(l)
			p.b[l] += min(max(mat.Sum(r)/slope, -1), 1)
		}
	}
}

// moved returns a part after a step of its own along its gradient.
func (p *plainSplit) moved(part int, s float64) *mat.Dense {
	m, _ := p.a[0].Dims()
	x, n := mat.NewDense(m, m, nil), 1.0
	for l := range p.a {
		if part == 0 || part == l+1 {
			r, _ := p.residual(l)
			x.Add(x, r)
		}
	}
	if part == 0 {
		n = float64(len(p.a))
	}
	x.Scale(s/n, x)
	x.Add(x, p.parts[part])
	return shrunk(x, s/n*p.phi[part])
}

func (p *plainSplit) rate() float64 {
	if p.logistic {
		return 4
	}
	return 1
}

// step moves F, then every G_l.
func (p *plainSplit) step(t int) {
	p.shift(t)
	for k := range p.parts {
		p.parts[k] = p.moved(k, p.rate())
	}
}

// together moves all parts at once, by steps half as long: another way to the same least objective.
func (p *plainSplit) together(t int) {
	p.shift(t)
	var next []*mat.Dense
	for k := range p.parts {
		next = append(next, p.moved(k, p.rate()/2))
	}
	p.parts = next
}

// furthest is the largest difference between F + G_l of the training and that of the loops.
func (p *plainSplit) furthest(run *additive) float64 {
	far, m := 0.0, run.m
	for l := range p.a {
		for i := range m {
			for j := range m {
				far = max(far, math.Abs(affinity(run)(l, i, j)-p.parts[0].At(i, j)-p.parts[l+1].At(i, j)))
			}
		}
	}
	return far
}

var linkFunctions = []string{"logistic", "gaussian"}

// Every step is that of plain loops; from the parts follow the embeddings.
func TestMultiNeSSFromItsDefinition(t *testing.T) {
	for _, link := range linkFunctions {
		for _, weighted := range []bool{false, true} {
			g := tangled(t, 45, 2, weighted)
			p := newPlainSplit(g, link == "logistic")
			const steps = 12
			run := trained(t, "multiness", []*multiplex.Graph{g}, map[string]any{"link": link, "steps": steps, "tolerance": 0, "dim": 4}).(*additive)
			for k := range steps {
				p.step(k)
			}
			if far := p.furthest(run); far > 1e-9 {
				t.Errorf("%s, weights %t: F + G differs by %v", link, weighted, far)
			}
			for k, e := range run.Embeddings(0) {
				values, v := ranked(p.parts[k], 4, byModulus)
				to := make([]int, g.M())
				for i := range to {
					to[i] = i
					for c, w := range values {
						v.Set(i, c, v.At(i, c)*math.Sqrt(math.Abs(w)))
						if w*run.signs[k][c] < 0 || run.signs[k][c] == 0 && math.Abs(w) > 1e-9 {
							t.Fatalf("%s: column %d has the sign %v, its eigenvalue is %v", e.Name, c, run.signs[k][c], w)
						}
					}
				}
				if err := sameUpToSigns(v, e.X, to, 1e-7); err != nil {
					t.Errorf("%s, %s: %v", link, e.Name, err)
				}
			}
		}
	}
}

// The objective falls in every step. Where it ends, 0 is a subgradient: the gradient by a part is phi times the signs of the part on its
// own space and at most phi beside it. Another descent ends at the same F + G_l.
func TestMultiNeSSIsOptimal(t *testing.T) {
	for k, link := range append(linkFunctions, linkFunctions...) {
		g := tangled(t, 40, 2, false)
		if k > 1 {
			g = blocks(t, 40) // whose layers share nothing
		}
		m, err := train.Lookup("multiness")
		if err != nil {
			t.Fatal(err)
		}
		o := m.Options().(*MultiNeSSOptions)
		*o = MultiNeSSOptions{Dim: 4, Link: link, Penalty: 1, Steps: 250}
		begun, err := train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{g}, Options: o})
		if err != nil {
			t.Fatal(err)
		}
		run := begun.(*additive)
		last := math.Inf(1)
		for !train.Done(run) {
			take(t, run, 1)
			if run.loss > last+1e-9*math.Abs(last) {
				t.Fatalf("%s: step %d takes the objective from %v to %v", link, run.steps, last, run.loss)
			}
			last = run.loss
		}
		p := newPlainSplit(g, link == "logistic")
		for k := range 400 {
			p.together(k)
		}
		if far := p.furthest(run); far > 1e-5 {
			t.Errorf("%s: another descent ends %v away", link, far)
		}
		copy(p.b, run.b)
		for k, part := range run.parts {
			p.parts[k] = mat.NewDense(run.m, run.m, part)
		}
		for k, part := range p.parts {
			sum := mat.NewDense(run.m, run.m, nil)
			for l := range p.a {
				if k == 0 || k == l+1 {
					r, _ := p.residual(l)
					sum.Add(sum, r)
				}
			}
			values, v := ranked(part, run.m, byModulus)
			for c, w := range values[:run.ranks[k]] {
				var along mat.VecDense
				along.MulVec(sum, v.ColView(c))
				along.AddScaledVec(&along, -math.Copysign(p.phi[k], w), v.ColView(c))
				if off := mat.Norm(&along, 2); off > 1e-4*p.phi[k] {
					t.Errorf("%s, part %d, direction %d: the gradient is %v off", link, k, c, off/p.phi[k])
				}
			}
			if most, _ := ranked(sum, 1, byModulus); math.Abs(most[0]) > (1+1e-4)*p.phi[k] {
				t.Errorf("%s, part %d: the gradient is %v times the weight", link, k, math.Abs(most[0])/p.phi[k])
			}
		}
	}
}

// latent draws layers whose weights are 4 + x_i x_j + y_li y_lj and noise: x is shared, y_l the layer's own.
func latent(t *testing.T, m int) (g *multiplex.Graph, shared []float64, own [][]float64) {
	t.Helper()
	position := func(name string) []float64 {
		x := make([]float64, m)
		src := rng.New(7, "test/latent "+name)
		for i := range x {
			x[i] = 1 - 2*float64(src.IntN(2)) + .2*src.Norm()
		}
		return x
	}
	g, shared = &multiplex.Graph{Name: "latent"}, position("x")
	for l := range 3 {
		y, noise := position(fmt.Sprint("y ", l)), rng.New(8, fmt.Sprint("test/latent noise ", l))
		own = append(own, y)
		var edges []multiplex.Edge
		for i := range m {
			for j := range i {
				edges = append(edges, multiplex.Edge{I: i, J: j, Weight: max(0, 6+shared[i]*shared[j]+y[i]*y[j]+.5*noise.Norm())})
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprint(l + 1), Adjacency: a, Features: multiplex.Identity(m)})
	}
	return g, shared, own
}

func correlation(x, y []float64) float64 {
	v := []float64{0, 0, 0, 0, 0}
	for i := range x {
		for k, u := range []float64{x[i], y[i], x[i] * x[i], y[i] * y[i], x[i] * y[i]} {
			v[k] += u / float64(len(x))
		}
	}
	return (v[4] - v[0]*v[1]) / math.Sqrt((v[2]-v[0]*v[0])*(v[3]-v[1]*v[1]))
}

// On a dense graph F has the positions that all layers share, and every G_l those of its own layer, and not the other way round.
func TestMultiNeSSFindsPositions(t *testing.T) {
	for _, m := range []int{70, 230} { // above 200 nodes by the leading eigenpairs alone
		g, shared, own := latent(t, m)
		steps := 60
		if m > wholeUpTo {
			steps = 12
		}
		list := trained(t, "multiness", []*multiplex.Graph{g}, map[string]any{"link": "gaussian", "steps": steps}).Embeddings(0)
		best := func(e train.Embedding, x []float64) float64 {
			top := 0.0
			for k := range e.X.RawMatrix().Cols {
				if col := mat.Col(nil, k, e.X); mat.Norm(mat.NewVecDense(m, col), 2) > 1e-3 {
					top = max(top, math.Abs(correlation(col, x)))
				}
			}
			return top
		}
		for k, e := range list {
			for l, y := range append([][]float64{shared}, own...) {
				if v := best(e, y); k == l && v < .95 || k != l && v > .45 {
					t.Errorf("%d nodes: %s correlates by %.3f with positions %d", m, e.Name, v, l)
				}
			}
		}
	}
}

// Groups that hold in all layers show in F, and no layer has anything of its own.
func TestMultiNeSSSeparatesGroups(t *testing.T) {
	g := tangled(t, 61, 3, false)
	for _, link := range linkFunctions {
		run := trained(t, "multiness", []*multiplex.Graph{g}, map[string]any{"link": link})
		r := run.Report()
		if rank, _ := r.Figure("rank_S"); rank < 2 || rank > 4 {
			t.Errorf("%s: F has rank %v: %q", link, rank, r.Notes)
		}
		f := affinity(run)
		if wrong := outOfPlace(g.M()-1, 3, func(i, j int) float64 { return f(0, i, j) }); wrong > 0 {
			t.Errorf("%s: %d nodes have higher scores with another group", link, wrong)
		}
		if p := run.Progress(); link == "gaussian" && (!p.Early || p.Steps >= p.Total) {
			t.Errorf("%s: it took all %d steps", link, p.Steps)
		}
	}
	r := trained(t, "multiness", []*multiplex.Graph{tangled(t, 40, 2, true)}, map[string]any{"steps": 1}).Report()
	if !strings.Contains(strings.Join(r.Notes, " "), "Weights were taken for links") {
		t.Errorf("notes %q", r.Notes)
	}
}
