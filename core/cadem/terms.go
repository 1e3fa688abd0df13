package cadem

import (
	"fmt"

	"cadem.example/core/base/diag"
)

// Weights of the terms are options of a run.
type Weights struct {
	WeightMatching       float64 `name:"weight_matching" symbol:"w" label:"Weight of matching" group:"Losses" min:"0" max:"1000" default:"1" live:"true" paper:"0.9 (Syn1), 1 (others)" doc:"How strongly every common embedding is drawn to the consensus."`
	WeightSelfSupervised float64 `name:"weight_selfsupervised" symbol:"α" label:"Weight of layer prediction" group:"Losses" min:"0" max:"1000" default:"0.5" live:"true" paper:"1.5 (Syn1), 0.5 (Syn2, Syn4, ACM), 0.05 to 0.1 (others)" doc:"How strongly the private embedding must tell its layer."`
	WeightCausal         float64 `name:"weight_causal" symbol:"β" label:"Weight of the causal term" group:"Losses" min:"0" max:"1000" default:"0.5" live:"true" paper:"3.4 (Syn1), 0.5 (Syn2, Syn4, ACM), 0.01 to 0.05 (others)" doc:"How strongly the private part must tell its layer whatever common part it is paired with."`
	WeightPrivate        float64 `name:"weight_private" symbol:"ω" label:"Weight of private matching" group:"Losses" min:"0" max:"1000" default:"0" refined:"1" evidence:"1" live:"true" paper:"none" doc:"How strongly every private embedding is drawn to the leading directions of its layer's own part: ω Σ |Z U − R|² / M, where inputs were trimmed or split."`
}

// total returns the sum of weight times term, equation (6).
func (w *Weights) total(l Losses) (sum float64) {
	terms := l.Columns()
	for i, weight := range [len(Terms) - 1]float64{w.WeightMatching, w.WeightSelfSupervised, w.WeightCausal, w.WeightPrivate} {
		sum += float64(weight * terms[i])
	}
	return sum
}

// Losses are the terms of one step, before its update, and Total, their weighted sum.
type Losses struct {
	Matching       float64 `json:"matching"`
	SelfSupervised float64 `json:"selfsupervised"`
	Causal         float64 `json:"causal"`
	Private        float64 `json:"private"`
	Total          float64 `json:"total"`
}

// Fields lists them in the order of [Terms].
func (l *Losses) Fields() [len(Terms)]*float64 {
	return [...]*float64{&l.Matching, &l.SelfSupervised, &l.Causal, &l.Private, &l.Total}
}

// A Term describes a column of the losses. Every list of them follows [Terms]: checkpoints,
// messages, archives, reports, the command line and the page.
type Term struct {
	Name   string `json:"name"` // as in the JSON of [Losses]
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
	Weight string `json:"weight"` // the option that weighs it; "" for the total
	Guess  bool   `json:"guess"`  // it is the loss of a predictor of layers, which may guess
	// Needs lists options; the term exists when any is on. Empty: always. They do nothing if there
	// are at most dim features.
	Needs []string `json:"needs,omitempty"`
}

// Terms lists the terms of the loss, and the total behind them. A new one comes right before the total,
// where rows written by older versions lack it.
var Terms = [...]Term{
	{"matching", "L_matching", "Matching", "weight_matching", false, nil},
	{"selfsupervised", "L_self-supervised", "Self-supervised", "weight_selfsupervised", true, nil},
	{"causal", "L_causal", "Causal", "weight_causal", true, nil},
	{"private", "L_private", "Private", "weight_private", false, []string{"trim", "split"}},
	{"total", "L", "Total", "", false, nil},
}

// TermColumn returns the column of a term in [Losses.Columns]. It panics if there is no such term.
func TermColumn(name string) int {
	for i, t := range Terms {
		if t.Name == name {
			return i
		}
	}
	panic(diag.Misuse("cadem: no loss term " + name))
}

// Columns returns the losses in the order of [Terms].
func (l Losses) Columns() (x [len(Terms)]float64) {
	for i, field := range l.Fields() {
		x[i] = *field
	}
	return x
}

// LossesOf returns the losses whose columns x holds, at least two. Rows written by older versions are shorter;
// the missing terms, right before the total, read as 0.
func LossesOf(x []float64) (l Losses) {
	if lacks := len(Terms) - len(x); lacks > 0 {
		before := len(x) - 1
		x = append(append(append([]float64(nil), x[:before]...), make([]float64, lacks)...), x[before])
	}
	for i, field := range l.Fields() {
		*field = x[i]
	}
	return l
}

// NonFinite is the error of a step whose loss is not a finite number.
type NonFinite struct {
	Step int    // from 1
	Term string // its name in [Terms]
}

func (e *NonFinite) Error() string {
	return fmt.Sprintf("step %d: the %s loss is not a finite number; a smaller learning rate or loss weight may help", e.Step, e.Term)
}
