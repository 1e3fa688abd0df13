package text

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// A table of numbers and a series find the same in the same cells, and both what single cells say.
func TestColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 72))
	cells := []string{"1", "2", "3.5", "-4", "0", "nan", "NA", "n/a", "?", "inf", "V1", "left", "1e3", "0x1p4"}
	for range 200 {
		const rows, width = 9, 4
		table := &Table{File: "t.csv", Header: []string{"id", "", "b", "c"}}
		text := "id,,b,c\n"
		for i := range rows {
			fields := []string{fmt.Sprint("n", i)}
			for range width - 1 {
				fields = append(fields, cells[random.IntN(len(cells))])
			}
			table.Rows = append(table.Rows, Row{i + 2, fields})
			text += strings.Join(fields, ",") + "\n"
		}
		columns, err := table.Columns()
		k, wrong := sketchOf(newScanner("t.csv", text, layout{separator: ','}))
		if err != nil || wrong != nil || len(columns) != width || len(k.columns) != width {
			t.Fatalf("%v, %v", err, wrong)
		}
		for n, c := range columns {
			if c.Tally != k.columns[n].Tally {
				t.Fatalf("%+v, %+v in\n%s", c.Tally, k.columns[n].Tally, text)
			}
			numbers, words, line := 0, 0, 0
			for i, cell := range c.Cells {
				x, ok := input.Number(cell)
				if is := ok && x == x; is {
					numbers++
				} else if !multiplex.IsMissing(cell) {
					if words++; words == 1 {
						line = table.Rows[i].Line
					}
				}
				if v := c.Values[i]; v != x && ok && x == x || !math.IsNaN(v) && !ok {
					t.Fatalf("%q: %v", cell, v)
				}
			}
			if c.Numbers != numbers || c.Words != words || c.Line != line {
				t.Fatalf("%+v, not %d, %d, %d in\n%s", c.Tally, numbers, words, line, text)
			}
			if first, change := c.Change(); change >= 0 && (c.Cells[first] == c.Cells[change] || multiplex.IsMissing(c.Cells[change])) {
				t.Fatalf("%d, %d of %q", first, change, c.Cells)
			}
		}
	}
	one := func(cells ...string) *Column {
		table := &Table{}
		for i, cell := range cells {
			table.Rows = append(table.Rows, Row{i + 1, []string{cell}})
		}
		columns, _ := table.Columns()
		return columns[0]
	}
	first, change := one("NA", "1", "1.0", "", "2").Change()
	if first != 1 || change != 4 {
		t.Errorf("%d, %d", first, change)
	}
	if c := one("1", "", "3", "x", "2"); c.Fall() != 4 || c.Whole() || c.Name() != "column 1" || one("0", "2").Whole() != true || one("-1", "2").Whole() {
		t.Errorf("%+v", c)
	}
	if c := one("a", "b", "a"); c.Distinct() != 2 || !slices.Equal(c.Cells, []string{"a", "b", "a"}) {
		t.Errorf("%+v", c)
	}
	_, err := (&Table{File: "t.csv", Rows: []Row{{3, []string{"1", "2"}}, {4, []string{"1"}}}}).Columns()
	if want := "t.csv:4: found 1 column, expected 2 as in line 3"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
