package variable

import (
	"fmt"

	"cadem/core/diag"
	"cadem/core/formats/internal/input"
)

// A keeper counts bytes that are kept of a field, and refuses more than there is room for.
type keeper = func(field string, n int) error

// Slices returns the matrices that an array of N x M x M or M x M x N is made of, called NAME[0]
// and so on; nil of any other variable. In a cube those along the first or the last axis are
// taken, whichever are symmetric; it is refused where none are.
func (v *Variable) Slices(keep keeper) ([]*Variable, error) {
	if v.slices == nil || SaysLabels(v) || SaysFeatures(v) || SaysSplit(v) {
		return nil, nil
	}
	return v.slices(keep)
}

// cut returns the slices of an array of numbers in three dimensions; of columns the first index runs
// fastest.
func (v *Variable) cut(e *Entries, columns bool, keep keeper) ([]*Variable, error) {
	first, last := v.Shape[1] == v.Shape[2], v.Shape[0] == v.Shape[1]
	if !first && !last || min(v.Shape[0], v.Shape[1], v.Shape[2]) < 1 || v.Shape[1] < 2 {
		return nil, nil
	}
	n := v.Shape[2]
	if first {
		n = v.Shape[0]
	}
	if n > input.MaxLayers {
		return nil, nil
	}
	if first && last {
		if err := keep(v.Name, 8*e.N); err != nil {
			return nil, err
		}
		if first, last = v.symmetric(e, columns); !first && !last {
			*v = *NewRefused(v.Name, v.Type, v.Shape, &diag.Error{File: v.file, Where: v.Name,
				Found:    fmt.Sprintf("an array of %d x %[1]d x %[1]d that may be layers along its first axis or its last: neither are symmetric", n),
				Expected: "the layers by themselves: numpy.savez(\"FILE.npz\", work=x[0], lunch=x[1], ...)"})
			return nil, nil
		}
	}
	parts, err := e.apart(v.Name, n, first != columns, keep)
	if err != nil {
		return nil, err
	}
	m := v.Shape[1]
	out := make([]*Variable, n)
	for k, part := range parts {
		name := v.Name
		if n > 1 {
			name = fmt.Sprintf("%s[%d]", v.Name, k)
		}
		out[k] = NewDense(v.file, name, []int{m, m}, columns, part)
		out[k].Type = v.Type
	}
	return out, nil
}

// symmetric tells whether the slices of a cube along its first axis are all symmetric, and those
// along its last.
func (v *Variable) symmetric(e *Entries, columns bool) (first, last bool) {
	x, n := e.Floats(), v.Shape[0]
	fast, slow := true, true // along the axis whose index runs fastest, and along the other one
	for a := range n {
		for b := range n {
			for c := range n {
				at := x[(a*n+b)*n+c]
				fast = fast && at == x[(b*n+a)*n+c]
				slow = slow && at == x[(a*n+c)*n+b]
			}
		}
	}
	if columns {
		return fast, slow
	}
	return slow, fast
}

// apart deals the entries to n parts: one after another, or in turns.
func (e *Entries) apart(name string, n int, oneByOne bool, keep keeper) ([]*Entries, error) {
	parts := make([]*Entries, n)
	pages := make([][]byte, n)
	for k := range parts {
		parts[k] = &Entries{DType: e.DType, N: e.N / n, Packed: &input.Packed{}}
	}
	add := func(k int) error {
		err := keep(name, parts[k].Add(pages[k]))
		pages[k] = pages[k][:0]
		return err
	}
	var buffer [input.PageSize]byte
	at, w := 0, e.Width
	for p := range e.Pages {
		page := e.Page(p, &buffer)
		if page == nil {
			clear(buffer[:])
			page = buffer[:]
		}
		for ; len(page) >= w; page = page[w:] {
			k := at % n
			if oneByOne {
				k = at / (e.N / n)
			}
			at++
			if pages[k] = append(pages[k], page[:w]...); len(pages[k]) == input.PageSize {
				if err := add(k); err != nil {
					return nil, err
				}
			}
		}
	}
	for k := range pages {
		if len(pages[k]) > 0 {
			if err := add(k); err != nil {
				return nil, err
			}
		}
	}
	return parts, nil
}
