package synth

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
)

func Example() {
	o := &Syn2Options{}
	property.Defaults(o)
	o.Nodes, o.Gamma = 200, 0.3
	g, err := Syn2.Draw(o, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range g.Labels {
		classes, missing := s.Counts()
		fmt.Println(s.Name, classes, missing)
	}
	o.Gamma = 1.5
	_, err = Syn2.Draw(o, 7)
	fmt.Println(err)
	// Output:
	// shared [70 65 65] 0
	// private_1 [66 75 59] 0
	// private_2 [65 67 68] 0
	// private_3 [67 58 75] 0
	// gamma: found "1.5", expected a number from 0 to 1
}

// byName returns one of the package's generators.
func byName(name string) *Generator {
	for _, g := range []*Generator{&Syn1, &Syn2, &Syn3, &Syn4, &Social} {
		if g.Name == name {
			return g
		}
	}
	panic("no generator " + name)
}

func generate(t *testing.T, name string, options any, seed uint64) *multiplex.Graph {
	t.Helper()
	g, err := byName(name).Draw(options, seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func labels(t *testing.T, g *multiplex.Graph, name string) []int {
	t.Helper()
	for _, s := range g.Labels {
		if s.Name == name {
			return s.Of
		}
	}
	t.Fatalf("no label set %s", name)
	return nil
}

// has returns the edges of a layer as a set of pairs i < j.
func has(l *multiplex.Layer) map[[2]int]bool {
	set := map[[2]int]bool{}
	a := l.Adjacency
	for i := range a.Rows {
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			if i < int(j) {
				set[[2]int{i, int(j)}] = true
			}
		}
	}
	return set
}

// ari is the adjusted Rand index, counted pair by pair.
func ari(a, b []int) float64 {
	var both, first, second, all float64
	for i := range a {
		for j := range i {
			x, y := a[i] == a[j], b[i] == b[j]
			all++
			if x {
				first++
			}
			if y {
				second++
			}
			if x && y {
				both++
			}
		}
	}
	expected := first * second / all
	return (both - expected) / ((first+second)/2 - expected)
}

func TestRefusedOptions(t *testing.T) {
	set := func(name string, values ...string) any {
		o := byName(name).Options()
		for i := 0; i < len(values); i += 2 {
			if err := property.Set(o, values[i], values[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		return o
	}
	var p *diag.Error
	var d *diag.Error
	for _, c := range []struct {
		name    string
		options any
		want    any
		message string
	}{
		{"syn1", &Syn1Options{Instance: "drawn"}, &p, `nodes: found "0", expected a whole number from 2 to 5000`},
		{"syn1", set("syn1", "nodes", "10", "communities", "11"), &p, "communities: found 11, expected at most the number of nodes, 10"},
		{"social", set("social", "nodes", "10", "teams", "11"), &p, "teams: found 11, expected at most the number of nodes, 10"},
		{"syn1", set("syn1", "p_intra", "0", "p_inter", "0"), &d, "layer layer 1: found no edges, expected at least one: without edges nothing propagates"},
		{"syn2", set("syn2", "nodes", "30", "p_intra", "0", "p_inter", "0"), &d,
			"layer layer 1: found no edges, expected at least one: without edges nothing propagates"},
		{"social", set("social", "participation", "0"), &d, "layer friends: found no edges, expected at least one: without edges nothing propagates"},
	} {
		g, err := byName(c.name).Draw(c.options, 1)
		if g != nil || err == nil || !errors.As(err, c.want) || err.Error() != c.message {
			t.Errorf("%s %+v:\n %v\nwant\n %s", c.name, c.options, err, c.message)
		}
	}
}

func TestOptionsOfAnotherGenerator(t *testing.T) {
	defer func() {
		if r := recover(); r != ErrOptions {
			t.Errorf("panicked with %v", r)
		}
	}()
	_, err := Syn1.Draw(Syn2.Options(), 1)
	t.Errorf("accepted, %v", err)
}

// within fails when a share of n draws is more than five standard deviations from p.
func within(t *testing.T, what string, count, n int, p float64) {
	t.Helper()
	got, sd := float64(count)/float64(n), math.Sqrt(p*(1-p)/float64(n))
	if math.Abs(got-p) > 5*sd {
		t.Errorf("%s: %d of %d = %.4f, expected %.4f within %.4f", what, count, n, got, p, 5*sd)
	}
}

func TestSyn1Densities(t *testing.T) {
	o := &Syn1Options{Instance: "drawn", Nodes: 400, Layers: 3, Communities: 3, PIntra: 0.7, PInter: 0.1, FirstShare: 0.8}
	g := generate(t, "syn1", o, 11)
	final, copied := labels(t, g, "final"), 0
	for l := range g.Layers {
		of := labels(t, g, fmt.Sprintf("layer_%d", l+1))
		var count [3]int
		for _, c := range of {
			count[c]++
		}
		for _, c := range count {
			within(t, "size of a community", c, o.Nodes, 1./3)
		}
		edges := has(&g.Layers[l])
		var pairs, joined [2]int
		for i := range o.Nodes {
			for j := i + 1; j < o.Nodes; j++ {
				kind := 0
				if of[i] == of[j] {
					kind = 1
				}
				pairs[kind]++
				if edges[[2]int{i, j}] {
					joined[kind]++
				}
			}
		}
		within(t, "p_inter", joined[0], pairs[0], 0.1)
		within(t, "p_intra", joined[1], pairs[1], 0.7)
		if l > 0 {
			if v := ari(of, labels(t, g, "layer_1")); math.Abs(v) > 0.03 {
				t.Errorf("layers 1 and %d have ARI %.3f, expected 0", l+1, v)
			}
		}
	}
	// A final label agrees with the first layer when copied from there, and by
	// chance otherwise.
	for i, c := range labels(t, g, "layer_1") {
		if final[i] == c {
			copied++
		}
	}
	within(t, "final as layer 1", copied, o.Nodes, 0.8+0.2/3)

	o.FirstShare = 1
	g = generate(t, "syn1", o, 11)
	if !slices.Equal(labels(t, g, "final"), labels(t, g, "layer_1")) {
		t.Error("first_share 1: the final labels are not those of the first layer")
	}
	o.FirstShare = 0
	o.Layers = 2
	g = generate(t, "syn1", o, 11)
	if !slices.Equal(labels(t, g, "final"), labels(t, g, "layer_2")) {
		t.Error("first_share 0 with two layers: the final labels are not those of the second")
	}
}

func TestMoreLayersMoveNothing(t *testing.T) {
	for _, name := range []string{"syn1", "syn2"} {
		gen := byName(name)
		few, many := gen.Options(), gen.Options()
		for _, s := range [][2]string{{"nodes", "60"}, {"layers", "3"}} {
			if err := errors.Join(property.Set(few, s[0], s[1]), property.Set(many, s[0], s[1])); err != nil {
				t.Fatal(err)
			}
		}
		if err := property.Set(many, "layers", "5"); err != nil {
			t.Fatal(err)
		}
		a, b := generate(t, name, few, 2), generate(t, name, many, 2)
		if !reflect.DeepEqual(a.Layers, b.Layers[:3]) {
			t.Errorf("%s: two more layers changed the first three", name)
		}
	}
}

func TestSyn2Overlap(t *testing.T) {
	// Half of the nodes drawing anew from three classes keeps their class with
	// probability 2/3: ARI 1/4 with the shared labels, 1/16 between two layers.
	o := &Syn2Options{Instance: "drawn", Nodes: 1000, Layers: 3, Communities: 3, Gamma: 0.6, PIntra: 0.001, PInter: 0.001, Reassigned: 0.5}
	var withShared, between float64
	const seeds = 12
	for seed := range uint64(seeds) {
		g := generate(t, "syn2", o, seed)
		shared := labels(t, g, "shared")
		for l := 1; l <= 3; l++ {
			of := labels(t, g, fmt.Sprintf("private_%d", l))
			withShared += ari(of, shared) / (3 * seeds)
			between += ari(of, labels(t, g, fmt.Sprintf("private_%d", l%3+1))) / (3 * seeds)
			moved := 0
			for i := range of {
				if of[i] != shared[i] {
					moved++
				}
			}
			within(t, "moved", moved, 500, 2./3)
		}
	}
	if math.Abs(withShared-0.25) > 0.015 || math.Abs(between-0.0625) > 0.012 {
		t.Errorf("ARI %.4f with the shared labels, %.4f between layers, expected 0.25 and 0.0625", withShared, between)
	}
	o.Reassigned = 0
	g := generate(t, "syn2", o, 1)
	if !slices.Equal(labels(t, g, "shared"), labels(t, g, "private_2")) {
		t.Error("reassigned 0: a layer has labels of its own")
	}
}

func TestSyn2DensitiesAndNesting(t *testing.T) {
	o := &Syn2Options{Instance: "drawn", Nodes: 300, Layers: 2, Communities: 3, PIntra: 0.3, PInter: 0.01, Reassigned: 0.5}
	var before *multiplex.Graph
	var edges map[[2]int]bool
	changed := 0
	for step := range 11 {
		o.Gamma = float64(step) / 10
		g := generate(t, "syn2", o, 5)
		shared, private := labels(t, g, "shared"), labels(t, g, "private_1")
		now := has(&g.Layers[0])
		var pairs, joined [2][2]int
		for i := range o.Nodes {
			for j := i + 1; j < o.Nodes; j++ {
				s, p := 0, 0
				if shared[i] == shared[j] {
					s = 1
				}
				if private[i] == private[j] {
					p = 1
				}
				pairs[s][p]++
				is := now[[2]int{i, j}]
				if is {
					joined[s][p]++
				}
				if before == nil {
					continue
				}
				was := edges[[2]int{i, j}]
				if was != is {
					changed++
				}
				switch {
				case s == p && was != is, s > p && was && !is, s < p && !was && is:
					t.Fatalf("gamma %.1f: pair %d, %d, together by shared %d, by private %d: an edge before %v, now %v", o.Gamma, i, j, s, p, was, is)
				}
			}
		}
		q := [2]float64{0.01, 0.3}
		for s := range 2 {
			for p := range 2 {
				within(t, fmt.Sprintf("gamma %.1f, pairs %d%d", o.Gamma, s, p), joined[s][p], pairs[s][p], o.Gamma*q[s]+(1-o.Gamma)*q[p])
			}
		}
		if before != nil && !reflect.DeepEqual(before.Labels, g.Labels) {
			t.Fatalf("gamma %.1f has other labels", o.Gamma)
		}
		before, edges = g, now
	}
	if changed == 0 {
		t.Error("gamma changed no edge")
	}
}

func TestSocial(t *testing.T) {
	for seed := range uint64(20) {
		g := generate(t, "social", nil, seed)
		names := slices.Clone(g.Nodes)
		slices.Sort(names)
		if len(slices.Compact(names)) != g.M() || g.M() != 72 {
			t.Fatalf("seed %d: %d nodes, names repeat", seed, g.M())
		}
		for l := range g.Layers {
			s := g.Layers[l].Summary()
			_, missing := g.Labels[l+1].Counts()
			sparse := s.Name == "friends" || s.Name == "online"
			if sparse != (missing > 0) || s.Isolated < missing || s.Edges < 40 || s.Edges > 500 {
				t.Errorf("seed %d: %+v with %d not taking part", seed, s, missing)
			}
			// Ties must show both structures, or there is nothing to learn.
			for _, of := range [][]int{g.Labels[0].Of, g.Labels[l+1].Of} {
				inside, pairs := 0, 0
				for i := range g.M() {
					for j := i + 1; j < g.M(); j++ {
						if of[i] == of[j] {
							pairs++
						}
					}
				}
				for e := range has(&g.Layers[l]) {
					if of[e[0]] == of[e[1]] {
						inside++
					}
				}
				if share, chance := float64(inside)/float64(s.Edges), float64(pairs)/float64(g.M()*(g.M()-1)/2); share < 1.3*chance {
					t.Errorf("seed %d: %s: %.2f of the ties are inside groups, %.2f by chance", seed, s.Name, share, chance)
				}
			}
		}
	}
}

func BenchmarkSyn2(b *testing.B) {
	for b.Loop() {
		if _, err := Syn2.Draw(nil, 1); err != nil {
			b.Fatal(err)
		}
	}
}
