// Package studies holds the experiments on brains, one file each.
package studies

import "cadem.example/core/lab/study/experiments"

// Register adds them to the experiments of the lab, in their places.
func Register() {
	experiments.Register("reproduce", table5, identify())
	experiments.Register("", topRegions, regionContrast, testRetest, numberTargets)
}
