package measure

import (
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/linalg"
	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/multiplex"
)

// The directions are orthonormal and centred, and hold what a singular value decomposition
// of the centred Z finds largest.
func TestLeading(t *testing.T) {
	const m, f = 120, 80
	src := rng.New(3, "leading test")
	x := make([]float64, m*f)
	for i := range x {
		x[i] = src.Norm() / (1 + float64(i%f)) // falls over the columns
	}
	dense, err := multiplex.DenseFeatures(m, f, x)
	if err != nil {
		t.Fatal(err)
	}
	var edges []byte
	for i := range m {
		for _, j := range []int{(i + 1) % m, (i * i) % m} {
			if i != j {
				edges = append(edges, []byte("1 "+strconv.Itoa(i)+" "+strconv.Itoa(j)+" 1\n2 "+strconv.Itoa(j)+" "+strconv.Itoa(i)+" 1\n")...)
			}
		}
	}
	d, err := run.OpenFiles([]formats.File{{Name: "a.edges", Data: edges}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for l := range d.Graph.Layers {
		d.Graph.Layers[l].Features = dense
	}
	o := &cadem.Options{Propagation: "twice"}
	q, err := leading(d.Graph, 0, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, k := q.Dims()
	var gram mat.Dense
	gram.Mul(q.T(), q)
	for i := range k {
		for j := range k {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(gram.At(i, j)-want) > 1e-9 {
				t.Fatalf("columns %d and %d: %g", i, j, gram.At(i, j))
			}
		}
		if sum := mat.Sum(q.ColView(i)); math.Abs(sum) > 1e-9 {
			t.Errorf("column %d sums to %g", i, sum)
		}
	}
	columns, u := make([]int32, f), make([]float64, f*f)
	for j := range f {
		columns[j], u[j*f+j] = int32(j), 1
	}
	z := mat.NewDense(m, f, nil)
	multiplex.NewPropagation[float64](multiplex.NewPropagator(d.Graph.Layers[0].Adjacency, multiplex.Twice), dense, columns, f).Mul(z.RawMatrix().Data, u, f)
	linalg.Centre(z.RawMatrix().Data, f)
	var svd mat.SVD
	svd.Factorize(z, mat.SVDThin)
	var left, inside mat.Dense
	svd.UTo(&left)
	inside.Mul(q.T(), left.Slice(0, m, 0, 10))
	for j := range 10 {
		if part := mat.Norm(inside.ColView(j), 2); part < 0.999 {
			t.Errorf("of direction %d %g is there", j, part)
		}
	}
}

// Features that are the same for every node have no directions.
func TestLeadingOfConstants(t *testing.T) {
	d, err := run.OpenFiles(runtest.Friends(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := d.Graph.M()
	x, err := multiplex.DenseFeatures(m, 1, make([]float64, m))
	if err != nil {
		t.Fatal(err)
	}
	d.Graph.Layers[0].Features = x
	q, err := leading(d.Graph, 0, &cadem.Options{Propagation: "twice"}, nil)
	if err != nil || mat.Norm(q, 2) != 0 {
		t.Errorf("%v, %v", mat.Formatted(q), err)
	}
}

// Controls take from the private embeddings what they say they take, and leave S.
func TestControls(t *testing.T) {
	e := &cadem.Embeddings{Consensus: mat.NewDense(3, 1, []float64{1, 2, 3}),
		Private: []*mat.Dense{mat.NewDense(3, 1, []float64{4, 5, 6}), mat.NewDense(3, 1, []float64{7, 8, 9})}}
	list := realTokens(e, 1)
	names := map[string][]*mat.Dense{}
	for _, x := range list {
		names[x.Name] = x.Tokens
	}
	beside := names[concatenated][0]
	if r, c := beside.Dims(); r != 3 || c != 3 || mat.Row(nil, 1, beside)[2] != 8 {
		t.Errorf("%v", mat.Formatted(beside))
	}
	if z := names[ZeroTokens]; len(z) != 3 || z[0] != e.Consensus || mat.Norm(z[1], 2) != 0 || mat.Norm(z[2], 2) != 0 {
		t.Errorf("zeros: %v", z)
	}
	s := names[ShuffledRows]
	if len(s) != 3 || s[0] != e.Consensus || mat.Equal(s[1], e.Private[0]) || mat.Sum(s[1]) != 15 {
		t.Errorf("shuffled: %v", s)
	}
	for i := range 3 {
		if s[2].At(i, 0)-s[1].At(i, 0) != 3 {
			t.Errorf("node %d has private embeddings of two nodes", i)
		}
	}
	if p := names[privateTokens]; len(p) != 2 || p[0] != e.Private[0] {
		t.Errorf("private: %v", p)
	}
}
