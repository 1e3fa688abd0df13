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
	register(subject.Opener())
	measure.Register(measures.Rows...)
	studies.Register()
}

// RegisterReaders registers what makes graphs of recordings, without what describes and measures them.
func RegisterReaders() { register(&subject.Reader) }

func register(o *run.Opener) {
	run.Register(o)
	measure.OfScans = &measures.Recordings
	examples.Register(cohort.Example())
}
