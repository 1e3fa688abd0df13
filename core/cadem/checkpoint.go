package cadem

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"cadem/core/json"
	"cadem/core/kernel"
	"cadem/core/multiplex"
	"cadem/core/property"
)

// A checkpoint is, little-endian: the magic word, the length of the header (uint32), the
// header (JSON), the arrays (parameters and moments of every encoder and head, then the
// consensus of every graph, or the U it is taken from where no step visits the nodes), and the checksum of all before it (uint64). What a run draws
// depends on the seed and the step, so that no generator state is stored.
const (
	magic             = "CaDeMck\x01"
	checkpointVersion = 2
)

// ErrCheckpoint tells why a checkpoint cannot be used.
type ErrCheckpoint struct {
	Reason string
	Newer  bool // written by a later version of the program
}

func (e *ErrCheckpoint) Error() string { return "checkpoint: " + e.Reason }

type checkpointHeader struct {
	Version   int            `json:"version"`
	Options   map[string]any `json:"options"`
	Seed      uint64         `json:"seed,string"`
	Precision Precision      `json:"precision"`
	Step      int            `json:"step"`
	// Numbers that must come back with the same bits, as bits: the powers of the Adam
	// corrections, the best total, and two sets of losses.
	Bits    [11]uint64 `json:"bits"`
	Worse   int        `json:"worse"`
	Early   bool       `json:"early"`
	Changes []Change   `json:"changes,omitempty"`
	Ranks   []int      `json:"ranks"` // of the consensus of every graph
	Shape   []int      `json:"shape"` // lengths of the arrays
}

// arrays lists everything that a step changes, in the order of the file.
func (r *run[T]) arrays() [][]T {
	var a [][]T
	for _, pair := range r.enc {
		for _, e := range pair {
			a = append(a, e.w1, e.m1, e.v1, e.w2, e.m2, e.v2, e.b, e.mb, e.vb)
		}
	}
	for _, p := range []*head[T]{r.phi, r.psi} {
		a = append(a, p.w, p.m, p.v, p.b, p.mb, p.vb)
	}
	for _, it := range r.members {
		a = append(a, it.state())
	}
	return a
}

// sumMoments turns the moments of a checkpoint of format 1, averages, into the sums that they
// are now (see [kernel.AdamRate]). The run goes on, to other last digits than its program gave.
func (r *run[T]) sumMoments() {
	// Of the arrays of encoders and heads, every second and third of three are moments.
	for i, a := range r.arrays()[:len(r.enc)*2*9+2*6] {
		for k := range a {
			switch i % 3 {
			case 1:
				a[k] /= T(1 - beta1)
			case 2:
				a[k] /= T(1 - beta2)
			}
		}
	}
}

func (l *Losses) fields() []*float64 {
	return []*float64{&l.Matching, &l.SelfSupervised, &l.Causal, &l.Total}
}

// numbers lists what the header keeps as bits.
func (r *run[T]) numbers() []*float64 {
	return append(append([]*float64{&r.pow1, &r.pow2, &r.best}, r.losses.fields()...), r.first.fields()...)
}

// checksum is FNV-1a over words of 8 bytes, the last one padded with zeros, and the length.
// A changed word always changes it: each round is a bijection. It costs less than a CRC,
// once a second over many megabytes between two steps.
func checksum(b []byte) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037) ^ uint64(len(b))
	for ; len(b) >= 32; b = b[32:] { // four words a turn: turns are dear in WebAssembly
		w := (*[32]byte)(b)
		h = (h ^ binary.LittleEndian.Uint64(w[:8])) * prime
		h = (h ^ binary.LittleEndian.Uint64(w[8:16])) * prime
		h = (h ^ binary.LittleEndian.Uint64(w[16:24])) * prime
		h = (h ^ binary.LittleEndian.Uint64(w[24:])) * prime
	}
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
	}
	var tail [8]byte
	copy(tail[:], b)
	return (h ^ binary.LittleEndian.Uint64(tail[:])) * prime
}

func (r *run[T]) Checkpoint() []byte { return r.AppendCheckpoint(nil) }

func (r *run[T]) AppendCheckpoint(dst []byte) []byte {
	h := checkpointHeader{Version: checkpointVersion, Options: property.Values(&r.o), Seed: r.seed, Precision: r.precision,
		Step: r.step, Worse: r.worse, Early: r.early, Changes: r.changes}
	for i, x := range r.numbers() {
		h.Bits[i] = math.Float64bits(*x)
	}
	for _, it := range r.members {
		h.Ranks = append(h.Ranks, it.rank)
	}
	size := 0
	for _, a := range r.arrays() {
		h.Shape = append(h.Shape, len(a))
		size += len(a) * int(r.precision) / 8
	}
	header, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers, strings and bits only
	}
	from := len(dst)
	out := append(slices.Grow(dst, len(magic)+4+len(header)+size+8), magic...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	out = append(out, header...)
	for _, a := range r.arrays() {
		out = kernel.AppendBytes(out, a)
	}
	return binary.LittleEndian.AppendUint64(out, checksum(out[from:]))
}

// takeArray fills a from the head of data and returns the rest.
func takeArray[T kernel.Float](a []T, data []byte) []byte {
	switch a := any(a).(type) {
	case []float32:
		for i := range a {
			a[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		return data[4*len(a):]
	case []float64:
		for i := range a {
			a[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		return data[8*len(a):]
	}
	return data
}

// Resume returns a run that goes on where the checkpoint was taken and ends with the bits
// of one that was never interrupted. The graphs must be those of the run. Errors about the
// checkpoint are [*ErrCheckpoint].
func Resume(graphs []*multiplex.Graph, checkpoint []byte) (Trainer, error) {
	h, o, data, err := openCheckpoint(checkpoint)
	if err != nil {
		return nil, err
	}
	t, err := New(graphs, *o, h.Seed, h.Precision)
	if err != nil {
		return nil, err
	}
	if err := t.(loader).load(h, data); err != nil {
		return nil, err
	}
	return t, nil
}

// CheckpointOptions returns the options of the run that a checkpoint is of, before
// anything is made of it. Errors are those of [Resume] about the checkpoint.
func CheckpointOptions(checkpoint []byte) (Options, error) {
	_, o, _, err := openCheckpoint(checkpoint)
	if err != nil {
		return Options{}, err
	}
	return *o, nil
}

// openCheckpoint takes a checkpoint apart: header, options and the bytes of the arrays.
func openCheckpoint(checkpoint []byte) (*checkpointHeader, *Options, []byte, error) {
	bad := func(format string, args ...any) (*checkpointHeader, *Options, []byte, error) {
		return nil, nil, nil, &ErrCheckpoint{Reason: fmt.Sprintf(format, args...)}
	}
	n := len(checkpoint)
	if n < len(magic)+12 || string(checkpoint[:len(magic)-1]) != magic[:len(magic)-1] {
		return bad("this is not a checkpoint of CaDeM")
	}
	if got, want := checksum(checkpoint[:n-8]), binary.LittleEndian.Uint64(checkpoint[n-8:]); got != want {
		return bad("its checksum does not fit, the file was cut or changed")
	}
	data := checkpoint[len(magic) : n-8]
	length := int64(binary.LittleEndian.Uint32(data))
	data = data[4:]
	var h checkpointHeader
	if length > int64(len(data)) {
		return bad("its header is cut off")
	}
	err := json.Unmarshal(data[:length], &h)
	if h.Version > checkpointVersion {
		// Its header may not even parse here: what did, names the version.
		return nil, nil, nil, &ErrCheckpoint{Newer: true, Reason: fmt.Sprintf("it was written by a newer version: format %d, this one reads up to %d", h.Version, checkpointVersion)}
	}
	if err != nil {
		return bad("its header cannot be read: %v", err)
	}
	data = data[length:]
	o := Released()
	for _, name := range slices.Sorted(maps.Keys(h.Options)) {
		if err := property.Set(&o, name, property.Text(h.Options[name])); err != nil {
			return bad("%v", err)
		}
	}
	if err := o.Check(); err != nil { // one option may be at odds with another
		return bad("%v", err)
	}
	if reason := h.check(&o, len(data)); reason != "" {
		return bad("%s", reason)
	}
	return &h, &o, data, nil
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
	load(h *checkpointHeader, data []byte) error
}

// load takes over the state that a checkpoint holds.
func (r *run[T]) load(h *checkpointHeader, data []byte) error {
	arrays := r.arrays()
	fits := len(arrays) == len(h.Shape) && (h.Ranks == nil || len(h.Ranks) == len(r.members))
	for i := 0; fits && i < len(arrays); i++ {
		fits = len(arrays[i]) == h.Shape[i]
	}
	if !fits {
		return &ErrCheckpoint{Reason: "the sizes of its weights do not fit: it belongs to another graph, or an earlier version of this program wrote it"}
	}
	for _, a := range arrays {
		data = takeArray(a, data)
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
		it.restore(rank, r)
	}
	return nil
}
