package cadem

import (
	"math"
	"testing"

	"cadem.example/core/base/rng"
)

// byDefinition is -log softmax(logits)[class] by its definition.
func byDefinition(logits []float64, class int) float64 {
	sum := 0.0
	for _, x := range logits {
		sum += math.Exp(x - logits[class])
	}
	return math.Log(sum)
}

func TestEntropy(t *testing.T) {
	src := rng.New(4, "entropy")
	const classes = 3
	for _, n := range []int{1, 2, 7, blockSize} {
		e := newCrossEntropy(classes, n)
		rows, want := make([][]float64, n), 0.0
		for i := range rows {
			e.class[i] = src.IntN(classes)
			rows[i] = make([]float64, classes)
			for l := range rows[i] {
				rows[i][l] = 20 * src.Norm()
				e.x[l*n+i] = rows[i][l]
			}
			want += byDefinition(rows[i], e.class[i])
		}
		if got := e.loss(n); math.Abs(got-want) > 1e-13*want {
			t.Errorf("%d blockSize: %v, want %v", n, got, want)
		}
		// The residuals are the gradient.
		for i, row := range rows {
			for l := range row {
				const h = 1e-5
				row[l] += h
				up := byDefinition(row, e.class[i])
				row[l] -= 2 * h
				down := byDefinition(row, e.class[i])
				row[l] += h
				if r := e.x[l*n+i]; math.Abs(r-(up-down)/(2*h)) > 1e-8 {
					t.Fatalf("item %d, class %d: residual %v, want %v", i, l, r, (up-down)/(2*h))
				}
			}
		}
	}
}

// A logit that is not a number makes the loss none.
func TestEntropyOfNoNumber(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		e := newCrossEntropy(2, 3)
		e.x[4] = x
		if got := e.loss(3); !math.IsNaN(got) && !math.IsInf(got, 0) {
			t.Errorf("%v: loss %v", x, got)
		}
	}
}

// The result for all pairs of a batch, in several blocks, is the mean over the pairs.
func TestManyPairs(t *testing.T) {
	src := rng.New(5, "pairs")
	const size, d, classes = 30, 8, 3
	o := Released()
	o.Pairing, o.Combine, o.Dim = "all", "add", d
	psi := newHead[float64](d, classes, d)
	for i := range psi.W {
		psi.W[i] = src.Norm()
	}
	psi.Prepare()
	g := &PooledGraphs{Batches: [][]int{make([]int, size)}, Layer: make([]int, size)}
	hp, hc := make([]float64, size*d), make([]float64, size*d)
	for i := range hp {
		hp[i], hc[i] = src.Norm(), src.Norm()
	}
	for i := range size {
		g.Batches[0][i], g.Layer[i] = i, i%classes
	}
	want := 0.0
	for i := range size {
		for j := range size {
			logits := make([]float64, classes)
			for l := range logits {
				for k := range d {
					logits[l] += (hp[i*d+k] + hc[j*d+k]) * psi.W[k*classes+l]
				}
			}
			want += byDefinition(logits, i%classes) / (size * size)
		}
	}
	c := newCausal(psi, size, &o)
	if got := c.loss(g, hp, hc, make([]float64, size*d), make([]float64, size*d), 1, nil); math.Abs(got-want) > 1e-12*want {
		t.Errorf("loss %v, want %v", got, want)
	}
}
