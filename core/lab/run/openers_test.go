package run_test

import (
	"cadem.example/core/brain/subject"
	"cadem.example/core/lab/run"
)

func init() { run.Register(subject.Opener()) }
