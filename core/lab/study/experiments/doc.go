// Package experiments has the studies of the paper, one file each under the name by which an order asks
// for it, and the catalogue that lists them. Numbers that the paper prints are in paper.txt; reports set
// them beside those that were measured.
package experiments
