package export

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/multiplex"
)

// FuzzCSV writes names and numbers as a table. It reads back the same, and no cell of it begins as formulas do.
func FuzzCSV(f *testing.F) {
	for _, s := range hard {
		f.Add(s, "group", s, "common", .1, true)
	}
	f.Add("\r\n=1", "\t@x", "-2+3", "+e", math.Inf(-1), false)
	f.Add("", "", "", "", math.NaN(), true)
	f.Add("a;=1", "b\t@x", "c|+d;\"=e\"", "f; -g", 1., false)
	f.Fuzz(func(t *testing.T, name, set, class, embedding string, x float64, single bool) {
		if single {
			x = float64(float32(x))
		}
		g := named(t, []string{name, class}, multiplex.LabelSet{Name: set, Classes: []string{class}, Of: []int{0, multiplex.Missing}})
		var b bytes.Buffer
		frugal.Check(t, len(name)+len(set)+len(class)+len(embedding), func() {
			if err := WriteCSV(&b, g, []Embedding{{Name: embedding, Cols: 1, Values: []float64{x, -x}, Single: single}}); err != nil {
				t.Fatal(err)
			}
		})
		written := b.String()
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		// Any separator of cells, with or without a sense of quotation marks.
		cells := slices.Concat(rows...)
		for _, separator := range ",;|\t" {
			cells = append(cells, strings.FieldsFunc(written, func(r rune) bool { return strings.ContainsRune("\r\n", r) || r == separator })...)
		}
		for _, cell := range cells {
			cell = strings.Trim(cell, ` "`)
			first := strings.ContainsAny(cell[:min(len(cell), 1)], "=+-@")
			if _, err := strconv.ParseFloat(cell, 64); first && err != nil {
				t.Errorf("a cell that spreadsheets run: %q", cell)
			}
		}
		text := func(s string) string { return strings.ReplaceAll(Cell(s), "\r\n", "\n") } // as tables are read everywhere
		want := [][]string{{"node", "name", text(set), text(embedding + "_1")}, {"0", text(name), text(class)}, {"1", text(class), ""}}
		for i, sign := range []float64{1, -1} {
			bits := 64
			if single {
				bits = 32
			}
			got, err := strconv.ParseFloat(rows[i+1][3], bits)
			if math.Float64bits(got) != math.Float64bits(sign*x) && !(math.IsNaN(got) && math.IsNaN(x)) || err != nil {
				t.Errorf("%v is written %q", sign*x, rows[i+1][3])
			}
			rows[i+1] = rows[i+1][:3]
		}
		if !slices.EqualFunc(rows, want, slices.Equal[[]string]) {
			t.Errorf("%q reads %q, want %q", b.String(), rows, want)
		}
	})
}
