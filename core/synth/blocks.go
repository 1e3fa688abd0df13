package synth

import (
	"fmt"

	"cadem.example/core/base/diag"
	"cadem.example/core/multiplex"
)

// adjacency returns the binary adjacency matrix of m nodes. It asks for every pair
// i < j once, row by row, whether it is joined.
func adjacency(m int, joined func(i, j int) bool) (*multiplex.CSR, error) {
	return adjacencyOfRows(m, func(to []int32, i int) []int32 {
		for j := i + 1; j < m; j++ {
			if joined(i, j) {
				to = append(to, int32(j))
			}
		}
		return to
	})
}

// adjacencyOfRows does the same of rows: one after the other, it has the nodes j > i appended
// that node i is joined with, in increasing order.
func adjacencyOfRows(m int, row func(to []int32, i int) []int32) (*multiplex.CSR, error) {
	upper := make([]int32, m+1) // row i of the upper triangle ends at upper[i+1]
	var columns []int32
	degree := make([]int32, m)
	for i := range m {
		columns = row(columns, i)
		for _, j := range columns[upper[i]:] {
			degree[i]++
			degree[j]++
		}
		upper[i+1] = int32(len(columns))
	}
	start := make([]int32, m+1)
	for i := range m {
		start[i+1] = start[i] + degree[i]
	}
	index := make([]int32, start[m])
	next := append([]int32(nil), start[:m]...)
	// Rows in increasing order: row j has received all its columns below j when its
	// own turn comes, so every row ends sorted.
	for i := range m {
		for _, j := range columns[upper[i]:upper[i+1]] {
			index[next[i]] = j
			next[i]++
			index[next[j]] = int32(i)
			next[j]++
		}
	}
	return multiplex.NewCSR(m, m, start, index, nil)
}

// A source is a stream of random numbers, of this project or of another program.
type source interface {
	Float64() float64 // in [0, 1)
	IntN(n int) int   // in [0, n)
}

// uniformLabels draws m classes of 0..k-1, all equally likely.
func uniformLabels(s source, m, k int) []int {
	of := make([]int, m)
	for i := range of {
		of[i] = s.IntN(k)
	}
	return of
}

// numbered returns the names "what 1" to "what k".
func numbered(what string, k int) []string {
	names := make([]string, k)
	for i := range names {
		names[i] = fmt.Sprintf("%s %d", what, i+1)
	}
	return names
}

// fewer refuses more groups than nodes.
func fewer(field string, groups, nodes int) error {
	if groups > nodes {
		return diag.Option(field, fmt.Sprint(groups), fmt.Sprintf("at most the number of nodes, %d", nodes))
	}
	return nil
}
