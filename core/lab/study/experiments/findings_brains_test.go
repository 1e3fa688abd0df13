package experiments

import (
	"testing"

	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

func TestFindingsOfScans(t *testing.T) {
	for experiment, options := range map[string]map[string]any{"table5": {"subjects": 6, "regions": 60, "epochs": 1, "inner_steps": 1, "eval_epochs": 2},
		"identify": {"subjects": 3, "regions": 60, "epochs": 1, "inner_steps": 1, "eval_epochs": 2}} {
		s := staged(t, study.Order{Study: experiment, Seeds: 2, Options: map[string]any{"subjects": options["subjects"]}}, options)
		with := func(ours, untrained, sums, fc float64) *study.Report {
			return s.report(t, edits(func(task *study.Task, v *evaluate.Score) scored {
				if v.Embedding == measure.ByFC {
					return scored{value: fc}
				}
				return scored{ours, untrained, sums, 0}
			}))
		}
		told(t, with(0.9, 0.5, 0.5, 0.5), []string{"shared encoders: trained 0.89", "in favour of trained"},
			[]string{"in favour of untrained", "in favour of connectivity", "in favour of sums of features"})
		told(t, with(0.5, 0.9, 0.9, 0.9), []string{"in favour of untrained", "in favour of connectivity", "in favour of sums of features"},
			[]string{"in favour of trained"})
	}
}

func TestFindingsOfTable6(t *testing.T) {
	s := staged(t, study.Order{Study: "table6", Seeds: 2, Files: []run.FileSpec{{Name: "a", Size: 1, Sum: "1"}}},
		map[string]any{"epochs": 1, "inner_steps": 1, "hidden": 4, "eval_epochs": 2})
	paper := false
	with := func(all, match, others, untrained float64) *study.Report {
		return s.report(t, func(task *study.Task, r *measure.Result) {
			if paper {
				r.Summary.Paper = "ACM"
				for i := range r.Summary.Layers {
					r.Summary.Layers[i].SelfLoops = r.Summary.Nodes
				}
			}
			edits(func(task *study.Task, v *evaluate.Score) scored {
				switch {
				case task.Options["weight_causal"] != nil:
					return scored{match, 0.1, 0, 0.6}
				case v.Embedding == "combined":
					return scored{all, untrained, 0, 0.7}
				}
				return scored{others, 0.1, 0, 0.2}
			})(task, r)
		})
	}
	told(t, with(0.9, 0.5, 0.6, 0.3), []string{"in favour of trained", "in favour of S and P", "in favour of all losses", "paper prints nothing"},
		[]string{"in favour of S and zeros", "in favour of matching alone", "not decided", "the paper prints 0"})
	told(t, with(0.5, 0.9, 0.8, 0.7), []string{"in favour of untrained", "in favour of S and zeros", "in favour of S and the P of other nodes",
		"in favour of matching alone"}, []string{"in favour of S and P", "in favour of all losses"})
	paper = true
	told(t, with(0.93, 0.5, 0.6, 0.3), []string{"With all losses the paper prints 0.929 ± 0.008, here it is 0.931: a match",
		"With matching alone the paper prints 0.866 ± 0.014, here it is 0.501: below it", "2 of 2 for combined on team"}, []string{"not to be compared"})
	s.order.Options = map[string]any{"hidden": 16}
	s.tasks, _ = All().Plan(s.order)
	told(t, with(0.93, 0.5, 0.6, 0.3), []string{"here it is 0.931: not to be compared"}, []string{"a match", "below it", " of 2 for"})
}

func TestFindingsOfRegions(t *testing.T) {
	s := staged(t, study.Order{Study: "regions", Options: map[string]any{"subjects": 2}},
		map[string]any{"subjects": 2, "regions": 60, "epochs": 1, "inner_steps": 1})
	with := func(longest func(network, node int) float64) *study.Report {
		return s.report(t, func(_ *study.Task, r *measure.Result) {
			for l := 1; l <= 2; l++ {
				a := r.Array(measure.ArrayLength.Layer(l - 1))
				for i, k := range r.Array("network").Data {
					a.Data[i] = longest(int(k), i)
				}
			}
		})
	}
	told(t, with(func(network, _ int) float64 {
		if network == 0 {
			return 1
		}
		return 0
	}), []string{"corrected over the networks: "}, []string{"networks: no network"})
	told(t, with(func(_, node int) float64 { return float64(node * 37 % 60) }), []string{"networks: no network."}, nil)
}

// With any setting unlike the paper's, no figure of ours is compared with the paper's.
