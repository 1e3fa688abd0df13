package runtest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
)

// Graphs in [Collection], by class; two in a group.
const ofClass = 10

// Collection returns invented multiplex graphs of two classes as NumPy archives, in a folder for each class, and a table of
// them, graphs.csv. They have from 12 to 20 nodes, which says nothing of the class, two layers and three features. In the
// second layer of one class nodes with the first feature have most links, in the other class those with the second.
func Collection(t testing.TB) []formats.File {
	t.Helper()
	src := rng.New(7, "runtest/collection")
	table := "graph,class,group,file\n"
	var files []formats.File
	for c, class := range []string{"alike", "unlike"} {
		for i := range ofClass {
			m := 12 + src.IntN(9)
			x, layers := make([]float64, 3*m), [2][]float64{make([]float64, m*m), make([]float64, m*m)}
			kind := make([]int, m)
			for v := range m {
				kind[v] = src.IntN(3)
				x[3*v+kind[v]] = 1
			}
			for v := range m {
				link := func(l, w int) { layers[l][v*m+w], layers[l][w*m+v] = 1, 1 }
				link(0, (v+1)%m)
				for w := range v {
					if p := src.Float64(); p < 0.05 || p < 0.6 && (kind[v] == c || kind[w] == c) {
						link(1, w)
					}
				}
			}
			var packed bytes.Buffer
			z := zip.NewWriter(&packed)
			for _, a := range []struct {
				name  string
				array npy.Array
			}{{"near", npy.Array{Shape: []int{m, m}, Data: layers[0]}}, {"friends", npy.Array{Shape: []int{m, m}, Data: layers[1]}},
				{"features", npy.Array{Shape: []int{m, 3}, Data: x}}} {
				w, err := z.Create(a.name + ".npy")
				if err == nil {
					err = npy.Write(w, &a.array)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s/%d.npz", class, i)
			files = append(files, formats.File{Name: name, Data: packed.Bytes()})
			table += fmt.Sprintf("%s %d,%s,g%d,%s\n", class, i, class, (ofClass*c+i)/2, name)
		}
	}
	return append(files, formats.File{Name: "graphs.csv", Data: []byte(table)})
}
