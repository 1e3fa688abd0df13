package synth

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"
)

// A graph belongs to its seed: saved runs and links name it by that. These sums hold
// on every machine; a change here changes what every saved seed means.
func TestSeedsKeepTheirGraphs(t *testing.T) {
	for name, want := range map[string]string{
		"syn1":   "8f637218717f7530",
		"syn2":   "d846d1515d3792a1",
		"syn3":   "85e25cc9a5620652",
		"syn4":   "c70b89a0b372f0e2",
		"cohort": "8bc9590beb778777",
		"social": "d5b1c885abc56204",
	} {
		g := generate(t, name, nil, 7)
		h := sha256.New()
		for _, s := range g.Labels {
			for _, c := range s.Of {
				binary.Write(h, binary.LittleEndian, int32(c))
			}
		}
		for _, l := range g.Layers {
			binary.Write(h, binary.LittleEndian, l.Adjacency.Start)
			binary.Write(h, binary.LittleEndian, l.Adjacency.Index)
			binary.Write(h, binary.LittleEndian, l.Features.Dense)
		}
		for i := range g.M() {
			h.Write([]byte(g.NodeName(i) + "\n"))
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
