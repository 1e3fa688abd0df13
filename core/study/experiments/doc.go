// Package experiments holds the experiments of the paper, one file each under the name by which it
// is ordered, with the figures that the paper prints (paper.txt), and the catalogue of all settings.
package experiments
