// Package variable holds what files of arrays hold under names: dense arrays, sparse matrices,
// links and text, compressed in memory, and makes layers, features and labels of them.
// Errors are a [*diag.Error] that names the file and the variable.
package variable

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// A Form says how a variable is stored.
type Form string

// The forms of variables.
const (
	Dense  Form = "dense"  // every entry of an array
	Sparse Form = "sparse" // the entries of a matrix that are not zero
	Links  Form = "links"  // pairs of nodes; the number of nodes is known from elsewhere
	Text   Form = "text"   // words
	Other  Form = "other"  // what cannot be used here
)

// A Variable is something that a file holds and that has a name.
type Variable struct {
	Name  string `json:"name"`
	Title string `json:"-"` // what it is called in graphs, where its file says that; otherwise ""
	Form  Form   `json:"kind"`
	Shape []int  `json:"shape"`
	Type  string `json:"type"` // of its entries: float64, int32, bool, text

	Columns []string `json:"-"` // titles of the columns of a table; nil without a header
	Keys    *Keys    `json:"-"` // of the rows of a table; nil if it has no column of ids
	Before  string   `json:"-"` // its name, until it took that of the layer; "" if it did not
	Offered bool     `json:"-"` // it is used where it is chosen alone
	// Measured is a table of nodes, which is offered, with nothing but measurements: they are taken for features if there are no others.
	Measured bool `json:"-"`

	Aside bool   `json:"-"` // likewise, as it says where nodes are: [SaysPlaces]
	Note  string `json:"-"` // what is to be said of it when it is used
	Sign  int    `json:"-"` // 1 or -1 of the entries of one sign of another variable; otherwise 0

	file   string
	room   int64                                  // bytes that a matrix made of it may take
	each   func(yield func(i, j int, v float64))  // its nonzero entries, in stored order; nil unless numbers in at most two dimensions
	text   func() []string                        // words, when there are some
	slices func(keep keeper) ([]*Variable, error) // of an array in three dimensions
	word   []string                               // of a text that is one
	not    *diag.Error                            // why it is not read; nil if it may be used
}

// Keys are the ids of the nodes that the rows of a table belong to.
type Keys struct {
	IDs    []string
	Lines  []int32 // of the file
	Sure   bool    // they are ids by their title, or words; otherwise they may be numbers like the others
	Index  bool    // not sure, but no numbers: the column has the title of an index, or none
	Beside bool    // not sure, and in another variable they are the first column
}

// Rows returns the first dimension of a variable, 1 of a single number.
func (v *Variable) Rows() int {
	if len(v.Shape) == 0 {
		return 1
	}
	return v.Shape[0]
}

// Cols returns the second dimension of a variable, 1 of a vector.
func (v *Variable) Cols() int {
	if len(v.Shape) < 2 {
		return 1
	}
	return v.Shape[1]
}

// IsSquare reports whether the variable may be a layer: a square matrix or links.
func (v *Variable) IsSquare() bool {
	return v.Form == Links || v.each != nil && len(v.Shape) == 2 && v.Shape[0] == v.Shape[1]
}

// IsNumeric reports whether the variable holds numbers in at most two dimensions.
func (v *Variable) IsNumeric() bool { return v.each != nil }

// Each calls yield for the nonzero entries of a numeric variable, in stored order.
func (v *Variable) Each(yield func(i, j int, x float64)) { v.each(yield) }

// Words returns the words of a variable of text; false when it has none to show.
func (v *Variable) Words() ([]string, bool) {
	if v.text == nil {
		return nil, false
	}
	return v.text(), true
}

// File returns the name of the file that holds the variable.
func (v *Variable) File() string { return v.file }

// Limit sets how many bytes a matrix made of the variable may take.
func (v *Variable) Limit(room int64) { v.room = room }

// NewUnusable makes a variable that is shown and not used.
func NewUnusable(file, name, kind string, shape []int) *Variable {
	return &Variable{Name: name, Form: Other, Shape: shape, Type: kind, file: file}
}

// NewRefused makes a variable that is not read, for the reason in the error. It is shown, and the
// error is returned when the variable is chosen.
func NewRefused(name, kind string, shape []int, why *diag.Error) *Variable {
	return &Variable{Name: name, Form: Other, Shape: shape, Type: kind, file: why.File, not: why}
}

// Refused returns the reason why the variable is not read; nil if it is.
func (v *Variable) Refused() *diag.Error { return v.not }

// NewWord makes a variable of one word.
func NewWord(file, name string, shape []int, word string) *Variable {
	return &Variable{Name: name, Form: Text, Shape: shape, Type: "text", file: file, word: []string{word}}
}

// Gather makes one variable of those that are a word each; nil when another one is among them.
func Gather(file, name string, vars []*Variable) *Variable {
	words := make([]string, len(vars))
	for k, v := range vars {
		if v.word == nil {
			return nil
		}
		words[k] = v.word[0]
	}
	return NewText(file, name, []int{len(words)}, words)
}

// NewMatrix makes a variable of a matrix whose entries but zeros each tells, stored densely or not.
func NewMatrix(file, name string, kind DType, dense bool, rows, cols int, each func(yield func(i, j int, x float64))) *Variable {
	v := &Variable{Name: name, Form: Sparse, Shape: []int{rows, cols}, Type: kind.String(), file: file, each: each}
	if dense {
		v.Form = Dense
	}
	return v
}

// NewText makes a variable of words; nil: words that are not shown.
func NewText(file, name string, shape []int, words []string) *Variable {
	v := &Variable{Name: name, Form: Text, Shape: shape, Type: "text", file: file}
	if words != nil {
		v.text = func() []string { return words }
	}
	return v
}

// NewDense makes a variable of an array.
func NewDense(file, name string, shape []int, columns bool, e *Entries) *Variable {
	v := &Variable{Name: name, Form: Dense, Shape: shape, Type: e.String(), file: file}
	switch {
	case !e.IsNumber() && e.Kind != 'S' && e.Kind != 'U':
		return NewRefused(name, e.String(), shape, diag.At(file, 0, name, "entries of type "+e.String(),
			"float32, float64, whole numbers, truth values or text: "+Last(name)+".astype(float) makes numbers of others"))
	case !e.IsNumber():
		v.Form = Text
		if e.N <= input.MaxNodes {
			v.text = e.Texts
		}
	case len(shape) == 2 && e.IsInt() && strings.Contains(input.Plain(name), "edge") && (shape[0] == 2 || shape[1] == 2):
		// Pairs of nodes, side by side or in two rows.
		n := max(shape[0], shape[1])
		v.Form, v.Shape = Links, []int{n, 2}
		beside := (shape[1] == 2) != columns
		v.each = func(yield func(i, j int, x float64)) {
			from, to := e.cursor(), e.cursor()
			if beside {
				for range n {
					yield(int(from.next()), int(from.next()), 1)
				}
				return
			}
			for range n {
				to.next()
			}
			for range n {
				yield(int(from.next()), int(to.next()), 1)
			}
		}
	case len(shape) <= 2:
		rows, cols := v.Rows(), v.Cols()
		v.each = func(yield func(i, j int, x float64)) {
			if columns {
				e.nonzero(func(k int, x float64) { yield(k%rows, k/rows, x) })
			} else {
				e.nonzero(func(k int, x float64) { yield(k/cols, k%cols, x) })
			}
		}
	case len(shape) == 3:
		v.slices = func(keep keeper) ([]*Variable, error) { return v.cut(e, columns, keep) }
	}
	return v
}

// Fail returns an error that names the variable.
func (v *Variable) Fail(found, expected string) error {
	if v.not != nil {
		return v.not
	}
	return diag.At(v.file, 0, cmp.Or(v.Title, v.Name), found, expected)
}

// Matrix returns the variable as a rows x cols matrix. Entries that come more than once are
// added, as SciPy does; links and truth values are there or not.
func (v *Variable) Matrix(rows, cols int) (*multiplex.CSR, error) {
	switch {
	case v.each == nil:
		return nil, v.Fail(v.describe(), "a matrix of numbers")
	case rows > input.MaxNodes || cols > input.MaxWidth:
		return nil, v.Fail(v.describe(), fmt.Sprintf("at most %d rows and %d columns", input.MaxNodes, input.MaxWidth))
	}
	a := &multiplex.CSR{Rows: rows, Cols: cols, Start: make([]int32, rows+1)}
	ones, nnz := true, 0
	most := int(min(v.room/4, math.MaxInt32))
	var err error
	v.each(func(i, j int, x float64) {
		if nnz++; err != nil || nnz > most {
			return
		}
		switch {
		case i < 0 || i >= rows || j < 0 || j >= cols:
			err = v.Fail(fmt.Sprintf("an entry in row %d, column %d", i, j), fmt.Sprintf("rows below %d and columns below %d", rows, cols))
			return
		case math.IsNaN(x) || math.IsInf(x, 0):
			err = v.Fail(fmt.Sprintf("%v in row %d, column %d", x, i, j), "finite numbers")
			return
		}
		a.Start[i+1]++
		ones = ones && x == 1
	})
	if !ones {
		most = int(min(v.room/12, math.MaxInt32))
	}
	switch {
	case err != nil:
		return nil, err
	case nnz > most:
		return nil, v.Fail(fmt.Sprintf("%d entries other than 0", nnz), fmt.Sprintf("at most %d from a file of this size; one that is saved "+
			"without compression may hold more", most))
	}
	for i := range rows {
		a.Start[i+1] += a.Start[i]
	}
	a.Index = make([]int32, nnz)
	if !ones {
		a.Value = make([]float64, nnz)
	}
	next := make([]int32, rows)
	copy(next, a.Start)
	v.each(func(i, j int, x float64) {
		k := next[i]
		a.Index[k] = int32(j)
		if !ones {
			a.Value[k] = x
		}
		next[i]++
	})
	inOrder := true
	for i := range rows {
		for k := a.Start[i] + 1; k < a.Start[i+1]; k++ {
			inOrder = inOrder && a.Index[k-1] < a.Index[k]
		}
	}
	if !inOrder {
		a = a.Transposed().Transposed()
		merge(a, v.Form == Links || v.Type == "bool")
	}
	return a, nil
}

// merge makes one of entries in the same place. Columns are in order.
func merge(a *multiplex.CSR, once bool) {
	n, from := int32(0), int32(0)
	repeated := false
	for i := range a.Rows {
		end := a.Start[i+1]
		for k := from; k < end; k++ {
			repeated = repeated || k > from && a.Index[k] == a.Index[k-1]
		}
		from = end
	}
	if !repeated {
		return
	}
	if a.Value == nil && !once {
		a.Value = make([]float64, len(a.Index))
		for k := range a.Value {
			a.Value[k] = 1
		}
	}
	from = 0
	for i := range a.Rows {
		end := a.Start[i+1]
		for k := from; k < end; k++ {
			if n > a.Start[i] && k > from && a.Index[n-1] == a.Index[k] {
				if !once {
					a.Value[n-1] += a.Value[k]
				}
				continue
			}
			a.Index[n] = a.Index[k]
			if a.Value != nil {
				a.Value[n] = a.Value[k]
			}
			n++
		}
		from, a.Start[i+1] = end, n
	}
	a.Index = a.Index[:n]
	if a.Value != nil {
		a.Value = a.Value[:n]
	}
}

// describe says what a variable is, for a message.
func (v *Variable) describe() string {
	switch {
	case v.not != nil:
		return v.not.Found
	case v.Form == Links:
		return fmt.Sprintf("%d links", v.Rows())
	}
	return fmt.Sprintf("a %s array of shape %v and type %s", v.Form, v.Shape, v.Type)
}

// Values returns the entries of a variable of numbers in at most two dimensions, row-major;
// entries that are not finite are kept. The error is a [*diag.Error].
func (v *Variable) Values() ([]float64, error) {
	rows, cols := v.Rows(), v.Cols()
	switch {
	case v.each == nil || v.Form == Links:
		return nil, v.Fail(v.describe(), "a matrix of numbers")
	case rows > 0 && int64(cols) > v.room/8/int64(rows):
		return nil, v.Fail(v.describe(), "a matrix that is not so sparse")
	}
	x := make([]float64, rows*cols)
	v.each(func(i, j int, value float64) {
		if i >= 0 && i < rows && j >= 0 && j < cols {
			x[i*cols+j] += value
		}
	})
	return x, nil
}

// Reordered returns a matrix between nodes with each row, and the column of that number, in another place; columns are the rows that its
// columns belong to, nil for those of the same number. Names are those of the nodes.
func (v *Variable) Reordered(rows, columns []int32, names []string) *Variable {
	p := *v
	p.Keys = nil
	if p.Columns != nil {
		p.Columns = names
	}
	p.each = func(yield func(i, j int, x float64)) {
		v.each(func(i, j int, x float64) {
			if columns != nil {
				j = int(columns[j])
			}
			yield(int(rows[i]), int(rows[j]), x)
		})
	}
	return &p
}

// Placed returns the variable with a row for each node: row i is that of rows[i] here, none if that is -1.
// Drop leaves its first column out.
func (v *Variable) Placed(rows []int32, drop bool) *Variable {
	across := v.Form != Links && v.Rows() == 1 && v.Cols() > 1
	if rows == nil || v.Form == Links || v.Form == Other {
		return v
	}
	n := v.Rows()
	if across {
		n = v.Cols()
	}
	at := make([]int32, n)
	for r := range at {
		at[r] = -1
	}
	for i, r := range rows {
		if r >= 0 {
			at[r] = int32(i)
		}
	}
	p := *v
	p.Shape = append([]int(nil), v.Shape...)
	if across {
		p.Shape[1] = len(rows)
	} else if len(p.Shape) > 0 {
		p.Shape[0] = len(rows)
	}
	left := 0
	if drop {
		left = 1
		p.Shape[1]--
		if p.Columns != nil {
			p.Columns = p.Columns[1:]
		}
	}
	if v.text != nil {
		p.text = func() []string {
			words := v.text()
			placed := make([]string, len(rows))
			for i, r := range rows {
				if r >= 0 {
					placed[i] = words[r]
				}
			}
			return placed
		}
	}
	if v.each == nil {
		return &p
	}
	p.each = func(yield func(i, j int, x float64)) {
		if v.Cols() == 1 {
			for i, r := range rows {
				if r < 0 {
					yield(i, 0, math.NaN())
				}
			}
		}
		v.each(func(i, j int, x float64) {
			switch {
			case across && j >= 0 && j < n && at[j] >= 0:
				yield(i, int(at[j]), x)
			case !across && i >= 0 && i < n && at[i] >= 0 && j >= left:
				yield(int(at[i]), j-left, x)
			}
		})
	}
	return &p
}
