// Package stats tests which of many values of brains, one for each region or each pair of regions, differ between conditions or
// groups:
//
//	r, err := stats.Test(values, &stats.Design{A: inA}, &stats.Options{Permutations: 5000}, nil)
//
// Student's t of every value comes with the p of its distribution, the p of permutations, the p that is corrected for the largest
// t of all values (max-T, T. E. Nichols and A. P. Holmes, Human Brain Mapping 15, 2002), and the rate of false discoveries by
// Benjamini and Hochberg (1995). Covariates are taken out by the permutations of Freedman and Lane (A. M. Winkler and others,
// NeuroImage 92, 2014). For pairs of regions the components of those beyond a t are tested, too: the network-based statistic (A.
// Zalesky, A. Fornito and E. T. Bullmore, NeuroImage 53, 2010).
//
// Two conditions of the same subjects are given by their differences, whose signs are flipped; two groups by their values, whose
// subjects are shuffled. Where all flips or all divisions are no more than the permutations asked for, each is taken once and
// p is exact. The draws depend on the seed and the number of rows alone.
//
// Wrong shapes panic with [ErrShape].
package stats

import "cadem.example/core/base/diag"

// ErrShape is panicked when slices do not have the lengths that belong together.
const ErrShape diag.Misuse = "stats: slices of lengths that do not belong together"
