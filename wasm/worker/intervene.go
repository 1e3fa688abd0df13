package worker

import (
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// interventions returns the answers of psi about private parts when the common parts beside them are exchanged.
func (w *Worker) interventions(q *bridge.Request, r *training) error {
	var args struct {
		EvalSeed uint64 `json:"eval_seed"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	found, now := run.LayerProbe(r.Trainer()).Intervene(args.EvalSeed), r.Trainer().Progress()
	q.Reply(map[string]any{"invariance": found.Invariance, "pairs": found.Pairs, "observed": found.Observed, "do": found.Do,
		"layer": found.Layer, "private": found.Private, "common": found.Common, "step": now.Step, "epoch": now.Epoch})
	return nil
}
