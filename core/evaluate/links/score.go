package links

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/evaluate"
)

// Scores of one layer, or means of them, by [Columns].
type Scores [count]float64

// Places of scores.
const (
	AUC              = iota // of the score, against uniform pairs
	AUCMatched              // of the score, against degree-matched pairs
	FittedAUC               // of the fit, against uniform pairs
	FittedAUCMatched        // of the fit, against degree-matched pairs
	FittedAP                // of the fit, against uniform pairs
	FittedLoss              // of the fit, over all pairs
	count
)

// Columns lists what [Scores] are.
var Columns = evaluate.LinkMetrics

const (
	ridge   = .1   // of the fit: C = 10 in other words
	certain = 1e-4 // no probability is counted as nearer to 0 or 1
)

// Score scores f on the pairs of a layer: f fills dst, of length width, with features of nodes i and j, and returns the score of the pair, the higher the
// more probable a link. If f is nil, the degrees alone are scored. The error is a [*diag.Error] if a number is not finite, or that of pause. Score panics
// with [ErrShape] for a layer that is not scored.
func (h *Held) Score(l, width int, f func(dst []float64, i, j int) float64, pause pause.Work) (s Scores, err error) {
	ErrShape.Unless(l >= 0 && l < len(h.Pairs) && h.Scored(l))
	pairs, k := h.Pairs[l], width+1
	x, y, raw := make([]float64, len(pairs)*k), make([]float64, len(pairs)), make([]float64, len(pairs))
	for n, p := range pairs {
		row := x[n*k : (n+1)*k]
		row[width] = h.Degrees(l, p.I, p.J)
		raw[n] = row[width]
		if f != nil {
			raw[n] = f(row[:width], p.I, p.J)
		}
		if p.Kind == Link {
			y[n] = 1
		}
		if slices.ContainsFunc(row, infinite) || infinite(raw[n]) {
			return s, &diag.Error{Where: fmt.Sprintf("layer %s, nodes %s and %s", h.Graph.Layers[l].Name, h.Graph.NodeName(p.I), h.Graph.NodeName(p.J)),
				Found: fmt.Sprintf("the score %v of features %v", raw[n], row), Expected: "finite numbers"}
		}
		const each = 64 // what a pair costs, in multiply-adds, about
		if err := pause.After(each * k); err != nil {
			return s, err
		}
	}
	p, err := h.crossFitted(l, x, y, k, pause)
	if err != nil {
		return s, err
	}
	s[AUC], _ = ranked(pairs, raw, Uniform)
	s[AUCMatched], _ = ranked(pairs, raw, Matched)
	s[FittedAUC], s[FittedAP] = ranked(pairs, p, Uniform)
	s[FittedAUCMatched], _ = ranked(pairs, p, Matched)
	for n, v := range p {
		v = min(max(v, certain), 1-certain)
		if y[n] == 0 {
			v = 1 - v
		}
		s[FittedLoss] -= kernel.Log(v)
	}
	s[FittedLoss] /= float64(len(p))
	return s, nil
}

func infinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// Degrees returns the degree term of a pair: log(d_i + .3) + log(d_j + .3), d those of the links that are left.
func (h *Held) Degrees(l, i, j int) float64 { return h.degree[l][i] + h.degree[l][j] }

// crossFitted returns the probability of a link of every pair, by the fit to the half of the pairs that it is not in.
func (h *Held) crossFitted(l int, x, y []float64, k int, pause pause.Work) ([]float64, error) {
	standardize(x, k)
	second := h.halves(l)
	p := make([]float64, len(y))
	for _, half := range []bool{false, true} {
		var fx, fy []float64
		for n, s := range second {
			if s == half {
				fx, fy = append(fx, x[n*k:(n+1)*k]...), append(fy, y[n])
			}
		}
		b, err := evidence.FitLogistic(fx, fy, k, ridge, pause)
		if err != nil {
			return nil, err
		}
		for n, s := range second {
			if s != half {
				p[n] = evidence.Sigmoid(b[0] + kernel.Dot(b[1:], x[n*k:(n+1)*k]))
			}
		}
	}
	return p, nil
}

// halves deals the pairs of every kind: which are in the second half.
func (h *Held) halves(l int) []bool {
	draw, second := h.stream(l, "halves"), make([]bool, len(h.Pairs[l]))
	from := 0
	for kind := Link; kind < kinds; kind++ {
		n := 0
		for from+n < len(second) && h.Pairs[l][from+n].Kind == kind {
			n++
		}
		order := make([]int, n)
		draw.Perm(order)
		for i := 0; i < n; i += 2 {
			second[from+order[i]] = true
		}
		from += n
	}
	return second
}

// standardize brings columns to mean 0 and standard deviation 1; those that hardly change become 0.
func standardize(x []float64, k int) {
	n := float64(len(x) / k)
	for c := range k {
		mean, squares, largest := 0.0, 0.0, 0.0
		for i := c; i < len(x); i += k {
			mean += x[i] / n
			largest = max(largest, math.Abs(x[i]))
		}
		for i := c; i < len(x); i += k {
			x[i] -= mean
			squares += float64(x[i] / n * x[i])
		}
		sd := math.Sqrt(squares)
		if sd <= 1e-12*largest {
			sd = math.Inf(1)
		}
		for i := c; i < len(x); i += k {
			x[i] /= sd
		}
	}
}

// ranked returns the area under the ROC curve and the average precision of scores that separate links from pairs of a kind. Equal scores
// count half in the one, and are of one threshold in the other.
func ranked(pairs []Pair, score []float64, kind Kind) (auc, ap float64) {
	var order []int
	links := 0.0
	for n, p := range pairs {
		if p.Kind == Link {
			links++
		}
		if p.Kind == Link || p.Kind == kind {
			order = append(order, n)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	above, others := 0.0, 0.0 // links and other pairs with higher scores
	for from := 0; from < len(order); {
		hits, to := 0.0, from
		for ; to < len(order) && score[order[to]] == score[order[from]]; to++ {
			if pairs[order[to]].Kind == Link {
				hits++
			}
		}
		misses := float64(to-from) - hits
		auc += float64(misses * (above + float64(hits/2)))
		above, others = above+hits, others+misses
		ap += float64(hits / links * above / (above + others))
		from = to
	}
	return auc / float64(links*others), ap
}

// Mean returns the mean of the scores of layers.
func Mean(list []Scores) (mean Scores) {
	for _, s := range list {
		for c, v := range s {
			mean[c] += v / float64(len(list))
		}
	}
	return mean
}

// TestShare is the argument of [evaluate.Compare] for splits: links held out over links that remain.
const TestShare = Share / (1 - Share)

// Interval returns the mean over splits, one value for each, of a score or of a difference between two methods, with its interval.
// Splits of one graph share most of their links; the variance is corrected for that as in [evaluate.Compare].
func Interval(values []float64) evaluate.Comparison { return evaluate.Compare(values, TestShare) }
