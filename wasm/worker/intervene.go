package worker

import (
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// exchanged has the answers of psi at a step.
type exchanged struct {
	evaluate.LayerIntervention
	Step  int `json:"step"`
	Epoch int `json:"epoch"`
}

// interventionsArgs are the arguments of interventions.
type interventionsArgs struct {
	EvalSeed uint64 `json:"eval_seed"`
}

// interventions returns the answers of psi about private parts when the common parts beside them are exchanged.
func (w *Worker) interventions(q *bridge.Request, r *training, given any) error {
	args := given.(*interventionsArgs)
	found, now := run.LayerProbe(r.Trainer()).Intervene(args.EvalSeed), r.Trainer().Progress()
	return q.Reply(exchanged{*found, now.Step, now.Epoch})
}
