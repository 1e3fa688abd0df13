package compact

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// The table by which a Go program finds its way in its own code, as runtime/symtab.go and
// runtime/runtime2.go (pcHeader, _func) of Go 1.20 to 1.27 lay it out on a machine with
// 8-byte pointers and 1-byte instructions.
const (
	tableMagic = 0xfffffff1
	headerSize = 72
	funcSize   = 44 // of a _func before its lists

	// Fields of a _func.
	funcSP        = 16 // offset into pctab: the stack's depth
	funcFile      = 20 // offset into pctab: the file
	funcLine      = 24 // offset into pctab: the line
	funcLists     = 28 // number of lists behind it that are offsets into pctab
	funcData      = 43 // number of offsets into go:func.* behind those
	funcUnit      = 32
	funcStartLine = 36

	none = 0xffffffff // where there is no offset
)

// shown are the kinds of go:func.* that only a crash report or a trace asks for
// (internal/abi): inlined calls, arguments, live arguments, wrappers. shownPC are the lists
// in pctab that go with them, and where code may be interrupted, which in a browser nobody
// does.
var (
	shown   = map[int]bool{3: true, 5: true, 6: true, 7: true}
	shownPC = map[int]bool{0: true, 2: true, 3: true}
)

// moduleFuncs returns where in moduledata (runtime/symtab.go), which begins with the address of the table, the address of
// go:func.* stands. A version of Go is as runtime.Version returns it; for an unknown one it returns false. Nothing in a
// program shows that the field is another one.
func moduleFuncs(version string) (at int, known bool) {
	var minor int
	if _, err := fmt.Sscanf(version, "go1.%d", &minor); err != nil || minor < 20 || minor > 27 {
		return 0, false
	}
	if minor == 27 {
		return 43 * 8, true
	}
	return 40 * 8, true
}

// ErrLayout is returned by [Positions] for a program whose tables are not as it knows
// them, as another version of Go may write them.
var ErrLayout = errors.New("compact: the program's tables of functions are laid out in an unknown way")

// Positions returns the module, which must have been through [Segments], without what its
// tables hold for crash reports alone: file names, line numbers, arguments, and which calls
// were inlined. A crash then names the functions, and the places in them by number. A build
// that keeps the lines, of the same sources, has the same numbers. The version is that of Go that compiled it.
func Positions(module []byte, version string) ([]byte, error) {
	field, known := moduleFuncs(version)
	if !known {
		return nil, ErrLayout
	}
	found := false
	out, err := rewrite(module, func(segments []segment) ([]segment, error) {
		for i := range segments {
			segments[i].data = append([]byte(nil), segments[i].data...)
		}
		for _, s := range segments {
			for at := (8 - int(s.offset%8)) % 8; at+headerSize <= len(s.data); at += 8 {
				if binary.LittleEndian.Uint64(s.data[at:]) != tableMagic|1<<48|8<<56 {
					continue
				}
				t, err := tableAt(s.data[at:])
				if err != nil {
					return nil, err
				}
				if t.data, err = funcsOf(segments, uint64(s.offset)+uint64(at), field); err != nil {
					return nil, err
				}
				t.empty()
				found = true
			}
		}
		return segments, nil
	})
	if err == nil && !found {
		err = ErrLayout
	}
	return out, err
}

// funcsOf returns the memory from go:func.* on of the module whose table is at an address; field is where moduledata has its.
func funcsOf(segments []segment, table uint64, field int) ([]byte, error) {
	le := binary.LittleEndian
	for _, s := range segments {
		for at := (8 - int(s.offset%8)) % 8; at+field+8 <= len(s.data); at += 8 {
			if le.Uint64(s.data[at:]) != table || le.Uint64(s.data[at+8:]) != table+headerSize {
				continue
			}
			start := le.Uint64(s.data[at+field:])
			for _, s := range segments {
				if from := uint64(s.offset); start >= from && start < from+uint64(len(s.data)) {
					return s.data[start-from:], nil
				}
			}
		}
	}
	return nil, ErrLayout
}

// A table holds the relevant parts of the table, as laid out in memory.
type table struct {
	units, files, pc, funcs, data []byte
	at                            []int // where in funcs each _func begins
	kept                          []bool
}

// tableAt reads the table that begins at b and checks that all of it holds together.
func tableAt(b []byte) (*table, error) {
	le := binary.LittleEndian
	count := le.Uint64(b[8:])
	var start [6]uint64 // of names, units, files, pc, functions, and of what follows
	for i := range start[:5] {
		start[i] = le.Uint64(b[32+8*i:])
	}
	start[5] = uint64(len(b))
	if start[0] != headerSize || count == 0 || count > uint64(len(b)) {
		return nil, ErrLayout
	}
	for i := range start[:5] {
		if start[i] > start[i+1] {
			return nil, ErrLayout
		}
	}
	t := &table{units: b[start[1]:start[2]], files: b[start[2]:start[3]], pc: b[start[3]:start[4]], funcs: b[start[4]:]}
	t.kept = make([]bool, len(t.pc))
	if count*8+4 > uint64(len(t.funcs)) {
		return nil, ErrLayout
	}
	for i := range int(count) {
		f := int(le.Uint32(t.funcs[8*i+4:]))
		if f < int(count)*8 || f+funcSize > len(t.funcs) {
			return nil, ErrLayout
		}
		lists, data := t.behind(f)
		if lists > 16 || data > 16 || f+funcSize+4*(lists+data) > len(t.funcs) || le.Uint32(t.funcs[f:]) != le.Uint32(t.funcs[8*i:]) {
			return nil, fmt.Errorf("%w: function %d of %d", ErrLayout, i, count)
		}
		t.at = append(t.at, f)
		offsets := []uint32{le.Uint32(t.funcs[f+funcSP:])}
		for k := range lists {
			if !shownPC[k] {
				offsets = append(offsets, le.Uint32(t.funcs[f+funcSize+4*k:]))
			}
		}
		for _, o := range offsets {
			if err := t.keep(int(o)); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// behind returns how many lists in pctab and places in go:func.* stand behind a _func.
func (t *table) behind(f int) (lists, data int) {
	return int(binary.LittleEndian.Uint32(t.funcs[f+funcLists:])), int(t.funcs[f+funcData])
}

// keep marks the sequence at an offset of pctab: pairs of numbers. The first number of a pair is
// zero only at the end, which has no second one, and perhaps at the start.
func (t *table) keep(at int) error {
	if at == 0 {
		return nil // none
	}
	for i := at; ; {
		value, n := binary.Uvarint(t.pc[min(i, len(t.pc)):])
		if n <= 0 {
			return ErrLayout
		}
		end := i + n
		last := value == 0 && i > at
		if !last {
			_, n := binary.Uvarint(t.pc[end:])
			if n <= 0 {
				return ErrLayout
			}
			end += n
		}
		for ; i < end; i++ {
			t.kept[i] = true
		}
		if last {
			return nil
		}
	}
}

// empty clears everything that is only shown.
func (t *table) empty() {
	clear(t.units)
	clear(t.files)
	for i := range t.pc {
		if !t.kept[i] {
			t.pc[i] = 0
		}
	}
	le := binary.LittleEndian
	needed := map[uint32]bool{} // by offset into go:func.*: whether the runtime has a use for it
	for _, f := range t.at {
		for _, field := range []int{funcFile, funcLine, funcUnit, funcStartLine} {
			clear(t.funcs[f+field : f+field+4])
		}
		lists, data := t.behind(f)
		for k := range lists {
			if shownPC[k] {
				clear(t.funcs[f+funcSize+4*k:][:4])
			}
		}
		for k := range data {
			at := t.funcs[f+funcSize+4*(lists+k):]
			if o := le.Uint32(at); o != none {
				needed[o] = needed[o] || !shown[k]
			}
			if shown[k] {
				le.PutUint32(at, none)
			}
		}
	}
	// A sequence ends before the next offset.
	starts := slices.Sorted(maps.Keys(needed))
	for i, o := range starts[:max(0, len(starts)-1)] {
		if end := int(starts[i+1]); !needed[o] && end <= len(t.data) {
			clear(t.data[o:end])
		}
	}
}
