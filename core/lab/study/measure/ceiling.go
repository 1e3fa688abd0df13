package measure

import (
	"cadem.example/core/base/diag"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// ceilingOf adds what the first layer's communities, taken for final labels, score on Syn1:
// macro-F1, micro-F1, how many nodes they are right about, and of how many.
func ceilingOf(r *Result, d *run.Dataset) error {
	var final, first []int
	for i := range d.Graph.Labels {
		switch l := &d.Graph.Labels[i]; l.Name {
		case "final":
			final = l.Of
		case "layer_1":
			first = l.Of
		}
	}
	if final == nil || first == nil {
		return diag.Option("measure", "ceiling of data without the labels final and layer_1", "the data of syn1")
	}
	macro, micro := evaluate.F1(final, first)
	equal := 0
	for i := range final {
		if final[i] == first[i] {
			equal++
		}
	}
	r.Arrays = append(r.Arrays, Array{"ceiling", []int{4}, []float64{macro, micro, float64(equal), float64(len(final))}})
	return nil
}
