package measure

import (
	"cadem/core/diag"
	"cadem/core/evaluate"
	"cadem/core/pause"
	"cadem/core/run"
)

// tooMany is why a page does not tell more than [evaluate.ManyClasses]: it would take a tab hours.
var tooMany = &diag.Error{Where: "classes", Found: "too many for a page", Expected: "at most 500; cadem study tells more"}

func (c *collection) nearest(*run.Settings, pause.Yield) ([]evaluate.Score, error) {
	return nil, tooMany
}

func (c *collection) nearestRows(Inputs, *known, *run.Settings, pause.Yield) ([]evaluate.Score, error) {
	return nil, tooMany
}
