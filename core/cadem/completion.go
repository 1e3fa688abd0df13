package cadem

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// completionNoise returns the source of the directions that fill a deficient consensus. It
// depends on the graph as well as on the seed, as the rounding noise does that fills them in
// the released program: were it the same for many graphs trained from one seed, what S holds
// of each could be told from how the same noise had to give way to it.
func completionNoise(seed uint64, g *multiplex.Graph) *rng.Stream {
	h := fnv.New64a()
	var word [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(word[:], v)
		h.Write(word[:])
	}
	matrix := func(a *multiplex.CSR) {
		if a == nil {
			return
		}
		for _, j := range a.Start {
			put(uint64(j))
		}
		for _, j := range a.Index {
			put(uint64(j))
		}
		for _, v := range a.Value {
			put(math.Float64bits(v))
		}
	}
	for l := range g.Layers {
		matrix(g.Layers[l].Adjacency)
		matrix(g.Layers[l].Features.Sparse)
		for _, v := range g.Layers[l].Features.Dense {
			put(math.Float64bits(v))
		}
	}
	return rng.New(seed, fmt.Sprintf("completion/%016x", h.Sum64()))
}
