package study

var table11 = Study{
	Name: "table11", Also: []string{"augmentation"}, Title: "Table XI: with and without augmented graphs", Seeds: 5, FileSeeds: 1, DataSeeds: 1, Classifies: true, Takes: NeedGraph,
	Text: "Without augmentation the two predictors see the complete layers only, still with noise. The test below compares the two rows in the same folds and with the same seeds. It says nothing about larger or sparser graphs." + variantsText,
	plan: func(o *Order) []Task {
		return planSets(o, func(o *Order) []Task { return planVariants(o, augmentationVariants) })
	},
	assemble: func(o *Order, results Results, r *Report) {
		assembleSets(o, results, r, func(o *Order, results Results, r *Report) {
			assembleVariants(o, results, r, "XI", augmentationVariants)
		})
	},
}
