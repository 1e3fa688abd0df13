//go:build lean

package examples

var brains, testbeds []Example
