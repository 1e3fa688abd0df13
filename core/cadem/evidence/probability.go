package evidence

import (
	"math"
	"slices"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/pause"
)

// The probability of a link, from the rates that S, the tail and P give relative to what degrees explain:
//
//	r_S = sum(D_U) sum_k (w_k/N) F_ik F_jk,   r_T = r_S + the same over the tail,   r_P = sum(D_l) sum_k s_k G_ik G_jk
//	logit P(link in l) = b + a_1 g(r_S) + a_2 g(r_T) + a_3 g(r_P) + a_4 (log D_li + log D_lj),   g(x) = log max(1 + x, .05)

// Rates give the features of a pair, in one layer.
type Rates struct {
	Layers        int       // N
	Sum           float64   // of D_U
	Shared, Tail  Matrix    // F_S and F_T
	W, WTail      []float64 // as many as are used of them
	D             []float64 // D_l, one a node
	Private       Matrix    // G
	S             []float64 // as many as are used of it
	privateDegree float64
}

// PairFeatures is the number of features of a pair.
const PairFeatures = 4

// Features sets dst, of length [PairFeatures], to the features of the pair of nodes i and j.
func (r *Rates) Features(dst []float64, i, j int) {
	shared := bilinear(r.Shared, r.W, i, j) / float64(r.Layers)
	tail := bilinear(r.Tail, r.WTail, i, j) / float64(r.Layers)
	if r.privateDegree == 0 {
		for _, d := range r.D {
			r.privateDegree += d
		}
	}
	shared, tail = float64(r.Sum*shared), float64(r.Sum*tail)
	dst[0], dst[1] = link(shared), link(shared+tail)
	dst[2] = link(float64(r.privateDegree * bilinear(r.Private, r.S, i, j)))
	dst[3] = kernel.Log(r.D[i]) + kernel.Log(r.D[j])
}

func bilinear(f Matrix, w []float64, i, j int) (sum float64) {
	a, b := f.Row(i), f.Row(j)
	for k := range min(len(w), len(a)) {
		sum += float64(w[k] * float64(a[k]*b[k]))
	}
	return sum
}

// link is g.
func link(x float64) float64 { return kernel.Log(max(1+x, .05)) }

// A Logistic is the intercept b and the coefficients a_1 .. a_4.
type Logistic struct {
	Intercept    float64
	Coefficients []float64 // one for each feature
	Standardized []float64 // one for each feature, of the features divided by their sd
	Links        int       // it was fitted to
	Pooled       bool      // whether to those of all layers
}

// Logit returns the logit of a pair by its features, as many as there are Coefficients: entry x[k] has coefficient k.
func (l *Logistic) Logit(x []float64) float64 {
	sum := l.Intercept
	for k, a := range l.Coefficients {
		sum += float64(a * x[k])
	}
	return sum
}

// Sigmoid returns the probability of a logit.
func Sigmoid(x float64) float64 { return 1 / (1 + kernel.Exp(-x)) }

// Logistics are the fits of all layers.
type Logistics struct {
	SD     []float64 // one for each feature, over all layers' pairs
	Pooled []float64 // the fit to all layers: the intercept and one coefficient for each feature, standardised
	Layers []*Logistic
	First  [][][]float64 // of each fold and layer: the features of the first pairs
}

// firstPairs is the number of pairs of a fold and layer in First.
const firstPairs = 4

// FitLogistics fits the pairs that folds held out, with the features of the fold that did not see them.
func FitLogistics(layers []*Layer, folds []*Fold, rates func(f, l int) *Rates, draws Draws, pause pause.Work) (*Logistics, error) {
	const most, alone = 4000, 100
	out := &Logistics{SD: make([]float64, PairFeatures)}
	x, y := make([][]float64, len(layers)), make([][]float64, len(layers))
	for f, fold := range folds {
		out.First = append(out.First, make([][]float64, len(layers)))
		for l, a := range layers {
			held := fold.Held[l]
			if len(held) == 0 {
				continue
			}
			held = held[:min(most, len(held))]
			pairs := append(slices.Clone(held), a.withoutLinks(nonLinks(a, fold, f, l, len(held), draws))...)
			r, from := rates(f, l), len(x[l])
			for n, e := range pairs {
				row := make([]float64, PairFeatures)
				r.Features(row, e[0], e[1])
				x[l] = append(x[l], row...)
				label := 0.0
				if n < len(held) {
					label = 1
				}
				y[l] = append(y[l], label)
			}
			out.First[f][l] = slices.Clone(x[l][from:min(from+firstPairs*PairFeatures, len(x[l]))])
			if err := pause.After(len(pairs) * (r.Shared.Cols + r.Tail.Cols + r.Private.Cols)); err != nil {
				return nil, err
			}
		}
	}
	all, labels := slices.Concat(x...), slices.Concat(y...)
	for k := range PairFeatures {
		var column []float64
		for i := k; i < len(all); i += PairFeatures {
			column = append(column, all[i])
		}
		if len(column) > 0 {
			_, out.SD[k] = moments(column)
		}
		if out.SD[k] < .001 {
			out.SD[k] = 1
		}
	}
	divide := func(x []float64) {
		for i := range x {
			x[i] /= out.SD[i%PairFeatures]
		}
	}
	divide(all)
	var err error
	if out.Pooled, err = FitLogistic(all, labels, PairFeatures, 1, pause); err != nil {
		return nil, err
	}
	for l := range layers {
		divide(x[l])
		fit := &Logistic{}
		for _, label := range y[l] {
			fit.Links += int(label)
		}
		b := out.Pooled
		if fit.Pooled = fit.Links < alone; !fit.Pooled {
			if b, err = FitLogistic(x[l], y[l], PairFeatures, 1, pause); err != nil {
				return nil, err
			}
		}
		fit.Intercept, fit.Standardized = b[0], b[1:]
		for k, v := range fit.Standardized {
			fit.Coefficients = append(fit.Coefficients, v/out.SD[k])
		}
		out.Layers = append(out.Layers, fit)
	}
	return out, nil
}

// nonLinks draws pairs for n held-out links of a fold and layer: uniform ones, and degree-matched ones (weights d + .5, d of the
// other folds), of nodes with links.
func nonLinks(a *Layer, fold *Fold, f, l, n int, draws Draws) [][2]int {
	var nodes []int
	var weight []float64
	for i, d := range a.Degrees {
		if d > 0 {
			nodes, weight = append(nodes, i), append(weight, fold.Layers[l].Degrees[i]+.5)
		}
	}
	return draws.NonLinks(f, l, n, nodes, weight)
}

// withoutLinks drops loops and links of the layer.
func (l *Layer) withoutLinks(pairs [][2]int) [][2]int {
	return slices.DeleteFunc(slices.Clone(pairs), func(e [2]int) bool {
		return e[0] == e[1] || l.A.Has(e[0], e[1])
	})
}

// FitLogistic returns the intercept b and the coefficients a (k) that minimise the sum of the log-losses of labels y by features x
// (k a row), plus ridge |a|^2 / 2: by Newton's method, with half the step as long as it overshoots.
func FitLogistic(x, y []float64, k int, ridge float64, pause pause.Work) ([]float64, error) {
	n := k + 1
	b, row := make([]float64, n), make([]float64, n)
	row[0] = 1
	loss := logLoss(b, x, y, k, ridge)
	const each = 100 // what a pair costs, in multiply-adds
	for range 100 {
		g, h := make([]float64, n), make([]float64, n*n)
		err := rows(len(y), each, pause, func(from, to int) {
			for i := from; i < to; i++ {
				copy(row[1:], x[i*k:(i+1)*k])
				p := Sigmoid(kernel.Dot(b, row))
				for r, v := range row {
					g[r] += float64((p - y[i]) * v)
					for c, u := range row[:r+1] {
						h[r*n+c] += float64(p * (1 - p) * v * u)
					}
				}
			}
		})
		if err != nil {
			return nil, err
		}
		for r := 1; r < n; r++ {
			g[r] += float64(ridge * b[r])
			h[r*n+r] += ridge
		}
		h[0] += 1e-12 // the intercept is free, also if there is only one label, or none
		step := slices.Clone(g)
		_ = linalg.Cholesky(h, n, nil)
		_ = linalg.Solve(h, step, n, 1, 0, nil)
		before, longest := slices.Clone(b), 0.0
		for half := 1.0; ; half /= 2 {
			longest = 0
			for r, v := range step {
				b[r] = before[r] - float64(half*v)
				longest = max(longest, math.Abs(half*v))
			}
			next := logLoss(b, x, y, k, ridge)
			if next <= loss+float64(1e-12*math.Abs(loss)) || half < 1e-9 {
				loss = next
				break
			}
		}
		if longest < 1e-10 || math.Abs(b[0]) > 30 {
			break
		}
	}
	return b, nil
}

// logLoss is the objective of [FitLogistic].
func logLoss(b, x, y []float64, k int, ridge float64) (sum float64) {
	for _, a := range b[1:] {
		sum += float64(ridge / 2 * a * a)
	}
	for i, label := range y {
		z := b[0] + kernel.Dot(b[1:], x[i*k:(i+1)*k])
		sum += max(z, 0) - float64(z*label) + kernel.Log(1+kernel.Exp(-math.Abs(z)))
	}
	return sum
}

// Rates returns the rates behind the features of pairs in a layer.
func (r *Result) Rates(l int) *Rates { return r.rates[l] }

// First returns rates of at most n directions of S and P each, without the tail.
func (r *Rates) First(n int) *Rates {
	c := *r
	c.W, c.S, c.WTail = r.W[:min(n, len(r.W))], r.S[:min(n, len(r.S))], nil
	return &c
}

// Logit returns the logit of the probability of a link in layer l by the features of its pair, of length [PairFeatures]
// ([Rates.Features]).
func (r *Result) Logit(l int, features []float64) float64 {
	return r.Logistics.Layers[l].Logit(features)
}

// A Spectrum predicts links from the leading eigenvectors of layers, the best available without any test:
//
//	d_i d_j / sum(d) + D_i^1/2 sum_k lambda_k V_ik V_jk D_j^1/2,   d = sum d_l, L_U V = V diag(lambda)
type Spectrum struct {
	pool   *Pool
	values []float64
	v      Matrix
	d      []float64
	twice  float64
}

// NewSpectrum returns the spectrum of k eigenvectors of largest modulus.
func NewSpectrum(layers []*Layer, k int, pause pause.Work) (s *Spectrum, err error) {
	s = &Spectrum{pool: NewPool(layers...), d: make([]float64, layers[0].M())}
	for _, l := range layers {
		for i, d := range l.Degrees {
			s.d[i] += d
		}
		s.twice += l.Twice
	}
	s.values, s.v, err = s.pool.Leading(k, Matrix{}, pause)
	return s, err
}

// Rate returns about how many links nodes i and j have, over all layers.
func (s *Spectrum) Rate(i, j int) float64 {
	return float64(s.d[i]*s.d[j])/max(s.twice, 1) + float64(s.pool.Root[i]*s.pool.Root[j]*bilinear(s.v, s.values, i, j))
}
