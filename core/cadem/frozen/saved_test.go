package frozen_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/cadem/frozen"
	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
)

// saved writes the model of a setting and reads it.
func saved(t testing.TB, s setting) (*frozen.Saved, *multiplex.Graph, []byte) {
	t.Helper()
	run, graphs := trained(t, s, precision.Single)
	m, err := frozen.New(run, graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	model, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := model.Write(&b); err != nil {
		t.Fatal(err)
	}
	read, err := frozen.Read("model.npz", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return read, graphs[0], b.Bytes()
}

// as returns a graph whose nodes have names that no model knows.
func as(g *multiplex.Graph, new func(i int) bool) *multiplex.Graph {
	n := *g
	n.Nodes = make([]string, g.M())
	for i := range n.Nodes {
		n.Nodes[i] = fmt.Sprint(i)
		if new(i) {
			n.Nodes[i] += " (new)"
		}
	}
	return &n
}

// A node that comes under another name to those that it had links to lands where it was trained, or, where inputs were trimmed, as near
// as what was found of its layers tells: the same links of nodes that know it give the same place. With self loops added, nodes without
// features lack their own.
func TestKnownNodesComeBack(t *testing.T) {
	for _, s := range settings() {
		if s.graphs > 1 || s.name == "completed" || s.features == "identity" && strings.Contains(s.name+s.preset, "kipf") ||
			s.features == "identity" && s.preset == "printed" {
			continue
		}
		change := s.change
		s.change = func(o *cadem.Options) {
			change(o)
			o.DropoutRate = 0 // a newcomer loses no entries
		}
		model, g, _ := saved(t, s)
		one := g.M() - 1
		for slices.Contains(g.Layers[1].Adjacency.Index[g.Layers[1].Adjacency.Start[one]:g.Layers[1].Adjacency.Start[one+1]], int32(one)) {
			one-- // it has a link to itself
		}
		found, err := model.Find(as(g, func(i int) bool { return i == one }))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(found.New, []int{one}) || found.Known != g.M()-1 || found.Unknown != 0 {
			t.Fatalf("%+v", found)
		}
		e, at := model.Embed(found.Nodes), one*model.Dim
		tolerance := 1e-11
		if s.preset == "refined" || s.preset == "evidence" {
			tolerance = .05
		}
		check := func(what string, got, all []float64) {
			want, longest := all[at:at+model.Dim], 0.0
			for i := range g.M() {
				longest = max(longest, length(all[i*model.Dim:(i+1)*model.Dim]))
			}
			if off := length(want, got); off > tolerance*max(longest, 1e-9) {
				t.Errorf("%s, %s: %s is off by %.2g of %.2g", s.name, s.features, what, off, longest)
			}
		}
		check("S", e.S, model.Known.S)
		for l := range model.Layers {
			check("C", e.C[l], model.Known.C[l])
			check("P", e.P[l], model.Known.P[l])
		}
	}
}

// The contributions to the place of a newcomer add up to it, with the bias.
func TestBecauseAddsUp(t *testing.T) {
	for _, s := range settings() {
		if s.graphs > 1 || s.preset == "evidence" { // where means are taken off by degree
			continue
		}
		model, g, _ := saved(t, s)
		found, err := model.Find(as(g, func(i int) bool { return i == 7 }))
		if err != nil {
			t.Fatal(err)
		}
		v := found.Nodes[0]
		alone := frozen.Newcomer{Links: make([][]multiplex.Edge, g.N()), Features: make([][]float64, g.N())}
		for l := range alone.Features {
			alone.Features[l] = make([]float64, model.Features)
		}
		e := model.Embed([]frozen.Newcomer{v, alone}).S
		sum, links := slices.Clone(e[model.Dim:]), 0
		for _, l := range v.Links {
			links += len(l)
		}
		terms := model.Because(&v)
		for _, term := range terms {
			for k, x := range term.X {
				sum[k] += x
			}
		}
		if off := length(sum, e[:model.Dim]); off > 1e-11*max(1, length(sum)) || len(terms) < links || links == 0 {
			t.Errorf("%s, %s: %d terms of %d links are off by %.2g", s.name, s.features, len(terms), links, off)
		}
	}
}

func TestNewcomersAreCounted(t *testing.T) {
	model, g, _ := saved(t, setting{preset: "released", features: "sparse", graphs: 1, change: func(*cadem.Options) {}})
	found, err := model.Find(as(g, func(i int) bool { return i >= 50 }))
	if err != nil {
		t.Fatal(err)
	}
	among := 0
	for _, l := range g.Layers {
		for i := 50; i < 60; i++ {
			for _, j := range l.Adjacency.Index[l.Adjacency.Start[i]:l.Adjacency.Start[i+1]] {
				if j >= 50 && int(j) != i {
					among++
				}
			}
		}
	}
	if len(found.New) != 10 || found.Known != 50 || found.Unknown != among || found.Apart != 0 {
		t.Errorf("%d new, %d known, %d links among new ones, expected 10, 50 and %d", len(found.New), found.Known, found.Unknown, among)
	}
}

// Data that do not fit a model are refused with a word on what was expected.
func TestGraphsThatDoNotFitAreRefused(t *testing.T) {
	model, g, _ := saved(t, setting{preset: "released", features: "sparse", graphs: 1, change: func(*cadem.Options) {}})
	for what, change := range map[string]func(g *multiplex.Graph){
		"there is no":  func(g *multiplex.Graph) { g.Layers[1].Name = "other" },
		"the 3 of the": func(g *multiplex.Graph) { g.Layers = append(g.Layers, g.Layers[0]); g.Layers[3].Name = "more" },
		"9, as in":     func(g *multiplex.Graph) { g.Layers[0].Features = multiplex.Identity(60) },
		"model knows":  func(g *multiplex.Graph) { *g = *as(g, func(int) bool { return true }) },
		"found 8, expec": func(g *multiplex.Graph) {
			g.Layers[0].Features, _ = multiplex.DenseFeatures(60, 8, make([]float64, 480))
		},
	} {
		n := *g
		n.Layers = slices.Clone(g.Layers)
		change(&n)
		if _, err := model.Find(&n); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, expected %q", err, what)
		}
	}
	run, graphs := trained(t, setting{preset: "released", features: "one", graphs: 2, change: func(*cadem.Options) {}}, precision.Single)
	m, err := frozen.New(run, graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Save(); err == nil || !strings.Contains(err.Error(), "2 graphs") {
		t.Errorf("two graphs: %v", err)
	}
}

// altered returns a file of a model with another array, or without it.
func altered(t testing.TB, data []byte, name string, a *npy.Array) []byte {
	t.Helper()
	arrays, err := npy.OpenNPZ("m.npz", data)
	if err != nil {
		t.Fatal(err)
	}
	var list []npy.Named
	for key, old := range arrays {
		if key != name {
			list = append(list, npy.Named{Name: key, Array: old})
		} else if a != nil {
			list = append(list, npy.Named{Name: key, Array: a})
		}
	}
	var b bytes.Buffer
	if err := npy.WriteNPZ(&b, list); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBadModelsAreRefused(t *testing.T) {
	_, _, data := saved(t, setting{preset: "refined", features: "sparse", graphs: 1, change: func(*cadem.Options) {}})
	about := func(from, to string) []byte {
		arrays, _ := npy.OpenNPZ("m.npz", data)
		text := bytes.Replace(arrays["about"].Data.([]byte), []byte(from), []byte(to), -1)
		return altered(t, data, "about", &npy.Array{Shape: []int{len(text)}, Data: text})
	}
	for want, file := range map[string][]byte{
		"without an array":   altered(t, data, "about", nil),
		"save the model":     about(`"version":1`, `"version":2`),
		"twice or kipf":      about(`"propagation":"twice"`, `"propagation":"both"`),
		"U_common_2":         altered(t, data, "U_common_2", nil),
		"[4]":                altered(t, data, "mean_S", &npy.Array{Shape: []int{2, 2}, Data: make([]float64, 4)}),
		"at least 2, 2":      about(`"dim":4`, `"dim":-4`),
		"0 or more":          about(`"features":9`, `"features":-9`),
		"no zip archive":     []byte("PK"),
		"an array \"about\"": altered(t, data, "about", nil),
	} {
		if _, err := frozen.Read("m.npz", file); err == nil || want != "no zip archive" && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// A file with any content is refused, or gives a model that can be asked.
func FuzzModel(f *testing.F) {
	for preset, features := range map[string]string{"released": "sparse", "refined": "sparse", "evidence": "identity"} {
		_, _, data := saved(f, setting{preset: preset, features: features, graphs: 1, change: func(*cadem.Options) {}})
		f.Add(data)
		f.Add(altered(f, data, "scales_1", nil))
	}
	run, graphs := trained(f, setting{preset: "released", features: "sparse", graphs: 2, change: func(*cadem.Options) {}}, precision.Single)
	m, err := frozen.New(run, graphs, nil)
	if err != nil {
		f.Fatal(err)
	}
	e, err := m.Encoders()
	if err != nil {
		f.Fatal(err)
	}
	e.Classes, e.Class, e.Group = []string{"one"}, []int{0, 0}, []int{0, 1}
	var b bytes.Buffer
	if err := e.Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, err := frozen.ReadEncoders("m.npz", data); err == nil {
			if s, err := e.Embed(graphs[0]); err == nil && len(s.Pooled()) != e.Width() {
				t.Errorf("%d sums, expected %d", len(s.Pooled()), e.Width())
			}
		}
		var s *frozen.Saved
		var err error
		if frugal.Check(t, len(data), func() { s, err = frozen.Read("m.npz", data) }); err != nil {
			return
		}
		v := frozen.Newcomer{Links: make([][]multiplex.Edge, len(s.Layers)), Features: make([][]float64, len(s.Layers))}
		for l := range v.Links {
			v.Links[l] = []multiplex.Edge{{J: len(s.Nodes) - 1, Weight: 1}}
			v.Features[l] = make([]float64, s.Features)
		}
		s.Because(&v)
		if e := s.Embed([]frozen.Newcomer{v}); len(e.S) != s.Dim {
			t.Errorf("%d numbers, expected %d", len(e.S), s.Dim)
		}
	})
}
