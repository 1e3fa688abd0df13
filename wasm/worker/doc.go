// Package worker is the compute role: it holds one data set and one run and answers the
// page's requests of wasm/PROTOCOL.md under "Compute". It is plain Go, so it runs
// and is tested natively as well; what JavaScript must do for it, letting messages in,
// is a function. The worker of a first visit knows the examples, and main packages of the other
// programs add parts to theirs: requests, and what these need.
//
// One goroutine does everything. It trains in slices of some milliseconds and looks
// for requests after each, so a request never waits longer than a slice and an
// optimiser step; an evaluation lets requests in between as well.
package worker
