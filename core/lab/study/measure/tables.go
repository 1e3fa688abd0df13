package measure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/sorting"
	"cadem.example/core/cadem"
	"cadem.example/core/multiplex"
)

// Arrays of tables: of every layer those with its number ("W1_1"), and those of all layers.
const (
	TableX   ArrayName = "X"   // M x F
	TableZ   ArrayName = "Z"   // M x F
	TableW1  ArrayName = "W1"  // F x H, of C
	TableW2  ArrayName = "W2"  // H x d, of C
	TableC   ArrayName = "C"   // M x d
	TableP   ArrayName = "P"   // M x d
	TableS   ArrayName = "S"   // M x d
	TableH   ArrayName = "h"   // K x d, of P
	TablePhi ArrayName = "phi" // K x N, logits
	TablePsi ArrayName = "psi" // K x N, logits

	TableLargest ArrayName = "largest" // of the table whose name follows
)

// Most rows and columns of a table. A cell of a larger one is the mean of those beside each other; but rows that are nodes all stay.
const (
	MostTableRows    = 120
	MostTableColumns = 64
	MostTableNodes   = 2048
)

// tables adds what goes through the trained model. Where a node's only feature is who it is, columns of X and Z come in the order
// of the classes of the first label set asked for. The error, a [*diag.Error], is of more than [MostTableNodes] nodes, or of a
// training without a step of CaDeM, or that of the yield.
func (w *Work) tables() error {
	t, g, e := w.Training.Trainer, w.Dataset.Graph, w.Training.Trained
	if t == nil {
		return diag.Option("measure", "tables of a training without a step of CaDeM", "at least one step of CaDeM")
	}
	m := g.M()
	if m > MostTableNodes {
		return diag.Option("nodes", fmt.Sprint(m), fmt.Sprintf("at most %d: tables have a row for each", MostTableNodes))
	}
	add := func(name ArrayName, x mat.Matrix, nodes bool) {
		rows, columns := x.Dims()
		if !nodes {
			rows = min(rows, MostTableRows)
		}
		w.Result.table(name, means(x, rows, min(columns, MostTableColumns)), max(mat.Max(x), -mat.Min(x)))
	}
	for l := range g.Layers {
		x := g.Layers[l].Features
		var place []int
		if sets := w.of(slices.Clone(g.Labels)); x.IsIdentity() && len(w.Targets) > 0 && len(sets) > 0 {
			place = byClass(sets[0].Of)
		}
		in, err := cadem.InputsOf(t, l, MostTableColumns, place, func(done, of int) error {
			return w.Yield.At(l*of+done, len(g.Layers)*of)
		})
		if err != nil {
			return err
		}
		means, largest := featureMeans(x, place)
		w.Result.table(TableX.Layer(l), means, largest)
		w.Result.table(TableZ.Layer(l), in.Z, in.Largest)
		o := t.Options()
		live, _ := cadem.Parameter(t, fmt.Sprintf("l%d.W1c", l))
		w1 := mat.NewDense(in.Features, o.Hidden, nil)
		for row, j := range in.Live {
			w1.SetRow(int(j), live[row*o.Hidden:(row+1)*o.Hidden])
		}
		add(TableW1.Layer(l), w1, x.IsIdentity() && in.Features == m)
		w2, _ := cadem.Parameter(t, fmt.Sprintf("l%d.W2c", l))
		add(TableW2.Layer(l), mat.NewDense(o.Hidden, o.Dim, w2), false)
		add(TableC.Layer(l), e.Common[l], true)
		add(TableP.Layer(l), e.Private[l], true)
	}
	add(TableS, e.Consensus, true)
	guesses := cadem.GuessesOf(t)
	add(TableH, guesses.H, false)
	add(TablePhi, guesses.Phi, false)
	add(TablePsi, guesses.Psi, false)
	return nil
}

// table adds a table, and its largest number before any were put together, whatever its sign.
func (r *Result) table(name ArrayName, x *mat.Dense, largest float64) {
	rows, columns := x.Dims()
	r.Arrays = append(r.Arrays, Array{name, []int{rows, columns}, x.RawMatrix().Data}, Array{TableLargest.Of(string(name)), []int{1}, []float64{largest}})
}

// byClass returns where each node comes in the order of classes, those without one last.
func byClass(of []int) []int {
	rank := func(i int) int {
		if of[i] == multiplex.Missing {
			return math.MaxInt
		}
		return of[i]
	}
	place := make([]int, len(of))
	for k, i := range sorting.Order(len(of), func(i, j int) int { return cmp.Compare(rank(i), rank(j)) }) {
		place[i] = k
	}
	return place
}

// means returns x in fewer rows and columns, each the mean of some beside each other.
func means(x mat.Matrix, rows, columns int) *mat.Dense {
	m, n := x.Dims()
	sums, counts := mat.NewDense(rows, columns, nil), mat.NewDense(rows, columns, nil)
	for i := range m {
		for j := range n {
			r, c := i*rows/m, j*columns/n
			sums.Set(r, c, sums.At(r, c)+x.At(i, j))
			counts.Set(r, c, counts.At(r, c)+1)
		}
	}
	for k, n := range counts.RawMatrix().Data {
		sums.RawMatrix().Data[k] /= n
	}
	return sums
}

// featureMeans does so with the columns of features, and returns the largest number, too; place, if it is not nil, says where columns come.
func featureMeans(x *multiplex.Features, place []int) (sums *mat.Dense, largest float64) {
	columns := min(x.Cols, MostTableColumns)
	sums = mat.NewDense(x.Rows, columns, nil)
	counts := make([]float64, columns)
	column := func(j int) int {
		if place != nil {
			j = place[j]
		}
		return j * columns / x.Cols
	}
	for j := range x.Cols {
		counts[column(j)]++
	}
	add := func(i, j int, v float64) {
		k := column(j)
		sums.Set(i, k, sums.At(i, k)+v/counts[k])
		largest = max(largest, math.Abs(v))
	}
	for i := range x.Rows {
		switch {
		case x.IsIdentity():
			add(i, i, 1)
		case x.Dense != nil:
			for j, v := range x.Dense[i*x.Cols : (i+1)*x.Cols] {
				add(i, j, v)
			}
		default:
			for k := x.Sparse.Start[i]; k < x.Sparse.Start[i+1]; k++ {
				v := 1.0
				if x.Sparse.Value != nil {
					v = x.Sparse.Value[k]
				}
				add(i, int(x.Sparse.Index[k]), v)
			}
		}
	}
	return sums, largest
}
