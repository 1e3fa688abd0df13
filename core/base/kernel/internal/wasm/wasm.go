// Package wasm encodes WebAssembly modules of leaf functions: enough to write SIMD kernels
// in Go, where the compiler's own assembler has no vector instructions. Opcodes are those
// of the WebAssembly 2.0 specification, section 5.4.
package wasm

import (
	"encoding/binary"
	"math"
	"slices"
)

// Value types.
const (
	I32  byte = 0x7f
	V128 byte = 0x7b
)

// A Func is a function under construction. Its methods append one instruction each and
// return it, so what is pushed together stands together.
type Func struct {
	name    string
	params  int // all i32
	index   int // in its module
	inner   bool
	results []byte
	locals  []byte
	code    []byte
}

// A Module is a list of functions that share the memory of another program.
type Module struct{ funcs []*Func }

// New adds a function of that number of i32 parameters, which are its first locals.
func (m *Module) New(name string, params int) *Func {
	f := &Func{name: name, params: params, index: len(m.funcs)}
	m.funcs = append(m.funcs, f)
	return f
}

// Inner adds a function for those of the module only.
func (m *Module) Inner(name string, params int) *Func {
	f := m.New(name, params)
	f.inner = true
	return f
}

// Local adds a local and returns its index.
func (f *Func) Local(t byte) int {
	f.locals = append(f.locals, t)
	return f.params + len(f.locals) - 1
}

// Vectors adds n vector locals.
func (f *Func) Vectors(n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = f.Local(V128)
	}
	return x
}

// The instructions, each under a short form of its name in the specification; those of vectors, without a suffix, are of four
// floats, with a D of two doubles, with an L of two 64-bit integers. Offsets are in bytes, shifts in bits.
func (f *Func) op(b ...byte) *Func         { f.code = append(f.code, b...); return f }
func (f *Func) simd(op uint64) *Func       { f.code = unsigned(append(f.code, 0xfd), op); return f }
func (f *Func) Get(local int) *Func        { f.code = unsigned(append(f.code, 0x20), uint64(local)); return f }
func (f *Func) Set(local int) *Func        { f.code = unsigned(append(f.code, 0x21), uint64(local)); return f }
func (f *Func) Tee(local int) *Func        { f.code = unsigned(append(f.code, 0x22), uint64(local)); return f }
func (f *Func) Const(v int32) *Func        { f.code = signed(append(f.code, 0x41), int64(v)); return f }
func (f *Func) offset(n uint64) *Func      { f.code = unsigned(unsigned(f.code, 2), n); return f } // aligned to 4 bytes
func (f *Func) LoadI32(offset int) *Func   { return f.op(0x28).offset(uint64(offset)) }
func (f *Func) Load(offset int) *Func      { return f.simd(0x00).offset(uint64(offset)) } // four floats
func (f *Func) Splat(offset int) *Func     { return f.simd(0x09).offset(uint64(offset)) } // one float, four times
func (f *Func) Store(offset int) *Func     { return f.simd(0x0b).offset(uint64(offset)) }
func (f *Func) Zero() *Func                { return f.simd(0x0c).op(make([]byte, 16)...) }
func (f *Func) Add() *Func                 { return f.simd(0xe4) }
func (f *Func) Sub() *Func                 { return f.simd(0xe5) }
func (f *Func) Mul() *Func                 { return f.simd(0xe6) }
func (f *Func) Div() *Func                 { return f.simd(0xe7) }
func (f *Func) Sqrt() *Func                { return f.simd(0xe3) }
func (f *Func) SplatD(offset int) *Func    { return f.simd(0x0a).offset(uint64(offset)) } // one double, twice
func (f *Func) AddD() *Func                { return f.simd(0xf0) }
func (f *Func) SubD() *Func                { return f.simd(0xf1) }
func (f *Func) MulD() *Func                { return f.simd(0xf2) }
func (f *Func) DivD() *Func                { return f.simd(0xf3) }
func (f *Func) MaxD() *Func                { return f.simd(0xf7) } // the second where the first is less
func (f *Func) Widen() *Func               { return f.simd(0x5f) } // the first two floats, as doubles
func (f *Func) Narrow() *Func              { return f.simd(0x5e) } // two doubles, as the first two floats
func (f *Func) AddL() *Func                { return f.simd(0xce) }
func (f *Func) ShiftL(bits int32) *Func    { return f.Const(bits).simd(0xcb) }
func (f *Func) Drop() *Func                { return f.op(0x1a) }
func (f *Func) AddI() *Func                { return f.op(0x6a) }
func (f *Func) SubI() *Func                { return f.op(0x6b) }
func (f *Func) MulI() *Func                { return f.op(0x6c) }
func (f *Func) And() *Func                 { return f.op(0x71) }
func (f *Func) Shift(bits int32) *Func     { return f.Const(bits).op(0x74) }
func (f *Func) Less() *Func                { return f.op(0x49) } // unsigned
func (f *Func) Select() *Func              { return f.op(0x1b) }
func (f *Func) Bump(local int, by int32)   { f.Get(local).Const(by).AddI().Set(local) }
func (f *Func) Advance(local, by int)      { f.Get(local).Get(by).AddI().Set(local) }
func (f *Func) MulAdd(sum, a, b int) *Func { return f.Get(sum).Get(a).Get(b).Mul().Add().Set(sum) }

// Shuffle picks four of the eight floats of two vectors.
func (f *Func) Shuffle(lanes ...byte) *Func {
	f.simd(0x0d)
	for _, l := range lanes {
		f.op(4*l, 4*l+1, 4*l+2, 4*l+3)
	}
	return f
}

// Call calls a function of the same module with what is on the stack.
func (f *Func) Call(g *Func) *Func {
	f.code = unsigned(append(f.code, 0x10), uint64(g.index))
	return f
}

// ConstD pushes a double, twice.
func (f *Func) ConstD(v float64) *Func { return f.ConstL(math.Float64bits(v)) }

// ConstL pushes a 64-bit integer, twice.
func (f *Func) ConstL(v uint64) *Func {
	half := binary.LittleEndian.AppendUint64(nil, v)
	return f.simd(0x0c).op(half...).op(half...)
}

// Loop repeats body while cond leaves a number that is not zero; it runs at least once.
func (f *Func) Loop(body, cond func()) {
	f.op(0x03, 0x40)
	body()
	cond()
	f.op(0x0d, 0, 0x0b)
}

// While repeats body as long as cond leaves a number that is not zero.
func (f *Func) While(cond, body func()) {
	cond()
	f.If(func() { f.Loop(body, cond) })
}

// If runs body if the number on the stack is not zero.
func (f *Func) If(body func()) {
	f.op(0x04, 0x40)
	body()
	f.op(0x0b)
}

// unsigned and signed append LEB128 numbers.
func unsigned(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func signed(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func vector(items ...[]byte) []byte {
	b := unsigned(nil, uint64(len(items)))
	for _, x := range items {
		b = append(b, x...)
	}
	return b
}

func sized(b []byte) []byte    { return append(unsigned(nil, uint64(len(b))), b...) }
func named(s string) []byte    { return sized([]byte(s)) }
func join(xs ...[]byte) []byte { return append([]byte(nil), concat(xs)...) }

func concat(xs [][]byte) (b []byte) {
	for _, x := range xs {
		b = append(b, x...)
	}
	return b
}

// outer returns the functions for others; their order is that of their slots.
func (m *Module) outer() []*Func {
	return slices.DeleteFunc(slices.Clone(m.funcs), func(f *Func) bool { return f.inner })
}

// Kernel encodes the functions as a module that imports the memory "go"."mem" and the
// function table "shim"."t", whose slots it fills with the functions for others.
func (m *Module) Kernel() []byte {
	var slots [][]byte
	for _, f := range m.outer() {
		slots = append(slots, unsigned(nil, uint64(f.index)))
	}
	table := join(named("shim"), named("t"), []byte{1, 0x70, 0}, unsigned(nil, uint64(len(slots))))
	memory := join(named("go"), named("mem"), []byte{2, 0, 1})
	return m.encode(vector(memory, table), nil, nil, join([]byte{1, 0, 0x41, 0, 0x0b}, vector(slots...)))
}

// Shim encodes a module that exports functions of the same names; each calls its slot of the table
// that the module exports as "t". The kernels import the memory of a program, which must exist
// before them. The program can import the shim; the kernels fill the table afterwards.
func (m *Module) Shim() []byte {
	shim := &Module{}
	exports := [][]byte{join(named("t"), []byte{1, 0})}
	outer := m.outer()
	for i, f := range outer {
		g := shim.New(f.name, f.params)
		for p := range f.params {
			g.Get(p)
		}
		g.Const(int32(i)).op(0x11)
		g.code = unsigned(g.code, uint64(i)) // type of function i
		g.op(0)                              // table 0
		exports = append(exports, join(named(f.name), []byte{0}, unsigned(nil, uint64(i))))
	}
	return shim.encode(nil, vector(join([]byte{0x70, 0}, unsigned(nil, uint64(len(outer))))), vector(exports...), nil)
}

// encode puts the sections in order. Type i is the signature of function i.
func (m *Module) encode(imports, tables, exports, element []byte) []byte {
	out := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	section := func(id byte, body []byte) {
		if body != nil {
			out = append(append(out, id), sized(body)...)
		}
	}
	var types, index, codes [][]byte
	for i, f := range m.funcs {
		params := make([]byte, f.params)
		for p := range params {
			params[p] = I32
		}
		types = append(types, join([]byte{0x60}, sized(params), sized(f.results)))
		index = append(index, unsigned(nil, uint64(i)))
		var locals [][]byte
		for _, t := range f.locals {
			locals = append(locals, []byte{1, t})
		}
		codes = append(codes, sized(join(vector(locals...), f.code, []byte{0x0b})))
	}
	section(1, vector(types...))
	section(2, imports)
	section(3, vector(index...))
	section(4, tables)
	section(7, exports)
	section(9, element)
	section(10, vector(codes...))
	return out
}
