package studies_test

import (
	_ "cadem.example/core/baseline/all"
	"cadem.example/core/brain"
)

func init() { brain.Register() }
