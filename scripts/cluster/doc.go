// Package cluster holds the test of studies on a real Slurm, which "make cluster" runs.
package cluster
