package measure

import (
	"testing"

	_ "cadem.example/core/baseline/all"
)

// Every kind is served by a row with a function, or is one of a method's.
func TestEveryKindIsServed(t *testing.T) {
	seen := map[Kind]bool{Combined: true, CombinedGraphs: true}
	for _, row := range rows() {
		if row.Do == nil || seen[row.Kind] {
			t.Errorf("%s has no function, or two", row.Kind)
		}
		seen[row.Kind] = true
	}
}

// Measurements of a graph are recognised without the table, and correctly.
func TestOfGraph(t *testing.T) {
	for _, row := range rows() {
		if m := (&Spec{Kind: row.Kind}); m.OfGraph() != (row.Of == AGraph) {
			t.Errorf("%s: %t", row.Kind, m.OfGraph())
		}
	}
}
