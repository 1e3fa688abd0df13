package cadem

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// weighted draws a small multiplex graph with dense features of width f, one isolated node
// and weights.
func weighted(t testing.TB, m, n, f int, seed uint64) *multiplex.Graph {
	t.Helper()
	g := &multiplex.Graph{Name: "weighted"}
	for l := range n {
		src := rng.New(seed, "weighted "+string(rune('a'+l)))
		var edges []multiplex.Edge
		for i := range m - 1 {
			for j := range i + 1 {
				if src.Float64() < .4 {
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: src.Uniform(.5, 2)})
				}
			}
		}
		a, err := multiplex.FromEdges(m, edges)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, m*f)
		for i := range x {
			x[i] = src.Norm()
		}
		features, err := multiplex.DenseFeatures(m, f, x)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: string(rune('a' + l)), Adjacency: a, Features: features})
	}
	return g
}

// variants lists the variants of the method, by what they change in small options. Those of each term
// alone come from the table of terms.
var variants = map[string]func(*Options){
	"released": func(o *Options) {},
	"printed": func(o *Options) {
		p, _ := Preset("printed")
		p.Dim, p.Hidden, p.Augmented = o.Dim, o.Hidden, o.Augmented
		*o = p
	},
	"all pairs, added": func(o *Options) { o.Pairing = "all"; o.Batch = 3 },
	"own pairs":        func(o *Options) { o.Pairing = "own"; o.Batch = 3 },
	"sampled, concat":  func(o *Options) { o.Pairing = "sampled:2"; o.Combine = "concat" },
	"fresh":            func(o *Options) { o.Augmentation = "fresh" },
	"no augmentation":  func(o *Options) { o.Augmented = 0 },
}

// The gradient of every loss against central differences, in every variant of the method.
func TestGradientsAgainstFiniteDifferences(t *testing.T) {
	all := maps.Clone(variants)
	for _, only := range Terms[:len(Terms)-1] {
		all[only.Name+" alone"] = func(o *Options) {
			for _, other := range Terms[:len(Terms)-1] {
				if other.Name != only.Name {
					if err := property.Set(o, other.Weight, "0"); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	for name, change := range all {
		for _, graphs := range []int{1, 2} {
			o := Released()
			o.Dim, o.Hidden, o.Augmented, o.DropoutRate = 3, 4, 2, 0
			change(&o)
			var gs []*multiplex.Graph
			for i := range graphs {
				gs = append(gs, weighted(t, 9, 3, 5, uint64(i)))
			}
			t.Run(fmt.Sprintf("%s, %d graphs", name, graphs), func(t *testing.T) { checkGradients(t, gs, o) })
		}
	}
}

// checkGradients compares the gradient of every parameter with a difference quotient, one step after the start.
func checkGradients(t *testing.T, gs []*multiplex.Graph, o Options) {
	t.Helper()
	needs(t, precision.Double)
	tr, err := New(gs, o, 3, precision.Double)
	if err != nil {
		t.Fatal(err)
	}
	tr.Step() // away from zero biases
	r := modelOf[float64](tr)
	r.update()
	loss := func() float64 {
		for _, pair := range r.enc {
			for _, e := range pair {
				e.product()
			}
		}
		for _, g := range r.graphs {
			if q, ok := g.consensus.(*overNodes[float64]); ok {
				clear(q.current)
			}
		}
		return r.gradients(1).Total
	}
	check := func(tensor string, w []float64, g []float64) {
		t.Helper()
		for i := range w {
			const h = 1e-5
			at := w[i]
			w[i] = at + h
			up := loss()
			w[i] = at - h
			down := loss()
			w[i] = at
			if d := (up - down) / (2 * h); math.Abs(d-g[i]) > 1e-6*(1+math.Abs(d)) {
				t.Fatalf("gradient of %s[%d] is %v, the difference quotient %v", tensor, i, g[i], d)
			}
		}
	}
	for _, pair := range r.enc {
		for branch, e := range pair {
			loss()
			w1, w2, b := outer(e), make([]float64, e.H*e.D), append([]float64(nil), e.DB...)
			for f := range e.F {
				for h := range e.H {
					for k := range e.D {
						w2[h*e.D+k] += e.W1[f*e.H+h] * e.DU[f*e.D+k]
					}
				}
			}
			tag := []string{"c", "p"}[branch]
			check("W1"+tag, e.W1, w1)
			check("W2"+tag, e.W2, w2)
			check("b"+tag, e.B, b)
		}
	}
	for _, p := range []*head[float64]{r.phi, r.psi} {
		loss()
		p.Collect()
		w, b := p.Parameters()
		check("head", w[0], w[3])
		check("head bias", b[0], b[3])
	}
}

// outer is dU W2', the gradient of W1.
func outer(e *encoder[float64]) []float64 {
	g := make([]float64, e.F*e.H)
	for i := range e.F {
		for j := range e.H {
			for k := range e.D {
				g[i*e.H+j] += e.DU[i*e.D+k] * e.W2[j*e.D+k]
			}
		}
	}
	return g
}

func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*(1+math.Abs(want[i]))) {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}
