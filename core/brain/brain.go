// Package brain registers with the lab what is done with brains.
package brain

import (
	"cadem.example/core/brain/measures"
	"cadem.example/core/brain/studies"
	"cadem.example/core/brain/subject"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// Register is called once, by the main packages, before anything is opened.
func Register() {
	run.Register(subject.Opener())
	measure.OfScans = &measures.Recordings
	measure.Register(measures.Rows...)
	studies.Register()
}

// RegisterReaders registers what makes graphs of recordings, without what describes and measures them.
func RegisterReaders() {
	run.Register(&subject.Reader)
	measure.OfScans = &measures.Recordings
}
