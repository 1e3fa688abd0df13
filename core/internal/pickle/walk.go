package pickle

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
)

// content lists what a pickle holds under names: entries of dictionaries by their keys, adjs.MDM,
// those of lists by number, adjs[0].
func (u *unpickler) content(stem string, root any) (*Content, error) {
	w := &pickleWalk{u: u, out: &Content{}}
	var err error
	if d, ok := root.(*pyDict); ok {
		err = w.entries("", d, 0)
	} else {
		err = w.entry(stem, root, 1)
	}
	if err == nil {
		err = w.writeGraphs()
	}
	return w.out, err
}

func keyName(key any) string {
	switch k := key.(type) {
	case string:
		return k
	case int64:
		return strconv.FormatInt(k, 10)
	}
	return "?"
}

type pickleWalk struct {
	u      *unpickler
	out    *Content
	graphs []namedGraph
	steps  int
}

// errTooMany is of values inside of values, deeper or more than can be.
type errTooMany struct{ why *diag.Error }

func (e errTooMany) Error() string { return e.why.Error() }
func (e errTooMany) Unwrap() error { return e.why }

// refuse adds what is not read.
func (w *pickleWalk) refuse(name, kind string, shape []int, found, expected string) {
	w.out.Variables = append(w.out.Variables, variable.NewRefused(name, kind, shape,
		diag.At(w.u.s.File, 0, name, found, expected)))
}

// entries appends what a dictionary holds.
func (w *pickleWalk) entries(prefix string, d *pyDict, depth int) error {
	for k, key := range d.keys {
		if err := w.entry(prefix+keyName(key), d.values[k], depth+1); err != nil {
			return err
		}
	}
	return nil
}

// entry appends what x holds, or that it is too much.
func (w *pickleWalk) entry(name string, x any, depth int) error {
	vars, graphs := len(w.out.Variables), len(w.graphs)
	err := w.walk(name, x, depth)
	var many errTooMany
	if errors.As(err, &many) && vars < input.MaxNamed {
		w.graphs = w.graphs[:graphs]
		w.out.Variables = append(w.out.Variables[:vars], variable.NewRefused(name, "object", []int{}, many.why))
		return nil
	}
	return err
}

// walk appends what x holds.
func (w *pickleWalk) walk(name string, x any, depth int) error {
	const mostSteps = 16 * input.MaxNamed
	file := w.u.s.File
	if w.steps++; w.steps > mostSteps || len(w.out.Variables)+len(w.graphs) >= input.MaxNamed || depth > input.MaxDepth {
		return errTooMany{diag.At(file, 0, name, "values inside of values, deeper or more than can be, or inside of themselves",
			fmt.Sprintf("at most %d levels and %d variables", input.MaxDepth, input.MaxNamed))}
	}
	add := func(v *variable.Variable) { w.out.Variables = append(w.out.Variables, v) }
	switch v := x.(type) {
	case *pyArray:
		switch {
		case v.strange != "":
			w.refuse(name, "object", v.shape, "entries of type "+input.Quote(v.strange), wantNumbers)
		case v.data != nil:
			add(variable.NewDense(file, name, v.shape, v.columns, v.data))
		case len(v.shape) == 0 && len(v.objects) == 1: // as numpy.save wraps anything
			return w.walk(name, v.objects[0], depth+1)
		default:
			return w.list(name, v.objects, v.shape, v.columns, depth)
		}
	case *pySparse:
		s, err := w.u.sparseMatrix(name, v)
		if err != nil {
			return err
		}
		add(s)
	case *pyDict:
		return w.entries(name+".", v, depth)
	case *pyList:
		return w.list(name, v.items, []int{len(v.items)}, false, depth)
	case *pyGraph:
		w.graphs = append(w.graphs, namedGraph{name, v})
	case *pyOpaque:
		found := v.name
		if !strings.Contains(found, " ") { // a class
			found = "an object of " + input.Quote(found) + ", which is not read because reading it could run a program"
		}
		w.refuse(name, "object", []int{}, found, howToSave(v.name))
	case bool:
		add(variable.NewUnusable(file, name, "bool", []int{}))
	case int64:
		add(variable.NewDense(file, name, []int{}, false, variable.Numbers([]float64{float64(v)})))
	case float64:
		add(variable.NewDense(file, name, []int{}, false, variable.Numbers([]float64{v})))
	case string, pyBytes:
		add(variable.NewText(file, name, []int{}, nil))
	default:
		add(variable.NewUnusable(file, name, "none", []int{}))
	}
	return nil
}

const wantNumbers = "numbers or text: NAME.astype(float) or NAME.astype(str) makes them of an array"

// howToSave says what to write in place of an object of a class.
func howToSave(class string) string {
	module, _, _ := strings.Cut(class, ".")
	switch module {
	case "torch", "tensorflow", "jax", "torch_geometric", "torch_sparse", "cupy":
		return "arrays: tensor.numpy() makes one of a tensor, and numpy.savez keeps them"
	case "pandas", "polars":
		return `a table: frame.to_csv("FILE.csv") writes one`
	case "igraph", "graph_tool":
		return `GraphML: graph.save("FILE.graphml") writes it`
	case "dgl":
		return "arrays: numpy.savez(\"FILE.npz\", edge_index=numpy.stack([t.numpy() for t in graph.edges()])) writes them"
	case "scipy":
		return "a sparse matrix in format csr, csc, coo or lil: matrix.tocsr() makes one"
	}
	return wantPickle
}

// list appends what a list holds, or an array of objects.
func (w *pickleWalk) list(name string, items []any, shape []int, columns bool, depth int) error {
	file, l := w.u.s.File, &pyList{items}
	add := func(v *variable.Variable) { w.out.Variables = append(w.out.Variables, v) }
	// A list may occur many times: its size is counted each time.
	if err := w.u.s.Keep(name, 32*len(items)); err != nil {
		return err
	}
	if numbers, ok := numbersIn(l); ok {
		add(variable.NewDense(file, name, shape, columns, variable.Numbers(numbers)))
		return nil
	}
	if words, ok := wordsIn(l); ok {
		add(variable.NewText(file, name, shape, words))
		return nil
	}
	if len(shape) > 1 {
		w.refuse(name, "object", shape, "an array of Python objects", wantNumbers)
		return nil
	}
	if v := linksIn(file, name, l); v != nil {
		add(v)
		return nil
	}
	numbers, cols, err := w.rows(name, l)
	if err != nil {
		return err
	}
	if cols > 0 {
		add(variable.NewDense(file, name, []int{len(items), cols}, false, variable.Numbers(numbers)))
		return nil
	}
	for k, item := range items {
		if err := w.walk(fmt.Sprintf("%s[%d]", name, k), item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// rows returns the numbers of a list of lists of equal length, and that length, at least two; 0 for other lists.
func (w *pickleWalk) rows(name string, l *pyList) (numbers []float64, cols int, err error) {
	for k, item := range l.items {
		row, ok := item.(*pyList)
		if !ok || len(row.items) < 2 || k > 0 && len(row.items) != cols {
			return nil, 0, nil
		}
		cols = len(row.items)
		if err := w.u.s.Keep(name, 16*cols); err != nil {
			return nil, 0, err
		}
		x, ok := numbersIn(row)
		if !ok {
			return nil, 0, nil
		}
		numbers = append(numbers, x...)
	}
	if len(l.items) < 2 {
		return nil, 0, nil
	}
	return numbers, cols, nil
}

// wordsIn returns the words of a list of words. None and NaN among them are missing words.
func wordsIn(l *pyList) ([]string, bool) {
	x := make([]string, 0, len(l.items))
	some := false
	for _, item := range l.items {
		switch v := item.(type) {
		case string:
			x, some = append(x, v), true
		case nil:
			x = append(x, "")
		case float64:
			if !math.IsNaN(v) {
				return nil, false
			}
			x = append(x, "")
		default:
			return nil, false
		}
	}
	return x, some
}
