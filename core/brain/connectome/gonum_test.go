package connectome

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/mat"
)

// The band-pass gives what gonum's transform gives when it drops the frequencies outside the
// band: of even, odd and prime lengths and of the length of the paper's runs.
func TestFFTIsThatOfGonum(t *testing.T) {
	const tr, low, high = 0.72, 0.01, 0.08
	for _, n := range []int{240, 241, 405, 1195} {
		f, err := NewFFT(n, tr, low, high)
		if err != nil {
			t.Fatal(err)
		}
		x := noise(1, n, uint64(n)).Values
		transform := fourier.NewFFT(n)
		coefficients := transform.Coefficients(nil, x)
		for k := range coefficients {
			if hz := transform.Freq(k) / tr; hz < low || hz > high {
				coefficients[k] = 0
			}
		}
		want := transform.Sequence(nil, coefficients)
		f.Apply(x)
		for i := range x {
			near(t, fmt.Sprintf("frame %d of %d", i, n), x[i], want[i]/float64(n), 1e-12)
		}
	}
}

// The residual of a regression is that of gonum's QR decomposition.
func TestRegressionIsThatOfGonum(t *testing.T) {
	const n, k = 80, 4
	s := noise(k+1, n, 11)
	columns := mat.NewDense(n, k+1, slices.Repeat([]float64{1}, n*(k+1)))
	var confounds [][]float64
	for j := range k {
		confounds = append(confounds, s.Row(j))
		columns.SetCol(j, s.Row(j))
	}
	y := mat.NewVecDense(n, slices.Clone(s.Row(k)))
	var qr mat.QR
	qr.Factorize(columns)
	var weights, fit mat.VecDense
	if err := qr.SolveVecTo(&weights, false, y); err != nil {
		t.Fatal(err)
	}
	fit.MulVec(columns, &weights)
	x := slices.Clone(s.Row(k))
	NewRegression(n, confounds).Apply(x)
	for i := range x {
		near(t, "residual", x[i], y.AtVec(i)-fit.AtVec(i), 1e-12)
	}
}
