//go:build !lean

package synth

import (
	"fmt"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/linalg"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// LatentOptions are the settings of the graph with known latent directions.
type LatentOptions struct {
	Nodes    int     `name:"nodes" symbol:"M" min:"20" max:"5000" default:"400" group:"data" doc:"Number of nodes."`
	Layers   int     `name:"layers" symbol:"N" min:"2" max:"20" default:"3" group:"data" doc:"Number of layers."`
	Features int     `name:"observed" symbol:"F" label:"observed features" min:"2" max:"1000" default:"64" group:"data" doc:"Number of features of a layer, in which its directions are mixed."`
	Shared   int     `name:"shared_directions" label:"shared directions" min:"0" max:"16" default:"2" group:"data" doc:"Number of directions U that all layers have."`
	Private  int     `name:"private_directions" label:"private directions" min:"0" max:"16" default:"2" group:"data" doc:"Number of directions V that each layer has for itself."`
	Signal   float64 `name:"signal" min:"0" max:"100" default:"1" group:"data" doc:"Strength of every direction, in units of the noise on one feature."`
	Overlap  float64 `name:"overlap" min:"0" max:"1" default:"0" group:"data" doc:"Correlation of the private directions of the first two layers: at 0 they have nothing to do with each other, at 1 they are the same."`
	Mixing   string  `name:"mixing" choices:"linear|bent" default:"linear" group:"data" doc:"Whether features are sums of the directions, or sums that flatten out, t / (1 + |t|)."`
}

// Latent is the generator "latent".
var Latent = New("latent", "Features mixed from directions that all layers share and directions of each layer's own, all of them known.", latent)

// latent draws what theorem 3 of the paper is about, U (M x shared) and V_l (M x private) with
// independent standard normal entries, and observes of each layer
//
//	X_l = signal [U V_l] A_l + E_l,
//
// the rows of A_l orthonormal and E_l standard normal noise (M x F). Bent, the mixed signal t of a feature, in
// units of 1 / sqrt(F), becomes t / (1 + |t|). Every node is linked to itself alone, so that the
// propagated features are X_l. Label sets are the halves of the nodes along the first shared
// direction, "shared", and along the first of each layer, "private_1" and so on.
func latent(o *LatentOptions, seed uint64) (*multiplex.Graph, error) {
	m, f, width := o.Nodes, o.Features, o.Shared+o.Private
	if width < 1 || width > f {
		return nil, diag.Option("shared_directions", fmt.Sprintf("%d shared and %d private directions", o.Shared, o.Private),
			fmt.Sprintf("from 1 to %d of both together, as many as there are features", f))
	}
	normal := func(name string, n int) []float64 {
		x, src := make([]float64, n), rng.New(seed, "latent/"+name)
		for i := range x {
			x[i] = src.Norm()
		}
		return x
	}
	edges := make([]multiplex.Edge, m)
	for i := range edges {
		edges[i] = multiplex.Edge{I: i, J: i, Weight: 1}
	}
	loops, err := multiplex.FromEdges(m, edges)
	if err != nil {
		return nil, err
	}
	g := &multiplex.Graph{Name: "Latent directions", Truth: &multiplex.Truth{Shared: normal("shared", m*o.Shared)}}
	g.Labels = appendHalves(g.Labels, "shared", g.Truth.Shared, m)
	for l := range o.Layers {
		v := normal(fmt.Sprintf("private/layer %d", l), m*o.Private)
		if l == 1 {
			own := math.Sqrt(1 - float64(o.Overlap*o.Overlap))
			for i, first := range g.Truth.Private[0] {
				v[i] = float64(o.Overlap*first) + float64(own*v[i])
			}
		}
		g.Truth.Private = append(g.Truth.Private, v)
		x := normal(fmt.Sprintf("noise/layer %d", l), m*f)
		mix(x, g.Truth.Shared, v, directions(normal(fmt.Sprintf("mixing/layer %d", l), f*width), f, width), o)
		features, err := multiplex.DenseFeatures(m, f, x)
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprintf("layer %d", l+1), Adjacency: loops, Features: features})
		g.Labels = appendHalves(g.Labels, fmt.Sprintf("private_%d", l+1), v, m)
	}
	return g, nil
}

// directions returns orthonormal columns (f x width) that span those of x.
func directions(x []float64, f, width int) []float64 {
	q := linalg.NewQR(f, width)
	copy(q.A, x)
	q.Decompose()
	basis := make([]float64, f*width)
	_ = q.Basis(basis, nil) // without a pause nothing ends it
	return basis
}

// mix adds the mixed signal to the noise in x (M x F); a is F x width.
func mix(x, u, v, a []float64, o *LatentOptions) {
	f, width := o.Features, o.Shared+o.Private
	unit := math.Sqrt(float64(f))
	for i := range o.Nodes {
		for j := range f {
			t, row := 0.0, a[j*width:]
			for k := range o.Shared {
				t += float64(u[i*o.Shared+k] * row[k])
			}
			for k := range o.Private {
				t += float64(v[i*o.Private+k] * row[o.Shared+k])
			}
			if o.Mixing == "bent" {
				t *= unit
				t /= (1 + math.Abs(t)) * unit
			}
			x[i*f+j] += float64(o.Signal * t)
		}
	}
}

// appendHalves appends the halves of m nodes along the first column of x; nothing if there is none.
func appendHalves(sets []multiplex.LabelSet, name string, x []float64, m int) []multiplex.LabelSet {
	if len(x) == 0 {
		return sets
	}
	of := make([]int, m)
	for i := range of {
		if x[i*len(x)/m] > 0 {
			of[i] = 1
		}
	}
	return append(sets, multiplex.LabelSet{Name: name, Classes: []string{"below 0", "above 0"}, Of: of})
}
