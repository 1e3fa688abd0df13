package experiments

import "cadem.example/core/lab/study"

var table11 = study.Study{
	Name: "table11", Also: []string{"augmentation"}, Title: "Table XI: with and without augmented graphs", Trains: true, Seeds: 5, FileSeeds: 1, DataSeeds: 1,
	Shows:      "The same training with and without augmented graphs.",
	Learn:      "Whether augmentation changes a score by more than the scores vary.",
	Classifies: true, Takes: study.NeedGraph,
	Text: "Without augmentation the two predictors see the complete layers only, still with noise. The test below compares the two rows in the " +
		"same folds and with the same seeds. It says nothing about larger or sparser graphs." + variantsText,
	BySet: true,
	Plan:  func(o *study.Order) []study.Task { return planVariants(o, augmentationVariants()) },
	Assemble: func(o *study.Order, results study.Results, r *study.Report) {
		assembleVariants(o, results, r, "XI", augmentationVariants())
	},
}
