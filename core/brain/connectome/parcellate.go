package connectome

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/brain/imaging"
	"cadem.example/core/formats"
)

// A grayordinate is a vertex of a surface or a voxel, named in every file alike.
type grayordinate struct {
	structure string // of a vertex; "" for a voxel
	i, j, k   int32  // of a voxel, in the volume of the labels
}

// grayordinates calls yield for each row of a direction made of brain models; voxel numbers are passed through place,
// which may find none.
func grayordinates(m *imaging.CIFTIMap, place func(i, j, k int32) (grayordinate, bool), yield func(row int, g grayordinate, known bool)) {
	for _, model := range m.Models {
		for n := range model.Count() {
			g, known := grayordinate{structure: model.Structure}, true
			if model.Voxels {
				g, known = place(model.Index[3*n], model.Index[3*n+1], model.Index[3*n+2])
			} else {
				g.i = model.Index[n]
			}
			yield(model.Offset+n, g, known)
		}
	}
}

// same is the place of a voxel in its own volume.
func same(i, j, k int32) (grayordinate, bool) { return grayordinate{i: i, j: j, k: k}, true }

// between returns the map from the voxels of one volume to those of another through millimetres: to the voxel that
// contains the centre. A centre between two voxels lies in neither.
func between(from, to *imaging.Volume) func(i, j, k int32) (grayordinate, bool) {
	inverse := to.Inverse()
	return func(i, j, k int32) (grayordinate, bool) {
		at, n := from.At(i, j, k), [3]int32{}
		for c, row := range inverse {
			x := float64(row[0]*at[0]) + float64(row[1]*at[1]) + float64(row[2]*at[2]) + row[3]
			whole := math.Round(x)
			const half = 0.49 // what differs by rounding alone is far from it
			if !(math.Abs(x-whole) <= half && whole >= 0 && whole < float64(to.Dims[c])) {
				return grayordinate{}, false
			}
			n[c] = int32(whole)
		}
		return grayordinate{i: n[0], j: n[1], k: n[2]}, true
	}
}

// hasVoxels reports whether a direction holds voxels.
func hasVoxels(m *imaging.CIFTIMap) bool {
	return slices.ContainsFunc(m.Models, func(b imaging.BrainModel) bool { return b.Voxels && b.Count() > 0 })
}

// Parcellate returns the mean series of the grayordinates of each label: dense is a dense
// series, labels a dense label file, whose map number which is used. Vertices are matched by
// surface and number, voxels by where they lie in mm, nothing by its order. Vertices and
// voxels without a single value are not part of a mean. Regions come in the order of their keys;
// key 0, and keys without a name, are not regions. Labels without data in the series are left out
// and returned by name; notes say so. The error is a [*diag.Error].
func Parcellate(dense, labels *imaging.CIFTI, which int) (s *Series, without, notes []string, err error) {
	bad := func(file, where, found, expected string) (*Series, []string, []string, error) {
		return nil, nil, nil, diag.At(file, 0, where, found, expected)
	}
	ErrShape.Unless(dense.Type() == "dtseries" && labels.Type() == "dlabel" &&
		which >= 0 && which < labels.Columns.Len)
	sizes := map[string]int{}
	for _, m := range labels.Rows.Models {
		if !m.Voxels {
			sizes[m.Structure] = m.Surface
		}
	}
	for _, m := range dense.Rows.Models {
		if n := sizes[m.Structure]; !m.Voxels && n > 0 && n != m.Surface {
			return bad(dense.Name, m.Structure, fmt.Sprintf("a surface of %d vertices", m.Surface), fmt.Sprintf("%d as in %s", n, labels.Name))
		}
	}
	place, space := same, labels.Rows.Volume
	voxels := hasVoxels(&dense.Rows) && hasVoxels(&labels.Rows)
	if voxels {
		for _, c := range []*imaging.CIFTI{dense, labels} {
			if c.Rows.Volume == nil {
				return bad(c.Name, "Volume", "voxels without a description of their space", "VolumeDimensions and a transformation to mm")
			}
		}
		place = between(dense.Rows.Volume, space)
	}
	table := labels.Columns.Labels[which]
	key := map[grayordinate]int{}
	row := make([]float64, labels.Columns.Len)
	unknown, labelled := math.NaN(), false // labelled: some voxels are
	grayordinates(&labels.Rows, same, func(i int, g grayordinate, _ bool) {
		labels.Row(row, i)
		k := row[which]
		if k != math.Trunc(k) || math.Abs(k) > math.MaxInt32 || k != 0 && table[int(k)] == "" {
			unknown = k
		} else if k != 0 {
			key[g], labelled = int(k), labelled || g.structure == ""
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
	outside, silent, met := 0, 0, false // met: a voxel has a label
	grayordinates(&dense.Rows, place, func(i int, g grayordinate, known bool) {
		k, ok := key[g]
		if !ok || !known {
			outside++
			return
		}
		met = met || g.structure == ""
		dense.Row(x, i)
		if !slices.ContainsFunc(x, func(v float64) bool { return !math.IsNaN(v) }) {
			silent++
			return
		}
		to := sums[at[k]*n : (at[k]+1)*n]
		for t, v := range x {
			to[t] += v
		}
		sizesOf[at[k]]++
	})
	moved := voxels && *space != *dense.Rows.Volume
	if moved && labelled && !met {
		return bad(dense.Name, "Volume", fmt.Sprintf("voxels none of which %s labels, in a space of %v", labels.Name, dense.Rows.Volume),
			fmt.Sprintf("the space of %s: %v", labels.Name, space))
	}
	s = &Series{Name: dense.Name, Frames: n, TR: dense.Columns.Step}
	for r, k := range keys {
		if sizesOf[r] == 0 {
			without = append(without, table[k])
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
	notes = []string{fmt.Sprintf("%s of %d averaged over %s of %s.", figure.Count(dense.Rows.Len-outside-silent, "grayordinate"), dense.Rows.Len,
		figure.Count(len(s.Regions), "region"), labels.Name)}
	if moved {
		notes = append(notes, fmt.Sprintf("%s and %s count voxels in different ways; they were matched by their places in mm. %s: %v. %s: %v.",
			dense.Name, labels.Name, dense.Name, dense.Rows.Volume, labels.Name, space))
	}
	if silent > 0 {
		notes = append(notes, fmt.Sprintf("%s without a single value left out of the means.", figure.Count(silent, "grayordinate")))
	}
	if len(without) > 0 {
		notes = append(notes, fmt.Sprintf("%s without a grayordinate in the series, left out: %s.", figure.Count(len(without), "label"), some(without)))
	}
	return s, without, notes, nil
}

// variables takes the array of a binary file.
func (r *reader) variables(f formats.File) error {
	r.arrays = true
	c, err := formats.Read([]formats.File{f})
	if err == nil {
		err = c.Pairs()
	}
	if err != nil {
		return err
	}
	c.Variables = slices.DeleteFunc(c.Variables, func(v *formats.Variable) bool { return v.Sign != 0 }) // of connectivity, which is whole here
	var fit []*formats.Variable
	for _, v := range c.Variables {
		large := isMatrix(v) && v.Form == formats.Dense
		if large && (r.hints.Variable == "" || r.hints.Variable == v.Name) {
			fit = append(fit, v)
		}
	}
	if len(fit) > 1 {
		fit = slices.DeleteFunc(fit, isPlaces)
	}
	lists := cells(c.Variables)
	for _, v := range c.Variables {
		_, words := v.Words()
		small := v.Form == formats.Dense && (v.Rows()*v.Cols() <= 3 || isMatrix(v) && isPlaces(v))
		r.others = r.others || !words && !small && v.Form != formats.Other && v.Form != formats.Text && len(fit) > 0 && v != fit[0]
	}
	switch {
	case len(fit) == 0 && r.hints.Variable != "":
		return diag.At(f.Name, 0, "variable", fmt.Sprintf("no matrix %q among %s", r.hints.Variable, variableNames(c.Variables)),
			"one of its matrices")
	case len(fit) != 1:
		return diag.At(f.Name, 0, "variable", fmt.Sprintf("%s of numbers among %s", matrices(len(fit)), variableNames(c.Variables)),
			"one; name the variable to take")
	}
	v := fit[0]
	values, err := v.Values()
	if err != nil {
		return err
	}
	m := &matrix{file: f.Name, rows: v.Shape[0], cols: v.Shape[1], values: values, variable: v.Name}
	m.named(lists)
	if len(c.Variables) > 1 {
		m.notes = append(m.notes, fmt.Sprintf("%s: the matrix %s was taken.", f.Name, v.Name))
	}
	return r.takeMatrix(m)
}

// isMatrix reports whether a variable is a matrix of more than one row and column.
func isMatrix(v *formats.Variable) bool {
	return v.IsNumeric() && len(v.Shape) == 2 && v.Shape[0] >= 2 && v.Shape[1] >= 2
}

// isPlaces reports whether a matrix holds where regions lie.
func isPlaces(v *formats.Variable) bool {
	name := strings.ToLower(v.Name)
	return min(v.Shape[0], v.Shape[1]) == 3 && slices.ContainsFunc([]string{"xyz", "coord", "centroid", "center", "centre", "position", "mni"},
		func(s string) bool { return strings.Contains(name, s) })
}

// cells returns the words of cell arrays, names{1}, names{2} and so on, by their names.
func cells(variables []*formats.Variable) map[string][]string {
	lists := map[string][]string{}
	for _, v := range variables {
		words, ok := v.Words()
		if !ok {
			continue
		}
		name, rest, inside := strings.Cut(v.Name, "{")
		if !inside {
			lists[name] = words
		} else if len(words) == 1 && rest == fmt.Sprintf("%d}", len(lists[name])+1) {
			lists[name] = append(lists[name], words[0])
		}
	}
	return lists
}

// named gives rows and columns the names of a list that has as many: of CONN's names those of the rows, names2 those of
// the columns, which may be more.
func (m *matrix) named(lists map[string][]string) {
	rows, columns := lists["names"], lists["names2"]
	if len(rows) == m.rows && len(columns) == m.cols && m.cols >= m.rows && slices.Equal(rows, columns[:m.rows]) {
		if m.cols > m.rows { // CONN appends targets that are not sources
			m.notes = append(m.notes, fmt.Sprintf("%s: %d columns that are no rows left out: %s.", m.file, m.cols-m.rows, some(columns[m.rows:])))
			x := make([]float64, 0, m.rows*m.rows)
			for i := range m.rows {
				x = append(x, m.values[i*m.cols:i*m.cols+m.rows]...)
			}
			m.values, m.cols = x, m.rows
		}
		m.rowNames, m.columnNames = rows, columns[:m.rows]
		return
	}
	var fit [][]string
	for _, list := range lists {
		if len(list) > 1 && (len(list) == m.rows || len(list) == m.cols) {
			fit = append(fit, list)
		}
	}
	if len(fit) != 1 {
		return
	}
	if len(fit[0]) == m.rows {
		m.rowNames = fit[0]
	} else {
		m.columnNames = fit[0]
	}
}

// variableNames lists variables, those of a cell array as one.
func variableNames(variables []*formats.Variable) string {
	var names []string
	for _, v := range variables {
		name, _, _ := strings.Cut(v.Name, "{")
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return formats.List(names, 20)
}

func matrices(n int) string {
	if n == 1 {
		return "1 matrix"
	}
	return fmt.Sprintf("%d matrices", n)
}
