package study

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// tabled runs a task of few steps on a town that shows its tables, and trains the same beside it.
func tabled(t *testing.T, nodes int, options map[string]any) (*measure.Result, *run.Run, *multiplex.Graph) {
	t.Helper()
	all := map[string]any{"epochs": 2, "hidden": 16, "noise": 0.0, "node_ratio": 1.0, "dropout_rate": 0.0}
	for name, v := range options {
		all[name] = v
	}
	task := &Task{Data: run.DataSpec{Example: "town", Options: map[string]any{"nodes": nodes}, DataSeed: 3}, Preset: "released", ModelSeed: 5, Options: all,
		Measure: []measure.Spec{{Kind: measure.Tables, Targets: []string{"work"}}}}
	r, err := task.Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, s, err := task.open(nil)
	if err != nil {
		t.Fatal(err)
	}
	trained, err := s.Train([]*multiplex.Graph{d.Graph}, precision.Single, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if trained.Hash() != r.Hash {
		t.Fatalf("the task ends with %s, and the training with %s", r.Hash, trained.Hash())
	}
	return r, trained, d.Graph
}

// table returns a table of a result.
func table(t *testing.T, r *measure.Result, name measure.ArrayName) *mat.Dense {
	t.Helper()
	a := r.Array(name)
	if a == nil {
		t.Fatalf("no table %s", name)
	}
	return mat.NewDense(a.Shape[0], a.Shape[1], a.Data)
}

// number returns an array of one number.
func number(t *testing.T, r *measure.Result, name measure.ArrayName) *mat.Dense {
	t.Helper()
	a := r.Array(name)
	if a == nil || !slices.Equal(a.Shape, []int{1}) {
		t.Fatalf("%s is %v", name, a)
	}
	return mat.NewDense(1, 1, a.Data)
}

// near expects two tables to agree in single precision.
func near(t *testing.T, what string, got, want mat.Matrix) {
	t.Helper()
	gm, gn := got.Dims()
	if m, n := want.Dims(); gm != m || gn != n {
		t.Errorf("%s is %d x %d, expected %d x %d", what, gm, gn, m, n)
		return
	}
	var d mat.Dense
	d.Sub(got, want)
	if off, size := mat.Norm(&d, math.Inf(1)), mat.Norm(want, math.Inf(1)); off > 1e-4*size || size == 0 {
		t.Errorf("%s is off by %g of %g", what, off, size)
	}
}

// columnSums returns the sums over the rows of x, a row.
func columnSums(x mat.Matrix) *mat.Dense {
	m, n := x.Dims()
	ones, sums := mat.NewDense(1, m, slices.Repeat([]float64{1}, m)), mat.NewDense(1, n, nil)
	sums.Mul(ones, x)
	return sums
}

// meanOf returns the mean of rows.
func meanOf(rows []*mat.Dense) *mat.Dense {
	mean := mat.DenseCopyOf(rows[0])
	for _, x := range rows[1:] {
		mean.Add(mean, x)
	}
	mean.Scale(1/float64(len(rows)), mean)
	return mean
}

// The tables fit together as the equations of the method say, from the adjacency to the logits: with complete graphs and without noise h is the sum of
// P over the nodes, and psi meets the C of every layer equally often.
func TestTables(t *testing.T) {
	const nodes = 60
	for _, of := range []map[string]any{{}, {"combine": "concat"}, {"pairing": "own"}, {"augmentation": "fresh", "graphs": "augmented"}} {
		r, trained, g := tabled(t, nodes, of)
		c, n := trained.Trainer(), g.N()
		o := c.Options()
		parameter := func(name string, columns int) *mat.Dense {
			w, _ := cadem.Parameter(c, name)
			return mat.NewDense(len(w)/columns, columns, w)
		}
		e := c.Embeddings(0)
		near(t, "S", table(t, r, measure.TableS), e.Consensus)
		order := []int{} // of columns: by work
		for class := range g.Labels[2].Classes {
			for i, k := range g.Labels[2].Of {
				if k == class {
					order = append(order, i)
				}
			}
		}
		var hp, hc []*mat.Dense
		for l := range g.Layers {
			p := mat.NewDense(nodes, nodes, multiplex.NewPropagator(g.Layers[l].Adjacency, multiplex.KindOf(o.Propagation)).Product(multiplex.Identity(nodes)))
			x, z := mat.NewDense(nodes, nodes, nil), mat.NewDense(nodes, nodes, nil)
			for k, j := range order {
				x.Set(j, k, 1)
				z.SetCol(k, mat.Col(nil, j, p))
			}
			near(t, "X", table(t, r, measure.TableX.Layer(l)), x)
			near(t, "Z", table(t, r, measure.TableZ.Layer(l)), z)
			var w, made mat.Dense
			w.Mul(table(t, r, measure.TableW1.Layer(l)), table(t, r, measure.TableW2.Layer(l)))
			made.Mul(p, &w)
			b := parameter([]string{"l0.bc", "l1.bc", "l2.bc"}[l], 1)
			made.Apply(func(_, j int, v float64) float64 { return v + b.At(j, 0) }, &made)
			near(t, "C", table(t, r, measure.TableC.Layer(l)), &made)
			near(t, "C of the model", table(t, r, measure.TableC.Layer(l)), e.Common[l])
			near(t, "P", table(t, r, measure.TableP.Layer(l)), e.Private[l])
			hp, hc = append(hp, columnSums(e.Private[l])), append(hc, columnSums(e.Common[l]))
		}
		mean := meanOf(hc)
		logits := func(head string, h, beside *mat.Dense) *mat.Dense {
			w, x := parameter("W"+head, n), mat.NewDense(1, n, nil)
			rows, _ := w.Dims()
			x.Mul(h, w.Slice(0, o.Dim, 0, n))
			if beside != nil {
				var more mat.Dense
				more.Mul(beside, w.Slice(rows-o.Dim, rows, 0, n))
				x.Add(x, &more)
			}
			x.Add(x, parameter("b"+head, n))
			return x
		}
		var rows [3][]float64
		add := func(l int) {
			beside := mean
			if o.Pairing == "own" {
				beside = hc[l]
			}
			for k, x := range []*mat.Dense{hp[l], logits("phi", hp[l], nil), logits("psi", hp[l], beside)} {
				rows[k] = append(rows[k], x.RawMatrix().Data...)
			}
		}
		for l := range n {
			for range o.Augmented {
				add(l)
			}
		}
		if o.Graphs == "both" {
			for l := range n {
				add(l)
			}
		}
		for k, name := range []measure.ArrayName{measure.TableH, measure.TablePhi, measure.TablePsi} {
			width := []int{o.Dim, n, n}[k]
			near(t, string(name), table(t, r, name), mat.NewDense(len(rows[k])/width, width, rows[k]))
		}
	}
}

// Inputs that are trimmed and split are the prepared ones: C is made of them.
func TestTablesOfPreparedInputs(t *testing.T) {
	r, trained, g := tabled(t, 60, map[string]any{"trim": "noise", "split": "agreement"})
	for l := range g.Layers {
		var u, made mat.Dense
		u.Mul(table(t, r, measure.TableW1.Layer(l)), table(t, r, measure.TableW2.Layer(l)))
		made.Mul(table(t, r, measure.TableZ.Layer(l)), &u)
		b, _ := cadem.Parameter(trained.Trainer(), []string{"l0.bc", "l1.bc", "l2.bc"}[l])
		made.Apply(func(_, j int, v float64) float64 { return v + b[j] }, &made)
		near(t, "C", table(t, r, measure.TableC.Layer(l)), &made)
	}
}

// Of more columns than a table has, a cell is the mean of neighbouring ones; rows that are nodes all stay.
func TestTablesAreMeans(t *testing.T) {
	const nodes = 150
	r, trained, g := tabled(t, nodes, map[string]any{"hidden": 100})
	for l := range g.Layers {
		whole := mat.NewDense(nodes, nodes, multiplex.NewPropagator(g.Layers[l].Adjacency, multiplex.KindOf("twice")).Product(multiplex.Identity(nodes)))
		z := table(t, r, measure.TableZ.Layer(l))
		if m, n := z.Dims(); m != nodes || n != measure.MostTableColumns {
			t.Fatalf("Z is %d x %d", m, n)
		}
		work, at := g.Labels[2].Of, 0
		place := make([]int, nodes)
		for class := range g.Labels[2].Classes {
			for i, k := range work {
				if k == class {
					place[i], at = at, at+1
				}
			}
		}
		sums, counts := mat.NewDense(nodes, measure.MostTableColumns, nil), make([]float64, measure.MostTableColumns)
		for j := range nodes {
			c := place[j] * measure.MostTableColumns / nodes
			counts[c]++
			for i := range nodes {
				sums.Set(i, c, sums.At(i, c)+whole.At(i, j))
			}
		}
		sums.Apply(func(_, c int, v float64) float64 { return v / counts[c] }, sums)
		near(t, "Z", z, sums)
		largest := func(name measure.ArrayName) *mat.Dense {
			return number(t, r, measure.TableLargest.Of(string(name.Layer(l))))
		}
		near(t, "the largest of Z", largest(measure.TableZ), mat.NewDense(1, 1, []float64{mat.Max(whole)}))
		near(t, "the largest of X", largest(measure.TableX), mat.NewDense(1, 1, []float64{1}))
		w, _ := cadem.Parameter(trained.Trainer(), []string{"l0.W1c", "l1.W1c", "l2.W1c"}[l])
		if len(w) != nodes*100 {
			t.Fatal("a node without links: choose another town")
		}
		near(t, "W1", columnSums(table(t, r, measure.TableW1.Layer(l))), columnSums(blocks(mat.NewDense(nodes, 100, w))))
		near(t, "the largest of W1", largest(measure.TableW1), mat.NewDense(1, 1, []float64{max(slices.Max(w), -slices.Min(w))}))
	}
}

// blocks returns the means of neighbouring columns, as many as a table has.
func blocks(x *mat.Dense) *mat.Dense {
	m, n := x.Dims()
	y := mat.NewDense(m, measure.MostTableColumns, nil)
	for i := range m {
		for c := range measure.MostTableColumns {
			sum, count := 0.0, 0.0
			for j := range n {
				if j*measure.MostTableColumns/n == c {
					sum, count = sum+x.At(i, j), count+1
				}
			}
			y.Set(i, c, sum/count)
		}
	}
	return y
}
