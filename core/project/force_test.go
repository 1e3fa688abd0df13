package project_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/multiplex"
	"cadem.example/core/project"
	"cadem.example/core/synth"
	"cadem.example/core/synth/examples"
)

func init() { examples.Register(cohort.Example()) }

func drawn(t testing.TB, name string, set func(options any)) *multiplex.Graph {
	t.Helper()
	e, err := examples.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	o := e.Options()
	if set != nil {
		set(o)
	}
	g, err := e.Generator.Draw(o, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func layout(g *multiplex.Graph, seed uint64) []float32 {
	f := project.NewForceDirected(g, rng.New(seed, "layout"))
	for !f.Done() {
		f.Step()
	}
	return f.Layout(nil)
}

func ofNodes(m int) func(any) { return func(o any) { o.(*synth.Syn2Options).Nodes = m } }

// Groups with many links inside lie apart, whether far nodes repel one by one or together: nodes
// are nearer to the middle of their own group than to any other's.
func TestForceDirectedSeparatesCommunities(t *testing.T) {
	for _, m := range []int{120, 700} {
		g := drawn(t, "syn2", ofNodes(m))
		at, of := layout(g, 1), g.Labels[0].Of
		var middle [3][3]float64
		for i, c := range of {
			middle[c][0] += float64(at[2*i])
			middle[c][1] += float64(at[2*i+1])
			middle[c][2]++
		}
		near := 0
		for i, c := range of {
			best, least := 0, math.Inf(1)
			for k, s := range middle {
				if d := math.Hypot(float64(at[2*i])-s[0]/s[2], float64(at[2*i+1])-s[1]/s[2]); d < least {
					best, least = k, d
				}
			}
			if best == c {
				near++
			}
		}
		if near < 95*m/100 {
			t.Errorf("%d nodes: %d lie in their community", m, near)
		}
	}
}

// A layout is the same to the last bit natively, under node and in every browser.
func TestForceDirectedHash(t *testing.T) {
	for _, c := range []struct {
		nodes int
		want  string
	}{{60, "5a7ee4223703fd5f"}, {600, "477874fc93c5004a"}} {
		h := fnv.New64a()
		for _, v := range layout(drawn(t, "syn2", ofNodes(c.nodes)), 3) {
			fmt.Fprintf(h, "%08x", math.Float32bits(v))
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != c.want {
			t.Errorf("%d nodes: hash %s, expected %s", c.nodes, got, c.want)
		}
	}
}

// A node without links stays in view, and the rest is not squeezed for it.
func TestForceDirectedIsolatedNodes(t *testing.T) {
	g := drawn(t, "syn2", ofNodes(40))
	for l := range g.Layers {
		var edges []multiplex.Edge
		a := g.Layers[l].Adjacency
		for i := 1; i < 40; i++ {
			for k := a.Start[i]; k < a.Start[i+1]; k++ {
				if j := int(a.Index[k]); j > i {
					edges = append(edges, multiplex.Edge{I: i, J: j, Weight: 1})
				}
			}
		}
		b, err := multiplex.FromEdges(40, edges)
		if err != nil {
			t.Fatal(err)
		}
		g.Layers[l].Adjacency = b
	}
	at := layout(g, 1)
	spread := 0.0
	for _, v := range at {
		if !(v >= -1 && v <= 1) {
			t.Fatalf("coordinate %v", v)
		}
		spread += float64(v*v) / 40
	}
	if spread < 0.15 {
		t.Errorf("mean square of the distance from the middle is %.3f", spread)
	}
}

// Data that say where their nodes lie are drawn there: the spiral, and a brain from above.
func TestPlaces(t *testing.T) {
	if got := project.Places(drawn(t, "syn2", ofNodes(30))); got != nil {
		t.Errorf("places of a graph that has none: %v", got)
	}
	for _, name := range []string{"syn3", "cohort"} {
		g := drawn(t, name, nil)
		at := project.Places(g)
		x := func(i int) float64 {
			if g.Places != nil {
				return g.Places[i][0]
			}
			return g.Truth.Positions[2*i]
		}
		scale := float64(at[2]-at[0]) / (x(1) - x(0))
		largest := float32(0)
		for i := range g.M() {
			if want := float64(at[0]) + scale*(x(i)-x(0)); math.Abs(float64(at[2*i])-want) > 1e-5 {
				t.Fatalf("%s: node %d at %v, expected %v", name, i, at[2*i], want)
			}
			largest = max(largest, at[2*i], -at[2*i], at[2*i+1], -at[2*i+1])
		}
		if largest != 1 {
			t.Errorf("%s: largest coordinate %v", name, largest)
		}
	}
}

// Two triangles joined by one link.
func ExampleForceDirected() {
	var edges []multiplex.Edge
	for _, e := range [][2]int{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {3, 5}} {
		edges = append(edges, multiplex.Edge{I: e[0], J: e[1], Weight: 1})
	}
	a, err := multiplex.FromEdges(6, edges)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := project.NewForceDirected(&multiplex.Graph{Layers: []multiplex.Layer{{Name: "friends", Adjacency: a}}}, rng.New(1, "layout"))
	for !f.Done() {
		f.Step() // a page draws in between
	}
	at := f.Layout(nil)
	apart := func(i, j int) float64 { return math.Hypot(float64(at[2*i]-at[2*j]), float64(at[2*i+1]-at[2*j+1])) }
	fmt.Println(apart(0, 1) < apart(0, 4), apart(4, 5) < apart(1, 5))
	// Output: true true
}

func BenchmarkForceDirected(b *testing.B) {
	g := drawn(b, "syn2", ofNodes(1000))
	for b.Loop() {
		layout(g, 1)
	}
}
