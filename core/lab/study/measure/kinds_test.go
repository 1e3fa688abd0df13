package measure

import "testing"

// Every kind is served by a row with a function, or is one of a method's.
func TestEveryKindIsServed(t *testing.T) {
	seen := map[Kind]bool{Combined: true, CombinedGraphs: true}
	for _, row := range table {
		if row.do == nil || seen[row.kind] {
			t.Errorf("%s has no function, or two", row.kind)
		}
		seen[row.kind] = true
	}
}

// Measurements of a graph are recognised without the table, and correctly.
func TestOfGraph(t *testing.T) {
	for _, row := range table {
		if m := (&Spec{Kind: row.kind}); m.OfGraph() != (row.of == aGraph) {
			t.Errorf("%s: %t", row.kind, m.OfGraph())
		}
	}
}
