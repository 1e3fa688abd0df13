package links

import (
	"cadem.example/core/base/kernel"
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/multiplex"
)

// A Way scores pairs without any training, as [Held.Score] takes it: of width 1.
type Way struct {
	Name string
	Of   func(dst []float64, i, j int) float64
}

// Ways makes ways of the layers of a graph; nil: none.
type Ways func(layers []multiplex.Layer) []Way

// Names of what [Near] returns. N(i) are the neighbours of i, d_i their number.
const (
	AdamicAdar   = "Adamic-Adar"             // sum over N(i) and N(j) of 1 / log d
	Allocation   = "resource allocation"     // sum over N(i) and N(j) of 1 / d
	Preferential = "preferential attachment" // d_i d_j
)

// NearWays lists them.
var NearWays = []string{AdamicAdar, Allocation, Preferential}

// Near returns the scores of what is next to the nodes of a pair in the union of the layers of a graph, one at least. One of them is asked at a time.
func Near(layers []multiplex.Layer) (ways []Way) {
	m, now := layers[0].Adjacency.Rows, 0
	next, met := make([][]int32, m), make([]int, m) // N(i), and by node when it was met last
	for l := range layers {
		a := evidence.NewLayer(layers[l].Adjacency).A
		for i := range m {
			next[i] = append(next[i], a.Index[a.Start[i]:a.Start[i+1]]...)
		}
	}
	for i, list := range next {
		now++
		next[i] = list[:0]
		for _, k := range list {
			if met[k] != now {
				met[k], next[i] = now, append(next[i], k)
			}
		}
	}
	for _, name := range NearWays {
		ways = append(ways, Way{name, func(dst []float64, i, j int) float64 {
			if dst[0] = float64(len(next[i]) * len(next[j])); name == Preferential {
				return dst[0]
			}
			now++
			for _, k := range next[i] {
				met[k] = now
			}
			dst[0] = 0
			for _, k := range next[j] {
				if met[k] == now {
					d := float64(len(next[k])) // 2 at least
					if name == AdamicAdar {
						d = kernel.Log(d)
					}
					dst[0] += 1 / d
				}
			}
			return dst[0]
		}})
	}
	return ways
}
