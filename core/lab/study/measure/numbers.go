package measure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/evaluate"
)

// NumberOptions say which number of every subject is predicted, and how.
type NumberOptions struct {
	Target       string `name:"target" choices:"*" default:"age" group:"layers" doc:"The column of numbers in participants.tsv that is predicted."`
	First        string `name:"first" label:"condition" choices:"*" default:"" group:"layers" doc:"The condition whose scans are used; when none is named, rest, else the first there is."`
	Covariates   string `name:"covariates" choices:"*" default:"" group:"layers" doc:"What is taken out of the number and of the scans inside every fold, separated by commas: columns of numbers or of words in participants.tsv, and motion, the mean framewise displacement."`
	Family       string `name:"family" choices:"*" default:"" group:"layers" doc:"A column of participants.tsv whose subjects of one value are never trained on and tested at once."`
	Folds        int    `name:"folds" min:"2" max:"20" default:"5" group:"layers" doc:"Outer folds, and inner ones, which choose the penalty."`
	Permutations int    `name:"permutations" min:"0" max:"100000" default:"1000" group:"layers" doc:"Shuffles of the number among subjects."`
}

// Arrays of predicted numbers. Words are the names of what they are predicted from.
const (
	ArrayNumbers   ArrayName = "numbers"   // a row a scan: the number, its covariates, motion; -1: not known
	ArrayRegressed ArrayName = "regressed" // a row a predictor: r, R2, mean absolute error, p
	ArrayPredicted ArrayName = "predicted" // a row a predictor and a scan: what is predicted, and what is true, less what covariates explain
)

// numbers predicts a number of every scan from what inputs hold: prepared scans, or embeddings.
func numbers(w *Work) error {
	o := &NumberOptions{}
	property.Defaults(o)
	if err := w.Set(o); err != nil {
		return err
	}
	c := &Items{}
	there := true
	if err := each(w.Inputs, func(in *Result) error {
		there = there && in.Array(ArrayNumbers) != nil
		c.add(in)
		return nil
	}); err != nil {
		return err
	}
	if !there {
		return o.Fits(0, c.groups)
	}
	all, err := stacked(w.Inputs, ArrayNumbers)
	if err != nil {
		return err
	}
	_, width := all.Dims()
	if err := o.Fits(width-1, c.groups); err != nil {
		return err
	}
	names, of := o.CovariateNames(), width-2
	r := evaluate.Regression{Folds: o.Folds, Permutations: o.Permutations, Seed: w.Settings.EvalSeed}
	for k := range of {
		r.Covariates = append(r.Covariates, mat.Col(nil, k+1, all))
	}
	if len(names) > of {
		r.Covariates = append(r.Covariates, mat.Col(nil, width-1, all))
		for _, v := range r.Covariates[of] {
			if v < 0 {
				return diag.Option("covariates", MotionCovariate+", which is not known of every scan", "others, or tables of confounds or of motion beside all series")
			}
		}
	}
	from := map[string]func() (*mat.Dense, error){}
	r.Groups = c.groups
	if in, err := w.Inputs.At(0); err != nil {
		return err
	} else if in.Array(ArrayFC) != nil {
		for _, k := range []known{{name: ByFC, array: ArrayFC}, {name: ByMoments, array: ArrayMoments}, {name: ByLength, array: ArrayQuality, columns: 1}} {
			w.Result.Words = append(w.Result.Words, k.name)
			from[k.name] = func() (*mat.Dense, error) { return k.of(w.Inputs) }
		}
	} else if err := w.collected(func(c *Items, _ *Work) error {
		for _, part := range []struct {
			prefix string
			list   []evaluate.Embedding
		}{{"", c.embeddings("")}, {string(untrained), c.embeddings(untrained)}, {"trivial:", c.features()}} {
			for _, e := range part.list {
				if e.Name == "common" {
					continue // the sums over S are 0 by construction: what is left is rounding
				}
				w.Result.Words = append(w.Result.Words, part.prefix+e.Name)
				from[part.prefix+e.Name] = func() (*mat.Dense, error) { return beside(e.Tokens), nil }
			}
		}
		return nil
	}); err != nil {
		return err
	}
	y := mat.Col(nil, 0, all)
	for at, name := range w.Result.Words {
		x, err := from[name]()
		if err != nil {
			return err
		}
		found, err := evaluate.Regress(x, y, r, steps(w.Yield, at, len(w.Result.Words)))
		if err != nil {
			return err
		}
		w.Result.Row(ArrayRegressed, []float64{found.R, found.R2, found.Error, found.P})
		for i, v := range found.Predicted {
			w.Result.Row(ArrayPredicted, []float64{v, found.True[i]})
		}
	}
	return nil
}

// Fits refuses scans of some groups that do not have all numbers, the target and its covariates, or that are too few.
func (o *NumberOptions) Fits(numbers int, groups []int) error {
	const leastScans, leastGroups = 8, 4
	of := Asked(o.CovariateNames()...)
	seen := map[int]bool{}
	for _, g := range groups {
		seen[g] = true
	}
	switch {
	case numbers == 0:
		return diag.Option("target", o.Target, "a column of numbers of participants.tsv")
	case numbers != 1+len(of):
		return diag.Option("covariates", o.Covariates, "columns of participants.tsv, of numbers or of a few words, or motion")
	case len(groups) < leastScans && o.First != "":
		return diag.Option("first", o.First,
			fmt.Sprintf("a condition with at least %d scans of subjects whose %s is known", leastScans, o.Target))
	case len(groups) < leastScans:
		return diag.Option("target", o.Target,
			fmt.Sprintf("a column of participants.tsv with numbers of at least %d scans", leastScans))
	case len(seen) < leastGroups:
		return diag.Option("family", o.Family,
			fmt.Sprintf("a column with at least %d different words, for folds that hold out whole families", leastGroups))
	}
	return nil
}

// CommaNames are names in a list with commas.
func CommaNames(list string) (names []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Asked are those of some names that participants.tsv has to have: all but motion, and "".
func Asked(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(s string) bool {
		return s == "" || s == MotionCovariate
	})
}

// CovariateNames are the covariates.
func (o *NumberOptions) CovariateNames() []string { return CommaNames(o.Covariates) }

// MotionCovariate is the covariate that is measured from the scans themselves.
const MotionCovariate = "motion"
