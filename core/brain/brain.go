// Package brain registers with the lab what is done with brains.
package brain

import (
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/measures"
	"cadem.example/core/brain/studies"
	"cadem.example/core/brain/subject"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
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
