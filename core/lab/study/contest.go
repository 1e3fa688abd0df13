package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/rng"
	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/train"
)

// WellFitted is the suffix of the names of figures measured by the well-fitted reader.
const WellFitted = " by the well-fitted reader"

// An Entrant is a method in a comparison.
type Entrant struct {
	Label string // as in tables
	Tasks []Task // one for each pair of seeds, in the order of [Order.Each]
	Row   *Row   // its row in the comparison; nil: it was not run
	// Claimed has the paper's sentence that it outperforms the others put to the test.
	Claimed bool
}

// duel is the comparison of two entrants.
type duel struct {
	a, b      *Entrant
	pairing   *Pairing
	corrected float64 // p after Holm's correction for the number of duels
}

// decided reports whether the difference is larger than chance, whatever the number of duels.
func (d *duel) decided() bool { return d.corrected < evaluate.Level }

// verdict says who is higher, if that is decided.
func (d *duel) verdict() string {
	switch {
	case !d.decided():
		return "not decided"
	case d.pairing.Mean > 0:
		return d.a.Label + " higher"
	}
	return d.b.Label + " higher"
}

// Contest compares the first entrant with each other one and all of them among each other, over the same folds and
// seeds; says which differences are larger than chance; and compares the rank of the first with the paper's. Only
// methods that were run take part. What names the figure.
func (r *Report) Contest(results Results, list []Entrant, f Entry, what string) {
	list = slices.DeleteFunc(slices.Clone(list), func(e Entrant) bool { return e.Row == nil || e.Row.Ours == nil })
	if len(list) < 2 {
		return
	}
	var own, all []duel
	for i := range list {
		for k := range list[:i] {
			p := PairTasks(results, list[k].Tasks, list[i].Tasks, f)
			if p == nil || p.Pairs < 2 {
				continue
			}
			d := duel{a: &list[k], b: &list[i], pairing: p}
			if all = append(all, d); k == 0 {
				own = append(own, d)
			}
		}
	}
	correct(all)
	correct(own)
	r.sheets(own, all, list[0].Label, what)
	for k, set := range [][]duel{own, all} {
		for i := range set {
			d := &set[i]
			if k == 1 && d.a == &list[0] {
				continue // it is among its own
			}
			t := d.pairing.test(what, d.a.Label, d.b.Label)
			t.Corrected, t.CorrectedFor = &d.corrected, len(set)
			r.Tests = append(r.Tests, t)
		}
	}
	r.beyondChance(own, all, list[0].Label, what)
	r.WithoutTraining(list[0].Label, what, sorting.Map(own, func(d duel) Bar { return Bar{d.b.Label, d.b.Tasks[0].Method, d.pairing} }))
	if !f.Fitted { // the paper has the other reader
		r.placeOf(&list[0], list[1:], own)
		r.outperforms(own, what)
	}
}

// Ranking starts with the score of each entrant, the highest first, by the paper's reader and by the well-fitted one, if any.
func (r *Report) Ranking(list []Entrant, what string) {
	ranked := func(of func(*Row) *float64) string {
		list := slices.DeleteFunc(slices.Clone(list), func(e Entrant) bool { return e.Row == nil || of(e.Row) == nil })
		sorting.Stable(list, func(a, b Entrant) int { return cmp.Compare(*of(b.Row), *of(a.Row)) })
		return strings.Join(sorting.Map(list, func(e Entrant) string { return e.Label + " " + Number(of(e.Row)) }), ", ")
	}
	s := ranked(func(row *Row) *float64 { return row.Ours })
	if fitted := ranked(func(row *Row) *float64 { return row.Fitted }); fitted != "" {
		s += ". By the well-fitted reader: " + fitted
	}
	r.Lead("%s: %s.", what, s)
}

// PairTasks compares a figure of two lists of tasks; task i has the same seeds in both. A method without random draws
// has one training for all seeds; two such methods are compared once.
func PairTasks(results Results, a, b []Task, f Entry) *Pairing {
	var x, y []*measure.Result
	seen := map[[2]string]bool{}
	for i := range min(len(a), len(b)) {
		keys := [2]string{a[i].Key(), b[i].Key()}
		s, t := results[keys[0]], results[keys[1]]
		if s == nil || t == nil || seen[keys] {
			continue
		}
		seen[keys] = true
		x, y = append(x, s), append(y, t)
	}
	return pairOn(f.Target, x, y, f.Trained(), f.Trained())
}

// outperforms puts to the test that the first entrant is above all others.
func (r *Report) outperforms(own []duel, what string) {
	if len(own) == 0 || !own[0].a.Claimed {
		return
	}
	above, below := apart(own)
	var higher []string // in the mean
	most := 0           // trainings of one comparison: those without random draws have one each
	for i := range own {
		d := &own[i]
		if most = max(most, d.pairing.trainings); *d.b.Row.Ours > *d.a.Row.Ours {
			higher = append(higher, fmt.Sprintf("%s %s", d.b.Label, Number(d.b.Row.Ours)))
		}
	}
	first := own[0].a
	c := Claim{Says: first.Label + " outperforms the other methods", Verdict: "is not decided here"}
	c.Because = fmt.Sprintf("%s: of %s that were run, %d are lower than %s (%s) by more than chance, corrected for their number, and %d higher; in the mean "+
		"these are higher: %s", what, Plural(len(own), "other method"), len(below), first.Label, Number(first.Row.Ours), len(above), orNone(higher))
	switch {
	case most < 2:
		c.Verdict = "is more than one run can tell"
	case above != nil:
		c.Verdict = "does not hold here"
	case len(below) == len(own):
		c.Verdict = "holds here"
	}
	r.Claim(c)
}

// apart lists the other methods that are above, and below, the first by more than chance.
func apart(own []duel) (above, below []string) {
	for i := range own {
		switch d := &own[i]; {
		case !d.decided():
		case d.pairing.Mean > 0:
			below = append(below, d.b.Label)
		default:
			above = append(above, d.b.Label)
		}
	}
	return above, below
}

// correct corrects for the number of duels.
func correct(list []duel) {
	for i, v := range evaluate.Holm(sorting.Map(list, func(d duel) float64 { return d.pairing.P })) {
		list[i].corrected = v
	}
}

// sheets adds the tables of differences: to the first entrant, which is printed, too, and among all.
func (r *Report) sheets(own, all []duel, first, what string) {
	titles := func(names ...string) []string {
		return append(names, "difference", "95 % interval", "p", "p, corrected", "")
	}
	line := func(d *duel, names ...string) []string {
		p := d.pairing
		return append(names, Signed(p.Mean), p.Interval(), figure.Chance(p.P), figure.Chance(d.corrected), d.verdict())
	}
	beside := Sheet{Title: fmt.Sprintf("%s: %s less each other method, p corrected for %s (Holm)", what, first, Plural(len(own), "comparison")),
		Lines: [][]string{titles("method", first, "method's")}}
	for i := range own {
		d := &own[i]
		beside.Lines = append(beside.Lines, line(d, d.b.Label, Number(&d.pairing.A), Number(&d.pairing.B)))
	}
	among := Sheet{Title: fmt.Sprintf("%s: all pairs of methods, the first less the second, p corrected for %s (Holm)", what, Plural(len(all), "comparison")),
		Lines: [][]string{titles("first", "second")}}
	for i := range all {
		d := &all[i]
		among.Lines = append(among.Lines, line(d, d.a.Label, d.b.Label))
	}
	if len(own) > 0 {
		beside.Title += ": each of " + own[0].pairing.weight()
	}
	r.Sheets = append(r.Sheets, beside, among)
	r.Held = append(r.Held, beside)
}

// beyondChance says which differences are larger than chance.
func (r *Report) beyondChance(own, all []duel, first, what string) {
	if len(own) == 0 {
		return
	}
	single := 0
	var winners []string
	losers := map[string][]string{}
	for i := range all {
		d := &all[i]
		if d.pairing.Decided {
			single++
		}
		if !d.decided() {
			continue
		}
		high, low := d.a.Label, d.b.Label
		if d.pairing.Mean < 0 {
			high, low = low, high
		}
		if losers[high] == nil {
			winners = append(winners, high)
		}
		losers[high] = append(losers[high], low)
	}
	var parts []string
	count := 0
	for _, name := range winners {
		count += len(losers[name])
		parts = append(parts, name+" above "+figure.And(losers[name]))
	}
	s := fmt.Sprintf("%s: of %s of methods, %d differ by p < 0.05 each by itself, and %d after a correction for their number (Holm)", what,
		Plural(len(all), "pair"), single, count)
	if parts != nil {
		s += ": " + strings.Join(parts, "; ")
	}
	r.Find("%s.", s)
	by := ""
	if strings.HasSuffix(what, WellFitted) {
		by = WellFitted
	}
	above, below := apart(own)
	if above == nil && below == nil {
		r.Find("None of the differences%s between %s and %s is larger than chance, corrected for their number.", by, first, Plural(len(own), "other method"))
		return
	}
	r.Find("Of the differences%s between %s and %s, these are larger than chance, corrected for their number: above it %s; below it %s.", by, first,
		Plural(len(own), "other method"), orNone(above), orNone(below))
}

// seedsToSay is the least number of trainings from which a report says what the trained model beats: from fewer there are figures alone.
const seedsToSay = 10

// A Bar is a method that the first one is held against, by its name and as in tables.
type Bar struct {
	Label, Method string
	Pairing       *Pairing
}

// WithoutTraining says which of the methods without training the first beats by more than its interval, and which not.
func (r *Report) WithoutTraining(first, what string, list []Bar) {
	var beaten, other []string
	seeds := 0
	for _, b := range list {
		if p := b.Pairing; p == nil || p.trainings < seedsToSay || !slices.Contains(train.Without, b.Method) {
			continue
		} else if seeds = p.trainings; p.Low > 0 {
			beaten = append(beaten, b.Label)
		} else {
			other = append(other, b.Label)
		}
	}
	if seeds > 0 {
		r.Find("%s: of what needs no training, %s beats by more than the 95 %% interval of %s: %s; it does not beat so: %s.", what, first,
			Plural(seeds, "training"), orNone(beaten), orNone(other))
	}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return figure.And(names)
}

// placeOf says whether the place of the first entrant among those that the paper prints is the paper's.
func (r *Report) placeOf(first *Entrant, others []Entrant, own []duel) {
	printed := func(e *Entrant) bool { return e.Row.Paper != nil && e.Row.Status != OtherSettings }
	if !printed(first) {
		return
	}
	paper, ours := 1, 1
	var against []duel
	for i := range others {
		e := &others[i]
		if !printed(e) {
			continue
		}
		if *e.Row.Paper > *first.Row.Paper {
			paper++
		}
		if *e.Row.Ours > *first.Row.Ours {
			ours++
		}
		for _, d := range own {
			if d.b.Label == e.Label {
				against = append(against, d)
			}
		}
	}
	if len(against) < 2 {
		return
	}
	correct(against)
	var wrong, sure []string // in the opposite order to the paper's; of them, beyond chance
	same := 0                // on the same side, beyond chance
	for i := range against {
		d := &against[i]
		row := d.b.Row
		switch other := (*first.Row.Paper > *row.Paper) != (*first.Row.Ours > *row.Ours); {
		case other && d.decided():
			sure = append(sure, d.b.Label)
			fallthrough
		case other:
			wrong = append(wrong, d.b.Label)
		case d.decided():
			same++
		}
	}
	verdict := "its place is reproduced"
	switch {
	case sure != nil:
		verdict = "its place is not reproduced: by more than chance it stands on the other side of " + figure.And(sure)
	case wrong != nil:
		verdict = "its place is not reproduced, and the differences that speak against it are within chance"
	case same < len(against):
		verdict = fmt.Sprintf("its place is the same, but only %d of the %d differences that make it are larger than chance", same, len(against))
	}
	r.Find("In the paper %s is number %d of these %d methods, here number %d. Compared with the other %d, it stands on the other side of %d than in the "+
		"paper, %d of them by more than chance: %s.", first.Label, paper, len(against)+1, ours, len(against), len(wrong), len(sure), verdict)
}

// shuffles is the number of orders that [kendallChance] draws.
const shuffles = 9999

// kendallChance returns the chance that two lists, one of them in a random order, have a rank correlation as far
// from 0 as these, or farther: the share of such orders among some drawn ones and the given one.
func kendallChance(a, b []float64) float64 {
	const rounding = 1e-12
	bound, as := math.Abs(kendall(a, b))-rounding, 1
	stream, order, dealt := rng.New(0, "study/kendall"), make([]int, len(b)), make([]float64, len(b))
	for range shuffles {
		stream.Perm(order)
		for i, k := range order {
			dealt[i] = b[k]
		}
		if math.Abs(kendall(a, dealt)) >= bound {
			as++
		}
	}
	return float64(as) / (shuffles + 1)
}
