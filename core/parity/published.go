package parity

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"cadem/core/formats"
	"cadem/core/formats/npy"
	"cadem/core/multiplex"
	"cadem/core/property"
	"cadem/core/synth"
	"cadem/core/synth/examples"
)

// sums is the file that tells a folder of published data.
const sums = "checksums.json"

// published draws the published instances of Syn1 to Syn4 and holds them to the folder:
// edges to their checksums, everything else to the arrays that are there.
func (r *Report) published(fsys fs.FS, dir string) error {
	data, err := fs.ReadFile(fsys, path.Join(dir, sums))
	if err != nil {
		return err
	}
	file := path.Join(dir, sums)
	defer func() {
		if e := recover(); e != nil {
			r.fail(file, "file", 64, fmt.Errorf("%v", e))
		}
	}()
	type sum struct {
		Edges string `json:"edges_sha256"`
	}
	var want struct {
		Syn1, Syn3, Syn4 *sum
		Syn2             map[string]sum // by gamma
	}
	if err := json.Unmarshal(data, &want); err != nil {
		r.fail(file, "file", 64, err)
		return nil
	}
	hashed := func(quantity string, want sum, layers ...*multiplex.CSR) {
		if got := edgeHash(layers); got != want.Edges {
			r.fail(file, quantity, 64, fmt.Errorf("hash %s, the file has %s", got, want.Edges))
			return
		}
		r.compare(file, quantity, 64, nil, nil, 0)
	}
	if want.Syn1 != nil {
		g := instance("syn1", "", "")
		hashed("syn1: edges", *want.Syn1, adjacencies(g)...)
		check := r.arrays(fsys, path.Join(dir, "syn1.npz"))
		for i, name := range []string{"labels_final", "labels_l0", "labels_l1", "labels_l2"} {
			check(name, name, 0, floats(g.Labels[i].Of), 0)
		}
	}
	check := r.arrays(fsys, path.Join(dir, "syn2.npz"))
	for _, gamma := range slices.Sorted(maps.Keys(want.Syn2)) {
		g := instance("syn2", "gamma", gamma)
		hashed("syn2: edges, gamma "+gamma, want.Syn2[gamma], adjacencies(g)...)
		for i, name := range []string{"labels_common", "labels_l0", "labels_l1", "labels_l2"} {
			check(name, name, 0, floats(g.Labels[i].Of), 0)
		}
	}
	if want.Syn3 != nil {
		g := instance("syn3", "", "")
		hashed("syn3: edges", *want.Syn3, g.Layers[0].Adjacency)
		check := r.arrays(fsys, path.Join(dir, "syn3.npz"))
		check("positions", "positions", 0, g.Truth.Positions, 1e-12)
		for l := range g.Layers {
			check("centres", fmt.Sprintf("centres_p%d", l+1), 0, floats(g.Truth.Centres[l]), 0)
			check("signals", fmt.Sprintf("x_layer%d", l+1), 0, g.Layers[l].Features.Dense, 1e-12)
			check("regions", fmt.Sprintf("labels_l%d", l), 0, floats(g.Labels[2*l+1].Of), 0)
		}
	}
	if want.Syn4 != nil {
		check := r.arrays(fsys, path.Join(dir, "syn4.npz"))
		var bases []*multiplex.CSR
		for sample := range synth.Syn4Samples {
			g := instance("syn4", "sample", fmt.Sprint(sample))
			if g.Truth.Class == 0 {
				bases = append(bases, g.Layers[0].Adjacency)
				check("spectral radius", "spectral_radius", g.Truth.Group, []float64{g.Truth.SpectralRadius}, 1e-12)
			}
			check("classes", "labels", sample, floats([]int{g.Truth.Class}), 0)
			check("base graphs", "base_id", sample, floats([]int{g.Truth.Group}), 0)
			for l := range g.Layers {
				check("initial states", "x0", 2*sample+l, g.Truth.Initial[l], 1e-12)
				check("final states", "x_final", 2*sample+l, g.Layers[l].Features.Dense, 1e-12)
			}
		}
		hashed("syn4: edges", *want.Syn4, bases...)
	}
	return nil
}

// instance returns the published graph, with one option set. It panics when the option is
// refused, which is the file's fault.
func instance(name, option, value string) *multiplex.Graph {
	generator, err := examples.Lookup(name)
	if err != nil {
		panic(err)
	}
	o := generator.Options()
	err = property.Set(o, "instance", "published")
	if err == nil && option != "" {
		err = property.Set(o, option, value)
	}
	if err != nil {
		panic(err)
	}
	g, err := examples.Draw(name, o, 0)
	if err != nil {
		panic(err)
	}
	return g
}

// arrays returns a comparison with part i of an array of the file, the parts being as
// long as what is compared; one that does nothing when there is no such file.
func (r *Report) arrays(fsys fs.FS, file string) func(quantity, array string, i int, got []float64, tolerance float64) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return func(string, string, int, []float64, float64) {}
	}
	z, err := npy.ReadNPZ(formats.File{Name: file, Data: data})
	if err != nil {
		r.fail(file, "file", 64, err)
	}
	return func(quantity, array string, i int, got []float64, tolerance float64) {
		var want []float64
		if a := z[array]; a != nil && len(a.Float64s()) >= (i+1)*len(got) {
			want = a.Float64s()[i*len(got) : (i+1)*len(got)]
		}
		r.compare(file, quantity, 64, got, want, tolerance)
	}
}

// edgeHash is the SHA-256 of the edges i < j of the matrices, one after the other, as
// pairs of little-endian int32.
func edgeHash(layers []*multiplex.CSR) string {
	h := sha256.New()
	for _, a := range layers {
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				if i < int(j) {
					h.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(i)), uint32(j)))
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

// publishedFolder checks a folder of published data, and tells whether it is one; files
// in it that are not known are skipped by name.
func (r *Report) publishedFolder(fsys fs.FS, dir string) (bool, error) {
	if _, err := fs.Stat(fsys, path.Join(dir, sums)); err != nil {
		return false, nil
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return true, err
	}
	for _, e := range entries {
		known := e.Name() == sums || strings.HasPrefix(e.Name(), "syn") && path.Ext(e.Name()) == ".npz" || path.Ext(e.Name()) == ".md"
		if !known {
			r.Skipped = append(r.Skipped, path.Join(dir, e.Name()))
		}
	}
	return true, r.published(fsys, dir)
}
