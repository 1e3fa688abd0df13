package measure

import "fmt"

// An Array is a small array among the results of a task, row by row.
type Array struct {
	Name  ArrayName `json:"name"`
	Shape []int     `json:"shape"`
	Data  []float64 `json:"data"`
}

// An ArrayName names an array of a result. Those that one measure alone gives, for reports, are named there.
type ArrayName string

// Arrays of prepared scans, a row a scan; of graphs, a row a graph; and of trainings on either.
const (
	ArrayClass    ArrayName = "class"
	ArrayGroup    ArrayName = "group"
	ArrayQuality  ArrayName = "quality"  // of a scan, in the order of [Qualities]
	ArrayRegions  ArrayName = "regions"  // a number that identifies an order of regions
	ArrayZ        ArrayName = "z"        // layer by layer the propagated features, M x F
	ArrayMoments  ArrayName = "moments"  // skewness and excess kurtosis of every region
	ArrayFC       ArrayName = "fc"       // the correlations of all pairs of regions, hashed
	ArraySizes    ArrayName = "sizes"    // of a graph: its nodes, and the links of every layer
	ArrayFeatures ArrayName = "features" // a row for every node of every layer of every graph, its propagated features
	ArrayRun      ArrayName = "run"      // a row a training: its steps and the rank of S
	ArrayCommon   ArrayName = "common"   // what represents a graph: S, or of a layer C_l, over its nodes
	ArrayPrivate  ArrayName = "private"  // and P_l
	ArrayFeature  ArrayName = "feature"  // and the features of a layer

	untrained ArrayName = "untrained:" // before the name of what is there before the training, too

	// For reports, of one embedding or label set each; centres and lengths of a layer.
	ArrayTSNE       ArrayName = "tsne"       // places in the plane
	ArrayClasses    ArrayName = "classes"    // of these
	ArrayDivergence ArrayName = "divergence" // final value in t-SNE
	ArrayMap        ArrayName = "map"        // clusters or labels of data in the plane
	ArrayCentres    ArrayName = "centres"    // nodes of the layer's centres there
	ArrayLength     ArrayName = "length"     // of every node's private embedding
)

// Of returns the name of an array of one embedding or label set.
func (n ArrayName) Of(name string) ArrayName { return n + ":" + ArrayName(name) }

// Layer returns the name of an array of one layer.
func (n ArrayName) Layer(l int) ArrayName { return ArrayName(fmt.Sprintf("%s_%d", n, l+1)) }

// bytes is about what [cadem.New] keeps of the nodes of a prepared result: of all its scans, or of one after the other. The graphs
// of a collection differ: it is of all of them.
func (r *Result) bytes(all bool) int64 {
	const node = 512
	switch a, b := r.Array(ArrayMoments), r.Array(ArrayFeatures); {
	case a != nil && all: // two numbers a node
		return node * a.numbers() / 2
	case a != nil:
		return node * a.numbers() / 2 / int64(max(a.Shape[0], 1))
	case b != nil: // a row for a node of a layer
		return node * int64(b.Shape[0])
	}
	return 0
}

// numbers returns how many an array holds by its shape.
func (a *Array) numbers() int64 {
	n := int64(1)
	for _, d := range a.Shape {
		n *= int64(d)
	}
	return n
}

// Bytes estimates the memory for comparing results, from the shapes of their arrays before the numbers are there: the stored
// arrays, the same as numbers and again put together, and the needs of the measures.
func Bytes(specs []Spec, inputs []*Result) int64 {
	const number = 3 * 8
	total := int64(0)
	for _, in := range inputs {
		if in == nil {
			continue
		}
		for i := range in.Arrays {
			total += number * in.Arrays[i].numbers()
		}
		for i := range specs {
			if of := specs[i].is().Bytes; of != nil {
				total += of(in)
			}
		}
	}
	return total
}

// Qualities of a scan, in the order in which a task gives them; -1: unknown.
var Qualities = []string{"frames", "seconds", "motion", "negative", "co_isolates", "anti_isolates", "constant"}
