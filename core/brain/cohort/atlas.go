package cohort

import (
	"fmt"
	"math"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/brain/connectome"
)

// The seven networks of Yeo and others (2011), in their order.
const (
	visual = iota
	somatomotor
	dorsal
	ventral
	limbic
	frontoparietal
	defaultMode
)

var networkNames = []string{"Visual", "Somatomotor", "Dorsal Attention", "Ventral Attention", "Limbic", "Frontoparietal", "Default"}

// anchors are the centres of the networks in the right hemisphere, in mm: roughly
// where they are in people. A network may have several.
var anchors = []struct {
	network int
	at      [3]float64
}{
	{visual, [3]float64{15, -92, 5}}, {visual, [3]float64{40, -78, -8}},
	{somatomotor, [3]float64{30, -22, 68}}, {somatomotor, [3]float64{58, -8, 36}},
	{dorsal, [3]float64{28, -58, 58}}, {dorsal, [3]float64{48, -62, 20}},
	{ventral, [3]float64{60, -34, 28}}, {ventral, [3]float64{54, 12, 6}},
	{limbic, [3]float64{40, 10, -36}}, {limbic, [3]float64{18, 36, -24}},
	{frontoparietal, [3]float64{46, 36, 26}}, {frontoparietal, [3]float64{50, -50, 48}},
	{defaultMode, [3]float64{10, 54, 14}}, {defaultMode, [3]float64{8, -52, 36}}, {defaultMode, [3]float64{62, -18, -18}}, {defaultMode, [3]float64{22, 34, 52}},
}

// NewAtlas returns m regions, half of them in each hemisphere, spread evenly over an
// ellipsoid of a brain's size, each in the network of the nearest of a few places. The left
// hemisphere comes first; region i and i + m/2 are mirror images. It panics if m is odd or
// too small for seven networks.
func NewAtlas(m int) *connectome.Atlas {
	const least = 60
	if m%2 != 0 || m < least {
		panic(diag.Misuse("cohort: an atlas of an odd or too small number of regions"))
	}
	half := m / 2
	a := &connectome.Atlas{File: "synthetic atlas", Synthetic: true, Networks: networkNames,
		Names: make([]string, m), Network: make([]int, m), Centroids: make([][3]float64, m)}
	counts := [networks]int{}
	for i := range half {
		p := place(i, half)
		best, nearest := 0, math.Inf(1)
		for _, n := range anchors {
			square := 0.0
			for d := range p {
				square += float64((p[d] - n.at[d]) * (p[d] - n.at[d]))
			}
			if square < nearest {
				best, nearest = n.network, square
			}
		}
		counts[best]++
		for side, sign := range [2]float64{-1, 1} {
			k := side*half + i
			a.Names[k] = fmt.Sprintf("synthetic %s %s %d", []string{"L", "R"}[side], networkNames[best], counts[best])
			a.Network[k], a.Centroids[k] = best, [3]float64{float64(sign * p[0]), p[1], p[2]}
		}
	}
	return a
}

// place returns point i of n on the right half of an ellipsoid: a spiral from its front to
// its back whose turns are as far apart as its points.
func place(i, n int) [3]float64 {
	// A golden-angle spiral over a half turn covers the half sphere evenly.
	const golden = 0.6180339887498949
	front := 1 - (2*float64(i)+1)/float64(n)
	turn := float64(float64(i) * golden)
	angle := float64(math.Pi * (turn - math.Floor(turn) - 0.5))
	radius := math.Sqrt(1 - float64(front*front))
	// Semi-axes and centre of a brain in the usual space, and the cleft between the halves.
	return [3]float64{
		4 + float64(62*float64(radius*kernel.Cos(angle))),
		-18 + float64(86*front),
		12 + float64(60*float64(radius*kernel.Sin(angle))),
	}
}
