package formats

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
)

// isHeaded tells whether the first line of a table names the column of the nodes.
func isHeaded(text string) bool {
	line := strings.TrimLeft(firstLine(text), ",;\t ")
	first := plain(line[:strings.IndexAny(line+",", ",;\t ")])
	return slices.Contains(idColumns, first) || slices.Contains(nameColumns, first)
}

// numericTable reads a table of numbers, with a header or without, as a matrix called after
// its file; nil if it is no such table. A first column that the header calls the id of a
// node is left out: rows stand for nodes in their order.
func numericTable(file, text string) *Variable {
	separator := separatorOf(file, text)
	split := func(line string) []string {
		if separator == 0 {
			return strings.Fields(line)
		}
		return strings.Split(line, string(separator))
	}
	e := &entries{dtype: dtype{kind: 'f', width: 8}, packed: &packed{}}
	var page []byte
	rows, cols, skip := 0, 0, 0
	first := true
	for line := range strings.Lines(text) {
		if isComment(line) {
			continue
		}
		fields := split(strings.TrimRight(line, "\r\n"))
		if first {
			first = false
			cols = len(fields)
			_, err := strconv.ParseFloat(strings.Trim(fields[cols-1], " \""), 64)
			if err != nil {
				if slices.Contains(idColumns, plain(fields[0])) {
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
			if len(page) == pageSize {
				e.add(page)
				page = page[:0]
			}
			e.n++
		}
		rows++
	}
	if len(page) > 0 {
		e.add(page)
	}
	if rows == 0 || cols <= skip {
		return nil
	}
	return denseVariable(file, stem(file), []int{rows, cols - skip}, false, e)
}
