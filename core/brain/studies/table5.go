package studies

import (
	"fmt"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/measures"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
)

var table5 = study.Study{
	Name: "table5", Title: "Table V: what a person was doing, from the brain", Seeds: 1, DataSeeds: 1, Classifies: true, Methods: study.Graphs,
	Shows: "What a person was doing, told from brain scans, synthetic or your own.",
	Learn: "Whether graphs of regions tell more by training than before it.",
	Text: "Every scan becomes a graph of two layers, regions that rise and fall together and regions that go opposite ways. Embeddings are " +
		"added up over the regions, and folds that hold out whole subjects tell the condition from these sums. " +
		"Look at the rows without embeddings first. One is what a ridge regression reads from functional connectivity itself, above 1,024 scans in " +
		"single precision. Linear probes read skewness and kurtosis of all regions, and the length of a run, which should tell nothing. Then look at " +
		"two columns: untrained encoders, and trivial, the sums of the propagated features. The encoders are linear. So a pooled private embedding of shared " +
		"encoders is a linear function of two such sums, whatever training does. The pooled consensus is zero by construction in the directions " +
		"that the data determine. " +
		"The paper does not say whether encoders are shared by all graphs or each graph has its own; both are here." + experiments.MethodsText +
		experiments.OneWeights + " The paper's figures are of the HCP's " +
		"subjects, whose series may not be passed on. Figures of other subjects cannot be held against them.",
	Needs: study.NeedCohort, Offers: []string{"subjects", "effect", "tr", "keep", "crop"},
	CheckScans: checkConditions,
	Plan: func(o *study.Order) []study.Task {
		return experiments.ScanTasks(o, planTable5(o))
	},
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		names := cohort.Conditions
		if o.OfFiles() {
			names = cohortOf(o).Conditions
		}
		s := experiments.OverScans(r, results)
		s.Plans, s.Classes, s.Dataset, s.Target, s.Table, s.Paper = planTable5(o), names, whose(o, "cohort"), "condition", "V", "HCP"
		included(r, o, describe(s), 0, nil)
		s.Scores()
		s.Contest(o)
		s.Chart("table5", "Macro-F1 of the condition, "+s.Dataset)
	},
}

// checkConditions refuses scans without two conditions to separate.
func checkConditions(scans []collection.Scan) error {
	if err := checkSeries(scans); err != nil {
		return err
	}
	if !slices.ContainsFunc(scans, func(s collection.Scan) bool { return s.Condition != "" }) {
		return &diag.Error{Where: "files", Found: fmt.Sprintf("%d series", len(scans)) + " without conditions",
			Expected: "a table with the columns subject, condition and file beside them, or names such as sub-01_task-rest_bold.csv"}
	}
	_, err := collection.NewCohort("", scans)
	return err
}

// checkSeries refuses graphs, which are not scans.
func checkSeries(scans []collection.Scan) error {
	if len(scans) > 0 && scans[0].Graph != "" {
		return &diag.Error{Where: "files", Found: study.Plural(len(scans), "graph"), Expected: "series of brains; the experiment collection is about graphs"}
	}
	return nil
}

// planTable5 plans every data seed.
func planTable5(o *study.Order) []*experiments.ScanPlan {
	var scans []run.Scan
	if o.OfFiles() {
		c := cohortOf(o)
		classes, subjects := c.Groups()
		without := c.Without()
		for i, s := range c.Scans {
			scans = append(scans, run.Scan{Name: s.Title(), Class: classes[i], Group: subjects[i], Without: without}.OfCohort(&s))
		}
	} else {
		scans = measures.Drawn(cohortOptions(o).Subjects)
	}
	return planSeeds(o, ofScans, scans, nil)
}

// cohortOf returns the scans of an order, which has been checked.
func cohortOf(o *study.Order) *collection.Cohort {
	c, err := collection.NewCohort("", o.Cohort)
	if err != nil {
		panic(err) // checkConditions has been there before
	}
	return c
}
