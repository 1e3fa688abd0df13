// Package pickle reads pickles of lists, dictionaries, numbers, NumPy arrays, SciPy matrices and
// graphs of networkx. It never calls functions that a pickle names: a white list says which
// functions and classes are known, and the reader does their work itself. It keeps the names of all
// others.
//
// Errors are a [*diag.Error] that names the file.
package pickle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/variable"
)

// Values of a pickle, beside nil, bool, int64, float64 and string, which holds bytes, too.
type (
	pyList  struct{ items []any } // or a tuple
	pyDict  struct{ keys, values []any }
	pyBytes struct{ *input.Packed } // bytes or text too long for a string
	// A pyGlobal is a function or a class of the white list.
	pyGlobal struct{ name string }
	// A pyOpaque is a function or a class that is not, or an object of one.
	pyOpaque struct{ name string }
	// A pyGraph is a graph of networkx of some class with the fields of its state.
	pyGraph struct {
		class string
		state *pyDict
	}
	pyDtype struct{ variable.DType }
	// A pyArray is a NumPy array; objects instead of data when it holds objects. Entries of a
	// strange type are not kept.
	pyArray struct {
		strange string
		shape   []int
		columns bool
		data    *variable.Entries
		objects []any
	}
	// A pySparse is a SciPy matrix of some format with the fields of its state.
	pySparse struct {
		format string
		state  *pyDict
	}
	pyMark struct{}
)

// lookup returns a global by its full name: the functions and classes that are known, by what
// they are here. None is ever called; the reader does what they would do.
func lookup(name string) (*pyGlobal, bool) {
	switch strings.Replace(name, "numpy._core.", "numpy.core.", 1) {
	case "numpy.core.multiarray._reconstruct", "numpy.core.multiarray.scalar", "numpy.core.numeric._frombuffer", "numpy.ndarray", "numpy.dtype", "_codecs.encode",
		"collections.OrderedDict", "collections.defaultdict", "collections.Counter", "builtins.set", "builtins.frozenset", "__builtin__.set",
		"__builtin__.frozenset", "copyreg._reconstructor", "copy_reg._reconstructor":
		return &pyGlobal{strings.TrimPrefix(variable.Last(name), "_")}, true
	case "numpy.matrix", "numpy.matrixlib.defmatrix.matrix":
		return &pyGlobal{"ndarray"}, true
	}
	// networkx.classes.graph.Graph, networkx.classes.ordered.OrderedGraph, ...
	if class := strings.TrimPrefix(variable.Last(name), "Ordered"); strings.HasPrefix(name, "networkx.classes.") {
		switch class {
		case "Graph", "DiGraph", "MultiGraph", "MultiDiGraph":
			return &pyGlobal{class}, true
		}
	}
	// scipy.sparse._csr.csr_matrix, scipy.sparse.csr.csr_matrix, ..._array
	for _, format := range []string{"csr", "csc", "coo", "lil"} {
		for _, module := range []string{"._", "."} {
			if strings.TrimSuffix(strings.TrimSuffix(name, "_matrix"), "_array") == "scipy.sparse"+module+format+"."+format {
				return &pyGlobal{format}, true
			}
		}
	}
	return nil, false
}

type memoEntry struct {
	k uint32
	x any
}

// Content is the content of a pickle.
type Content struct {
	Variables    []*variable.Variable
	Edges, Nodes string   // of graphs of networkx, as CSV: source,target,... and id,...; "" without any
	Notes        []string // what of the graphs was left out
}

// Read reads a pickle. Entries of dictionaries are called by their keys, other values by the stem
// of the file.
func Read(s *input.Stream, stem string) (*Content, error) {
	u := &unpickler{s: s}
	root, err := u.run()
	if err != nil {
		return nil, err
	}
	return u.content(stem, root)
}

// An unpickler runs a pickle.
type unpickler struct {
	s     *input.Stream
	stack []any
	high  int // values that have been on the stack at a time
	marks []int
	memo  []memoEntry // in order of their numbers
}

// Bytes that things on the stack, in the memo and on the heap take, with growth.
const (
	slotSize   = 48
	objectSize = 112
)

const wantPickle = "a pickle of lists, dictionaries, numbers, NumPy arrays, SciPy matrices and graphs of networkx"

// bad says what is wrong with the pickle.
func (u *unpickler) bad(found, expected string) error { return u.s.Fail("", found, expected) }

// variable names the entry of the outermost dictionary that is being read, if there is one: keys
// and values alternate on the stack until all are there. The parts of the last value lie above
// them: behind a mark, or behind the function that builds it.
func (u *unpickler) variable() (name string) {
	if len(u.stack) == 0 {
		return ""
	}
	if _, ok := u.stack[0].(*pyDict); !ok {
		return ""
	}
	end := len(u.stack)
	for _, at := range u.marks {
		if at > 1 { // the first mark is that of the entries
			end = min(end, at)
		}
	}
	for at := 1; at < end; at += 2 {
		key, ok := u.stack[at].(string)
		if !ok {
			break
		}
		name = key
		if at+1 < end {
			_, known := u.stack[at+1].(*pyGlobal)
			if _, unknown := u.stack[at+1].(*pyOpaque); known || unknown {
				break
			}
		}
	}
	return name
}

// run reads a pickle of protocol 2 to 5 to its end and returns its content.
func (u *unpickler) run() (any, error) {
	x, err := u.steps()
	if bad := (*diag.Error)(nil); errors.As(err, &bad) && bad.Where == "" {
		bad.Where = u.variable()
	}
	return x, err
}

func (u *unpickler) steps() (any, error) {
	head, err := u.s.Take("", 2)
	if err != nil {
		return nil, err
	}
	if head[0] != 0x80 || head[1] < 2 || head[1] > 5 {
		return nil, u.bad("a pickle of protocol "+strconv.Itoa(int(head[1])), "protocol 2 to 5: pickle.dump(..., protocol=4)")
	}
	for {
		op, err := u.s.Reader.ReadByte()
		if err != nil {
			return nil, u.s.Cut("", err)
		}
		if op == '.' {
			if len(u.stack) != 1 || len(u.marks) > 0 {
				return nil, u.bad(fmt.Sprintf("a pickle that ends with %d values", len(u.stack)), "one")
			}
			return u.stack[0], nil
		}
		if err := u.step(op); err != nil {
			return nil, err
		}
		if err := u.s.Failed(); err != nil {
			return nil, err
		}
	}
}

// number reads a whole number of n bytes.
func (u *unpickler) number(n int) int64 {
	var b [8]byte
	for k := range n {
		c, err := u.s.Reader.ReadByte()
		if err != nil {
			u.s.Cut("", err)
			return 0
		}
		b[k] = c
	}
	return int64(binary.LittleEndian.Uint64(b[:]))
}

func (u *unpickler) push(x any) {
	u.stack = append(u.stack, x)
	size := 8 // of a number
	if len(u.stack) > u.high {
		u.high, size = len(u.stack), size+slotSize
	}
	u.s.Keep("", size)
}

// pop takes the topmost value; nil when there is none, which is noted.
func (u *unpickler) pop() any {
	low := 0
	if len(u.marks) > 0 {
		low = u.marks[len(u.marks)-1]
	}
	if len(u.stack) <= low {
		u.bad("an operation without its operand", "a complete pickle")
		return nil
	}
	x := u.stack[len(u.stack)-1]
	u.stack = u.stack[:len(u.stack)-1]
	return x
}

// toMark takes what is above the mark. It lies on the stack until something is pushed.
func (u *unpickler) toMark() []any {
	if len(u.marks) == 0 {
		u.bad("an operation without its mark", "a complete pickle")
		return nil
	}
	at := u.marks[len(u.marks)-1]
	u.marks = u.marks[:len(u.marks)-1]
	items := u.stack[at:]
	u.stack = u.stack[:at]
	return items
}

// keepToMark takes what is above the mark, for good.
func (u *unpickler) keepToMark() []any {
	items := append([]any(nil), u.toMark()...)
	u.s.Keep("", 16*len(items))
	return items
}

// tuple pushes a tuple of the topmost n values.
func (u *unpickler) tuple(n int) {
	items := make([]any, n)
	for k := n - 1; k >= 0; k-- {
		items[k] = u.pop()
	}
	u.object(&pyList{items})
}

func (u *unpickler) object(x any) {
	size := objectSize
	switch x.(type) {
	case string, *pyList:
		size = 48
	case *pyDict:
		size = 64
	}
	u.s.Keep("", size)
	u.push(x)
}

// text pushes n bytes, or characters in UTF-8.
func (u *unpickler) text(n int64) {
	const short = 1 << 12
	if n >= 0 && n <= short {
		b, err := u.s.Take("", int(n))
		if err == nil {
			u.s.Keep("", int(n))
			u.object(string(b))
		}
		return
	}
	if p, err := u.s.Pack("", n); err == nil {
		u.object(pyBytes{p})
	}
}

func (u *unpickler) put(k uint32) {
	if len(u.stack) == 0 {
		u.bad("an operation without its operand", "a complete pickle")
		return
	}
	x := u.stack[len(u.stack)-1]
	n := len(u.memo)
	switch at := u.remembered(k); {
	case at < n:
		u.memo[at].x = x
	case n > 0 && k < u.memo[n-1].k:
		u.bad(fmt.Sprintf("value %d stored after value %d", k, u.memo[n-1].k), "numbers that rise, as pickle gives them")
	default:
		u.s.Keep("", slotSize)
		u.memo = append(u.memo, memoEntry{k, x})
	}
}

// remembered returns the index of value k in the memo, its length if it is not there. Few pickles
// leave numbers out.
func (u *unpickler) remembered(k uint32) int {
	if int(k) < len(u.memo) && u.memo[k].k == k {
		return int(k)
	}
	low, high := 0, len(u.memo)
	for low < high {
		if mid := (low + high) / 2; u.memo[mid].k < k {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(u.memo) && u.memo[low].k == k {
		return low
	}
	return len(u.memo)
}

func (u *unpickler) get(k uint32) {
	at := u.remembered(k)
	if at == len(u.memo) {
		u.bad(fmt.Sprintf("a reference to value %d, which was not stored", k), "a complete pickle")
		return
	}
	u.push(u.memo[at].x)
}

// step does one operation ("pickletools.py" lists them).
func (u *unpickler) step(op byte) error {
	switch op {
	case 0x80, 0x95: // PROTO, FRAME
		n := 1
		if op == 0x95 {
			n = 8
		}
		u.number(n)
	case '(':
		u.marks = append(u.marks, len(u.stack))
		u.s.Keep("", slotSize)
	case '0':
		u.pop()
	case '1':
		u.toMark()
	case '2':
		x := u.pop()
		u.push(x)
		u.push(x)
	case 'N':
		u.push(nil)
	case 0x88, 0x89:
		u.push(op == 0x88)
	case 'J':
		u.push(int64(int32(u.number(4))))
	case 'K':
		u.push(u.number(1))
	case 'M':
		u.push(u.number(2))
	case 0x8a, 0x8b: // LONG1, LONG4: bytes of two's complement
		n := u.number(1)
		if op == 0x8b {
			n = n | u.number(3)<<8
		}
		if n > 8 { // as the state of a random generator is
			if err := u.s.Skip("", n); err == nil {
				u.object(&pyOpaque{"a number of more than 8 bytes"})
			}
			return nil
		}
		x := u.number(int(n))
		if shift := 64 - 8*uint(n); n > 0 {
			x = x << shift >> shift
		}
		u.push(x)
	case 'G':
		bits := uint64(u.number(8))
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], bits)
		u.push(math.Float64frombits(binary.BigEndian.Uint64(b[:])))
	case 'U', 'C', 0x8c: // SHORT_BINSTRING, SHORT_BINBYTES, SHORT_BINUNICODE
		u.text(u.number(1))
	case 'T', 'B', 'X': // BINSTRING, BINBYTES, BINUNICODE
		u.text(u.number(4))
	case 0x8d, 0x8e, 0x96: // BINUNICODE8, BINBYTES8, BYTEARRAY8
		u.text(u.number(8))
	case ')', 't', ']', 'l', '}', 'd', 'a', 'e', 's', 'u', 0x85, 0x86, 0x87, 0x8f, 0x90, 0x91:
		return u.container(op)
	case 'q':
		u.put(uint32(u.number(1)))
	case 'r':
		u.put(uint32(u.number(4)))
	case 0x94: // MEMOIZE counts what is stored
		u.put(uint32(len(u.memo)))
	case 'h':
		u.get(uint32(u.number(1)))
	case 'j':
		u.get(uint32(u.number(4)))
	case 'c', 0x93:
		return u.global(op)
	case 'R', 0x81, 0x92: // REDUCE, NEWOBJ, NEWOBJ_EX
		if op == 0x92 {
			u.pop() // arguments with names
		}
		args, _ := u.pop().(*pyList)
		f := u.pop()
		if x, ok := f.(*pyOpaque); ok && args != nil {
			u.object(x)
			return nil
		}
		known, _ := f.(*pyGlobal)
		if known == nil || args == nil {
			return u.bad("a call of what is no function", wantPickle)
		}
		return u.call(known, args.items)
	case 'Q': // BINPERSID: what is kept beside the pickle
		u.pop()
		u.object(&pyOpaque{"what is kept outside of the pickle"})
	case 'b':
		state := u.pop()
		return u.build(u.pop(), state)
	default:
		return u.bad(fmt.Sprintf("the operation %q", rune(op)), wantPickle)
	}
	return nil
}

// container makes and fills tuples, lists and dictionaries.
func (u *unpickler) container(op byte) error {
	switch op {
	case ')', ']', 0x8f: // a set, too
		u.object(&pyList{})
	case 't', 'l', 0x91:
		u.object(&pyList{u.keepToMark()})
	case 0x85, 0x86, 0x87:
		u.tuple(int(op) - 0x84)
	case '}':
		u.object(&pyDict{})
	case 'd':
		items := u.keepToMark()
		d := &pyDict{}
		u.object(d)
		return u.fill(d, items)
	case 'a', 'e', 0x90:
		var items []any
		if op == 'a' {
			items = []any{u.pop()}
		} else {
			items = u.toMark()
		}
		l, ok := u.top().(*pyList)
		if _, opaque := u.top().(*pyOpaque); opaque {
			return nil
		}
		if !ok {
			return u.bad("values for what is no list", "a list")
		}
		u.s.Keep("", 32*len(items))
		l.items = append(l.items, items...)
	default: // 's', 'u'
		var items []any
		if op == 's' {
			value := u.pop()
			items = []any{u.pop(), value}
		} else {
			items = u.toMark()
		}
		d, ok := u.top().(*pyDict)
		if _, opaque := u.top().(*pyOpaque); opaque {
			return nil
		}
		if !ok {
			return u.bad("values for what is no dictionary", "a dictionary")
		}
		return u.fill(d, items)
	}
	return nil
}

func (u *unpickler) top() any {
	if len(u.stack) == 0 {
		return nil
	}
	return u.stack[len(u.stack)-1]
}

func (u *unpickler) fill(d *pyDict, items []any) error {
	if len(items)%2 != 0 {
		return u.bad("a key without a value", "pairs")
	}
	u.s.Keep("", 32*len(items))
	for k := 0; k < len(items); k += 2 {
		d.keys = append(d.keys, items[k])
		d.values = append(d.values, items[k+1])
	}
	return nil
}

// global pushes a function or class: what it is here, if it is one of the white list, else its name.
func (u *unpickler) global(op byte) error {
	var module, name string
	if op == 0x93 {
		name, _ = u.pop().(string)
		module, _ = u.pop().(string)
	} else {
		for _, s := range []*string{&module, &name} {
			var b []byte
			for {
				c, err := u.s.Reader.ReadByte()
				if err != nil {
					return u.s.Cut("", err)
				}
				if c == '\n' {
					break
				}
				if b = append(b, c); len(b) > 256 {
					return u.bad("a name of more than 256 bytes", "that of a module or class")
				}
			}
			*s = string(b)
		}
	}
	if g, ok := lookup(module + "." + name); ok {
		u.object(g)
		return nil
	}
	u.s.Keep("", len(module)+len(name))
	u.object(&pyOpaque{module + "." + name})
	return nil
}
