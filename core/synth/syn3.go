package synth

import (
	"fmt"
	"math"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/graphsignal"
)

// Syn3Options are the settings of the graph Syn3.
type Syn3Options struct {
	Instance     string  `name:"instance" choices:"drawn|published" default:"drawn" group:"data" doc:"drawn: by the data seed. published: the very data behind the paper's numbers, whatever the seed; the other options stay as they are."`
	Variant      string  `name:"variant" choices:"released|printed" default:"released" group:"data" doc:"released: as the authors' program draws it, 14 neighbours, labels within 2 hops, the common signal scaled to norm 0.8 and the private ones to norm 1. printed: as the paper says, 15 neighbours, labels within 3 hops, nothing scaled; the common signal then drowns the private ones."`
	Nodes        int     `name:"nodes" symbol:"M" min:"60" max:"5000" default:"600" group:"data" doc:"Number of nodes, points on a spiral. Both layers join them by the same edges; only the signals differ."`
	Neighbours   int     `name:"neighbours" min:"0" max:"50" default:"0" group:"data" doc:"Each node is joined to this many nearest ones; 0 takes the variant's number."`
	Centres      int     `name:"centres" min:"1" max:"10" default:"3" group:"data" doc:"Number of nodes around which each layer has a private bump."`
	LabelRadius  int     `name:"label_radius" unit:"hops" min:"0" max:"20" default:"0" group:"data" doc:"Nodes up to this far from a centre are labelled foreground; 0 takes the variant's number."`
	Scale        float64 `name:"scale" min:"0.1" max:"100" default:"20" group:"data" doc:"Scale of the wavelets, over the largest eigenvalue of the Laplacian: the larger, the smoother the bumps."`
	CommonWeight float64 `name:"common_weight" min:"0" max:"100" default:"0.3" group:"data" doc:"Weight of the signal that both layers share, beside their private ones."`
}

// A sector rule of the centres of one layer, and the radius of its bumps in hops.
var syn3Layers = [2]struct {
	quantile, pad float64
	radius        int
}{
	{0.5, 20 * math.Pi / 180, 3},
	{0, 100 * math.Pi / 180, 2},
}

// filterSteps is the dimension of the Krylov spaces in which signals are filtered. At scale 20 only
// rounding is left from 80 on.
const filterSteps = 100

// Syn3 is the generator "syn3".
var Syn3 = New("syn3",
	"Nodes on a spiral, joined to their neighbours; the layers share smooth noise and have bumps around centres of their own.", syn3)

// syn3 draws one graph of nearest neighbours on a spiral with two signals on it, one a layer:
// smooth noise that both share, and wavelets around its own centres. Its label
// sets are, for every layer, "foreground_1", whether a node is near a centre, and "region_1", the
// centre it belongs to; Truth has positions and centres.
func syn3(o *Syn3Options, seed uint64) (*multiplex.Graph, error) {
	if o.Instance == published {
		if err := onlyPublished(o); err != nil {
			return nil, err
		}
		return drawSyn3(o, publishedSyn3())
	}
	return drawSyn3(o, func(what string, dst []float64) {
		s := rng.New(seed, "syn3/"+what)
		for i := range dst {
			dst[i] = s.Norm()
		}
	})
}

// drawSyn3 makes the graph from standard normal numbers, which it asks for one kind after
// the other by what they are for.
func drawSyn3(o *Syn3Options, normal func(what string, dst []float64)) (*multiplex.Graph, error) {
	m, printed := o.Nodes, o.Variant == "printed"
	neighbours, labelRadius := 14, 2
	if printed {
		neighbours, labelRadius = 15, 3
	}
	if o.Neighbours > 0 {
		neighbours = o.Neighbours
	}
	if o.LabelRadius > 0 {
		labelRadius = o.LabelRadius
	}
	draw := func(what string, n int) []float64 {
		x := make([]float64, n)
		normal(what, x)
		return x
	}
	angle := draw("angles", m)
	points := spiral(angle, draw("offsets", 2*m))
	start := draw("power iteration", m)
	common := draw("common signal", m)

	w, _, err := graphsignal.NeighbourGraph(points, neighbours)
	if err != nil {
		return nil, err
	}
	laplacian := graphsignal.Laplacian(w)
	filter := func(v []float64, f func(eigenvalue float64) float64) []float64 {
		x := make([]float64, m)
		graphsignal.Filter(x, laplacian, v, filterSteps, f)
		return x
	}
	common = filter(common, func(l float64) float64 { return kernel.Exp(-l) })
	if !printed {
		graphsignal.Scale(0.8/graphsignal.Norm(common), common)
	}
	t := o.Scale / graphsignal.PowerIteration(laplacian, start)
	edges := *w // the encoder sees links, not distances
	edges.Value = nil
	g := &multiplex.Graph{Name: "Syn3", Truth: &multiplex.Truth{Positions: points}}
	for l, rule := range syn3Layers {
		centres := centresOf(points, o.Centres, rule.quantile, rule.pad)
		x := make([]float64, m)
		away := make([][]int, len(centres)) // of each node: hops, or as released steps in number
		for k, c := range centres {
			hops := graphsignal.Hops(w, c)
			away[k] = hops
			if !printed {
				away[k] = make([]int, m)
				for i := range m {
					away[k][i] = max(i-c, c-i)
				}
			}
			atom := filter(graphsignal.Bump(hops, rule.radius), func(l float64) float64 { return graphsignal.Wavelet(float64(t * l)) })
			scale := 1.0
			if !printed {
				scale = 1 / graphsignal.Norm(atom)
			}
			graphsignal.Add(x, scale, atom)
		}
		if !printed {
			graphsignal.Scale(1/graphsignal.Norm(x), x)
		}
		graphsignal.Add(x, o.CommonWeight, common)
		features, err := multiplex.DenseFeatures(m, 1, x)
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: fmt.Sprintf("signal %d", l+1), Adjacency: &edges, Features: features})
		g.Truth.Centres = append(g.Truth.Centres, centres)
		foreground, region := make([]int, m), make([]int, m)
		for i, h := range graphsignal.Hops(w, centres...) {
			if h < 0 || h > labelRadius {
				region[i] = len(centres)
				continue
			}
			foreground[i] = 1
			for k := range centres {
				// A node that cannot be reached is -1 hops away.
				if d := away[k][i]; d >= 0 && (away[region[i]][i] < 0 || d < away[region[i]][i]) {
					region[i] = k
				}
			}
		}
		g.Labels = append(g.Labels,
			multiplex.LabelSet{Name: fmt.Sprintf("foreground_%d", l+1), Classes: []string{"background", "foreground"}, Of: foreground},
			multiplex.LabelSet{Name: fmt.Sprintf("region_%d", l+1), Classes: append(numbered("around centre", len(centres)), "background"), Of: region})
	}
	return g, nil
}
