package synth

import (
	"cmp"
	"math"
	"sort"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/sorting"
)

// spiral returns points x, y of one after the other, on two turns of a spiral that opens
// from radius 0.1 to 1, with noise: angle holds one standard normal number a point,
// offset two.
func spiral(angle, offset []float64) []float64 {
	m := len(angle)
	p := make([]float64, 2*m)
	for i, noise := range angle {
		a := between(2*math.Pi, 6*math.Pi, i, m) + float64(0.03*noise)
		r := between(0.1, 1, i, m)
		p[2*i] = float64(r*kernel.Cos(a)) + float64(0.01*offset[2*i])
		p[2*i+1] = float64(r*kernel.Sin(a)) + float64(0.01*offset[2*i+1])
	}
	return p
}

// between returns number i of m evenly spaced ones from a to b.
func between(a, b float64, i, m int) float64 {
	if i == m-1 {
		return b
	}
	return float64(float64(i)*((b-a)/float64(m-1))) + a
}

// centresOf chooses up to count points of a spiral. Candidates are the points whose
// distance from the origin is at least the given quantile. The range of their angles,
// counted on over the turns, is cut into as many sectors; in each the outermost of the
// candidates closest in angle to its middle is taken, and with it go all candidates
// within pad radians. Where a sector has none left, the candidate farthest in angle from
// all centres is taken.
func centresOf(points []float64, count int, quantile, pad float64) []int {
	m := len(points) / 2
	angle, radius := make([]float64, m), make([]float64, m)
	turn := 0.0
	for i := range m {
		x, y := points[2*i], points[2*i+1]
		radius[i] = math.Sqrt(float64(x*x) + float64(y*y))
		angle[i] = kernel.Atan2(y, x) + turn
		for i > 0 && angle[i]-angle[i-1] > math.Pi {
			angle[i] -= 2 * math.Pi
			turn -= 2 * math.Pi
		}
		for i > 0 && angle[i]-angle[i-1] < -math.Pi {
			angle[i] += 2 * math.Pi
			turn += 2 * math.Pi
		}
	}
	sorted := append([]float64(nil), radius...)
	sort.Sort(sort.Float64Slice(sorted))
	at := float64(quantile * float64(m-1))
	low := int(at)
	least := sorted[low]
	if low+1 < m {
		least += float64((at - float64(low)) * (sorted[low+1] - sorted[low]))
	}
	var free []int
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, r := range radius {
		if r >= least {
			free = append(free, i)
			lo, hi = min(lo, angle[i]), max(hi, angle[i])
		}
	}
	var centres []int
	take := func(c int) {
		centres = append(centres, c)
		kept := free[:0]
		for _, i := range free {
			if math.Abs(angle[i]-angle[c]) > pad {
				kept = append(kept, i)
			}
		}
		free = kept
	}
	for s := 0; s < count && len(free) > 0; s++ {
		middle := lo + float64((hi-lo)*(float64(s)+0.5))/float64(count)
		near := append([]int(nil), free...)
		sorting.Stable(near, func(i, j int) int {
			return cmp.Compare(math.Abs(angle[i]-middle), math.Abs(angle[j]-middle))
		})
		near = near[:min(len(near), max(10, len(free)/20))]
		best := near[0]
		for _, i := range near {
			if radius[i] > radius[best] {
				best = i
			}
		}
		take(best)
	}
	for len(centres) < count && len(free) > 0 {
		best, gap := 0, -1.0
		for _, i := range free {
			g := math.Inf(1)
			for _, c := range centres {
				g = min(g, math.Abs(angle[i]-angle[c]))
			}
			if g > gap {
				best, gap = i, g
			}
		}
		take(best)
	}
	return centres
}
