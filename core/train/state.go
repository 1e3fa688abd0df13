package train

import (
	"fmt"
	"io"
	"maps"
	"math"

	"cadem.example/core/base/checkpoint"
	"cadem.example/core/base/json"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex/fingerprint"
)

// A State lists the variables of a training that its steps change. Their number and the lengths of
// the slices depend on the graphs and the options alone.
type State struct {
	Integers []*int
	Numbers  []*float64
	Singles  [][]float32
	Doubles  [][]float64
	// Once is how many of Doubles files of before have, where it is fewer; Integers begin with the number of steps then.
	Once int
}

// Add lists an array of either precision.
func (s *State) Add(x any) {
	switch x := x.(type) {
	case []float32:
		s.Singles = append(s.Singles, x)
	case []float64:
		s.Doubles = append(s.Doubles, x)
	}
}

// A Format writes and reads the checkpoints of a method.
type Format interface {
	// Write writes what Open needs to go on with a training that was started from s. Errors come from dst.
	Write(dst io.Writer, m *Method, s *Setup, t Training) error
	// Open opens a checkpoint. Errors about it are [*checkpoint.Error].
	Open(stored checkpoint.Stored) (*Opened, error)
	// Hash names the current embeddings of a training.
	Hash(t Training) string
}

// An Opened checkpoint may have options, a seed and a precision of its own; without Options they are the caller's. Restore takes a
// training that [Start] has just made of all of that to where the checkpoint was written: it then ends with the bits of one that was
// never interrupted. Errors about the checkpoint are [*checkpoint.Error].
type Opened struct {
	Options   any
	Seed      uint64
	Precision precision.Bits
	Restore   func(t Training, m *Method, s *Setup) error
}

// states is the format of trainings that list their [State]. Method, options, seed, precision and graphs must be those that a checkpoint
// was written with.
type states struct{}

// stateVersion is the format that is written.
const stateVersion = 1

// header is the header of a checkpoint. It says what the state belongs to.
type header struct {
	Version  int            `json:"version"`
	Method   string         `json:"method"`
	Options  map[string]any `json:"options"`
	Seed     uint64         `json:"seed,string"`
	Double   bool           `json:"double"`
	Graphs   []string       `json:"graphs"` // their fingerprints
	Integers []int          `json:"integers"`
	Bits     []uint64       `json:"bits"` // of the numbers
}

func newHeader(m *Method, s *Setup) header {
	h := header{Version: stateVersion, Method: m.Name, Options: property.Values(s.Options), Seed: s.Seed, Double: s.Precision == precision.Double}
	for _, g := range s.Graphs {
		h.Graphs = append(h.Graphs, fingerprint.Graph(g))
	}
	return h
}

func (states) Write(dst io.Writer, m *Method, s *Setup, t Training) error {
	h, now := newHeader(m, s), t.State()
	for _, n := range now.Integers {
		h.Integers = append(h.Integers, *n)
	}
	for _, x := range now.Numbers {
		h.Bits = append(h.Bits, math.Float64bits(*x))
	}
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers, strings and bits only
	}
	return (&checkpoint.Mixed{Singles: now.Singles, Doubles: now.Doubles}).Write(dst, text)
}

func (states) Hash(t Training) string { return Hash(t.Embeddings(0)) }

func (states) Open(stored checkpoint.Stored) (*Opened, error) {
	return &Opened{Restore: func(t Training, m *Method, s *Setup) error {
		return restore(t, m, s, stored)
	}}, nil
}

func restore(t Training, m *Method, s *Setup, stored checkpoint.Stored) error {
	file, err := checkpoint.Open(stored)
	if err != nil {
		return err
	}
	bad := func(format string, args ...any) error { return &checkpoint.Error{Reason: fmt.Sprintf(format, args...)} }
	var h header
	if err := json.Unmarshal(file.Header, &h); err != nil || h.Method == "" {
		return bad("it is not one of a method that CaDeM is compared with")
	}
	if h.Version > stateVersion {
		return &checkpoint.Error{Newer: true, Reason: fmt.Sprintf("it is of format %d, this program reads up to %d", h.Version, stateVersion)}
	}
	want, usual := newHeader(m, s), m.Options()
	property.Defaults(usual)
	options := property.Values(usual) // of those that came later
	maps.Copy(options, h.Options)
	for _, part := range []struct {
		what      string
		got, want any
	}{
		{"method", h.Method, want.Method}, {"options", asText(options), asText(want.Options)}, {"seed", h.Seed, want.Seed},
		{"double precision", h.Double, want.Double}, {"graphs", h.Graphs, want.Graphs},
	} {
		if got, want := fmt.Sprint(part.got), fmt.Sprint(part.want); got != want {
			return bad("%s: found %s, expected %s", part.what, got, want)
		}
	}
	at := t.State()
	if len(at.Integers) != len(h.Integers) || len(at.Numbers) != len(h.Bits) {
		return bad("it holds %d integers and %d numbers, expected %d and %d", len(h.Integers), len(h.Bits), len(at.Integers), len(at.Numbers))
	}
	for i, n := range h.Integers {
		*at.Integers[i] = n
	}
	for i, b := range h.Bits {
		*at.Numbers[i] = math.Float64frombits(b)
	}
	err = (&checkpoint.Mixed{Singles: at.Singles, Doubles: at.Doubles}).Load(file)
	if err != nil && at.Once > 0 && (&checkpoint.Mixed{Singles: at.Singles, Doubles: at.Doubles[:at.Once]}).Load(file) == nil {
		*at.Integers[0], err = 0, nil // what the file lacks is found by the same steps again
	}
	if err != nil {
		return err
	}
	// Most have nothing else that could be out of range. Not a part of State: only programs that resume have it.
	if s, ok := t.(interface{ Sound() bool }); ok && !s.Sound() {
		return bad("its numbers are those of no training")
	}
	if p := t.Progress(); p.Steps < 0 || p.Steps > p.Total {
		return bad("it was written after step %d of %d", p.Steps, p.Total)
	}
	return nil
}

// asText writes options as package property reads them: a number that went through JSON is another
// type.
func asText(options map[string]any) map[string]string {
	m := map[string]string{}
	for name, v := range options {
		m[name] = property.Text(v)
	}
	return m
}
