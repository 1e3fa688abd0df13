package text

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
)

// isHeaded tells whether the first line of a table names the column of the nodes.
func isHeaded(text string) bool {
	line := strings.TrimLeft(firstLine(text), ",;\t ")
	first := input.Plain(line[:strings.IndexAny(line+",", ",;\t ")])
	return slices.Contains(idColumns, first) || slices.Contains(nameColumns, first)
}

// numericTable reads a table of numbers, with a header or without, as a matrix called after
// its file; nil if it is no such table. A first column that the header calls the id of a
// node is left out: rows stand for nodes in their order.
func numericTable(file, text string) *variable.Variable {
	separator := separatorOf(file, text)
	split := func(line string) []string {
		if separator == 0 {
			return strings.Fields(line)
		}
		return strings.Split(line, string(separator))
	}
	e := &variable.Entries{DType: variable.DType{Kind: 'f', Width: 8}, Packed: &input.Packed{}}
	var page []byte
	rows, cols, skip := 0, 0, 0
	first := true
	for line := range strings.Lines(text) {
		if input.IsComment(line) {
			continue
		}
		fields := split(strings.TrimRight(line, "\r\n"))
		if first {
			first = false
			cols = len(fields)
			_, err := strconv.ParseFloat(strings.Trim(fields[cols-1], " \""), 64)
			if err != nil {
				if slices.Contains(idColumns, input.Plain(fields[0])) {
					skip = 1
				}
				continue
			}
		}
		if len(fields) != cols {
			return nil
		}
		for _, f := range fields[skip:] {
			x, err := strconv.ParseFloat(strings.Trim(f, " \""), 64)
			if err != nil && !math.IsInf(x, 0) {
				return nil
			}
			page = binary.LittleEndian.AppendUint64(page, math.Float64bits(x))
			if len(page) == input.PageSize {
				e.Add(page)
				page = page[:0]
			}
			e.N++
		}
		rows++
	}
	if len(page) > 0 {
		e.Add(page)
	}
	if rows == 0 || cols <= skip {
		return nil
	}
	return variable.NewDense(file, input.Stem(file), []int{rows, cols - skip}, false, e)
}
