// Package brain registers with the lab what is done with brains.
package brain

import (
	"cadem.example/core/base/pause"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/measures"
	"cadem.example/core/brain/studies"
	"cadem.example/core/brain/subject"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

// Register is called once, by the main packages, before anything is opened.
func Register() {
	run.Register(subject.Opener())
	measure.Register(measures.Rows...)
	measure.OfScans = &measures.Recordings
	studies.Register()
	examples.Register(cohort.Example())
}

// Graphs makes a graph of every scan of a cohort, or of those that data draw. The error is that of [measures.ReadMany].
func Graphs(
	cohort []collection.Scan, data *run.DataSpec, files *run.Files, yield pause.Yield,
) ([]*multiplex.Graph, error) {
	many, err := measures.ReadMany(cohort, data, false, files, yield)
	if err != nil {
		return nil, err
	}
	return many.Graphs, nil
}
