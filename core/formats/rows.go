package formats

import "strconv"

// A Table is a text file of rows and columns, separated by commas, semicolons, tabs or
// blanks.
type Table struct {
	File   string
	Header []string // nil if the first row holds numbers like the others
	Rows   []Row
}

// A Row is a row of a [Table].
type Row struct {
	Line   int // from 1
	Fields []string
}

// ReadTable reads a text file of rows and columns. Its first row is a header if none of its
// fields is a number and the file goes on; rows may differ in length. The error is an
// [*Error].
func ReadTable(f File) (*Table, error) {
	text, err := f.text()
	if err != nil {
		return nil, err
	}
	read, err := readTable(f.Name, text)
	if err != nil {
		return nil, err
	}
	t := &Table{File: f.Name, Rows: make([]Row, 0, len(read.rows))}
	for k, r := range read.rows {
		if k == 0 && len(read.rows) > 1 && !hasNumber(r.fields) {
			t.Header = r.fields
			continue
		}
		t.Rows = append(t.Rows, Row{r.line, r.fields})
	}
	return t, nil
}

func hasNumber(fields []string) bool {
	for _, s := range fields {
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			return true
		}
	}
	return false
}

// Values returns the entries of a variable of numbers in at most two dimensions, row-major;
// entries that are not finite are kept. The error is an [*Error].
func (v *Variable) Values() ([]float64, error) {
	rows, cols := v.rows(), v.cols()
	switch {
	case v.each == nil || v.Form == Links:
		return nil, v.fail(v.describe(), "a matrix of numbers")
	case rows > 0 && int64(cols) > v.room/8/int64(rows):
		return nil, v.fail(v.describe(), "a matrix that is not so sparse")
	}
	x := make([]float64, rows*cols)
	v.each(func(i, j int, value float64) {
		if i >= 0 && i < rows && j >= 0 && j < cols {
			x[i*cols+j] += value
		}
	})
	return x, nil
}
