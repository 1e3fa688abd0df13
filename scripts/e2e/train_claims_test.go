package e2e

import (
	"testing"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/scripts/e2e/drive"
)

// TestClaims has three sentences of the paper put to the test with what is set up. The verdicts, charts and tables are those that the core finds
// natively. With other settings nothing is said before they are measured, and then what these give.
func TestClaims(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn1", Data: map[string]any{"nodes": 30}, Options: map[string]any{"epochs": 4, "inner_steps": 1, "hidden": 8, "eval_epochs": 5}}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until("lab.untouched")
		v.Finish()
		v.Reveal("#causality")
		v.Until("see.there", "#claims-run")
		measured := func(seeds int, change map[string]any) {
			t.Helper()
			o := study.Order{Study: "claims", Example: c.Example, Seeds: seeds, Options: map[string]any{}}
			for _, options := range []map[string]any{c.Data, c.Options, change} {
				for name, value := range options {
					o.Options[name] = value
				}
			}
			tasks, err := experiments.All().Plan(o)
			if err != nil {
				t.Fatal(err)
			}
			results, err := (&study.Scheduler{}).Run(tasks)
			if err != nil {
				t.Fatal(err)
			}
			reports, err := experiments.All().Assemble(o, results)
			if err != nil {
				t.Fatal(err)
			}
			v.Push("#claims-run")
			done, of := "see.starts && see.says", []any{"#claims-run", "Decide"}
			if seeds > 1 {
				done, of = "see.hidden && see.says", []any{"#claims-run"}
			}
			claims := reports[0].Claims
			v.Until(done, append(of, "#claims-report .claims", claims[len(claims)-1].Because)...)
			for _, claim := range claims {
				v.Want("#claims-report .claims", claim.Says, claim.Verdict, claim.Because)
			}
			if n := v.Count("#claims-report img"); n != len(reports[0].Charts) {
				t.Errorf("%d charts, expected %d", n, len(reports[0].Charts))
			}
			v.Want("#claims-report", reports[0].Sheets[0].Title)
		}
		measured(1, nil)
		v.Want("#claims-report .claims", "is more than one run can tell")
		measured(10, nil)
		Axe(t, v.Browser)
		v.Enter("#options-weight_causal", "0")
		v.Until("!see.hidden && see.gone", "#claims-run", "#claims-report *")
		measured(1, map[string]any{"weight_causal": 0})
		v.Check()
	})
}
