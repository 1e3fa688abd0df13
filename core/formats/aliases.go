package formats

import (
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/text"
	"cadem.example/core/internal/variable"
)

// Files, and errors in them.
type (
	// A File is a named file to read.
	File = input.File
)

// Limits of reading. A file beyond them is refused with a message.
const (
	MaxFile   = input.MaxFile   // bytes of a file of arrays, as stored and unpacked
	MaxText   = input.MaxText   // bytes of a text file, here
	MaxListed = input.MaxListed // nodes of lists of links, here
)

// Kinds of files by how they begin.
type (
	// A FileKind is the kind of a file by how it begins, whether anything here reads it or not.
	FileKind = input.FileKind
	// A Use says what files of a kind are read for.
	Use = input.Use
)

const (
	ForNothing = input.ForNothing
	ForGraph   = input.ForGraph   // [Read]
	ForBrain   = input.ForBrain   // imaging.ReadCIFTI
	ForSurface = input.ForSurface // imaging.ReadGIFTI

	HeadSize = input.HeadSize // how much of a file [Identify] looks at
)

// Identify says what a file of n bytes is from its first [HeadSize] bytes; 0 is a size that is
// not known.
func Identify(head []byte, n int64) FileKind { return input.Identify(head, n) }

// Number reads a number of a text, infinity and NaN among them, and reports whether it is one.
func Number(s string) (float64, bool) { return input.Number(s) }

// Plain returns the form of a title used for comparison: lower case letters and digits only.
func Plain(title string) string { return input.Plain(title) }

// List lists names in words, quoted: at most that number of them, and how many more there are.
func List(names []string, most int) string { return input.List(names, most) }

// Contents of arrays and matrices.
type (
	// A Variable is something that a file holds and that has a name.
	Variable = variable.Variable
	// A Form says how a variable is stored.
	Form = variable.Form
)

const (
	Dense  = variable.Dense  // every entry of an array
	Sparse = variable.Sparse // the entries of a matrix that are not zero
	Links  = variable.Links  // pairs of nodes; the number of nodes is known from elsewhere
	Text   = variable.Text   // words
	Other  = variable.Other  // what cannot be used here
)

// Reports on reading.
type (
	// A Report says what was read and how it was used.
	Report = text.Report
	// A FileReport says what a file was taken for.
	FileReport = text.FileReport
	// A LayerReport counts what was read for a layer and the result.
	LayerReport = text.LayerReport
	// A Question asks about columns of an edge list that are ambiguous.
	Question = text.Question
	// A Direction says how the edges of a layer were stored.
	Direction = text.Direction
)

// Arrays is the kind of a file of variables in a [FileReport].
const Arrays = text.Arrays

// How the edges of a layer were stored, in a [LayerReport] and in [LayerCounts].
const (
	OneWay   = text.OneWay   // no pair in both directions: taken as undirected, each edge stored once
	BothWays = text.BothWays // every pair in both directions with one weight: undirected, each edge stored twice
	Directed = text.Directed // some pairs in both directions: made undirected
)

// Tables of text.
type (
	// A Table is a text file of rows and columns, separated by commas, semicolons, tabs or blanks.
	Table = text.Table
	// A Row is a row of a [Table].
	Row = text.Row
	// A Column is a column of a [Table].
	Column = text.Column
)

// ReadTable reads a text file of rows and columns. Its first row is a header if none of its
// fields is a number and the file goes on; rows may differ in length. The error is a [*diag.Error].
func ReadTable(f File) (*Table, error) { return text.ReadTable(f) }

// Values reads the numbers of cells; NaN where there is none.
func Values(cells []string) []float64 { return text.Values(cells) }

// Fields cuts a line as tables are cut.
func Fields(line string) []string { return text.Fields(line) }

// Compose has names compared in the form NFC that by returns. Each program gives what it has for that, before it reads files.
func Compose(by func(text string) string) { input.Composed = by }
