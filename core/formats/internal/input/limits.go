// Package input reads files that are taken for hostile: within limits, counting what is kept in
// memory against the bytes that were really read, and with errors that say file, line and field.
// It also knows what kind of file bytes are, and unpacks zip and gzip.
package input

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
	MaxNamed   = 4096     // variables of a file
	MaxDepth   = 8        // levels of variables inside of variables
)

// MaxWeight is the largest edge weight; 1/MaxWeight is the smallest but 0. Degrees and
// their products then stay finite in single precision.
const MaxWeight = 1e12
