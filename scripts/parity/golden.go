package parity

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/property"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
)

// A golden is a part of a golden file in replay: numbers, texts, lists and objects as JSON has them, and arrays of
// NumPy as lists of rows. Errors in the file panic.
type golden struct {
	*Report
	files      fs.FS
	path, name string // of the file; of the case
	bits       int
	at         string // of the part, as "/cases/0/expect/losses"
	x          any    // the part; nil if there is none
}

// sub returns a part by its path: each word or number in it is one level below the one before, as in "expect/losses", 3.
func (g *golden) sub(path ...any) *golden {
	c := *g
	for _, part := range path {
		for name := range strings.SplitSeq(fmt.Sprint(part), "/") {
			i, err := strconv.Atoi(name)
			switch x := c.x.(type) {
			case map[string]any:
				c.x = x[name]
			case []any:
				c.x = nil
				if err == nil && i >= 0 && i < len(x) {
					c.x = x[i]
				}
			default:
				c.x = nil
			}
			c.at += "/" + name
		}
	}
	return &c
}

func (g *golden) has(path ...any) bool { return g.sub(path...).x != nil }

// part is sub of what must be there.
func (g *golden) part(path ...any) *golden {
	c := g.sub(path...)
	if c.x == nil {
		panic(fmt.Errorf("the file has no %s", strings.TrimPrefix(c.at, "/")))
	}
	return c
}

// in returns a part of the file whose quantities begin with a name.
func (g *golden) in(name string, path ...any) *golden {
	c := g.sub(path...)
	c.name = name
	return c
}

// names returns the names in a part, none if there is no such part.
func (g *golden) names(path ...any) []string {
	object, _ := g.sub(path...).x.(map[string]any)
	return slices.Sorted(maps.Keys(object))
}

// data returns all numbers below a path, one after another, and ifAny none if there is no such part.
func (g *golden) data(path ...any) []float64  { return flat(g.part(path...).x) }
func (g *golden) ifAny(path ...any) []float64 { return flat(g.sub(path...).x) }

func (g *golden) ints(path ...any) []int {
	list := []int{}
	for _, n := range g.data(path...) {
		list = append(list, int(n))
	}
	return list
}

func (g *golden) number(path ...any) float64 {
	x := g.data(path...)
	if len(x) != 1 {
		panic(fmt.Errorf("%s has %d numbers, expected one", g.sub(path...).at[1:], len(x)))
	}
	return x[0]
}

func (g *golden) int(path ...any) int { return int(g.number(path...)) }

// orZero returns a number, 0 if there is none.
func (g *golden) orZero(path ...any) float64 {
	if g.has(path...) {
		return g.number(path...)
	}
	return 0
}

func (g *golden) text(path ...any) string {
	s, _ := g.part(path...).x.(string)
	return s
}

// any returns the parts of a list, none if there is none, and list those of one that must be there.
func (g *golden) any(path ...any) (list []*golden) {
	c := g.sub(path...)
	for i := 0; c.has(i); i++ {
		list = append(list, c.sub(i))
	}
	return list
}

func (g *golden) list(path ...any) []*golden { return g.part(path...).any() }
func (g *golden) length(path ...any) int     { return len(g.list(path...)) }

// shape returns the numbers of rows and columns of a matrix, and more of a deeper list.
func (g *golden) shape(path ...any) (shape []int) {
	for list, ok := g.part(path...).x.([]any); ok; list, ok = list[0].([]any) {
		if shape = append(shape, len(list)); len(list) == 0 {
			break
		}
	}
	return shape
}

// option returns a value of a setting: 0 for null.
func (g *golden) option(path ...any) string {
	switch x := g.sub(path...).x.(type) {
	case string:
		return x
	case bool:
		return map[bool]string{true: "on", false: "off"}[x]
	case []any:
		return fmt.Sprint(flat(x))
	}
	return property.Text(g.orZero(path...))
}

// adjacency returns the matrix of m nodes of a list of edges: i, j and perhaps a weight.
func (g *golden) adjacency(m int, path ...any) *multiplex.CSR {
	var edges []multiplex.Edge
	for _, e := range g.list(path...) {
		row := append(e.data(), 1)
		edges = append(edges, multiplex.Edge{I: int(row[0]), J: int(row[1]), Weight: row[2]})
	}
	return must(multiplex.FromEdges(m, edges))
}

// features returns the features of m nodes, the identity if there are none.
func (g *golden) features(m int) *multiplex.Features {
	x := g.ifAny()
	if x == nil {
		return multiplex.Identity(m)
	}
	return must(multiplex.DenseFeatures(m, g.shape()[1], x))
}

// graph returns the layers of a case as they are, be it one or one without links. Features are those of each layer, or of all.
func (g *golden) graph() *multiplex.Graph {
	graph, m, layers := &multiplex.Graph{}, g.int("M"), []*golden{g.sub("edges")}
	if g.has("N") {
		layers = g.list("edges")
	}
	for l, edges := range layers {
		x := g.sub("X")
		if _, matrix := x.sub(0, 0).x.(float64); !matrix {
			x = x.sub(l)
		}
		graph.Layers = append(graph.Layers, multiplex.Layer{Name: strconv.Itoa(l), Adjacency: edges.adjacency(m), Features: x.features(m)})
	}
	return graph
}

// readJSON returns a JSON object.
func readJSON(data []byte) (x any, err error) {
	object := map[string]any{}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	return object, nil
}

// readNPZ puts arrays at the paths that rename gives to their names.
func (g *golden) readNPZ(file string, rename func(string) string) {
	for key, a := range must(npy.ReadNPZ(formats.File{Name: file, Data: must(fs.ReadFile(g.files, file))})) {
		path := strings.Split(rename(key), "/")
		at, last := g.x.(map[string]any), len(path)-1
		for _, name := range path[:last] {
			if at[name] == nil {
				at[name] = map[string]any{}
			}
			at = at[name].(map[string]any)
		}
		at[path[last]] = rows(a.Float64s(), a.Shape)
	}
}

// rows cuts numbers into nested lists.
func rows(x []float64, shape []int) any {
	if len(shape) == 0 {
		return x[0]
	}
	list, n := make([]any, shape[0]), len(x)/max(1, shape[0])
	for i := range list {
		list[i] = rows(x[i*n:(i+1)*n], shape[1:])
	}
	return list
}

// flat returns all numbers of nested lists, objects, matrices and truth values, one after another; texts have none.
func flat(x any) (list []float64) {
	switch x := x.(type) {
	case nil:
		return nil
	case float64:
		return []float64{x}
	case []float64:
		return x
	case *mat.Dense:
		return x.RawMatrix().Data
	}
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Slice, reflect.Array:
		list = []float64{}
		for i := range v.Len() {
			list = append(list, flat(v.Index(i).Interface())...)
		}
	case reflect.Map:
		for _, name := range slices.Sorted(maps.Keys(x.(map[string]any))) {
			list = append(list, flat(x.(map[string]any)[name])...)
		}
	case reflect.Struct: // a matrix
		return flat(v.FieldByName("Data").Interface())
	case reflect.Bool:
		return []float64{map[bool]float64{true: 1}[v.Bool()]}
	case reflect.String:
	default:
		return []float64{v.Convert(reflect.TypeFor[float64]()).Float()}
	}
	return list
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func ok(err error) { must(0, err) }
