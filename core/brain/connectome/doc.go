// Package connectome turns the time series of one brain into a multiplex graph, as section V-E of the paper does:
// regions that rise and fall together are joined in the co-activation layer, regions that move in opposite
// directions in the anti-activation layer. Windows of the series may make the layers instead, and a matrix of
// structure between the regions makes one more.
//
//	o := &connectome.Options{}
//	property.Defaults(o)
//	c, err := connectome.Compute(series, confounds, o)
//	g, err := c.Graph()
//
// The steps, in this order, each optional: linear detrend, band-pass, regression on
// confounds, z-score, Pearson correlation (functional connectivity, FC), skewness and
// excess kurtosis of every region as node features, split of FC by sign, threshold, a link
// for every isolated node, windows. A series is a matrix of regions x frames, in any unit.
//
// What the paper leaves open is an option: it does not print its threshold, nor which
// filter it used, nor which moments (biased or not).
//
// Rules for what is odd:
//
//   - A region that does not change correlates with nothing: its row of FC is 0, its
//     moments are 0, and a note names it.
//   - A value that is not finite is refused with its region and frame; nothing is filled in.
//   - A node without a neighbour of one sign stays isolated in that layer and is counted.
//     Propagation gives it a row of zeros.
//   - An FC without negative pairs has an empty anti-activation layer. It is shown, but
//     makes no graph: CaDeM needs an edge in every layer.
//
// Errors are a [*diag.Error] that names the file, the region or the option. Wrong shapes panic with [ErrShape].
package connectome

import (
	"cadem.example/core/base/diag"
)

// ErrShape is panicked when slices do not have the lengths that belong together.
const ErrShape diag.Misuse = "connectome: slices of lengths that do not belong together"
