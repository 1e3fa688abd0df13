package parity

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/property"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
)

// A tensor is one entry of a golden file: numbers, row by row, or a text, or the names of what it holds. A
// list whose rows differ in length holds its rows, by number.
type tensor struct {
	shape []int
	data  []float64
	text  string
	names []string
}

// values are the tensors of a golden file by name, and the name of the part in view. Names along the
// path are joined by "/": "/cases/0/expect/losses". Errors in the file panic.
type values struct {
	file map[string]tensor
	at   string
}

// readJSON returns the tensors of a JSON object.
func readJSON(data []byte) (values, error) {
	v := values{file: map[string]tensor{}}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return v, fmt.Errorf("not a JSON object: %w", err)
	}
	v.put("", object)
	return v, nil
}

func (v values) put(name string, x any) {
	var t tensor
	switch x := x.(type) {
	case float64:
		t.data = []float64{x}
	case bool:
		t.text, t.data = "off", []float64{truth(x)}
		if x {
			t.text = "on"
		}
	case string:
		t.text = x
	case []any:
		if t.add(x, 0) {
			break
		}
		t = tensor{}
		for i, part := range x {
			t.names = append(t.names, strconv.Itoa(i))
			v.put(name+"/"+t.names[i], part)
		}
	case map[string]any:
		t.names = slices.Sorted(maps.Keys(x))
		for _, key := range t.names {
			v.put(name+"/"+key, x[key])
		}
	case nil:
		return
	}
	v.file[name] = t
}

// add appends nested lists of numbers. It reports whether all rows have one length.
func (t *tensor) add(x any, depth int) bool {
	if n, ok := x.(float64); ok {
		t.data = append(t.data, n)
		return depth == len(t.shape)
	}
	list, ok := x.([]any)
	if ok && depth == len(t.shape) && len(t.data) == 0 {
		t.shape = append(t.shape, len(list))
	}
	if !ok || depth >= len(t.shape) || t.shape[depth] != len(list) {
		return false
	}
	return !slices.ContainsFunc(list, func(part any) bool { return !t.add(part, depth+1) })
}

// readNPZ adds arrays under the names that rename gives to theirs.
func (v values) readNPZ(fsys fs.FS, file string, rename func(string) string) {
	arrays := must(npy.ReadNPZ(formats.File{Name: file, Data: must(fs.ReadFile(fsys, file))}))
	for key, a := range arrays {
		name := "/" + rename(key)
		v.file[name] = tensor{shape: a.Shape, data: a.Float64s()}
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name, '/') {
			above, part := name[:at], name[at+1:]
			if t := v.file[above]; !slices.Contains(t.names, part) {
				t.names = append(t.names, part)
				slices.Sort(t.names)
				v.file[above] = t
			}
			name = above
		}
	}
}

// sub returns a part by its path: each word or number is one level below the one before.
func (v values) sub(name ...any) values {
	for _, part := range name {
		v.at += "/" + fmt.Sprint(part)
	}
	return v
}

// find returns a tensor, or a row of one.
func (v values) find() (tensor, bool) {
	t, ok := v.file[v.at]
	if ok || v.at == "" {
		return t, ok
	}
	cut := strings.LastIndexByte(v.at, '/')
	t, ok = values{v.file, v.at[:cut]}.find()
	i, err := strconv.Atoi(v.at[cut+1:])
	if !ok || err != nil || len(t.shape) == 0 || i < 0 || i >= t.shape[0] {
		return tensor{}, false
	}
	n := len(t.data) / t.shape[0]
	return tensor{shape: t.shape[1:], data: t.data[i*n : (i+1)*n]}, true
}

func (v values) has(name ...any) bool {
	_, ok := v.sub(name...).find()
	return ok
}

func (v values) tensor(name ...any) tensor {
	v = v.sub(name...)
	t, ok := v.find()
	if !ok {
		panic(fmt.Errorf("the file has no %s", v.at[1:]))
	}
	return t
}

// names returns the names in a part, none if there is no such part.
func (v values) names(name ...any) []string {
	t, _ := v.sub(name...).find()
	return t.names
}

// data returns all numbers below a name, one part after another.
func (v values) data(name ...any) []float64 {
	t := v.tensor(name...)
	for _, part := range t.names {
		t.data = append(t.data, v.sub(name...).data(part)...)
	}
	return t.data
}

// ifAny returns no numbers if nothing has that name.
func (v values) ifAny(name ...any) []float64 {
	if v.has(name...) {
		return v.data(name...)
	}
	return nil
}

func (v values) ints(name ...any) []int {
	x := v.data(name...)
	list := make([]int, len(x))
	for i, n := range x {
		list[i] = int(n)
	}
	return list
}

func (v values) number(name ...any) float64 {
	x := v.tensor(name...).data
	if len(x) != 1 {
		panic(fmt.Errorf("%s has %d numbers, expected one", v.sub(name...).at[1:], len(x)))
	}
	return x[0]
}

func (v values) int(name ...any) int     { return int(v.number(name...)) }
func (v values) text(name ...any) string { return v.tensor(name...).text }

// length counts what a list holds.
func (v values) length(name ...any) int {
	t := v.tensor(name...)
	if len(t.shape) > 0 {
		return t.shape[0]
	}
	return len(t.names)
}

// list returns the parts of a list.
func (v values) list(name ...any) []values {
	list := make([]values, v.length(name...))
	for i := range list {
		list[i] = v.sub(name...).sub(i)
	}
	return list
}

// any returns the parts of a list, none if there is none.
func (v values) any(name ...any) []values {
	if !v.has(name...) {
		return nil
	}
	return v.list(name...)
}

// orZero returns a number, 0 if there is none.
func (v values) orZero(name ...any) float64 {
	if v.has(name...) {
		return v.number(name...)
	}
	return 0
}

// option returns a value of a setting: 0 for null.
func (v values) option(name ...any) string {
	switch t, _ := v.sub(name...).find(); {
	case t.text != "":
		return t.text
	case t.names != nil || len(t.data) > 1:
		return fmt.Sprint(v.data(name...))
	}
	return property.Text(v.orZero(name...))
}

// adjacency returns the matrix of m nodes of a list of edges: i, j and perhaps a weight.
func (v values) adjacency(m int, name ...any) *multiplex.CSR {
	var edges []multiplex.Edge
	for _, e := range v.list(name...) {
		row, weight := e.data(), 1.0
		if len(row) > 2 {
			weight = row[2]
		}
		edges = append(edges, multiplex.Edge{I: int(row[0]), J: int(row[1]), Weight: weight})
	}
	return must(multiplex.FromEdges(m, edges))
}

// features returns the features of m nodes, the identity if there are none.
func (v values) features(m int, name ...any) *multiplex.Features {
	t, _ := v.sub(name...).find()
	if t.data == nil {
		return multiplex.Identity(m)
	}
	return must(multiplex.DenseFeatures(m, t.shape[1], t.data))
}

// graph returns the layers of a case as they are, be it one or one without links. Features are those of each layer, or of all.
func (v values) graph() *multiplex.Graph {
	g, m := &multiplex.Graph{}, v.int("M")
	each := []values{v.sub("edges")}
	if v.has("N") {
		each = v.list("edges")
	}
	for l, edges := range each {
		x := v.sub("X")
		if t, _ := x.find(); len(t.shape) == 3 || t.names != nil {
			x = x.sub(l)
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: strconv.Itoa(l), Adjacency: edges.adjacency(m), Features: x.features(m)})
	}
	return g
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func ok(err error) { must(0, err) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func floats[T int | int32 | float32 | float64](x []T) []float64 {
	list := make([]float64, len(x))
	for i, v := range x {
		list[i] = float64(v)
	}
	return list
}
