package pickle

import (
	"fmt"
	"math"
	"unicode/utf8"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
)

// call does what a function or class of the white list does.
func (u *unpickler) call(f *pyGlobal, args []any) error {
	arg := func(k int) any {
		if k < len(args) {
			return args[k]
		}
		return nil
	}
	bad := func(found string) error { return u.bad(found, wantPickle) }
	switch f.name {
	case "reconstruct":
		if x, ok := arg(0).(*pyOpaque); ok {
			u.object(x)
			return nil
		}
		if g, ok := arg(0).(*pyGlobal); !ok || g.name != "ndarray" {
			return bad("an array of an unknown class")
		}
		u.object(&pyArray{})
	case "dtype":
		name, ok := arg(0).(string)
		t, known := variable.ParseDtype(name)
		switch {
		case known:
			u.object(&pyDtype{t})
		case ok:
			u.object(&pyOpaque{name})
		default:
			return bad("an array of an unknown type")
		}
	case "encode":
		b, ok := u.latin1(arg(0))
		if code, _ := arg(1).(string); !ok || code != "latin1" {
			return bad("text in an unknown code")
		}
		u.object(b)
	case "frombuffer":
		t, _ := arg(1).(*pyDtype)
		order, _ := arg(3).(string)
		return u.fillArray(u.newArray(), t, arg(2), order == "F", arg(0))
	case "scalar":
		if x, ok := arg(0).(*pyOpaque); ok {
			u.object(x)
			return nil
		}
		t, _ := arg(0).(*pyDtype)
		a := u.newArray()
		if err := u.fillArray(a, t, &pyList{}, false, arg(1)); err != nil || a.data == nil {
			return err
		}
		u.pop()
		switch {
		case a.data.Kind == 'b':
			u.push(a.data.Floats()[0] != 0)
		case a.data.IsInt():
			u.push(int64(a.data.Floats()[0]))
		case a.data.IsNumber():
			u.push(a.data.Floats()[0])
		case a.data.Kind == 'U' || a.data.Kind == 'S':
			u.push(a.data.Texts()[0])
		default:
			u.push(&pyOpaque{a.data.String()})
		}
	case "csr", "csc", "coo", "lil":
		if len(args) > 0 {
			return bad("a sparse matrix with arguments")
		}
		u.object(&pySparse{format: f.name})
	case "Graph", "DiGraph", "MultiGraph", "MultiDiGraph":
		u.object(&pyGraph{class: f.name})
	case "reconstructor": // of a class, without more
		switch class := arg(0).(type) {
		case *pyGlobal:
			return u.call(class, nil)
		case *pyOpaque:
			u.object(class)
		default:
			return bad("an object without a class")
		}
	case "OrderedDict", "defaultdict", "Counter": // the first argument of defaultdict is a function
		d := &pyDict{}
		u.object(d)
		for _, x := range args {
			switch from := x.(type) {
			case *pyDict:
				u.s.Keep("", 32*len(from.keys))
				d.keys, d.values = append(d.keys, from.keys...), append(d.values, from.values...)
			case *pyList:
				for _, pair := range from.items {
					if p, ok := pair.(*pyList); ok && len(p.items) == 2 {
						u.s.Keep("", 32)
						d.keys, d.values = append(d.keys, p.items[0]), append(d.values, p.items[1])
					}
				}
			}
		}
	case "set", "frozenset":
		l, _ := arg(0).(*pyList)
		if l == nil {
			l = &pyList{}
		}
		u.object(l)
	default:
		return bad("a call of " + f.name)
	}
	return nil
}

// newArray pushes an array to be filled.
func (u *unpickler) newArray() *pyArray {
	a := &pyArray{}
	u.object(a)
	return a
}

// build gives an object its state.
func (u *unpickler) build(object, state any) error {
	items, _ := state.(*pyList)
	switch x := object.(type) {
	case *pyArray: // (version, shape, dtype, column-major, data)
		if items == nil || len(items.items) != 5 {
			return u.bad("an array without its content", wantPickle)
		}
		if strange, ok := items.items[2].(*pyOpaque); ok {
			x.shape, _ = u.ints(items.items[1])
			x.strange = strange.name
			u.push(x)
			return nil
		}
		t, _ := items.items[2].(*pyDtype)
		columns, _ := items.items[3].(bool)
		u.push(x)
		return u.fillArray(x, t, items.items[1], columns, items.items[4])
	case *pyDtype: // (3, byte order, ...)
		if items == nil || len(items.items) < 2 {
			return u.bad("an array type without its content", wantPickle)
		}
		order, _ := items.items[1].(string)
		x.Big = order == ">" // in place: references to it mean the same
		u.push(x)
	case *pySparse:
		d, ok := state.(*pyDict)
		if !ok {
			return u.bad("a sparse matrix without its content", wantPickle)
		}
		x.state = d
		u.push(x)
	case *pyGraph:
		d, ok := state.(*pyDict)
		if !ok {
			return u.bad("a graph of networkx without its content", wantPickle)
		}
		x.state = d
		u.push(x)
	case *pyOpaque, *pyDict, *pyList: // what they have beside their entries is not used
		u.push(x)
	default:
		return u.bad("a state for what has none", wantPickle)
	}
	return nil
}

// fillArray gives an array its content.
func (u *unpickler) fillArray(a *pyArray, t *pyDtype, shape any, columns bool, data any) error {
	sizes, ok := u.ints(shape)
	if !ok || t == nil || len(sizes) > 32 {
		return u.bad("an array without shape or type", wantPickle)
	}
	total := 1
	for _, d := range sizes {
		if d < 0 || d > 0 && total > input.MaxFile/d {
			return u.bad(fmt.Sprintf("an array of shape %v", sizes), "at most "+input.Size(input.MaxFile)+" of entries")
		}
		total *= d
	}
	a.shape, a.columns = sizes, columns && len(sizes) > 1
	if t.Kind == 'O' {
		l, ok := data.(*pyList)
		if !ok || len(l.items) != total {
			return u.bad(fmt.Sprintf("an array of shape %v without its objects", sizes), wantPickle)
		}
		a.objects = l.items
		return nil
	}
	e := &variable.Entries{DType: t.DType, N: total}
	switch x := data.(type) {
	case string:
		e.Packed = &input.Packed{}
		for len(x) > 0 {
			n := min(len(x), input.PageSize)
			e.Add([]byte(x[:n]))
			x = x[n:]
		}
	case pyBytes:
		e.Packed = x.Packed
	default:
		return u.bad(fmt.Sprintf("an array of shape %v without its data", sizes), wantPickle)
	}
	if e.Packed.N != total*t.Width {
		return u.bad(fmt.Sprintf("an array of shape %v and type %s with %s of data", sizes, t, figure.Count(e.Packed.N, "byte")), "data of that shape")
	}
	a.data = e
	return nil
}

// ints returns a tuple of whole numbers.
func (u *unpickler) ints(x any) ([]int, bool) {
	l, ok := x.(*pyList)
	if !ok {
		if n, ok := x.(int64); ok {
			return []int{int(n)}, true
		}
		return nil, false
	}
	out := []int{}
	for _, item := range l.items {
		n, ok := item.(int64)
		if !ok {
			if f, isFloat := item.(float64); isFloat && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
				n, ok = int64(f), true // a NumPy number
			}
		}
		if !ok || len(out) == 33 {
			return nil, false
		}
		out = append(out, int(n))
	}
	return out, true
}

// latin1 turns UTF-8 text whose characters are bytes, as protocol 2 stores them, into these bytes.
func (u *unpickler) latin1(x any) (any, bool) {
	decode := func(out, b []byte) ([]byte, []byte, bool) {
		for len(b) >= utf8.UTFMax || len(b) > 0 && utf8.FullRune(b) {
			r, n := utf8.DecodeRune(b)
			if r > 0xff || r == utf8.RuneError {
				return nil, nil, false
			}
			out, b = append(out, byte(r)), b[n:]
		}
		return out, b, true
	}
	switch s := x.(type) {
	case string:
		b, rest, ok := decode(nil, []byte(s))
		return string(b), ok && len(rest) == 0
	case pyBytes:
		p := &input.Packed{}
		var in, out []byte
		var buffer [input.PageSize]byte
		ok := true
		for k := range s.Pages {
			page := s.Page(k, &buffer)
			if page == nil {
				page = make([]byte, input.PageSize)
			}
			in = append(in, page...)
			if out, in, ok = decode(out, in); !ok {
				return nil, false
			}
			for len(out) >= input.PageSize {
				u.s.Keep("", p.Add(out[:input.PageSize]))
				out = append(out[:0], out[input.PageSize:]...)
			}
			in = append([]byte(nil), in...)
		}
		if len(out) > 0 {
			u.s.Keep("", p.Add(out))
		}
		return pyBytes{p}, len(in) == 0
	}
	return nil, false
}

// numbersIn returns the numbers of a list of numbers.
func numbersIn(l *pyList) ([]float64, bool) {
	x := make([]float64, 0, len(l.items))
	for _, item := range l.items {
		switch v := item.(type) {
		case int64:
			x = append(x, float64(v))
		case float64:
			x = append(x, v)
		case bool:
			x = append(x, 0)
			if v {
				x[len(x)-1] = 1
			}
		default:
			return nil, false
		}
	}
	return x, len(x) > 0
}

// linksIn returns the links that a pair of arrays of whole numbers makes, from and to.
func linksIn(file, name string, l *pyList) *variable.Variable {
	if len(l.items) != 2 {
		return nil
	}
	var ends [2]*variable.Entries
	for k, item := range l.items {
		a, ok := item.(*pyArray)
		if !ok || a.data == nil || !a.data.IsInt() || a.data.Kind == 'b' || len(a.shape) != 1 {
			return nil
		}
		ends[k] = a.data
	}
	if ends[0].N != ends[1].N {
		return nil
	}
	return variable.NewLinks(file, name, ends[0], ends[1])
}

// sparseMatrix makes a variable of a SciPy matrix.
func (u *unpickler) sparseMatrix(name string, m *pySparse) (*variable.Variable, error) {
	file := u.s.File
	all := map[string]*variable.Entries{}
	var sizes []int
	var lists [2]*pyArray // of format lil
	kind := variable.DType{Kind: 'f', Width: 8}
	if m.state != nil {
		for k, key := range m.state.keys {
			value := m.state.values[k]
			field := keyName(key)
			switch v := value.(type) {
			case *pyArray:
				if v.data != nil {
					all[field] = v.data
				} else if field == "rows" {
					lists[0] = v
				} else if field == "data" {
					lists[1] = v
				}
			case *pyDtype:
				kind = v.DType
			case *pyList:
				switch field {
				case "_shape", "shape":
					sizes, _ = u.ints(v)
				case "coords": // as newer versions keep the indices of coo
					for n, part := range []string{"row", "col"} {
						if len(v.items) == 2 {
							if a, ok := v.items[n].(*pyArray); ok && a.data != nil {
								all[part] = a.data
							}
						}
					}
				}
			}
		}
	}
	if len(sizes) != 2 {
		return nil, diag.At(file, 0, name, "a sparse matrix without a shape", "two sizes")
	}
	if m.format == "lil" {
		return u.listMatrix(name, sizes, kind, lists)
	}
	return variable.FromSciPy(file, name, m.format, sizes[0], sizes[1], all)
}

// listMatrix makes a variable of a matrix in format lil: for every row a list of columns and
// one of values.
func (u *unpickler) listMatrix(name string, sizes []int, kind variable.DType, lists [2]*pyArray) (*variable.Variable, error) {
	bad := func(found, expected string) (*variable.Variable, error) {
		return nil, diag.At(u.s.File, 0, name, found, expected)
	}
	if lists[0] == nil || lists[1] == nil || len(lists[0].objects) != sizes[0] || len(lists[1].objects) != sizes[0] {
		return bad("a sparse matrix in format lil without its lists", fmt.Sprintf("two for each of %d rows", sizes[0]))
	}
	var column, value []float64
	start := make([]float64, 1, sizes[0]+1)
	for i := range sizes[0] {
		c, _ := lists[0].objects[i].(*pyList)
		x, _ := lists[1].objects[i].(*pyList)
		if c == nil || x == nil || len(c.items) != len(x.items) {
			return bad(fmt.Sprintf("columns and values of row %d that do not fit together", i), "as many of both")
		}
		columns, ok1 := numbersIn(c)
		values, ok2 := numbersIn(x)
		if len(c.items) > 0 && !(ok1 && ok2) {
			return bad(fmt.Sprintf("columns and values of row %d that are no numbers", i), "numbers")
		}
		// A list may occur in many rows: its size is counted each time.
		if err := u.s.Keep(name, 40*len(columns)); err != nil {
			return nil, err
		}
		column, value = append(column, columns...), append(value, values...)
		start = append(start, float64(len(column)))
	}
	for _, c := range column {
		if c != math.Trunc(c) || math.Abs(c) > math.MaxInt32 {
			return bad(fmt.Sprintf("the column %g", c), "whole numbers")
		}
	}
	return variable.NewRows(u.s.File, name, kind, sizes, start, column, value), nil
}
