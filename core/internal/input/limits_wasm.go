package input

import "fmt"

// Limits in a tab, whose memory ends at 4 GB and never shrinks.
const (
	MaxText   = 64 << 20 // bytes of a text file
	MaxListed = MaxNodes // nodes of lists of links, and of tables of nodes

	// Natively ends messages of these limits.
	Natively = "; the command line takes more: cadem train -data FILES"

	heldPerByte = 8 // of memory, of a list while it is read: a column of the large graphs in BENCHMARKS.md
)

// whyNoLonger says what it would take to read a text of that many bytes.
func whyNoLonger(size int64) string {
	if size <= MaxText { // packed, or not known
		return ""
	}
	return fmt.Sprintf(", since reading takes some %d times as much memory, here %s", heldPerByte, Size(heldPerByte*size))
}
