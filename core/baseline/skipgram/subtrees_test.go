package skipgram

import (
	"slices"
	"testing"

	"cadem.example/core/multiplex"
)

func path(t *testing.T, order ...int) *Neighbours {
	t.Helper()
	var edges []multiplex.Edge
	for i := 1; i < len(order); i++ {
		edges = append(edges, multiplex.Edge{I: order[i-1], J: order[i], Weight: float64(i)})
	}
	a, err := multiplex.FromEdges(len(order), edges)
	if err != nil {
		t.Fatal(err)
	}
	return Without(a)
}

// Words of a path of four nodes, worked out by hand: ends and inner nodes differ, and an end differs
// from a node between two ends. The same path with other numbers has the same words.
func TestSubtrees(t *testing.T) {
	graphs := []*Neighbours{path(t, 0, 1, 2, 3), path(t, 2, 0, 3, 1), path(t, 0, 1, 2)}
	labels := [][]int{graphs[0].Degrees(), graphs[1].Degrees(), graphs[2].Degrees()}
	got := Subtrees(graphs, labels, 2)
	for g, want := range [][]int32{
		{0, 1, 1, 0, 2, 3, 3, 2, 4, 5, 5, 4},
		{1, 0, 0, 1, 3, 2, 2, 3, 5, 4, 4, 5},
		{0, 1, 0, 2, 6, 2, 7, 8, 7},
	} {
		if !slices.Equal(got[g], want) {
			t.Errorf("graph %d has words %v, expected %v", g, got[g], want)
		}
	}
	c, kept := Frequent(got, 4)
	if !slices.Equal(kept, []int32{0, 1, 2, 3, 4, 5}) || c.Documents() != 3 || !slices.Equal(c.Document(2), []int32{0, 1, 0, 2, 2}) {
		t.Errorf("kept %v, of the last graph %v", kept, c.Document(2))
	}
	if _, none := Frequent(got, 100); len(none) != 0 {
		t.Errorf("words %v come 100 times", none)
	}
}

// An only word is predicted without negatives.
func TestOnlyWord(t *testing.T) {
	trainer := NewTrainer[float64](&Corpus{Tokens: []int32{0, 0}, Start: []int{0, 2}}, 1, 1, Options{Epochs: 1, Negatives: 5, From: 1, To: 1}, drawn(1), "")
	trainer.O = []float64{0}
	z := []float64{1}
	if _, err := trainer.Epoch(0, &Table[float64]{z, 1}, nil); err != nil || trainer.O[0] <= 0.5 || z[0] <= 1 {
		t.Errorf("row %v and vector %v, error %v", trainer.O, z, err)
	}
}
