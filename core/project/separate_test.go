package project

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
)

// scatters returns the mean of the points that have a class, and the covariances within and between classes, by their definition.
func scatters(x *mat.Dense, class []int, classes int) (mean *mat.VecDense, within, between *mat.SymDense) {
	_, d := x.Dims()
	mean = mat.NewVecDense(d, nil)
	means, count, all := mat.NewDense(classes, d, nil), make([]float64, classes), 0.0
	for i, c := range class {
		if c >= 0 {
			all++
			count[c]++
			for j := range d {
				means.Set(c, j, means.At(c, j)+x.At(i, j))
				mean.SetVec(j, mean.AtVec(j)+x.At(i, j))
			}
		}
	}
	mean.ScaleVec(1/all, mean)
	within, between = mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
	for c := range classes {
		v := mat.NewVecDense(d, nil)
		for j := range d {
			means.Set(c, j, means.At(c, j)/count[c])
			v.SetVec(j, means.At(c, j)-mean.AtVec(j))
		}
		between.SymRankOne(between, count[c]/all, v)
	}
	for i, c := range class {
		if c >= 0 {
			v := mat.NewVecDense(d, nil)
			for j := range d {
				v.SetVec(j, x.At(i, j)-means.At(c, j))
			}
			within.SymRankOne(within, 1/all, v)
		}
	}
	return mean, within, between
}

// The directions against the generalised eigenvectors of an independent library, found through the Cholesky factor of the
// variance within classes.
func TestSeparateAgainstGeneralisedEigenvectors(t *testing.T) {
	src := rng.New(1, "separate")
	const n, d, classes = 90, 5, 4
	x, class := cloud(n, d, src), make([]int, n)
	for i := range n {
		class[i] = i%(classes+1) - 1 // some have none
		if class[i] >= 0 {
			x.Set(i, 1+class[i]%3, x.At(i, 1+class[i]%3)+float64(3*class[i]))
		}
	}
	xy, share, err := Separate(x, class)
	if err != nil {
		t.Fatal(err)
	}
	mean, within, between := scatters(x, class, classes)
	var chol mat.Cholesky
	if !chol.Factorize(within) {
		t.Fatal("no Cholesky factor")
	}
	var l, inv, m mat.Dense
	var lower mat.TriDense
	chol.LTo(&lower)
	l.CloneFrom(&lower)
	if err := inv.Inverse(&l); err != nil {
		t.Fatal(err)
	}
	m.Product(&inv, between, inv.T())
	sym := mat.NewSymDense(d, nil)
	for i := range d {
		for j := range d {
			sym.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(sym, true) {
		t.Fatal("EigenSym failed")
	}
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	values := eig.Values(nil)
	for a := range 2 {
		k := d - 1 - a
		if want := values[k] / mat.Trace(sym); math.Abs(share[a]-want) > 1e-9 {
			t.Errorf("axis %d has %v, want %v", a, share[a], want)
		}
		var axis mat.VecDense
		axis.MulVec(inv.T(), vectors.ColView(k))
		same, mirrored := 0.0, 0.0
		for i := range n {
			y := 0.0
			for j := range d {
				y += (x.At(i, j) - mean.AtVec(j)) * axis.AtVec(j)
			}
			same = math.Max(same, math.Abs(y-float64(xy[2*i+a])))
			mirrored = math.Max(mirrored, math.Abs(y+float64(xy[2*i+a])))
		}
		if math.Min(same, mirrored) > 1e-4 {
			t.Errorf("axis %d is off by %v", a, math.Min(same, mirrored))
		}
	}
}

// Fewer classes than axes leave a line or a point, and embeddings without spread no infinite number.
func TestSeparateDegenerate(t *testing.T) {
	src := rng.New(2, "separate")
	x := cloud(30, 3, src)
	two, one := make([]int, 30), make([]int, 30)
	for i := range two {
		two[i] = i % 2
		x.Set(i, 2, 1) // the same of all
	}
	xy, share, err := Separate(x, two)
	if err != nil || share[0] < 1-1e-9 || share[1] != 0 {
		t.Errorf("two classes: %v, %v", share, err)
	}
	for i := range 30 {
		if xy[2*i+1] != 0 {
			t.Fatalf("two classes leave the line: %v", xy[2*i+1])
		}
	}
	if _, share, err := Separate(x, one); err != nil || share != [2]float64{} {
		t.Errorf("one class: %v, %v", share, err)
	}
	flat := mat.NewDense(30, 3, nil)
	xy, _, err = Separate(flat, two)
	for _, v := range xy {
		if v != 0 || err != nil {
			t.Fatalf("points in one place are drawn at %v, %v", v, err)
		}
	}
	flat.Set(3, 1, math.NaN())
	if _, _, err := Separate(flat, two); err == nil {
		t.Error("a value that is no number")
	}
}
