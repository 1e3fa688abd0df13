package checkpoint

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"cadem.example/core/base/json"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/property"
)

// version is the format that is written. Format 1 kept Adam's moments as averages.
const version = 2

// A Change of a live option, made before step Step.
type Change struct {
	Step  int     `json:"step"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// A State is the state of a stopped run without its arrays.
type State struct {
	Options   map[string]any
	Seed      uint64
	Precision int // bits of a number
	Step      int
	Worse     int // epochs without progress
	Early     bool
	Changes   []Change
	Numbers   []float64 // any number of numbers, which come back with the same bits
	Ranks     []int     // of the consensus of every graph; nil if an early program kept none
}

type header struct {
	Version   int            `json:"version"`
	Options   map[string]any `json:"options"`
	Seed      uint64         `json:"seed,string"`
	Precision int            `json:"precision"`
	Step      int            `json:"step"`
	Bits      []uint64       `json:"bits"`
	Worse     int            `json:"worse"`
	Early     bool           `json:"early"`
	Changes   []Change       `json:"changes,omitempty"`
	Ranks     []int          `json:"ranks"`
	Shape     []int          `json:"shape"` // lengths of the arrays
}

func write[T kernel.Float](dst io.Writer, s *State, arrays []Array[T]) error {
	h := header{version, s.Options, s.Seed, s.Precision, s.Step, nil, s.Worse, s.Early, s.Changes, s.Ranks, nil}
	for _, x := range s.Numbers {
		h.Bits = append(h.Bits, math.Float64bits(x))
	}
	for _, a := range arrays {
		h.Shape = append(h.Shape, len(a.Here))
	}
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers, strings and bits only
	}
	return WriteFile(dst, text, arrays)
}

// A Checkpoint is one that was read through and found to be whole.
type Checkpoint struct {
	State
	header header
	file   *File
}

// Read reads a checkpoint through and sets the options, given as a pointer to their struct, to its own.
// Errors about it are [*Error]; others come from reading it.
func Read(stored Stored, options any) (*Checkpoint, error) {
	f, err := Open(stored)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{file: f}
	h := &c.header
	err = json.Unmarshal(f.Header, h)
	if h.Version > version {
		// Its header may not even parse here: what did, names the version.
		return nil, &Error{Newer: true, Reason: fmt.Sprintf("it was written by a newer version: format %d, this one reads up to %d", h.Version, version)}
	}
	if err != nil {
		return nil, &Error{Reason: fmt.Sprintf("its header cannot be read: %v", err)}
	}
	for _, name := range slices.Sorted(maps.Keys(h.Options)) {
		if err := property.Set(options, name, property.Text(h.Options[name])); err != nil {
			return nil, &Error{Reason: err.Error()}
		}
	}
	c.State = State{h.Options, h.Seed, h.Precision, h.Step, h.Worse, h.Early, h.Changes, nil, h.Ranks}
	for _, b := range h.Bits {
		c.Numbers = append(c.Numbers, math.Float64frombits(b))
	}
	return c, nil
}

// A Shape gives the sizes of a checkpoint for a run's options.
type Shape struct {
	Steps, Hidden, Dim int
	// A [State] has this many numbers, followed by two rows of losses.
	Single, Losses int
}

// Check returns an [*Error] if no run of this shape wrote the checkpoint. It comes before the run
// is made, so that a size that is only claimed allocates nothing.
func (c *Checkpoint) Check(s Shape) error {
	h, size := &c.header, c.file.Size()
	bad := func(format string, args ...any) error { return &Error{Reason: fmt.Sprintf(format, args...)} }
	switch {
	case h.Version < 1:
		return bad("it is of format %d, expected %d", h.Version, version)
	case h.Precision != 32 && h.Precision != 64:
		return bad("it is of a run in %d bits, expected 32 or 64", h.Precision)
	case h.Step < 0 || h.Step > s.Steps || h.Worse < 0 || h.Worse > h.Step:
		return bad("it was taken after step %d of %d, with %d epochs without progress", h.Step, s.Steps, h.Worse)
	case !c.widen(s.Single, s.Losses):
		return bad("it keeps %d numbers besides its arrays, expected %d: its loss had other terms", len(h.Bits), s.Single+2*s.Losses)
	}
	for _, rank := range h.Ranks {
		if rank < 0 || rank > s.Dim {
			return bad("its consensus has rank %d, expected 0 to %d", rank, s.Dim)
		}
	}
	each := h.Precision / 8
	for _, n := range h.Shape {
		if n < 0 || n > size/each {
			return bad("its arrays are not all there")
		}
		size -= n * each
	}
	// W2 of the first encoder comes after W1 and its two moments.
	if size != 0 || len(h.Shape) < 4 || h.Shape[0]%s.Hidden != 0 || h.Shape[3] != s.Hidden*s.Dim {
		return bad("its arrays do not have the sizes that its options give")
	}
	return nil
}

// widen puts zeros for terms of the loss that the writing program did not have: they come before
// the total, the last of a row.
func (c *Checkpoint) widen(single, losses int) bool {
	row := (len(c.Numbers) - single) / 2
	if row < 1 || row > losses || single+2*row != len(c.Numbers) {
		return false
	}
	numbers := make([]float64, single+2*losses)
	copy(numbers, c.Numbers[:single+row-1])
	copy(numbers[single+losses:], c.Numbers[single+row:single+2*row-1])
	numbers[single+losses-1], numbers[single+2*losses-1] = c.Numbers[single+row-1], c.Numbers[single+2*row-1]
	c.Numbers = numbers
	return true
}

// Arrays are the arrays of a run in either precision.
type Arrays interface {
	// Write writes a checkpoint with them. An error is one of dst.
	Write(dst io.Writer, s *State) error
	// Load fills the arrays of a run with that number of graphs. The error is an [*Error] if they do not fit; others come from reading.
	Load(c *Checkpoint, graphs int) error
}

// A List is the arrays in one precision.
type List[T kernel.Float] []Array[T]

func (l List[T]) Write(dst io.Writer, s *State) error { return write(dst, s, l) }

func (l List[T]) Load(c *Checkpoint, graphs int) error { return loadRun(c, l, graphs) }

// Add puts arrays of any length at the end of the list. They are not copied.
//
//go:noinline
func (l *List[T]) Add(list ...[]T) {
	for _, a := range list {
		*l = append(*l, Array[T]{Here: a})
	}
}

func loadRun[T kernel.Float](c *Checkpoint, arrays []Array[T], graphs int) error {
	h := &c.header
	fits := len(arrays) == len(h.Shape) && (h.Ranks == nil || len(h.Ranks) == graphs)
	for i := 0; fits && i < len(arrays); i++ {
		fits = len(arrays[i].Here) == h.Shape[i]
	}
	if !fits {
		return &Error{Reason: "the sizes of its weights do not fit: it belongs to another graph, or an earlier version of this program wrote it"}
	}
	if h.Ranks == nil {
		c.Ranks = make([]int, graphs)
	}
	if err := load(c.file, arrays); err != nil {
		return err
	}
	for _, a := range arrays {
		if h.Version == 1 && a.Moment != 0 {
			// The run goes on, to other last digits than its program gave.
			for k := range a.Here {
				a.Here[k] /= a.Moment
			}
		}
	}
	return nil
}
