package connectome

import (
	"fmt"
	"math"
	"slices"

	"cadem/core/diag"
)

// isWhole tells whether a matrix holds whole numbers >= 0 alone, as one of links or of counts does.
func (m *matrix) isWhole() bool {
	return !slices.ContainsFunc(m.values, func(v float64) bool { return !(v >= 0 && v == math.Trunc(v)) })
}

// alignColumns brings the columns of a square matrix with the same names on both sides into the order of the rows, and
// tells whether it is one.
func (m *matrix) alignColumns() bool {
	if m.rows != m.cols || m.rowNames == nil || m.columnNames == nil {
		return false
	}
	at := map[string]int{}
	for j, name := range m.columnNames {
		at[plain(name)] = j
	}
	order := make([]int, m.cols)
	sorted := true
	for i, name := range m.rowNames {
		j, ok := at[plain(name)]
		if !ok || len(at) != m.cols {
			return false
		}
		order[i], sorted = j, sorted && i == j
	}
	if !sorted {
		x := make([]float64, 0, len(m.values))
		for i := range m.rows {
			for _, j := range order {
				x = append(x, m.values[i*m.cols+j])
			}
		}
		m.values, m.columnNames = x, m.rowNames
	}
	return true
}

// isConnectivity tells whether a matrix is one of regions by regions: it has the same names on both sides, or the same
// values, or one value all along its diagonal, which no series has.
func (m *matrix) isConnectivity() bool {
	if m.rows != m.cols {
		return false
	}
	if m.alignColumns() || m.connectivity {
		return true
	}
	if i, _ := m.unlike(); i < 0 {
		return true
	}
	const least = 5 // by chance two are equal, but not so many
	if m.rows < least {
		return false
	}
	for i := range m.rows {
		v, first := m.values[i*m.cols+i], m.values[0]
		if v != first && !(math.IsNaN(v) && math.IsNaN(first)) {
			return false
		}
	}
	return true
}

// unlike returns the first pair of a square matrix whose two directions differ; -1 when there is none. The diagonal counts
// for nothing, and nor does what is missing in both directions.
func (m *matrix) unlike() (i, j int) {
	for i := range m.rows {
		for j := range i {
			a, b := m.values[i*m.cols+j], m.values[j*m.cols+i]
			if !alike(a, b) && !(math.IsNaN(a) && math.IsNaN(b)) {
				return j, i
			}
		}
	}
	return -1, -1
}

// connectivity takes a square matrix for functional connectivity, which has no direction.
func (r *reader) connectivity(m *matrix) error {
	r.in.Regions = m.rowNames
	if r.in.Regions == nil {
		r.in.Regions = m.columnNames
	}
	r.in.FC = m.values
	i, j := m.unlike()
	switch {
	case i < 0:
		return nil
	case r.hints.Directions == "mean":
		r.in.FC = make([]float64, len(m.values))
		for i := range m.rows {
			for j := range m.cols {
				r.in.FC[i*m.cols+j] = (m.values[i*m.cols+j] + m.values[j*m.cols+i]) / 2
			}
		}
		r.in.Notes = append(r.in.Notes, m.file+": of every pair the mean of both directions.")
		return nil
	}
	err := &diag.Error{File: m.file, Where: region(r.in.Regions, i) + " and " + region(r.in.Regions, j),
		Found: fmt.Sprintf("%v in row %d and %v in row %d: connectivity that is not symmetric", m.values[i*m.cols+j], i+1, m.values[j*m.cols+i], j+1),
		Expected: "functional connectivity, the same in both directions; directions=mean takes the mean of both. A directed graph is opened as a " +
			"layer beside others (-mutual keeps links in both directions)"}
	if r.guess {
		r.in.Directed = err
		return nil
	}
	return err
}

// centred returns a matrix less the means of its rows and of its columns.
func centred(x []float64, rows, cols int) []float64 {
	x = slices.Clone(x)
	column := make([]float64, cols)
	for i := range rows {
		row, mean := x[i*cols:(i+1)*cols], 0.0
		for _, v := range row {
			mean += v
		}
		mean /= float64(cols)
		for j := range row {
			row[j] -= mean
			column[j] += row[j]
		}
	}
	for k := range x {
		x[k] -= column[k%cols] / float64(rows)
	}
	return x
}

// resemblance returns the median over lines of the correlation of a line of mean 0 with
// itself moved by one place. There are n lines of k places; the next line is line values
// away, the next place place values.
func resemblance(x []float64, n, k, line, place int) float64 {
	all := make([]float64, 0, n)
	for i := range n {
		square, product, last := 0.0, 0.0, 0.0
		for t := range k {
			v := x[i*line+t*place]
			square += float64(v * v)
			product += float64(v * last)
			last = v
		}
		if square > 0 {
			all = append(all, product/square)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
