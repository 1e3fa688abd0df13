package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/evaluate"
	"cadem.example/core/evaluate/links"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/chart"
	"cadem.example/core/lab/study/measure"
)

// The report on held-out links.

// foretellers are the ways of predicting links, in listed order.
var foretellers = []string{measure.ByAll, measure.ByShared, measure.ByTail, measure.ByAlone, measure.ByUnion, links.AdamicAdar, links.Allocation,
	links.Preferential, measure.ByDegrees}

// whole leaves the ways that all splits have. Splits that were kept before lack what was added since.
func (s *sharingReport) whole(ways []string) []string {
	return slices.DeleteFunc(slices.Clone(ways), func(way string) bool { return len(s.values(way, 0)) != len(s.held) })
}

// ways lists those in use.
func (s *sharingReport) ways() (list []string) {
	names := foretellers
	for _, t := range s.trained {
		names = append(slices.Clip(names), t.name)
	}
	for _, way := range names {
		if len(s.values(way, 0)) > 0 {
			list = append(list, way)
		}
	}
	return list
}

// values returns a score of a way, by split, of the mean over the layers.
func (s *sharingReport) values(way string, column int) (list []float64) {
	for _, t := range s.trained {
		if t.name == way {
			if score := t.found.Score(run.Combined, run.OfLinks, links.Columns[column].Name); score != nil {
				return slices.Clone(score.Folds)
			}
			return nil
		}
	}
	for _, r := range s.held {
		if of := r.LinkScore(way); of != nil {
			list = append(list, of.Mean(column))
		}
	}
	return list
}

// mean returns the mean over splits.
func (s *sharingReport) mean(way string, column int) float64 {
	return mean(s.values(way, column))
}

// against compares two ways split by split.
func (s *sharingReport) against(a, b string, column int) evaluate.Comparison {
	x, y := s.values(a, column), s.values(b, column)
	for i := range x {
		x[i] -= y[i]
	}
	return links.Interval(x)
}

// shownColumns are the scores that are listed.
var shownColumns = []int{links.AUC, links.AUCMatched, links.FittedAUC, links.FittedLoss}

// rows adds the scores of all ways.
func (s *sharingReport) rows(r *study.Report) {
	for _, way := range s.ways() {
		for _, c := range shownColumns {
			v := s.values(way, c)
			if len(v) == 0 {
				continue
			}
			row := study.Row{Dataset: s.dataset, Method: way, Target: run.OfLinks, Metric: links.Columns[c].Name, Ours: study.Average(v), Trainings: len(v)}
			if len(v) > 1 {
				row.SeedStd, row.Lowest, row.Highest = new(study.Deviation(v)), new(slices.Min(v)), new(slices.Max(v))
			}
			r.Rows = append(r.Rows, row)
		}
	}
}

// spread writes a mean with its interval over splits.
func spread(c evaluate.Comparison, n int) string {
	if n < 2 {
		return fixed(c.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", fixed(c.Mean), fixed(c.Low), fixed(c.High))
}

// heldSheet has a line for every way of telling links.
func (s *sharingReport) heldSheet() study.Sheet {
	n := len(s.held)
	lines := [][]string{{"told by", "AUC", "degrees matched", "fitted", "log-loss", "log-loss beside S with P"}}
	for _, way := range s.ways() {
		line := []string{way}
		for _, c := range shownColumns {
			line = append(line, spread(links.Interval(s.values(way, c)), n))
		}
		beside := ""
		if way != measure.ByAll && len(s.values(way, 0)) == n {
			beside = spread(s.against(way, measure.ByAll, links.FittedLoss), n)
		}
		lines = append(lines, append(line, beside))
	}
	return study.Sheet{Lines: lines,
		Title: fmt.Sprintf("Held-out links, %s: mean over layers and splits, with 95 %% intervals over splits", study.Plural(n, "split"))}
}

// transferSheet has a line for every layer whose links the others predict.
func (s *sharingReport) transferSheet() study.Sheet {
	if s.transfer == nil || len(s.transfer.Links) == 0 {
		return study.Sheet{}
	}
	lines := [][]string{{"links of"}}
	for _, way := range s.transfer.Links {
		lines[0] = append(lines[0], way.Way)
	}
	for _, l := range s.transfer.Links[len(s.transfer.Links)-1].Layers {
		line := []string{s.name(l)}
		for _, way := range s.transfer.Links {
			cell := ""
			if k := slices.Index(way.Layers, l); k >= 0 {
				cell = fixed(way.Scores[k][links.AUC])
			}
			line = append(line, cell)
		}
		lines = append(lines, line)
	}
	return study.Sheet{Title: "Links of a layer that is left out, told by the others: AUC against uniform pairs", Lines: lines}
}

// foretold says how well S and P predict held-out links.
func (s *sharingReport) foretold() []sentence {
	if s.unheld != "" {
		return []sentence{{"No links could be held out: " + strings.TrimSuffix(s.unheld, ".") + ".", "what holding links out answered"}}
	}
	if len(s.held) == 0 || s.values(measure.ByAll, 0) == nil {
		return nil
	}
	const c = links.AUCMatched
	// Those from the fourth on test nothing.
	best := slices.MaxFunc(s.whole(foretellers[3:]), func(a, b string) int { return cmp.Compare(s.mean(a, c), s.mean(b, c)) })
	d := s.against(measure.ByAll, best, c)
	n := len(s.held)
	from := fmt.Sprintf("AUC of held-out links against pairs of like degrees, mean over layers and %s: ", study.Plural(n, "split"))
	var parts []string
	for _, way := range s.whole(foretellers) {
		parts = append(parts, fmt.Sprintf("%s %s", way, fixed(s.mean(way, c))))
	}
	from += strings.Join(parts, ", ") + fmt.Sprintf("; S with P less %s %s", best, spread(d, n))
	list := []sentence{{fmt.Sprintf("S with P tells links that were held out from pairs of like degrees with AUC %s, S alone with %s and degrees with %s.",
		fixed(s.mean(measure.ByAll, c)), fixed(s.mean(measure.ByShared, c)), fixed(s.mean(measure.ByDegrees, c))), from}}
	text := fmt.Sprintf("Of what asks for no test, %s comes closest with %s", best, fixed(s.mean(best, c)))
	switch {
	case n < 2:
		text += "; one split decides nothing."
	case !d.Decided:
		text += fmt.Sprintf("; %s do not decide between them.", study.Plural(n, "split"))
	case d.Mean > 0:
		text += fmt.Sprintf(", less by %s to %s.", fixed(d.Low), fixed(d.High))
	default:
		text = fmt.Sprintf("%s tells more without any test: %s, by %s to %s.", begun(best), fixed(s.mean(best, c)), fixed(-d.High),
			fixed(-d.Low))
	}
	return append(list, sentence{text, from})
}

// gain returns by how much a way has a higher fitted AUC than S with its tail, over the splits and layers that have it.
func (s *sharingReport) gain(way string) []float64 {
	var list []float64
	for _, r := range s.held {
		with, without := r.LinkScore(way), r.LinkScore(measure.WithoutP)
		if with == nil || without == nil {
			continue
		}
		sum := 0.0
		for k, l := range with.Layers {
			sum += with.Scores[k][links.FittedAUC] - without.Scores[slices.Index(without.Layers, l)][links.FittedAUC]
		}
		list = append(list, sum/float64(len(with.Layers)))
	}
	return list
}

// gains says what P adds in its own layer and in others.
func (s *sharingReport) gains() []sentence {
	own, others := s.gain(measure.WithOwn), s.gain(measure.WithOthers)
	if len(own) == 0 || len(others) == 0 {
		return nil
	}
	a, b := mean(own), mean(others)
	return []sentence{{fmt.Sprintf("P changes the fitted AUC by %s in its own layer and by %s in others.", study.Signed(a), study.Signed(b)),
		fmt.Sprintf("fitted AUC with P beside S, its tail and degrees: own layer %s, other layers %s, mean over %s", study.Signed(a), study.Signed(b),
			study.Plural(len(own), "split"))}}
}

// training says what trainings add to what was found without any.
func (s *sharingReport) training() (list []sentence) {
	const c = links.FittedAUC
	for _, t := range s.trained {
		n := len(s.values(t.name, c))
		if t.found.Refused != "" {
			list = append(list, sentence{fmt.Sprintf("The preset %s could not be trained: %s.", t.preset(), strings.TrimSuffix(t.found.Refused, ".")),
				"what the training answered"})
		}
		if n == 0 || n != len(s.values(measure.ByAll, c)) {
			continue
		}
		d := s.against(t.name, measure.ByAll, c)
		how, what := "Trained with the preset "+t.preset(), "training"
		if t.preset() == study.Closed {
			how, what = "By the closed form", "that"
		}
		text := fmt.Sprintf("%s, the fitted AUC is %s, where S with P has %s without training", how,
			fixed(s.mean(t.name, c)), fixed(s.mean(measure.ByAll, c)))
		switch {
		case n < 2:
			text += "; one split decides nothing."
		case !d.Decided:
			text += fmt.Sprintf("; %s do not decide between them.", study.Plural(n, "split"))
		default:
			text += fmt.Sprintf(": %s changes it by %s to %s.", what, study.Signed(d.Low), study.Signed(d.High))
		}
		list = append(list, sentence{text, fmt.Sprintf("fitted AUC of held-out links, %s, less that of S with P: %s", t.name, spread(d, n))})
	}
	return list
}

// transferred says how well the other layers predict one that is left out.
func (s *sharingReport) transferred() []sentence {
	if s.transfer == nil {
		return nil
	}
	way := s.transfer.LinkScore(measure.ByTail)
	what := "what the others share"
	if way == nil {
		way, what = s.transfer.LinkScore(measure.ByUnion), "the other layer"
	}
	degrees := s.transfer.LinkScore(measure.ByDegrees)
	if way == nil {
		return nil
	}
	best, worst := 0, 0
	var parts []string
	for k := range way.Layers {
		v := way.Scores[k][links.AUC]
		if v > way.Scores[best][links.AUC] {
			best = k
		}
		if v < way.Scores[worst][links.AUC] {
			worst = k
		}
		parts = append(parts, fmt.Sprintf("%s %s", s.name(way.Layers[k]), fixed(v)))
	}
	text := fmt.Sprintf("Links of a layer that is left out are told by %s with AUC %s in the mean", what, fixed(way.Mean(links.AUC)))
	if b, w := fixed(way.Scores[best][links.AUC]), fixed(way.Scores[worst][links.AUC]); len(way.Layers) > 1 && b == w {
		text += ", those of all layers alike"
	} else if len(way.Layers) > 1 {
		text += fmt.Sprintf(", those of %s best (%s) and of %s worst (%s)", s.name(way.Layers[best]), b, s.name(way.Layers[worst]), w)
	}
	text += fmt.Sprintf("; degrees in the others tell them with %s.", fixed(degrees.Mean(links.AUC)))
	return []sentence{{text, "AUC of all links of a layer by the others, " + way.Way + ": " + strings.Join(parts, ", ")}}
}

// stable says how far S and P are from those of other seeds.
func (s *sharingReport) stable() []sentence {
	if s.apart == nil {
		return nil
	}
	columns := s.apart.Shape[1]
	shared, own := 0.0, 0.0
	for k, v := range s.apart.Data {
		if k%columns == 0 {
			shared = max(shared, v)
		} else {
			own = max(own, v)
		}
	}
	var parts []string
	if s.sharing != nil && len(s.sharing.Directions) > 0 || shared > 0 {
		parts = append(parts, "S by "+figure.Fixed(shared, 2))
	}
	if own > 0 {
		parts = append(parts, "P by "+figure.Fixed(own, 2))
	}
	if parts == nil {
		return nil
	}
	text := "move " + figure.And(parts) + " at most"
	return []sentence{{fmt.Sprintf("Other seeds of permutations and folds %s, where 0 is the same up to a rotation and a scale and 1 is nothing in common.", text),
		fmt.Sprintf("distance of Procrustes to the first seed, largest of %s", study.Plural(s.apart.Shape[0], "seed"))}}
}

// losses returns the widths that were tried, from 0, and their log-losses.
func (s *sharingReport) losses() (d, loss []float64) {
	if len(s.held) == 0 || s.values(measure.ByDegrees, 0) == nil {
		return nil, nil
	}
	d, loss = []float64{0}, []float64{s.mean(measure.ByDegrees, links.FittedLoss)}
	for _, w := range measure.Widths {
		if v := s.values(measure.ByFirst(w), links.FittedLoss); len(v) == len(s.held) {
			d, loss = append(d, float64(w)), append(loss, mean(v))
		}
	}
	return d, loss
}

// width advises on d.
func (s *sharingReport) width() []sentence {
	d, loss := s.losses()
	if len(d) < 2 || s.sharing == nil {
		return nil
	}
	const little = .002
	least := slices.Min(loss)
	k := slices.IndexFunc(loss, func(v float64) bool { return v <= least+little })
	own := 0
	for _, l := range s.sharing.Layers {
		own = max(own, len(l.Own))
	}
	var parts []string
	for i := range d {
		parts = append(parts, fmt.Sprintf("%.0f: %s", d[i], fixed(loss[i])))
	}
	from := fmt.Sprintf("directions above evidence: S %d, a layer's own %d at most; log-loss of held-out links by d, 0 for degrees alone: %s",
		len(s.sharing.Directions), own, strings.Join(parts, ", "))
	if d[k] == 0 {
		return []sentence{{"By log-loss, no d tells links better than degrees do.", from}}
	}
	ownText := fmt.Sprintf("a layer's own part %s at most", inWords(own))
	if own == 0 {
		ownText = "no layer has any of its own"
	}
	return []sentence{{fmt.Sprintf("Embeddings need no more than d = %.0f: S has %s above evidence, %s, and the log-loss of held-out links falls from %s with "+
		"degrees alone to %s there.", d[k], directions(len(s.sharing.Directions)), ownText, fixed(loss[0]), fixed(loss[k])), from}}
}

// curve draws the log-loss against d.
func (s *sharingReport) curve(r *study.Report) {
	d, loss := s.losses()
	if len(d) < 2 {
		return
	}
	last := d[len(d)-1]
	level := func(name, way string) chart.Series {
		y := s.mean(way, links.FittedLoss)
		return chart.Straight(name, 0, y, last, y)
	}
	line := chart.Series{Name: "d directions of S and of P", X: d, Y: loss}
	if math.IsNaN(loss[0]) {
		return
	}
	r.Draw(chart.Chart{Name: "evidence-width", Title: "Log-loss of held-out links by the number of directions", XLabel: "d", YLabel: "log-loss",
		Text:   "A line over d, from degrees alone at 0; dashed all of S, its tail and P, and the union of the layers without any test.",
		Series: []chart.Series{line, level(measure.ByAll, measure.ByAll), level(measure.ByUnion, measure.ByUnion)}})
}
