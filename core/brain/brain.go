// Package brain registers with the lab what is done with brains.
package brain

import (
	"cadem.example/core/brain/subject"
	"cadem.example/core/lab/run"
)

// Register is called once, by the main packages, before anything is opened.
func Register() {
	run.Register(subject.Opener())
}
