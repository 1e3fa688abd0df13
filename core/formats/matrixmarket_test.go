package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/internal/formatstest"
)

// marketMatrix lists the entries of the matrix that a text holds, those of one place added.
func marketMatrix(t *testing.T, text string) (v *Variable, entries string) {
	t.Helper()
	c, err := Read([]File{{Name: "a.mtx", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	v = c.Variables[0]
	a, err := v.Matrix(v.Rows(), v.Cols())
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i := range a.Rows {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			x := 1.0
			if a.Value != nil {
				x = a.Value[k]
			}
			list = append(list, fmt.Sprintf("%d-%d:%g", i, a.Index[k], x))
		}
	}
	return v, strings.Join(list, " ")
}

// Formats, fields and symmetries described at math.nist.gov/MatrixMarket/formats.html.
func TestMatrixMarket(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"coordinate", "%%MatrixMarket matrix coordinate real general\n% by hand\n\n3 4 3\n1 1 1.5\n% between\n2 4 -2e-1\n3 2 1D+1\n",
			"sparse [3 4] float64 0-0:1.5 1-3:-0.2 2-1:10"},
		{"twice", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 1\n1 2 2.5\n2 1 1\n", "sparse [2 2] float64 0-1:3.5 1-0:1"},
		{"zeros", "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 0\n2 1 3\n", "sparse [2 2] int64 1-0:3"},
		{"pattern", "%%matrixmarket Matrix Coordinate Pattern Symmetric\r\n3 3 3\r\n2 1\r\n2 1\r\n3 3\r\n", "sparse [3 3] bool 0-1:1 1-0:1 2-2:1"},
		{"symmetric", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 4\n2 1 5\n3 2 6\n", "sparse [3 3] int64 0-0:4 0-1:5 1-0:5 1-2:6 2-1:6"},
		{"upper", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 7\n", "sparse [2 2] float64 0-1:7 1-0:7"},
		{"skew", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n", "sparse [2 2] float64 0-1:-5 1-0:5"},
		{"hermitian", "%%MatrixMarket matrix coordinate real hermitian\n2 2 1\n2 1 5\n", "sparse [2 2] float64 0-1:5 1-0:5"},
		{"array", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5\n6\n", "dense [2 3] float64 0-0:1 0-2:5 1-0:2 1-1:4 1-2:6"},
		{"array, symmetric", "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
			"dense [3 3] int64 0-0:1 0-1:2 0-2:3 1-0:2 1-1:4 1-2:5 2-0:3 2-1:5 2-2:6"},
		{"array, skew", "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
			"dense [3 3] float64 0-1:-1 0-2:-2 1-0:1 1-2:-3 2-0:2 2-1:3"},
	} {
		v, got := marketMatrix(t, c.text)
		if got = fmt.Sprint(v.Form, " ", v.Shape, " ", v.Type, " ", got); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The line of sizes is not an edge, a square matrix is a layer, and another one holds features.
func TestMatrixMarketGraph(t *testing.T) {
	files := []File{
		fileOf("work.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n4 4 3\n2 1 1\n3 1 2\n4 3 9\n"),
		{Name: "lunch.mtx.gz", Data: formatstest.Gzip(t, []byte("%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n2 1\n"))},
		fileOf("words.mtx", "%%MatrixMarket matrix coordinate real general\n4 5 3\n1 5 1\n2 1 1\n4 2 3\n"),
	}
	g, r, err := openChoice(files, Choice{Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Layers) != 2 || r.Layers[1].Name != "work" || r.Layers[1].Edges != 3 || r.Layers[1].SelfLoops != 0 || r.Layers[0].Edges != 1 {
		t.Errorf("%+v", r.Layers)
	}
	if a := g.Layers[1].Adjacency; !slices.Equal(a.Index, []int32{1, 2, 0, 0, 3, 2}) || !slices.Equal(a.Value, []float64{1, 2, 1, 2, 9, 9}) {
		t.Errorf("%+v", a)
	}
	if x := g.Layers[0].Features; x.Rows != 4 || x.Cols != 5 || !slices.Equal(x.Sparse.Index, []int32{4, 0, 1}) {
		t.Errorf("%+v", x)
	}
}

func TestBadMatrixMarkets(t *testing.T) {
	const coordinate = "%%MatrixMarket matrix coordinate real general\n"
	for text, want := range map[string]string{
		"%%MatrixMarket matrix coordinate real\n": `1: header: found "%%MatrixMarket matrix coordinate real", expected ` +
			"%%MatrixMarket matrix coordinate real general, " +
			"or the like",
		"%%MatrixMarket matrix coordinate complex general\n1 1 0\n": `1: header: found entries of type "complex", expected real, integer or pattern`,
		"%%MatrixMarket matrix array pattern general\n1 1\n1\n": "1: header: found a pattern that is array and general, expected a pattern in " +
			"coordinate format, general or symmetric",
		coordinate:                           `1: sizes: found "", expected rows, columns and entries, three whole numbers`,
		coordinate + "2 2\n":                 `2: sizes: found "2 2", expected rows, columns and entries, three whole numbers`,
		coordinate + "2 2 1\n0 1 1\n":        `3: found row "0", column "1", expected rows from 1 to 2 and columns from 1 to 2`,
		coordinate + "2 2 1\n1 3 1\n":        `3: found row "1", column "3", expected rows from 1 to 2 and columns from 1 to 2`,
		coordinate + "2 2 2\n% x\n1 2 1\n":   "4: found an end after 1 of 2 entries, expected as many as the sizes tell: the file is cut off",
		coordinate + "2 2 1\n1 2 1\n2 1 1\n": "4: found more entries than the sizes tell, expected 1",
		coordinate + "2 2 1\n1 2\n":          `3: found "1 2", expected row, column and value`,
		coordinate + "2 2 1\n1 2 x\n":        `3: found "x", expected a number`,
		"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 .5\n": `3: found ".5", expected a whole number`,
		"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n":          "2: sizes: found 2 x 3 of a symmetric matrix, expected as many rows as columns",
		"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n1 3 1\n": "4: found row 1, column 3 on the other side of the diagonal, expected " +
			`entries on one side, which stand for both; or "general" in the first line`,
		"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n": "3: found an entry of row 2 and column 2, expected none on the diagonal " +
			"of a skew-symmetric matrix",
		"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n5\n": "7: found more entries than the sizes tell, expected 4",
	} {
		_, err := Read([]File{fileOf("a.mtx", text)})
		formatstest.CheckError(t, err, "a.mtx:"+want)
	}
}

// Sizes that are only claimed take no memory.
func TestMatrixMarketBomb(t *testing.T) {
	text := "%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n"
	frugal.Check(t, len(text), func() {
		if _, err := Read([]File{fileOf("a.mtx", text)}); err == nil {
			t.Error("it was read")
		}
	})
}

// FuzzMatrixMarket reads any text behind the words of a header.
func FuzzMatrixMarket(f *testing.F) {
	f.Add("coordinate real general", "3 4 3\n1 1 1.5\n% x\n2 4 -2\n3 2 1D+1\n")
	f.Add("coordinate pattern symmetric", "3 3 2\n2 1\n3 3\n")
	f.Add("array integer skew-symmetric", "3 3\n1\n2\n3\n")
	f.Fuzz(func(t *testing.T, header, body string) {
		use(t, "a.mtx", []byte("%%MatrixMarket matrix "+header+"\n"+body))
	})
}
