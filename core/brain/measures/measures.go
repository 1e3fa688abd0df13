// Package measures makes graphs of the scans of many brains for the lab, and measures these: [Recordings] and [Rows] register with it.
package measures

import (
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// Kinds of measurements.
const (
	Scans    measure.Kind = "scans"    // no result of others: the graphs of scans, prepared
	Contrast measure.Kind = "contrast" // no result of others: two conditions of scans, tested
	Retest   measure.Kind = "retest"   // no result of others: two recordings of each subject, compared
	Weights  measure.Kind = "weights"  // no result of others: what all connections say of a number
)

// Recordings make graphs of scans.
var Recordings = measure.Recordings{
	Steps:   connectome.SettingsTable,
	Drawn:   func() any { return &cohort.Options{} },
	Check:   func(spec *run.DataSpec) error { _, _, err := ScanOptions(spec); return err },
	Open:    func(d *run.DataSpec, f *run.Files) (measure.Source, error) { return openScans(d, f) },
	Dataset: openScan,
}

// Rows are the measurements.
var Rows = []measure.Measurement{
	{Kind: measure.Regions, Do: lengths},
	{Kind: Scans, Of: measure.Preparation, Reported: measure.ArrayQuality,
		Options: func() any { return &WindowOptions{} },
		Do: func(w *measure.Work) error {
			if err := w.Set(&WindowOptions{}); err != nil { // of scans that are windows
				return err
			}
			return prepareScans(w.Result, w.Data, w.Settings, w.Files, w.Yield)
		}},
	{Kind: Contrast, Of: measure.Preparation, Draws: true, Options: func() any { return &ContrastOptions{} }, Do: contrasted},
	{Kind: Retest, Of: measure.Preparation, Draws: true, Do: retested},
	{Kind: Weights, Of: measure.Preparation, Draws: true, Do: weighed},
}
