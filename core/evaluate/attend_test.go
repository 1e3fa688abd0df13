package evaluate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// Weights of a node add up to one, also of a node without a class; they are those of an untrained combiner before any epoch, and others after;
// without two classes there are none.
func TestAttend(t *testing.T) {
	src := rng.New(1, "attend")
	const m, d = 30, 4
	tokens := randomTokens(m, d, 3, src)
	s := &multiplex.LabelSet{Name: "class", Classes: []string{"a", "b"}, Of: make([]int, m)}
	for i := range s.Of {
		if tokens[0].At(i, 0) > 0 {
			s.Of[i] = 1
		}
	}
	s.Of[7] = multiplex.Missing
	o := Defaults()
	var before *mat.Dense
	for _, epochs := range []int{1, 40} {
		o.Epochs = epochs
		w, err := Attend(tokens, s, o, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m {
			if sum := mat.Sum(w.RowView(i)); math.Abs(sum-1) > 1e-12 || mat.Min(w.RowView(i)) <= 0 {
				t.Errorf("weights %v", w.RawRowView(i))
			}
		}
		if before != nil && mat.Equal(before, w) {
			t.Error("training changes no weight")
		}
		before = w
	}
	if w, err := Attend(tokens[:1], s, o, 3, nil); w != nil || err != nil {
		t.Errorf("of one token %v, %v", w, err)
	}
	for i := range s.Of {
		s.Of[i] = 0
	}
	if w, err := Attend(tokens, s, o, 3, nil); w != nil || err != nil {
		t.Errorf("of one class %v, %v", w, err)
	}
}
