// Package experiments holds the experiments of the paper, one file each under the name used in
// orders, with the figures that the paper prints (paper.txt), and the catalogue of all settings.
package experiments
