package cadem

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"cadem/core/cadem/internal/checkpoint"
	"cadem/core/json"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// A checkpoint keeps the parameters and moments of every encoder and head, then the consensus of
// every graph, or the U it is taken from where no step visits the nodes. What a run draws
// depends on the seed and the step, so that no generator state is stored.
const checkpointVersion = 2

// ErrCheckpoint tells why a checkpoint cannot be used.
type ErrCheckpoint = checkpoint.Error

// Stored is the bytes of a checkpoint, wherever they lie.
type Stored = checkpoint.Stored

type checkpointHeader struct {
	Version   int            `json:"version"`
	Options   map[string]any `json:"options"`
	Seed      uint64         `json:"seed,string"`
	Precision Precision      `json:"precision"`
	Step      int            `json:"step"`
	// Numbers that must come back with the same bits, as bits: the powers of the Adam
	// corrections, the best total, and two sets of losses.
	Bits    []uint64 `json:"bits"`
	Worse   int      `json:"worse"`
	Early   bool     `json:"early"`
	Changes []Change `json:"changes,omitempty"`
	Ranks   []int    `json:"ranks"` // of the consensus of every graph
	Shape   []int    `json:"shape"` // lengths of the arrays
}

// arrays lists everything that a step changes, in the order of the file.
func (r *run[T]) arrays() []checkpoint.Array[T] {
	var all []checkpoint.Array[T]
	add := func(list ...[]T) {
		for _, a := range list {
			all = append(all, checkpoint.Array[T]{N: len(a), Here: a})
		}
	}
	for l, pair := range r.enc {
		e := pair[0]
		add(e.w1, e.m1, e.v1, e.w2, e.m2, e.v2, e.b, e.mb, e.vb)
		e = pair[private]
		w1, w2 := e.f*e.h, e.h*e.d
		all = append(all, r.private.Arrays(l, []int{w1, w1, w1, w2, w2, w2})...)
		add(e.b, e.mb, e.vb)
	}
	for _, p := range []*head[T]{r.phi, r.psi} {
		add(p.w, p.m, p.v, p.b, p.mb, p.vb)
	}
	for _, it := range r.members {
		add(it.consensus.State())
	}
	return all
}

// sumMoments turns the moments of a checkpoint of format 1, averages, into the sums that they
// are now (see [kernel.AdamRate]). The run goes on, to other last digits than its program gave.
func (r *run[T]) sumMoments() {
	// Of the arrays of encoders and heads, every second and third of three are moments.
	for i, a := range r.arrays()[:len(r.enc)*2*9+2*6] {
		for k := range a.Here {
			switch i % 3 {
			case 1:
				a.Here[k] /= T(1 - beta1)
			case 2:
				a.Here[k] /= T(1 - beta2)
			}
		}
	}
}

// numbers lists what the header keeps as bits.
func (r *run[T]) numbers() []*float64 {
	losses, first := r.losses.fields(), r.first.fields()
	return slices.Concat([]*float64{&r.pow1, &r.pow2, &r.best}, losses[:], first[:])
}

func (r *run[T]) Checkpoint() []byte {
	var b bytes.Buffer
	if err := r.WriteCheckpoint(&b); err != nil {
		panic(err) // memory takes all that is written
	}
	return b.Bytes()
}

func (r *run[T]) WriteCheckpoint(dst io.Writer) error {
	h := checkpointHeader{Version: checkpointVersion, Options: property.Values(&r.o), Seed: r.seed, Precision: r.precision,
		Step: r.step, Worse: r.worse, Early: r.early, Changes: r.changes}
	for _, x := range r.numbers() {
		h.Bits = append(h.Bits, math.Float64bits(*x))
	}
	for _, it := range r.members {
		h.Ranks = append(h.Ranks, it.consensus.Rank())
	}
	arrays := r.arrays()
	for _, a := range arrays {
		h.Shape = append(h.Shape, a.N)
	}
	header, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers, strings and bits only
	}
	return checkpoint.Write(dst, header, arrays)
}

// A Checkpoint is one that was found to be whole and to be what some run wrote.
type Checkpoint struct {
	// Of its run.
	Options   Options
	Seed      uint64
	Precision Precision
	Step      int // it was taken after; 0 before the first

	header checkpointHeader
	file   *checkpoint.File
}

// Resume returns a run that goes on where the checkpoint was taken and ends with the bits
// of one that was never interrupted. The graphs must be those of the run. Errors about the
// checkpoint are [*ErrCheckpoint]; others come from reading it.
func (c *Checkpoint) Resume(graphs []*multiplex.Graph) (Trainer, error) {
	t, err := New(graphs, c.Options, c.Seed, c.Precision)
	if err != nil {
		return nil, err
	}
	if err := t.(loader).load(c); err != nil {
		return nil, err
	}
	return t, nil
}

// OpenCheckpoint reads a checkpoint through and finds out what it is of. Errors about it are
// [*ErrCheckpoint].
func OpenCheckpoint(stored Stored) (*Checkpoint, error) {
	bad := func(format string, args ...any) (*Checkpoint, error) {
		return nil, &ErrCheckpoint{Reason: fmt.Sprintf(format, args...)}
	}
	file, err := checkpoint.Open(stored)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{Options: Released(), file: file}
	h := &c.header
	err = json.Unmarshal(file.Header, h)
	if h.Version > checkpointVersion {
		// Its header may not even parse here: what did, names the version.
		return nil,
			&ErrCheckpoint{Newer: true, Reason: fmt.Sprintf("it was written by a newer version: format %d, this one reads up to %d", h.Version, checkpointVersion)}
	}
	if err != nil {
		return bad("its header cannot be read: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(h.Options)) {
		if err := property.Set(&c.Options, name, property.Text(h.Options[name])); err != nil {
			return bad("%v", err)
		}
	}
	c.Seed, c.Precision, c.Step = h.Seed, h.Precision, h.Step
	if err := c.Options.Check(); err != nil { // one option may be at odds with another
		return bad("%v", err)
	}
	if reason := h.check(&c.Options, file.Size()); reason != "" {
		return bad("%s", reason)
	}
	return c, nil
}

// check returns why no run with these options wrote the header before so many bytes of
// arrays; "" if one may have. It comes before the run is made, so that a size that is only
// claimed allocates nothing.
func (h *checkpointHeader) check(o *Options, size int) string {
	switch {
	case h.Version < 1:
		return fmt.Sprintf("it is of format %d, expected %d", h.Version, checkpointVersion)
	case h.Precision != Single && h.Precision != Double:
		return fmt.Sprintf("it is of a run in %d bits, expected %d or %d", h.Precision, Single, Double)
	case h.Step < 0 || h.Step > o.Epochs*o.InnerSteps || h.Worse < 0 || h.Worse > h.Step:
		return fmt.Sprintf("it was taken after step %d of %d, with %d epochs without progress", h.Step, o.Epochs*o.InnerSteps, h.Worse)
	case len(h.Bits) != 3+2*len(Terms):
		return fmt.Sprintf("it keeps %d numbers besides its arrays, expected %d: its loss had other terms", len(h.Bits), 3+2*len(Terms))
	}
	for _, rank := range h.Ranks {
		if rank < 0 || rank > o.Dim {
			return fmt.Sprintf("its consensus has rank %d, expected 0 to %d", rank, o.Dim)
		}
	}
	each := int(h.Precision) / 8
	for _, n := range h.Shape {
		if n < 0 || n > size/each {
			return "its arrays are not all there"
		}
		size -= n * each
	}
	// W2 of the first encoder comes after W1 and its two moments.
	if size != 0 || len(h.Shape) < 4 || h.Shape[0]%o.Hidden != 0 || h.Shape[3] != o.Hidden*o.Dim {
		return "its arrays do not have the sizes that its options give"
	}
	return ""
}

// A loader is a run of either precision.
type loader interface {
	load(c *Checkpoint) error
}

// load takes over the state that a checkpoint holds.
func (r *run[T]) load(c *Checkpoint) error {
	h, arrays := &c.header, r.arrays()
	fits := len(arrays) == len(h.Shape) && (h.Ranks == nil || len(h.Ranks) == len(r.members))
	for i := 0; fits && i < len(arrays); i++ {
		fits = arrays[i].N == h.Shape[i]
	}
	if !fits {
		return &ErrCheckpoint{Reason: "the sizes of its weights do not fit: it belongs to another graph, or an earlier version of this program wrote it"}
	}
	if err := checkpoint.Load(c.file, arrays); err != nil {
		return err
	}
	if h.Version == 1 {
		r.sumMoments()
	}
	for i, x := range r.numbers() {
		*x = math.Float64frombits(h.Bits[i])
	}
	r.step, r.worse, r.early, r.changes = h.Step, h.Worse, h.Early, h.Changes
	for _, pair := range r.enc {
		for _, e := range pair {
			e.refresh()
		}
	}
	for i, it := range r.members {
		rank := 0
		if h.Ranks != nil {
			rank = h.Ranks[i]
		}
		it.consensus.Restore(rank, r.step > 0)
	}
	return nil
}
