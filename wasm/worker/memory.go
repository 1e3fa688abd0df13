package worker

import (
	"fmt"

	"cadem/core/cadem"
	"cadem/core/multiplex"
	"cadem/wasm/bridge"
)

// budget bounds what a run may need. WebAssembly has 4 GB, of which the collector needs
// some room; what is refused here would end the program later.
const budget = 2 << 30

// memory estimates the bytes a run of float32 needs at its peak: for every layer the two
// encoders with their two moments each, once more for a checkpoint on its way out; the
// draw of the largest matrix in float64; and Z, as dense as it may become when that is
// smaller than its factors.
func memory(g *multiplex.Graph, o *cadem.Options) float64 {
	m, f, n := float64(g.M()), float64(g.F()), float64(g.N())
	h, d := float64(o.Hidden), float64(o.Dim)
	parameters := 4 * 3 * 2 * n * (f*h + h*d)
	working := 4 * n * (4*f*d + 6*m*d)
	z := 0.0
	for _, l := range g.Layers {
		factors := 12 * float64(l.Adjacency.NNZ())
		if x := l.Features; x.Sparse != nil {
			factors += 12 * float64(x.Sparse.NNZ())
		} else if !x.IsIdentity() {
			factors += 4 * m * f
		}
		z += min(4*m*f, 2*factors)
	}
	return 2*parameters + working + z + 8*f*h
}

// fits refuses a run that would not fit the program's memory.
func fits(g *multiplex.Graph, o *cadem.Options) error {
	need := memory(g, o)
	if need <= budget {
		return nil
	}
	return &bridge.Error{Code: "too-large", Message: fmt.Sprintf(
		"This run would need about %.1f GB for %d layers of %d features and %d hidden units; a page can use %d GB. Fewer hidden units, or data with fewer features, make it smaller.",
		need/(1<<30), g.N(), g.F(), o.Hidden, budget>>30)}
}
