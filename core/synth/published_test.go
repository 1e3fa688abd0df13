package synth

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem/core/formats"
	"cadem/core/multiplex"
	"cadem/core/property"
)

type checksum struct {
	Hash string `json:"edges_sha256"`
}

// checksums returns what testdata/checksums.json holds for a data set, decoded into v.
func checksums(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("testdata/checksums.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err = json.Unmarshal(data, &all); err == nil {
		err = json.Unmarshal(all[name], v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func arrays(t *testing.T, path string) map[string]*formats.Array {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && strings.Contains(path, "shared") {
		t.Skip("the published arrays are not beside the repository: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := formats.ReadNPZ(formats.File{Name: path, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// hash is that of the edges i < j of matrices one after the other, as pairs of int32.
func hash(layers ...*multiplex.CSR) string {
	h := sha256.New()
	for _, a := range layers {
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				if i < int(j) {
					binary.Write(h, binary.LittleEndian, [2]int32{int32(i), j})
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func adjacencies(g *multiplex.Graph) (a []*multiplex.CSR) {
	for i := range g.Layers {
		a = append(a, g.Layers[i].Adjacency)
	}
	return a
}

// near compares with an array of a file.
func near(t *testing.T, what string, got []float64, want *formats.Array, from int, tolerance float64) {
	t.Helper()
	w := want.Float64s()
	if len(w) < from+len(got) {
		t.Fatalf("%s: %d values from %d on, the file has %d", what, len(got), from, len(w))
	}
	worst := 0.0
	for i, v := range got {
		worst = max(worst, math.Abs(v-w[from+i])/(1+math.Abs(w[from+i])))
	}
	if !(worst <= tolerance) {
		t.Errorf("%s: differs by %.1e, tolerance %.0e", what, worst, tolerance)
	}
}

func floats(x []int) (f []float64) {
	for _, v := range x {
		f = append(f, float64(v))
	}
	return f
}

func TestPublishedSyn1(t *testing.T) {
	g := generate(t, "syn1", with(t, "syn1", "instance", "published"), 99)
	var want checksum
	checksums(t, "syn1", &want)
	if got := hash(adjacencies(g)...); got != want.Hash {
		t.Errorf("edges %s, want %s", got, want.Hash)
	}
	z := arrays(t, "testdata/syn1.npz")
	near(t, "final labels", floats(labels(t, g, "final")), z["labels_final"], 0, 0)
	for l := range 3 {
		near(t, "labels", floats(labels(t, g, fmt.Sprintf("layer_%d", l+1))), z[fmt.Sprintf("labels_l%d", l)], 0, 0)
	}
}

func TestPublishedSyn2(t *testing.T) {
	want := map[string]checksum{}
	checksums(t, "syn2", &want)
	var g *multiplex.Graph
	for gamma, sum := range want {
		g = generate(t, "syn2", with(t, "syn2", "instance", "published", "gamma", gamma), 99)
		if got := hash(adjacencies(g)...); got != sum.Hash {
			t.Errorf("gamma %s: edges %s, want %s", gamma, got, sum.Hash)
		}
	}
	if len(want) != 11 {
		t.Fatalf("%d values of gamma", len(want))
	}
	z := arrays(t, "../../../shared/golden/published/syn2.npz")
	near(t, "shared labels", floats(labels(t, g, "shared")), z["labels_common"], 0, 0)
	for l := range 3 {
		near(t, "labels", floats(labels(t, g, fmt.Sprintf("private_%d", l+1))), z[fmt.Sprintf("labels_l%d", l)], 0, 0)
	}
}

func TestPublishedSyn3(t *testing.T) {
	g := generate(t, "syn3", with(t, "syn3", "instance", "published"), 99)
	var want checksum
	checksums(t, "syn3", &want)
	if got := hash(g.Layers[0].Adjacency); got != want.Hash {
		t.Errorf("edges %s, want %s", got, want.Hash)
	}
	z := arrays(t, "testdata/syn3.npz")
	near(t, "positions", g.Truth.Positions, z["positions"], 0, 1e-15)
	for l := range 2 {
		near(t, "centres", floats(g.Truth.Centres[l]), z[fmt.Sprintf("centres_p%d", l+1)], 0, 0)
		near(t, "signal", g.Layers[l].Features.Dense, z[fmt.Sprintf("x_layer%d", l+1)], 0, 1e-12)
		near(t, "regions", floats(labels(t, g, fmt.Sprintf("region_%d", l+1))), z[fmt.Sprintf("labels_l%d", l)], 0, 0)
	}
}

func TestPublishedSyn4(t *testing.T) {
	z := arrays(t, "testdata/syn4.npz")
	var bases []*multiplex.CSR
	for sample := range Syn4Samples {
		g := generate(t, "syn4", with(t, "syn4", "instance", "published", "sample", strconv.Itoa(sample)), 99)
		if sample%3 == 0 {
			bases = append(bases, g.Layers[0].Adjacency)
			near(t, "spectral radius", []float64{g.Truth.SpectralRadius}, z["spectral_radius"], sample/3, 1e-14)
		}
		near(t, "class and base graph", []float64{float64(g.Truth.Class)}, z["labels"], sample, 0)
		near(t, "base graph", []float64{float64(g.Truth.Group)}, z["base_id"], sample, 0)
		for l := range 2 {
			near(t, "initial state", g.Truth.Initial[l], z["x0"], (2*sample+l)*100, 1e-15)
			near(t, fmt.Sprintf("final state of sample %d, layer %d", sample, l), g.Layers[l].Features.Dense, z["x_final"], (2*sample+l)*100, 1e-12)
		}
	}
	var want checksum
	checksums(t, "syn4", &want)
	if got := hash(bases...); got != want.Hash {
		t.Errorf("edges %s, want %s", got, want.Hash)
	}
}

func TestPublishedDataAreWhatTheyAre(t *testing.T) {
	for _, c := range []struct {
		name, option, value, text string
	}{
		{"syn1", "nodes", "50", "nodes: found 50, expected 100 as in the published data"},
		{"syn2", "reassigned", "0.4", "reassigned: found 0.4, expected 0.5 as in the published data"},
		{"syn3", "variant", "printed", "variant: found printed, expected released as in the published data"},
		{"syn4", "p_edge", "0.1", "p_edge: found 0.1, expected 0.08 as in the published data"},
		{"syn4", "sample", "90", "sample: found 90, expected 0 to 89 in the published data"},
	} {
		var p *property.Error
		g, err := Generate(c.name, with(t, c.name, "instance", "published", c.option, c.value), 1)
		if g != nil || !errors.As(err, &p) || err.Error() != c.text {
			t.Errorf("%s with %s %s: %v, want %s", c.name, c.option, c.value, err, c.text)
		}
	}
	a := generate(t, "syn2", with(t, "syn2", "instance", "published"), 1)
	b := generate(t, "syn2", with(t, "syn2", "instance", "published"), 2)
	if !slices.Equal(a.Layers[2].Adjacency.Index, b.Layers[2].Adjacency.Index) {
		t.Error("the seed changes the published data")
	}
}
