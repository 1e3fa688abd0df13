// Package prepare trims and splits the inputs of encoders, by agreement (package split) or by evidence (package evidence), and makes spectral
// features of links. The presets refined and evidence need it, as a reader of images needs its format:
//
//	import _ "cadem.example/core/cadem/prepare"
//
// A program that does not import it is smaller, and trains neither.
package prepare

import (
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem/internal/inputs"
	"cadem.example/core/cadem/split"
)

func init() { inputs.Register(inputs.Preparer{Split: trimmed, Divide: divide, Spectral: spectral}) }

// trimmed prepares graphs in the precision of the training.
func trimmed(graphs [][]split.Source, o *inputs.Options) (*split.Result, error) {
	if precision.HasDouble && o.Double {
		return split.Prepare[float64](graphs, o.Options, o.Yield)
	}
	return split.Prepare[float32](graphs, o.Options, o.Yield)
}
