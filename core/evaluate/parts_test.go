package evaluate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// Readers and K-means that learn from parts find what those of all items find, to within the spread of folds and runs. Where they do not, the
// same rows have the same bits.
func TestParts(t *testing.T) {
	const n, d, k = 3000, 8, 4
	src := rng.New(1, "test/parts")
	set := multiplex.LabelSet{Name: "group", Classes: []string{"a", "b", "c", "d"}, Of: make([]int, n)}
	var tokens []*mat.Dense
	for range 2 {
		x, centre := mat.NewDense(n, d, nil), make([]float64, k*d)
		for i := range centre {
			centre[i] = .7 * src.Norm()
		}
		for i := range n {
			set.Of[i] = i % k
			for j := range d {
				x.Set(i, j, centre[i%k*d+j]+src.Norm())
			}
		}
		tokens = append(tokens, x)
	}
	in := Input{Targets: []multiplex.LabelSet{set}, Classify: true, Cluster: true, Trained: []Embedding{{"both", tokens}, {"one", tokens[:1]}}}
	o := Defaults()
	o.Epochs, o.Rate, o.KMeansRuns, o.KMeansRestarts = 150, .1, 8, 4
	scores := func(above int) []Score {
		many = above
		defer func() { many = Many }()
		list, err := Table(in, o, 1, func(done, total int) error {
			if done > total {
				t.Errorf("%d of %d done", done, total)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	plain, fast, same := scores(n), scores(n-1), 0
	for i, a := range plain {
		b := fast[i]
		if spread := max(a.FoldStd, b.FoldStd, .002); a.Metric != b.Metric || math.Abs(a.Value-b.Value) > 2*spread || a.Value < .3 {
			t.Errorf("%s %s: %.4f of parts, %.4f of all, spread %.4f", a.Embedding, a.Metric, b.Value, a.Value, spread)
		}
		if a.Value == b.Value {
			same++
		}
	}
	if same > len(plain)/2 {
		t.Errorf("%d of %d rows have the same bits, so no part was taken", same, len(plain))
	}
	if o.Authors = true; (&evaluation{o: o}).parts([]*mat.Dense{mat.NewDense(Many+1, 1, nil)}, Many) != 1 {
		t.Error("the authors' reader learns from parts")
	}
}
