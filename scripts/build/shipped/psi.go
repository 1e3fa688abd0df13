package main

import (
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
)

// psiRuns is the input of www/run/psiruns.ts: an example trained with several weights of the causal loss, with swapped and with own common parts.
type psiRuns struct {
	Example string   `json:"example"`
	Names   []string `json:"names"` // of the layers
	Runs    []psiRun `json:"runs"`
}

// A psiRun is what psi answers at the end of one of them, and how often a probe finds the layer in pooled C_l.
type psiRun struct {
	Beta     float64     `json:"beta"`
	Own      bool        `json:"own"`
	Hash     string      `json:"hash"`
	Probe    float64     `json:"probe"`
	Exchange psiExchange `json:"exchange"`
}

// A psiExchange is an [evaluate.LayerIntervention] whose logits are single, half as long in JSON.
type psiExchange struct {
	*evaluate.LayerIntervention
	Private [][]float32 `json:"private"`
	Common  [][]float32 `json:"common"`
}

const psiFile = "www/psi.json"

// trainPsi trains an example with its usual settings, but for the weight of the causal loss and the pairing.
func trainPsi(example string, betas ...float64) (*psiRuns, error) {
	d, err := run.OpenExample(example, nil, run.UsualSeeds.Data)
	if err != nil {
		return nil, err
	}
	found := &psiRuns{Example: example}
	for _, l := range d.Graph.Layers {
		found.Names = append(found.Names, l.Name)
	}
	for _, beta := range betas {
		for _, pairing := range []string{"permutation", "own"} {
			s, err := run.NewSettings("released", d)
			if err != nil {
				return nil, err
			}
			o := s.CaDeM()
			o.WeightCausal, o.Pairing = beta, pairing
			var t *cadem.Trainer
			r, err := run.Train(d, s, precision.Single, run.Watch{Each: func(r *run.Run) error { t = r.Trainer(); return nil }})
			if err != nil {
				return nil, err
			}
			probe := run.LayerProbe(t)
			answers := probe.Intervene(s.EvalSeed)
			told, _ := probe.Probed(s.EvalSeed)
			found.Runs = append(found.Runs, psiRun{Beta: beta, Own: pairing == "own", Hash: r.Hash, Probe: told,
				Exchange: psiExchange{answers, single(answers.Private), single(answers.Common)}})
		}
	}
	return found, nil
}

func single(rows [][]float64) [][]float32 {
	short := make([][]float32, len(rows))
	for i, row := range rows {
		for _, v := range row {
			short[i] = append(short[i], float32(v))
		}
	}
	return short
}
