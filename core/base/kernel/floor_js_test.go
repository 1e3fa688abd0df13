package kernel_test

import (
	"math"
	"syscall/js"
	"testing"

	"cadem.example/core/base/kernel/internal/wasm"
)

// The floor of a step is a stream over the bytes that it cannot avoid: every weight with its two moments is read and written once, 24 bytes
// a parameter, by the plainest loop there is. Beside it stands the arithmetic that it cannot avoid, with nothing read or written.

// Parameters of a turn. For each, a step of Adam takes a root and a division. The products with eight columns, of its matrix and of the
// gradients of both factors, take 24 multiplications, each added to a sum.
const streamTurn, rootsTurn, productsTurn = 16, 32, 4

// four is a vector of equal floats, as two equal halves.
func four(x float32) uint64 { return uint64(math.Float32bits(x)) * (1 + 1<<32) }

// stream adds 1 to every float32 from w to end and to as many from m and v; the length is a multiple of 64 bytes and above 0.
func stream(mod *wasm.Module) {
	f := mod.New("stream", 4)
	one := f.Local(wasm.V128)
	f.ConstL(four(1)).Set(one)
	f.Loop(func() {
		for i := range 4 {
			for p := range 3 {
				f.Get(p).Get(p).Load(16 * i).Get(one).Add().Store(16 * i)
			}
		}
		for p := range 3 {
			f.Bump(p, 64)
		}
	}, func() { f.Get(0).Get(3).Less() })
}

// chains changes some vectors, enough to hide the latency of an operation, several times in each of many turns. It stores their sum, so that
// all are needed.
func chains(mod *wasm.Module, vectors, times int, change func(f *wasm.Func, x, one, half int)) {
	f := mod.New("chains", 2)
	x, one, half := f.Vectors(vectors), f.Local(wasm.V128), f.Local(wasm.V128)
	f.ConstL(four(1)).Set(one).ConstL(four(0.5)).Set(half)
	for i := range x {
		f.ConstL(four(float32(2 + i))).Set(x[i])
	}
	f.Loop(func() {
		for range times {
			for i := range x {
				change(f, x[i], one, half)
				f.Set(x[i])
			}
		}
	}, func() { f.Get(0).Const(1).SubI().Tee(0) })
	f.Get(1).Get(x[0])
	for _, x := range x[1:] {
		f.Get(x).Add()
	}
	f.Store(0)
}

// newFloor returns the three loops and their memory, for the stream over that number of parameters.
func newFloor(parameters int) (loops [3]js.Value, memory js.Value) {
	mod := &wasm.Module{}
	stream(mod)
	chains(mod, rootsTurn/4, 1, func(f *wasm.Func, x, one, _ int) { f.Get(one).Get(x).Sqrt().Div() })
	chains(mod, 12, 24/12, func(f *wasm.Func, x, one, half int) { f.Get(x).Get(half).Mul().Get(one).Add() })
	code := mod.Kernel()
	bytes := js.Global().Get("Uint8Array").New(len(code))
	js.CopyBytesToJS(bytes, code)
	api := js.Global().Get("WebAssembly")
	memory = api.Get("Memory").New(map[string]any{"initial": 12*parameters/65536 + 1})
	table := api.Get("Table").New(map[string]any{"initial": len(loops), "element": "anyfunc"})
	api.Get("Instance").New(api.Get("Module").New(bytes), map[string]any{"go": map[string]any{"mem": memory}, "shim": map[string]any{"t": table}})
	for i := range loops {
		loops[i] = table.Call("get", i)
	}
	return loops, memory
}

// BenchmarkFloor is one pass over the parameters of Syn2.
func BenchmarkFloor(b *testing.B) {
	const parameters = 3 * 2 * (1000*256 + 256*8 + 8)
	const bytes = parameters / streamTurn * 64
	loops, _ := newFloor(parameters)
	for i, args := range [][]any{{0, bytes, 2 * bytes, bytes}, {parameters / rootsTurn, 0}, {parameters / productsTurn, 0}} {
		b.Run([]string{"stream", "roots", "products"}[i], func(b *testing.B) {
			for range 40 { // until the browser has compiled the loop for good
				loops[i].Invoke(args...)
			}
			for b.Loop() {
				loops[i].Invoke(args...)
			}
		})
	}
}

// The stream adds once to 128 numbers of each of three arrays, and to nothing else. The loops without memory end in the sums of their vectors.
func TestFloor(t *testing.T) {
	loops, memory := newFloor(10_000)
	x := js.Global().Get("Float32Array").New(memory.Get("buffer"))
	loops[0].Invoke(64, 1024, 2048, 64+512)
	for i := range x.Length() {
		want := 0.0
		for _, at := range []int{64, 1024, 2048} {
			if i >= at/4 && i < at/4+128 {
				want = 1
			}
		}
		if got := x.Index(i).Float(); got != want {
			t.Fatalf("number %d is %v, expected %v", i, got, want)
		}
	}
	root := func(x float32) float32 { return 1 / float32(math.Sqrt(float64(x))) }
	half := func(x float32) float32 { return float32(x*0.5) + 1 }
	for i, c := range []struct {
		vectors, times int
		change         func(float32) float32
	}{{8, 3, root}, {12, 6, half}} {
		loops[1+i].Invoke(3, 0)
		var sum float32
		for v := range c.vectors {
			x := float32(2 + v)
			for range c.times {
				x = c.change(x)
			}
			if v == 0 {
				sum = x
			} else {
				sum += x
			}
		}
		if got := x.Index(0).Float(); got != float64(sum) {
			t.Errorf("loop %d: %v, expected %v", 1+i, got, sum)
		}
	}
}
