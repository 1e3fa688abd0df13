package e2e

import (
	"fmt"
	"testing"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/scripts/e2e/drive"
)

// TestClaims has three sentences of the paper put to the test with what is set up. The verdicts, charts and tables are those that the core finds
// natively, in make test by one seed, and ten are begun. With other settings nothing is said before they are measured, and then what these give.
func TestClaims(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn1", Data: map[string]any{"nodes": 30}, Options: map[string]any{"epochs": 4, "inner_steps": 1, "hidden": 8, "eval_epochs": 5}}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until("lab.untouched")
		v.Finish()
		v.Reveal("#causality")
		v.Until("see.there", "#claims-run")
		planned := func(seeds int, change map[string]any) (study.Order, []study.Task) {
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
			return o, tasks
		}
		measured := func(seeds int, change map[string]any) {
			t.Helper()
			o, tasks := planned(seeds, change)
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
		if long() {
			measured(10, nil)
		} else { // what is left when it is stopped at once
			_, one := planned(1, nil)
			_, ten := planned(10, nil)
			v.Push("#claims-run")
			v.Until("see.is", "#claims-run", "Stop")
			v.Push("#claims-run")
			v.Until("see.starts", "#claims-run", "Continue (")
			var left int
			text := v.Text("#claims-run")
			if _, err := fmt.Sscanf(text, "Continue (%d left)", &left); err != nil || left < 1 || left > len(ten)-len(one) {
				t.Errorf("stopped amid %d trainings of ten seeds, %d of them done before, the button says %q", len(ten), len(one), text)
			}
		}
		Axe(t, v.Browser)
		v.Enter("#options-weight_causal", "0")
		v.Until("!see.hidden && see.gone", "#claims-run", "#claims-report *")
		measured(1, map[string]any{"weight_causal": 0})
		v.Check()
	})
}
