package measure

import (
	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// tooMany is why a page does not classify into more than [evaluate.ManyClasses]: it would take a tab hours.
var tooMany = &diag.Error{Where: "classes", Found: "too many for a page", Expected: "at most 500; cadem study tells more"}

func (c *Items) nearest(*run.Settings, pause.Yield) ([]evaluate.Score, error) {
	return nil, tooMany
}

func (c *Items) nearestRows(Inputs, *known, *run.Settings, pause.Yield) ([]evaluate.Score, error) {
	return nil, tooMany
}
