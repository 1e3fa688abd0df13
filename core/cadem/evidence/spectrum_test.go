package evidence_test

import (
	"math"
	"testing"

	"cadem.example/core/cadem/evidence"
)

// With all eigenvectors, the rates of a spectrum are the numbers of links; with few, they are higher where links are.
func TestSpectrum(t *testing.T) {
	graph, _, _ := planted(3, 40, 2, 2, 6, .5, .9, 2)
	layers := layersOf(graph)
	links := func(i, j int) (n float64) {
		for _, a := range graph {
			if a.Dense()[i*40+j] != 0 {
				n++
			}
		}
		return n
	}
	whole, err := evidence.NewSpectrum(layers, 38, nil)
	if err != nil {
		t.Fatal(err)
	}
	few, err := evidence.NewSpectrum(layers, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	off, in, out, ni, no := 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range 40 {
		for j := range i {
			off = max(off, math.Abs(whole.Rate(i, j)-links(i, j)))
			if n := links(i, j); n > 0 {
				in, ni = in+few.Rate(i, j), ni+1
			} else {
				out, no = out+few.Rate(i, j), no+1
			}
		}
	}
	if off > .5 { // of 40 eigenvectors the two of least modulus are missing
		t.Errorf("rates are off by %v", off)
	}
	if in/ni < 1.5*out/no {
		t.Errorf("mean rate of links %v, of others %v", in/ni, out/no)
	}
}
