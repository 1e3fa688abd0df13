package input

// Limits in a tab, whose memory ends at 4 GB and never shrinks.
const (
	MaxText   = 64 << 20 // bytes of a text file
	MaxListed = MaxNodes // nodes of lists of links, and of tables of nodes

	// Natively ends messages of these limits.
	Natively = "; the command line takes more"
)
