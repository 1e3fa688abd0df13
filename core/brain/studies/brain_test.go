package studies_test

import "cadem.example/core/brain"

func init() { brain.Register() }
