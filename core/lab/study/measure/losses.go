package measure

import (
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
)

// losses adds the terms of the loss, before their weights, and their weighted sum at the
// last step of every outer epoch.
func (r *Result) losses(trained *run.Result, inner int) {
	a := Array{Name: "losses", Shape: []int{0, len(cadem.Terms)}}
	for i := inner - 1; i < len(trained.Losses); i += inner {
		a.Data = append(a.Data, trained.Losses[i]...)
		a.Shape[0]++
	}
	r.Arrays = append(r.Arrays, a)
}
