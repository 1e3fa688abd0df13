package text

import (
	"fmt"

	"cadem/core/multiplex"
)

// A Report says what was read and what was made of it.
type Report struct {
	Files    []FileReport  `json:"files"`
	Nodes    int           `json:"nodes"`
	Isolated int           `json:"isolated"` // nodes without an edge in any layer
	Layers   []LayerReport `json:"layers"`
	Notes    []string      `json:"notes"` // plain sentences
}

// A FileReport says what a file was taken for.
type FileReport struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
}

// A Direction says how the edges of a layer were stored.
type Direction string

const (
	OneWay   Direction = "one way"  // no pair in both directions: taken as undirected, each edge stored once
	BothWays Direction = "both"     // every pair in both directions with one weight: undirected, each edge stored twice
	Directed Direction = "directed" // some pairs in both directions: made undirected
)

// A LayerReport counts what was read for a layer and what it became.
type LayerReport struct {
	multiplex.LayerSummary
	Arcs      int       `json:"arcs"` // rows of the file, loops included, weight 0 excluded
	Direction Direction `json:"direction"`
	Mutual    int       `json:"mutual"`   // pairs that came in both directions
	Repeated  int       `json:"repeated"` // rows merged with an earlier one of the same direction
	Zero      int       `json:"zero"`     // rows of weight 0, which are no edges
}

// Note adds a sentence.
func (r *Report) Note(format string, values ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, values...))
}
