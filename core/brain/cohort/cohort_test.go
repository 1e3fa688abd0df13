package cohort

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/connectome"
)

func ExampleCohort() {
	o := &Options{}
	property.Defaults(o)
	o.Subjects, o.Regions = 2, 60
	c, err := New(o, 1)
	if err != nil {
		panic(err)
	}
	s := c.Series(1, 2)
	fmt.Println(s.Name, s.M(), s.Frames, s.Regions[0])
	// Output: synthetic subject 2, working memory 60 300 synthetic L Default 1
}

func drawn(t *testing.T, seed uint64, edit func(o *Options)) *Cohort {
	t.Helper()
	o := &Options{}
	property.Defaults(o)
	if edit != nil {
		edit(o)
	}
	c, err := New(o, seed)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func pipeline() *connectome.Options {
	o := &connectome.Options{}
	property.Defaults(o)
	return o
}

func TestAtlas(t *testing.T) {
	for _, m := range []int{60, 90, 360, 1000} {
		a := NewAtlas(m)
		counts := make([]int, networks)
		nearest := math.Inf(1)
		for i, p := range a.Centroids {
			counts[a.Network[i]]++
			mirror := (i + m/2) % m
			if q := a.Centroids[mirror]; q[0] != -p[0] || q[1] != p[1] || q[2] != p[2] || a.Network[mirror] != a.Network[i] {
				t.Fatalf("%d regions: %d and %d are not mirror images", m, i, mirror)
			}
			if !strings.HasPrefix(a.Names[i], "synthetic ") || (p[0] < 0) != (i < m/2) {
				t.Fatalf("%s at %v", a.Names[i], p)
			}
			for _, q := range a.Centroids[:i] {
				nearest = min(nearest, math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]))
			}
		}
		if slices.Contains(counts, 0) || len(slices.Compact(slices.Sorted(slices.Values(a.Names)))) != m || !a.Synthetic {
			t.Errorf("%d regions: %v a network", m, counts)
		}
		// Evenly spread: with m regions on that surface, neighbours are about 1/sqrt(m) of it apart.
		if apart := nearest * math.Sqrt(float64(m)); apart < 55 {
			t.Errorf("%d regions: two are %.1f mm apart", m, nearest)
		}
	}
}

// A series belongs to seed, subject and condition, whatever else is drawn.
func TestCohortSeries(t *testing.T) {
	small := func(o *Options) { o.Subjects, o.Regions, o.Frames = 3, 61, 80 }
	c := drawn(t, 5, small)
	if c.Options.Regions != 62 {
		t.Errorf("%d regions", c.Options.Regions)
	}
	a := c.Series(2, 1)
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	c.Series(0, 0)
	if !slices.Equal(a.Values, c.Series(2, 1).Values) || slices.Equal(a.Values, c.Series(2, 2).Values) || slices.Equal(a.Values, c.Series(1, 1).Values) {
		t.Error("a series depends on what was drawn before, or not on its subject and condition")
	}
	if slices.Equal(a.Values, drawn(t, 6, small).Series(2, 1).Values) {
		t.Error("another seed, the same series")
	}
	h := sha256.New()
	for _, v := range a.Values {
		fmt.Fprintf(h, "%x ", math.Float64bits(v))
	}
	if got := hex.EncodeToString(h.Sum(nil)[:8]); got != "7a72eea429736e3c" {
		t.Errorf("the sum of the series is %s", got)
	}
	o := &Options{}
	property.Defaults(o)
	o.Effect = -1
	if _, err := New(o, 1); err == nil || err.Error() != "effect: found \"-1\", expected a number from 0 to 5" {
		t.Error(err)
	}
}

// Signals are as smooth as asked, networks hold together and some oppose each other.
func TestCohortLooksLikeBrains(t *testing.T) {
	c := drawn(t, 1, func(o *Options) { o.Subjects = 4 })
	o := pipeline()
	for subject := range 4 {
		s := c.Series(subject, 0)
		got, err := connectome.Compute(s, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		var inside, between, twins float64
		n, other := 0, 0
		for i := range 360 {
			for j := range i {
				if c.Atlas.Network[i] == c.Atlas.Network[j] {
					inside += got.R(i, j)
					n++
				} else {
					between += got.R(i, j)
					other++
				}
			}
			if i < 180 {
				twins += got.R(i, i+180) / 180
			}
		}
		inside, between = inside/float64(n), between/float64(other)
		if inside < between+0.2 || twins < inside+0.05 || got.Quality.Negative < 0.1 || got.Quality.Negative > 0.6 || len(got.Anti.Edges) < 6000 {
			t.Errorf("subject %d: r %.2f inside of networks, %.2f between, %.2f of twins, %.2f negative, %d edges", subject, inside, between, twins,
				got.Quality.Negative, len(got.Anti.Edges))
		}
		x := slices.Clone(s.Row(7))
		connectome.Detrend(x)
		connectome.ZScore(x, 0)
		sum := 0.0
		for k := 1; k < len(x); k++ {
			sum += x[k] * x[k-1]
		}
		if sum /= float64(len(x)); sum < 0.3 || sum > 0.85 {
			t.Errorf("subject %d: neighbouring frames correlate by %.2f", subject, sum)
		}
	}
}

// told returns the share of graphs whose condition is predicted correctly from the moments of their
// networks, weighted by degree: nearest mean of the other subjects.
func told(t *testing.T, effect float64, seed uint64) float64 {
	t.Helper()
	const subjects = 24
	c := drawn(t, seed, func(o *Options) { o.Subjects, o.Regions, o.Frames, o.Effect = subjects, 60, 240, effect })
	o := pipeline()
	var x [][]float64
	for subject := range subjects {
		for condition := range Conditions {
			g, err := c.Graph(subject, condition, o)
			if err != nil {
				t.Fatal(err)
			}
			if g.Truth.Class != condition || g.Truth.Group != subject || g.N() != 2 {
				t.Fatalf("%+v", g.Truth)
			}
			// The input of sum pooling of a linear encoder of A X: A X, summed.
			v := make([]float64, 4)
			for l, layer := range g.Layers {
				a := layer.Adjacency
				for i := range a.Rows {
					degree := float64(a.Start[i+1] - a.Start[i])
					v[2*l] += degree * layer.Features.Dense[2*i]
					v[2*l+1] += degree * layer.Features.Dense[2*i+1]
				}
			}
			x = append(x, v)
		}
	}
	for k := range x[0] {
		column := make([]float64, len(x))
		for i := range x {
			column[i] = x[i][k]
		}
		connectome.ZScore(column, 0)
		for i := range x {
			x[i][k] = column[i]
		}
	}
	right := 0
	for i, v := range x {
		best, nearest := 0, math.Inf(1)
		for condition := range 3 {
			square := 0.0
			for k := range v {
				mean := 0.0
				for j := range x {
					if j/3 != i/3 && j%3 == condition {
						mean += x[j][k] / (subjects - 1)
					}
				}
				square += (v[k] - mean) * (v[k] - mean)
			}
			if square < nearest {
				best, nearest = condition, square
			}
		}
		if best == i%3 {
			right++
		}
	}
	return float64(right) / float64(len(x))
}

// Without an effect nothing tells the conditions apart: no leakage.
func TestEffectTellsConditions(t *testing.T) {
	// Chance is right for a third of 72 graphs, give or take 0.07 from one cohort to another.
	const cohorts, chance, spread = 6, 1. / 3, 0.07
	mean := func(effect float64) (sum float64) {
		for seed := range uint64(cohorts) {
			sum += told(t, effect, 300+seed) / cohorts
		}
		return sum
	}
	none, full := mean(0), mean(1)
	if sigma := spread / math.Sqrt(cohorts); math.Abs(none-chance) > 3.5*sigma || full < 0.5 {
		t.Errorf("told right: %.3f without an effect, %.3f with it", none, full)
	}
}

func BenchmarkCohortGraph(b *testing.B) {
	o := &Options{}
	property.Defaults(o)
	c, err := New(o, 1)
	if err != nil {
		b.Fatal(err)
	}
	settings := pipeline()
	for i := 0; b.Loop(); i++ {
		if _, err := c.Graph(i%o.Subjects, i%3, settings); err != nil {
			b.Fatal(err)
		}
	}
}
