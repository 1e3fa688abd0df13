package experiments

import "cadem/core/study"

// All returns the experiments in the order in which to show them. No variable holds them all,
// and none of them is worked out at the start: a program that asks for none would carry what is.
func All() study.Studies {
	return study.Studies{table1, table2, table3, table4, table7, table11, gammaSweep, identifiability, layerPosterior, tsnePictures, table5,
		identify(), table6, topRegions}
}
