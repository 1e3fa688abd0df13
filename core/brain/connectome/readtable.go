package connectome

import (
	"fmt"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
)

// readSheet reads a table of text. Layouts of other programs become the tables that they are.
func readSheet(f formats.File) (*formats.Table, error) {
	t, err := formats.ReadTable(f)
	if err != nil {
		return nil, err
	}
	if isNetCC(t.Above) {
		return netCC(f)
	}
	for _, shape := range shapes {
		if regions := shaped(t, shape); regions != nil {
			return regions, nil
		}
	}
	return t, nil
}

// isNetCC reports whether comments begin a file of 3dNetCorr of AFNI: "# 40  # Number of network ROIs".
func isNetCC(comments []string) bool {
	return len(comments) > 1 && strings.Contains(comments[0], "Number of network ROIs") && strings.Contains(comments[1], "Number of netcc matrices")
}

// netCC returns the matrix CC, Pearson correlation, of such a file; its rows and columns have the names, or the numbers, of
// the regions.
func netCC(f formats.File) (*formats.Table, error) {
	bad := func(line int, found, expected string) (*formats.Table, error) {
		return nil, diag.At(f.Name, line, "", found, expected)
	}
	t := &formats.Table{File: f.Name}
	var matrices []string
	regions, line := 0, 0
	for text := range strings.Lines(string(f.Data)) {
		fields := strings.Fields(text)
		if line++; len(fields) == 0 {
			continue
		}
		if fields[0] == "#" {
			switch {
			case regions == 0 && len(fields) > 1:
				n, err := strconv.Atoi(fields[1])
				if err != nil || n < 2 || n > len(f.Data) {
					return bad(line, strconv.Quote(strings.TrimSpace(text)), "the number of regions, at least 2")
				}
				regions = n
			case len(fields) == 2 && fields[1] != "WITH_ROI_LABELS":
				matrices = append(matrices, fields[1])
			}
			continue
		}
		if matrices == nil && t.Header == nil { // names first, if any, then numbers
			t.Header = append([]string{"ROI"}, fields...)
		}
		if matrices == nil || matrices[len(matrices)-1] != "CC" {
			continue
		}
		if len(fields) != regions || len(t.Header) != regions+1 || len(t.Rows) == regions {
			return bad(line, fmt.Sprintf("line %d of CC with %d values, for %d names", len(t.Rows)+1, len(fields), max(len(t.Header)-1, 0)),
				fmt.Sprintf("%d lines of %d values, a name each", regions, regions))
		}
		t.Rows = append(t.Rows, formats.Row{Line: line, Fields: append([]string{""}, fields...)})
	}
	if len(t.Rows) != regions {
		return bad(0, fmt.Sprintf("%d rows of the matrix CC among %s", len(t.Rows), formats.List(matrices, 20)), fmt.Sprintf("%d: 3dNetCorr writes them", regions))
	}
	// As names, also where they are numbers.
	for k := range t.Rows {
		name := t.Header[k+1]
		if !isWord(name) {
			name = "ROI " + name
		}
		t.Header[k+1], t.Rows[k].Fields[0] = name, name
	}
	return t, nil
}
