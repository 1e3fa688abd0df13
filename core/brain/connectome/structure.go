package connectome

import (
	"fmt"
	"math"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
)

// A Structure is a matrix of connections between the regions of a series, such as counts of streamlines. It makes a layer of its
// own.
type Structure struct {
	File   string
	Values []float64 // M x M, symmetric, finite and >= 0; the diagonal counts for nothing
	Joined string    // how its rows were found: "by name" or "by order"
}

// mayBeStructure reports whether a matrix may be one of structure: it joins regions to regions and holds no negative value
// between two of them.
func (m *matrix) mayBeStructure() bool {
	if m.rows != m.cols || m.rows < 3 || m.connectivity {
		return false
	}
	for k, v := range m.values {
		if v < 0 && k/m.cols != k%m.cols {
			return false
		}
	}
	return m.isConnectivity() || m.isWhole()
}

// settle tells the series, or the connectivity, of the files from the matrices of structure beside it. All that is alone is the
// former.
func (r *reader) settle() error {
	for _, m := range r.matrices {
		switch {
		case (r.dense != nil || len(r.matrices) > 1) && m.mayBeStructure():
			r.structures = append(r.structures, m)
		case r.matrix != nil && m.rows == m.cols && r.matrix.rows != r.matrix.cols:
			return diag.At(m.file, 0, "file", "a matrix with negative values beside the series "+r.matrix.file,
				"one of the two, for connectivity is made of the series; or a matrix of structure, whose values are not negative")
		case r.matrix != nil:
			return second(m.file, "series or matrix", r.matrix.file)
		default:
			r.matrix = m
		}
	}
	if r.matrix == nil && r.dense == nil && len(r.structures) > 0 {
		return diag.At(r.structures[1].file, 0, "file", "a second matrix without negative values beside "+r.structures[0].file,
			"a series, or functional connectivity with its negative values, beside matrices of structure")
	}
	return nil
}

// beside brings the matrices of structure into the order of the regions: by names where both have them, otherwise by their number
// alone, which a note says.
func (r *reader) beside() error {
	for _, m := range r.structures {
		order, how, err := r.place(m)
		if err != nil {
			return err
		}
		r.in.Notes = append(r.in.Notes, m.notes...)
		if err := r.undirected(m, m.rowNames, m.largest()); err != nil {
			return err
		}
		s := Structure{File: m.file, Joined: how}
		missing := 0
		for _, i := range order {
			for _, j := range order {
				v := m.values[max(i, j)*m.cols+min(i, j)] // of two values that differ by rounding, one
				switch {
				case math.IsInf(v, 0):
					return diag.At(m.file, 0, region(m.rowNames, i)+" and "+region(m.rowNames, j), fmt.Sprint(v),
						"a finite number")
				case math.IsNaN(v):
					v = 0
					missing++
				}
				s.Values = append(s.Values, v)
			}
		}
		if missing > 0 {
			r.in.note("%s: %s missing and taken for 0.", m.file, figure.Count(missing, "value")+figure.Plural(missing, " is", " are"))
		}
		r.in.Structures = append(r.in.Structures, s)
	}
	return nil
}

// place returns for each region of the series its row in a matrix, and how it was found.
func (r *reader) place(m *matrix) (order []int, how string, err error) {
	in, names := &r.in, m.rowNames
	if names == nil {
		names = m.columnNames
	}
	have := in.Names()
	if have == nil && names != nil && in.Atlas != nil && len(in.Atlas.Names) == in.M() {
		have = in.Atlas.Names // in whose order they are taken
	}
	if have != nil && names != nil {
		order, err = r.placeByName(m, have, names)
		return order, "by name", err
	}
	if m.rows != in.M() {
		return nil, "", diag.At(m.file, 0, "regions", fmt.Sprint(m.rows),
			fmt.Sprintf("%d, as %s has: without names of regions in both they are joined by their order", in.M(), in.name))
	}
	order = sorting.Places(m.rows)
	switch {
	case names != nil:
		in.note("%s names no regions: they were taken in the order of the rows of %s, with its names.", in.name, m.file)
		in.rename(names)
	case have == nil:
		in.note("Neither %s nor %s names regions: they were taken in one order.", m.file, in.name)
	default:
		in.note("%s names no regions: its rows were taken in the order of those of %s.", m.file, in.name)
	}
	return order, "by order", nil
}

// placeByName finds the rows of regions by their names, as they are, with hemispheres written another way, or as a table of
// regions has both.
func (r *reader) placeByName(m *matrix, have, names []string) ([]int, error) {
	in := &r.in
	order, a := find(have, names, plain), in.Atlas
	if order == nil {
		order = find(have, names, loose)
	}
	if order == nil && a != nil {
		here, _ := a.places(have)
		there, _ := a.places(names)
		for _, i := range here {
			order = append(order, slices.Index(there, i))
		}
		if slices.Contains(order, -1) {
			order = nil
		}
	}
	if order == nil {
		_, err := match(m.file, names, have)
		if e, ok := err.(*diag.Error); ok && e.Where == "regions" {
			e.Expected = fmt.Sprintf("the regions of %s by name, in any order: give both files the same names, or add a table of regions that has them all", in.name)
		}
		return nil, err
	}
	if len(names) > len(order) {
		var more []string
		for i, s := range names {
			if !slices.Contains(order, i) {
				more = append(more, s)
			}
		}
		in.note("%s: %s that %s lacks left out: %s.", m.file, figure.Count(len(more), "region"), in.name, some(more))
	}
	return order, nil
}

// rename gives regions names, or other ones.
func (in *Input) rename(names []string) {
	if in.Series != nil {
		in.Series.Regions = names
	} else {
		in.Regions = names
	}
}
