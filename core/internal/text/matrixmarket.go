package text

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
)

// A marketReader reads a matrix in the Matrix Market exchange format (math.nist.gov/MatrixMarket,
// Boisvert, Pozo and Remington 1996).
type marketReader struct {
	file string
	rest string // lines that are not read yet
	line int    // the one that was read last

	fields []string // of that line

	dense, pattern, whole, mirrored, skew bool
	rows, cols                            int
	row, col                              []int32   // of the entries
	value                                 []float64 // nil: all are 1
}

// ReadMatrixMarket reads a matrix in coordinate or array format: real, integer or pattern;
// general, symmetric, skew-symmetric or hermitian. Entries that repeat a place are added by those
// who use the matrix, except those of a pattern, which are there or not.
func ReadMatrixMarket(f *input.File) (*variable.Variable, error) {
	text, err := input.Text(f)
	if err != nil {
		return nil, err
	}
	r := &marketReader{file: f.Name, rest: text}
	if err := r.header(); err != nil {
		return nil, err
	}
	n, err := r.sizes()
	if err == nil {
		err = r.entries(n)
	}
	if err != nil {
		return nil, err
	}
	kind := variable.DType{Kind: 'f', Width: 8}
	switch {
	case r.pattern:
		kind = variable.DType{Kind: 'b', Width: 1}
	case r.whole:
		kind = variable.DType{Kind: 'i', Width: 8}
	}
	return variable.NewMatrix(f.Name, input.Stem(f.Name), kind, r.dense, r.rows, r.cols, r.each), nil
}

func (r *marketReader) fail(where, found, expected string) error {
	return diag.At(r.file, r.line, where, found, expected)
}

// header reads the first line, which names what follows.
func (r *marketReader) header() error {
	first, rest, _ := strings.Cut(r.rest, "\n")
	r.rest, r.line = rest, 1
	words := strings.Fields(strings.ToLower(first))
	if len(words) != 5 || words[1] != "matrix" {
		return r.fail("header", input.Quote(first), "%%MatrixMarket matrix coordinate real general, or the like")
	}
	for k, of := range [...]struct {
		what, expected string
		known          []string
	}{
		{"the format ", "coordinate or array", []string{"coordinate", "array"}},
		{"entries of type ", "real, integer or pattern",
			[]string{"real", "double", "integer", "pattern"}},
		{"the symmetry ", "general, symmetric, skew-symmetric or hermitian",
			[]string{"general", "symmetric", "skew-symmetric", "hermitian"}},
	} {
		if !slices.Contains(of.known, words[2+k]) {
			return r.fail("header", of.what+input.Quote(words[2+k]), of.expected)
		}
	}
	r.dense, r.whole, r.pattern = words[2] == "array", words[3] == "integer", words[3] == "pattern"
	r.mirrored, r.skew = words[4] != "general", words[4] == "skew-symmetric"
	if r.pattern && (r.dense || r.skew) {
		return r.fail("header", "a pattern that is "+words[2]+" and "+words[4], "a pattern in coordinate format, general or symmetric")
	}
	return nil
}

// next returns the fields of the next line that is not a comment; none at the end.
func (r *marketReader) next() []string {
	for r.rest != "" {
		line, rest, _ := strings.Cut(r.rest, "\n")
		r.rest = rest
		r.line++
		r.fields = r.fields[:0]
		for field := range strings.FieldsSeq(line) {
			r.fields = append(r.fields, field)
		}
		if len(r.fields) > 0 && line[0] != '%' {
			return r.fields
		}
	}
	return nil
}

// sizes reads the line of rows, columns and, in coordinate format, entries. It returns how many
// entries follow.
func (r *marketReader) sizes() (int, error) {
	fields, n, want := r.next(), 3, "rows, columns and entries, three whole numbers"
	if r.dense {
		n, want = 2, "rows and columns, two whole numbers"
	}
	var sizes []int
	for _, s := range fields {
		if k, err := strconv.Atoi(s); err == nil && k >= 0 && k <= math.MaxInt32 {
			sizes = append(sizes, k)
		}
	}
	switch {
	case len(fields) != n || len(sizes) != n:
		return 0, r.fail("sizes", input.Quote(strings.Join(fields, " ")), want)
	case sizes[0] == 0 || sizes[1] == 0:
		return 0, r.fail("sizes", fmt.Sprintf("%d x %d", sizes[0], sizes[1]), "at least one row and one column")
	case r.mirrored && sizes[0] != sizes[1]:
		return 0, r.fail("sizes", fmt.Sprintf("%d x %d of a symmetric matrix", sizes[0], sizes[1]), "as many rows as columns")
	}
	r.rows, r.cols = sizes[0], sizes[1]
	switch m := sizes[0]; {
	case !r.dense:
		return sizes[2], nil
	case r.skew:
		return m * (m - 1) / 2, nil
	case r.mirrored:
		return m * (m + 1) / 2, nil
	}
	return sizes[0] * sizes[1], nil
}

// entries reads n entries and finds nothing behind them.
func (r *marketReader) entries(n int) error {
	// The number claimed allocates nothing: every entry takes at least two bytes.
	most := min(n, len(r.rest)/2+1)
	r.row, r.col = make([]int32, 0, most), make([]int32, 0, most)
	if !r.pattern {
		r.value = make([]float64, 0, most)
	}
	at := func(i, j int, x float64) {
		if x != 0 {
			r.row, r.col = append(r.row, int32(i)), append(r.col, int32(j))
			if !r.pattern {
				r.value = append(r.value, x)
			}
		}
	}
	read, above, below := 0, false, false
	i, j := 0, 0 // of the next entry of an array, column by column
	if r.skew {
		i = 1
	}
	for fields := r.next(); fields != nil; fields = r.next() {
		if read == n || r.dense && read+len(fields) > n {
			return r.fail("", "more entries than the sizes tell", fmt.Sprint(n))
		}
		if r.dense {
			for _, s := range fields {
				x, err := r.number(s)
				if err != nil {
					return err
				}
				read++
				at(i, j, x)
				if i++; i == r.rows {
					j++
					i = 0
					if r.mirrored {
						i = j
					}
					if r.skew {
						i++
					}
				}
			}
			continue
		}
		columns, want, x := 3, "row, column and value", 1.0
		if r.pattern {
			columns, want = 2, "row and column: a pattern has no values"
		}
		if len(fields) != columns {
			return r.fail("", input.Quote(strings.Join(fields, " ")), want)
		}
		row, err1 := strconv.Atoi(fields[0])
		col, err2 := strconv.Atoi(fields[1])
		if err1 != nil || err2 != nil || row < 1 || row > r.rows || col < 1 || col > r.cols {
			return r.fail("", fmt.Sprintf("row %s, column %s", input.Quote(fields[0]), input.Quote(fields[1])),
				fmt.Sprintf("rows from 1 to %d and columns from 1 to %d", r.rows, r.cols))
		}
		if !r.pattern {
			var err error
			if x, err = r.number(fields[2]); err != nil {
				return err
			}
		}
		above, below = above || row < col, below || row > col
		switch {
		case r.mirrored && above && below:
			return r.fail("", fmt.Sprintf("row %d, column %d on the other side of the diagonal", row, col),
				"entries on one side, which stand for both; or \"general\" in the first line")
		case r.skew && row == col:
			return r.fail("", fmt.Sprintf("an entry of row %d and column %[1]d", row), "none on the diagonal of a skew-symmetric matrix")
		}
		at(row-1, col-1, x)
		read++
	}
	if read < n {
		return r.fail("", fmt.Sprintf("an end after %d of %d entries", read, n), "as many as the sizes tell: the file is cut off")
	}
	return nil
}

// number reads a value, with the exponent of Fortran as well.
func (r *marketReader) number(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		x, err = strconv.ParseFloat(strings.NewReplacer("d", "e", "D", "e").Replace(s), 64)
	}
	if err != nil || r.whole && x != math.Trunc(x) {
		want := "a number"
		if r.whole {
			want = "a whole number"
		}
		return 0, r.fail("", input.Quote(s), want)
	}
	return x, nil
}

// each calls yield for the entries, and for their mirror images on the other side of the diagonal.
func (r *marketReader) each(yield func(i, j int, x float64)) {
	for k, i := range r.row {
		j, x := r.col[k], 1.0
		if r.value != nil {
			x = r.value[k]
		}
		yield(int(i), int(j), x)
		if r.mirrored && i != j {
			if r.skew {
				x = -x
			}
			yield(int(j), int(i), x)
		}
	}
}
