package formats

import (
	"archive/zip"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/input"
)

// Fuzzing keeps to files far smaller than the 64 MB that any file may take. Large files take less
// than 16 times their size in total: all allocations until the graph is built, not only the peak.
func checkAllocated(t *testing.T, name string, data []byte, open func() error) {
	t.Helper()
	var err error
	took := float64(frugal.Allocated(func() { err = open() })) / float64(len(data))
	t.Logf("%s: %d kB, %.1f times as much allocated", name, len(data)>>10, took)
	if err != nil || took > input.KeptPerByte {
		t.Errorf("%s: %.1f bytes allocated for each, error %v", name, took, err)
	}
}

// rowsOf returns 4 MB of rows at random.
func rowsOf(header, row string, ids int, footer string) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	const least = 4 << 20
	var b strings.Builder
	b.WriteString(header)
	for b.Len() < least {
		fmt.Fprintf(&b, row, 1+random.IntN(3), random.IntN(ids), random.IntN(ids))
	}
	b.WriteString(footer)
	return []byte(b.String())
}

func TestTextsAllocateInProportion(t *testing.T) {
	for name, data := range map[string][]byte{
		"numbers":        rowsOf("", "%d %d %d\n", 5000, ""),
		"one digit each": rowsOf("", "%d %d %d\n", 8, ""),
		"weights":        rowsOf("", "%d %d %d 0.25\n", 5000, ""),
		"commas":         rowsOf("layer,source,target\n", "%d,n%d,n%d\n", 5000, ""),
		"quotes":         rowsOf("layer,source,target\n", "\"%d\",\"n%d\",\"n%d\"\n", 5000, ""),
		"carriage":       rowsOf("", "%d %d %d\r\n", 5000, ""),
		"blank lines":    append(rowsOf("", "\n%[1]*[2]s\r\n", 2, ""), "1 1 2 1\n2 1 3 1\n"...),
		"multinet":       rowsOf("#TYPE multiplex\n#EDGES\n", "a%[2]d,a%[3]d,l%[1]d\n", 5000, ""),
		"GraphML": rowsOf(`<graphml><key id="l" for="edge" attr.name="layer"/><graph edgedefault="undirected">`,
			`<edge source="n%[2]d" target="n%[3]d"><data key="l">%[1]d</data></edge>`, 5000, `</graph></graphml>`),
	} {
		checkAllocated(t, name, data, func() error {
			_, _, err := openChoice([]File{{Name: "a", Data: data}}, Choice{})
			return err
		})
	}
	// One layer a file has the shortest rows of all.
	shortest := rowsOf("", "%[2]d %[3]d\n", 10, "")
	checkAllocated(t, "two files of pairs", append(shortest, shortest...), func() error {
		_, _, err := openChoice([]File{{Name: "a", Data: shortest}, {Name: "b", Data: shortest}}, Choice{})
		return err
	})
}

// Layers that join nearly all nodes, with weights that differ in both directions.
func TestArraysAllocateInProportion(t *testing.T) {
	const m = 600
	small, single, double := make([]uint8, m*m), make([]float32, m*m), make([]float64, m*m)
	for k := range small {
		if k%50 > 0 {
			small[k], single[k], double[k] = 1, 1+float32(k%77), 1+float64(k%77)
		}
	}
	for name, x := range map[string]struct {
		data               any
		kind, class, width int
	}{"bytes": {small, 2, mxDouble, 1}, "float32": {single, 7, mxDouble + 1, 4}, "float64": {double, 9, mxDouble, 8}} {
		array := npyOf(t, &npy.Array{Shape: []int{m, m}, Data: x.data})
		var mats [2][]byte
		for k := range mats {
			mat := newMAT(false)
			mat.add(k == 1, mat.matrix("A", x.class, []int{m, m}, mat.element(uint32(x.kind), array[len(array)-x.width*m*m:])))
			mats[k] = mat.b
		}
		both := func(data []byte) func() error {
			return func() error {
				g, _, err := openChoice([]File{{Name: "a", Data: data}, {Name: "b", Data: data}}, Choice{})
				if err == nil && g.Layers[1].Adjacency.NNZ() < m*m*98/100 {
					err = fmt.Errorf("%d links", g.Layers[1].Adjacency.NNZ())
				}
				return err
			}
		}
		checkAllocated(t, "NPY of "+name, append(array, array...), both(array))
		checkAllocated(t, "MAT of "+name, append(mats[0], mats[0]...), both(mats[0]))
		// Files packed so well may take the 64 MB.
		packed := formatstest.Zip(t, zip.Deflate, "A.npy", string(array))
		for _, data := range [][]byte{packed, mats[1]} {
			frugal.Check(t, 2*len(data), func() {
				if err := both(data)(); err != nil {
					t.Errorf("%s, packed: %v", name, err)
				}
			})
		}
	}
}
