package experiments

import (
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

const ceilingText = " A final label copies the node's community in the first layer, or at random in another one. Which nodes copy another " +
	"one is drawn by itself, so that no embedding can tell them but by luck: the ceiling below is what the first layer's communities score when " +
	"they are known without error."

// syn1Layers are the label sets of Syn1 that the tables score beside the final labels.
var syn1Layers = []string{"layer_1", "layer_2", "layer_3"}

// planSyn1 trains Syn1 as published and scores everything.
func planSyn1(o *study.Order) []study.Task { return measureSyn1(o, syn1Measures...) }

func measureSyn1(o *study.Order, specs ...measure.Spec) []study.Task {
	return o.Trainings("syn1", nil, nil, "", specs...)
}

var syn1Measures = []measure.Spec{{Kind: measure.Scores}, {Kind: measure.Ceiling}, {Kind: measure.Losses}}

// ceiling says what the data allow.
func ceiling(r *study.Report, list []*measure.Result) {
	var values [4][]float64 // as in the array
	for _, t := range list {
		if a := t.Array("ceiling"); a != nil {
			for k := range values {
				values[k] = append(values[k], a.Data[k])
			}
		}
	}
	if len(values[0]) > 0 {
		r.Find("%.4g of %.4g final labels are the node's community in the first layer. That alone scores "+
			"macro-F1 %.3f and micro-F1 %.3f, the ceiling on these data.", mean(values[2]), mean(values[3]), mean(values[0]),
			mean(values[1]))
	}
}
