package examples_test

import (
	"cadem.example/core/brain/cohort"
	"cadem.example/core/synth/examples"
)

func init() { examples.Register(cohort.Example()) }
