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
	if g.has("syn1") {
		graph := instance("syn1", "", "")
		g.hashed("syn1: edges", graph.Layers, "syn1")
		g.arrays("syn1.npz").labels(graph, "labels_final")
	}
	if g.has("syn2") {
		arrays := g.arrays("syn2.npz")
		for _, gamma := range g.tensor("syn2").names {
			graph := instance("syn2", "gamma", gamma)
			g.hashed("syn2: edges, gamma "+gamma, graph.Layers, "syn2", gamma)
			arrays.labels(graph, "labels_common")
		}
	}
	if g.has("syn3") {
		graph, arrays := instance("syn3", "", ""), g.arrays("syn3.npz")
		g.hashed("syn3: edges", graph.Layers[:1], "syn3")
		arrays.part("positions", "positions", 0, graph.Truth.Positions, 1e-12)
		for l := range graph.Layers {
			arrays.part("centres", fmt.Sprintf("centres_p%d", l+1), 0, floats(graph.Truth.Centres[l]), 0)
			arrays.part("signals", fmt.Sprintf("x_layer%d", l+1), 0, graph.Layers[l].Features.Dense, 1e-12)
			arrays.part("regions", fmt.Sprintf("labels_l%d", l), 0, floats(graph.Labels[2*l+1].Of), 0)
		}
	}
	if !g.has("syn4") {
		return
	}
	arrays := g.arrays("syn4.npz")
	var bases []multiplex.Layer
	for sample := range synth.Syn4Samples {
		graph := instance("syn4", "sample", fmt.Sprint(sample))
		truth := graph.Truth
		if truth.Class == 0 {
			bases = append(bases, graph.Layers[0])
			arrays.part("spectral radius", "spectral_radius", truth.Group, []float64{truth.SpectralRadius}, 1e-12)
		}
		arrays.part("classes", "labels", sample, floats([]int{truth.Class}), 0)
		arrays.part("base graphs", "base_id", sample, floats([]int{truth.Group}), 0)
		for l := range graph.Layers {
			arrays.part("initial states", "x0", 2*sample+l, truth.Initial[l], 1e-12)
			arrays.part("final states", "x_final", 2*sample+l, graph.Layers[l].Features.Dense, 1e-12)
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

// arrays returns the arrays of a file beside, none when there is no such file.
func (g *golden) arrays(file string) *golden {
	c := *g
	c.path, c.values = path.Join(path.Dir(g.path), file), values{}
	if _, err := fs.Stat(g.files, c.path); err == nil {
		c.file = map[string]tensor{}
		c.try("file", func() { c.readNPZ(g.files, c.path, strings.ToLower) })
	}
	return &c
}

// part compares part i of an array, the parts being as long as what is compared.
func (g *golden) part(quantity, array string, i int, got []float64, tolerance float64) {
	if g.file != nil {
		want := g.ifAny(array)
		g.compare(quantity, got, want[min(len(want), i*len(got)):min(len(want), (i+1)*len(got))], tolerance)
	}
}

// labels compares those of all layers and of each.
func (g *golden) labels(graph *multiplex.Graph, first string) {
	for i, name := range []string{first, "labels_l0", "labels_l1", "labels_l2"} {
		g.part(name, name, 0, floats(graph.Labels[i].Of), 0)
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
