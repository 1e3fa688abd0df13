//go:build !wasm

package input

// Limits natively, where a machine has the memory that it has.
const (
	MaxText   = 512 << 20  // bytes of a text file
	MaxListed = 10_000_000 // nodes of lists of links, and of tables of nodes

	// Natively ends messages of these limits.
	Natively = ""
)

func whyNoLonger(int64) string { return "" }
