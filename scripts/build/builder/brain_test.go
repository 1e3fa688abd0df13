package builder

import "cadem.example/core/brain"

func init() { brain.Register() }
