//go:build lean

package examples

var testbeds []Example
