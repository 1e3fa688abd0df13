package connectome

import (
	"fmt"
	"math"
	"slices"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/imaging"
)

// A grayordinate is a vertex of a surface or a voxel, named in every file alike.
type grayordinate struct {
	structure string // of a vertex; "" for a voxel
	i, j, k   int32
}

// grayordinates calls yield for each row of a direction made of brain models.
func grayordinates(m *imaging.CIFTIMap, yield func(row int, g grayordinate)) {
	for _, model := range m.Models {
		for n := range model.Count() {
			g := grayordinate{}
			if model.Voxels {
				g.i, g.j, g.k = model.Index[3*n], model.Index[3*n+1], model.Index[3*n+2]
			} else {
				g.structure, g.i = model.Structure, model.Index[n]
			}
			yield(model.Offset+n, g)
		}
	}
}

// Parcellate returns the mean series of the grayordinates of each label: dense is a dense
// series, labels a dense label file, whose map number which is used. Vertices and voxels are
// matched by what they are, not by their order. Regions come in the order of their keys;
// key 0, and keys without a name, are no region. The notes name labels of which the series
// has nothing, which are left out. The error is a [*diag.Error].
func Parcellate(dense, labels *imaging.CIFTI, which int) (*Series, []string, error) {
	bad := func(file, where, found, expected string) (*Series, []string, error) {
		return nil, nil, &diag.Error{File: file, Where: where, Found: found, Expected: expected}
	}
	if dense.Type() != "dtseries" || labels.Type() != "dlabel" || which < 0 || which >= labels.Columns.Len {
		panic(ErrShape)
	}
	sizes := map[string]int{}
	for _, m := range labels.Rows.Models {
		sizes[m.Structure] = m.Surface
	}
	for _, m := range dense.Rows.Models {
		if n := sizes[m.Structure]; !m.Voxels && n > 0 && n != m.Surface {
			return bad(dense.Name, m.Structure, fmt.Sprintf("a surface of %d vertices", m.Surface), fmt.Sprintf("%d as in %s", n, labels.Name))
		}
	}
	table := labels.Columns.Labels[which]
	key := map[grayordinate]int{}
	row := make([]float64, labels.Columns.Len)
	unknown := math.NaN()
	grayordinates(&labels.Rows, func(i int, g grayordinate) {
		labels.Row(row, i)
		k := row[which]
		if k != math.Trunc(k) || math.Abs(k) > math.MaxInt32 || k != 0 && table[int(k)] == "" {
			unknown = k
		} else if k != 0 {
			key[g] = int(k)
		}
	})
	if !math.IsNaN(unknown) {
		return bad(labels.Name, "labels", fmt.Sprint("the key ", unknown), "one that the label table names")
	}
	var keys []int
	for k, name := range table {
		if k != 0 && name != "" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	at := map[int]int{}
	for n, k := range keys {
		at[k] = n
	}
	n := dense.Columns.Len
	sums, sizesOf := make([]float64, len(keys)*n), make([]int, len(keys))
	x := make([]float64, n)
	outside := 0
	grayordinates(&dense.Rows, func(i int, g grayordinate) {
		k, ok := key[g]
		if !ok {
			outside++
			return
		}
		dense.Row(x, i)
		to := sums[at[k]*n : (at[k]+1)*n]
		for t, v := range x {
			to[t] += v
		}
		sizesOf[at[k]]++
	})
	s := &Series{Name: dense.Name, Frames: n, TR: dense.Columns.Step}
	var empty []string
	for r, k := range keys {
		if sizesOf[r] == 0 {
			empty = append(empty, table[k])
			continue
		}
		for _, v := range sums[r*n : (r+1)*n] {
			s.Values = append(s.Values, v/float64(sizesOf[r]))
		}
		s.Regions = append(s.Regions, table[k])
	}
	if len(s.Regions) == 0 {
		return bad(dense.Name, "grayordinates", "none that "+labels.Name+" labels", "vertices or voxels of the same space")
	}
	notes := []string{fmt.Sprintf("%s of %d averaged over %s of %s.", figure.Count(dense.Rows.Len-outside, "grayordinate"), dense.Rows.Len,
		figure.Count(len(s.Regions), "region"), labels.Name)}
	if len(empty) > 0 {
		notes = append(notes, fmt.Sprintf("%s without a grayordinate in the series, left out: %s.", figure.Count(len(empty), "label"), some(empty)))
	}
	return s, notes, nil
}
