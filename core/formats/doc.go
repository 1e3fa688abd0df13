// Package formats reads and writes the files of CaDeM: multiplex edge lists with their
// layer, node and label files, NPY and NPZ arrays, CSV tables and the run archive.
//
// An edge list has one edge a line, "layerID nodeID nodeID weight". Beside it may come
// a layer file ("layerID layerLabel"), a node file ("nodeID nodeLabel ...") and files
// of labels. [Open] tells them apart and puts them together:
//
//	g, report, err := formats.Open([]formats.File{
//		{Name: "office_multiplex.edges", Data: edges},
//		{Name: "office_nodes.txt", Data: nodes},
//		{Name: "labels.csv", Data: labels},
//	})
//
// [ReadCIFTI] and [ReadGIFTI] read what neuroimaging writes: matrices over regions, vertices
// and voxels, and surfaces.
//
// Every file is taken for hostile: a reader returns an [*Error] that names file, line
// and field, allocates in proportion to the bytes it was really given, never to a
// size that a file claims, and does not panic.
package formats

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of what is read. A file beyond them is refused with a message.
const (
	MaxText    = 64 << 20 // bytes of a text file
	MaxNodes   = 100_000  // nodes of an edge list
	MaxLayers  = 256      // layers of an edge list
	MaxColumns = 256      // columns of a table of nodes or labels
	MaxWidth   = 1 << 20  // columns of a matrix, which may be told of few entries
	MaxArrays  = 1 << 30  // bytes of all arrays of an NPZ file, unpacked
	MaxArchive = 1 << 30  // bytes of all members of a run archive, unpacked
	MaxFile    = 1 << 31  // bytes of a file of arrays, as stored and unpacked
	maxNamed   = 4096     // variables of a file
	maxDepth   = 8        // levels of variables inside of variables
)

// MaxWeight is the largest edge weight; 1/MaxWeight is the smallest but 0. Degrees and
// their products then stay finite in single precision.
const MaxWeight = 1e12

// An Error says what is wrong with a file and what was expected.
type Error struct {
	File     string // "" when there is no single one
	Line     int    // from 1; 0 when there is none
	Field    string // column, header entry or part; "" when it is the file as a whole
	Found    string // quoted when it is text of the file
	Expected string
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	if e.Field != "" {
		b.WriteString(clip(e.Field) + ": ")
	}
	return b.String() + "found " + e.Found + ", expected " + e.Expected
}

// clip returns a name of a file, such as that of a layer, cut when it is long.
func clip(s string) string {
	const most = 80
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s[:min(len(s), 4*most)])[:most]) + "…"
}

// quote returns text of a file fit for a message: quoted, and cut when it is long.
func quote(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		return strconv.Quote(string([]rune(s[:min(len(s), 4*most)])[:most])+"…") + fmt.Sprintf(" (%d characters)", utf8.RuneCountInString(s))
	}
	return strconv.Quote(s)
}

// count returns "1 node", "2 nodes".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
