package parity

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"cadem/core/multiplex"
	"cadem/core/property"
	"cadem/core/synth"
	"cadem/core/synth/examples"
)

// sums is the file that tells a folder of published data.
const sums = "checksums.json"

// published draws the published instances of Syn1 to Syn4 and holds them to the folder:
// edges to their checksums, everything else to the arrays that are there.
func published(g *golden) {
	labels := func(check comparison, graph *multiplex.Graph, first string) {
		for i, name := range []string{first, "labels_l0", "labels_l1", "labels_l2"} {
			check(name, name, 0, floats(graph.Labels[i].Of), 0)
		}
	}
	if g.has("syn1") {
		graph := instance("syn1", "", "")
		g.hashed("syn1: edges", graph.Layers, "syn1")
		labels(g.arrays("syn1.npz"), graph, "labels_final")
	}
	if g.has("syn2") {
		check := g.arrays("syn2.npz")
		for _, gamma := range g.tensor("syn2").names {
			graph := instance("syn2", "gamma", gamma)
			g.hashed("syn2: edges, gamma "+gamma, graph.Layers, "syn2", gamma)
			labels(check, graph, "labels_common")
		}
	}
	if g.has("syn3") {
		graph, check := instance("syn3", "", ""), g.arrays("syn3.npz")
		g.hashed("syn3: edges", graph.Layers[:1], "syn3")
		check("positions", "positions", 0, graph.Truth.Positions, 1e-12)
		for l := range graph.Layers {
			check("centres", fmt.Sprintf("centres_p%d", l+1), 0, floats(graph.Truth.Centres[l]), 0)
			check("signals", fmt.Sprintf("x_layer%d", l+1), 0, graph.Layers[l].Features.Dense, 1e-12)
			check("regions", fmt.Sprintf("labels_l%d", l), 0, floats(graph.Labels[2*l+1].Of), 0)
		}
	}
	if !g.has("syn4") {
		return
	}
	check := g.arrays("syn4.npz")
	var bases []multiplex.Layer
	for sample := range synth.Syn4Samples {
		graph := instance("syn4", "sample", fmt.Sprint(sample))
		truth := graph.Truth
		if truth.Class == 0 {
			bases = append(bases, graph.Layers[0])
			check("spectral radius", "spectral_radius", truth.Group, []float64{truth.SpectralRadius}, 1e-12)
		}
		check("classes", "labels", sample, floats([]int{truth.Class}), 0)
		check("base graphs", "base_id", sample, floats([]int{truth.Group}), 0)
		for l := range graph.Layers {
			check("initial states", "x0", 2*sample+l, truth.Initial[l], 1e-12)
			check("final states", "x_final", 2*sample+l, graph.Layers[l].Features.Dense, 1e-12)
		}
	}
	g.hashed("syn4: edges", bases, "syn4")
}

// instance returns the published graph, with one option set. It panics when the option is
// refused, which is the file's fault.
func instance(name, option, value string) *multiplex.Graph {
	o := must(examples.Lookup(name)).Options()
	ok(property.Set(o, "instance", "published"))
	if option != "" {
		ok(property.Set(o, option, value))
	}
	return must(examples.Draw(name, o, 0))
}

// A comparison is one with part i of an array, the parts being as long as what is compared.
type comparison func(quantity, array string, i int, got []float64, tolerance float64)

// arrays returns a comparison with the arrays of a file, which does nothing when there is no such file.
func (g *golden) arrays(file string) comparison {
	c := *g
	c.path, c.values = path.Join(path.Dir(g.path), file), values{file: map[string]tensor{}}
	if _, err := fs.Stat(g.files, c.path); err != nil {
		return func(string, string, int, []float64, float64) {}
	}
	c.try("file", func() { c.readNPZ(g.files, c.path, strings.ToLower) })
	return func(quantity, array string, i int, got []float64, tolerance float64) {
		want := c.ifAny(array)
		c.compare(quantity, got, want[min(len(want), i*len(got)):min(len(want), (i+1)*len(got))], tolerance)
	}
}

// hashed compares the SHA-256 of the edges i < j of the matrices, one after the other, as
// pairs of little-endian int32.
func (g *golden) hashed(quantity string, layers []multiplex.Layer, name ...any) {
	h := sha256.New()
	for _, l := range layers {
		a := l.Adjacency
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				if i < int(j) {
					h.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(i)), uint32(j)))
				}
			}
		}
	}
	got, want := hex.EncodeToString(h.Sum(nil)), g.sub(name...).text("edges_sha256")
	if got != want {
		g.fail(quantity, fmt.Errorf("hash %s, the file has %s", got, want))
		return
	}
	g.compare(quantity, nil, nil, 0)
}
