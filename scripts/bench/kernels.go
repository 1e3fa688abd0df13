package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"cadem/scripts/bench/loops"
)

// A loopAnswer is what a program says of a loop: what it finds, or how long it takes.
type loopAnswer struct {
	loops.Check
	MS      float64 `json:"ms"`
	Version string  `json:"version"`
}

// A looper does loops; ask is told whether to check, and is nil for a loop that the program lacks.
type looper struct {
	key, name string
	ours      bool // the bits are expected to be the same
	ask       func(l *loops.Loop, check bool) (loopAnswer, error)
	has       func(l *loops.Loop) bool // nil for all
}

// loopers are the programs, those that are here.
func (b *bench) loopers(p *python) []looper {
	list := []looper{
		{key: "native_scalar", name: "native, scalar", ours: true, ask: b.natively(false)},
		{key: "native", name: "native, vectors", ours: true, ask: b.natively(true)},
		{key: "gonum", name: "gonum", ask: b.byGonum, has: func(l *loops.Loop) bool { return gonumLoops[l.Key] != nil }},
		{key: "tab_scalar", name: "tab, scalar", ours: true, ask: b.inTab(false)},
		{key: "tab", name: "tab, SIMD", ours: true, ask: b.inTab(true)},
	}
	if p != nil {
		list = append(list, looper{key: "torch", name: "PyTorch", ask: func(l *loops.Loop, check bool) (a loopAnswer, err error) {
			err = p.ask(map[string]any{"key": l.Key, "check": check}, &a)
			return a, err
		}})
	}
	return list
}

// kernels measures the loops in all programs, in turns.
func (b *bench) kernels() error {
	b.say("kernels")
	b.full.Loops = &loopReport{Equal: true}
	if err := b.serveLoops(); err != nil {
		return err
	}
	var p *python
	if name := b.withTorch(); name == "" {
		b.say("%s: not here", pyTorch)
	} else {
		var err error
		if p, err = b.startPython(name, "loops.py"); err != nil {
			return err
		}
		defer p.close()
	}
	programs, list := b.loopers(p), loops.All()
	for _, l := range list {
		if err := b.checkLoop(l, programs); err != nil {
			return err
		}
	}
	for round := range rounds + 1 {
		for _, l := range list {
			for _, who := range programs {
				if who.has != nil && !who.has(l) {
					continue
				}
				a, err := who.ask(l, false)
				if err != nil {
					return err
				}
				if round > 0 {
					b.add("loop/"+l.Key+"/"+who.key, a.MS)
				}
			}
		}
	}
	return nil
}

// checkLoop compares what the programs find.
func (b *bench) checkLoop(l *loops.Loop, programs []looper) error {
	var first loopAnswer
	for i, who := range programs {
		if who.has != nil && !who.has(l) {
			continue
		}
		a, err := who.ask(l, true)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", who.name, l.What, err)
		}
		if i == 0 {
			first = a
		}
		if who.ours && a.Hash != first.Hash {
			b.full.Loops.Equal = false
		}
		if d := math.Abs(a.Sum-first.Sum) / math.Abs(first.Sum); !(d <= agreement) {
			return fmt.Errorf("%s, %s: found %v, expected %v", who.name, l.What, a.Sum, first.Sum)
		}
		if a.Version != "" {
			b.full.Loops.Torch = a.Version
		}
	}
	return nil
}

// natively does loops in this process, on one processor.
func (b *bench) natively(vectors bool) func(*loops.Loop, bool) (loopAnswer, error) {
	return func(l *loops.Loop, check bool) (a loopAnswer, err error) {
		err = b.native.on(1, vectors, func() error {
			if check {
				a.Check = l.Check()
			} else {
				a.MS = l.Milliseconds()
			}
			return nil
		})
		return a, err
	}
}

// inTab does them in a worker of the browser.
func (b *bench) inTab(vectors bool) func(*loops.Loop, bool) (loopAnswer, error) {
	return func(l *loops.Loop, check bool) (a loopAnswer, err error) {
		err = b.page.call("shipped", "loop", &a, map[string]any{"key": l.Key, "vectors": vectors, "check": check})
		return a, err
	}
}

// gonumLoops make the dense products of gonum, with what sums the squares of the result.
var gonumLoops = map[string]func() (run func(), found func() float64){
	"dense32":      func() (func(), func() float64) { return gonumSingle(blas.NoTrans, 3000, 512, 512) },
	"dense64":      gonumDouble,
	"narrow32":     func() (func(), func() float64) { return gonumSingle(blas.NoTrans, 3000, 512, 64) },
	"transposed32": func() (func(), func() float64) { return gonumSingle(blas.Trans, 512, 3000, 512) },
}

// gonumSingle multiplies an n x h matrix, which lies transposed if told so, by an h x d matrix.
func gonumSingle(t blas.Transpose, n, h, d int) (func(), func() float64) {
	matrix := func(rows, cols, seed int) blas32.General {
		return blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: loops.Fill[float32](rows*cols, seed)}
	}
	a, b, c := matrix(n, h, 1), matrix(h, d, 2), matrix(n, d, 3)
	if t == blas.Trans {
		a = matrix(h, n, 1)
	}
	return func() { blas32.Gemm(t, blas.NoTrans, 1, a, b, 0, c) }, func() (sum float64) {
		for _, v := range c.Data {
			sum += float64(v) * float64(v)
		}
		return sum
	}
}

func gonumDouble() (func(), func() float64) {
	matrix := func(rows, cols, seed int) blas64.General {
		return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: loops.Fill[float64](rows*cols, seed)}
	}
	a, b, c := matrix(3000, 512, 1), matrix(512, 512, 2), matrix(3000, 512, 3)
	return func() { blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, c) }, func() (sum float64) {
		for _, v := range c.Data {
			sum += v * v
		}
		return sum
	}
}

func (b *bench) byGonum(l *loops.Loop, check bool) (a loopAnswer, err error) {
	run, found := gonumLoops[l.Key]()
	err = b.native.on(1, true, func() error {
		if check {
			run()
			a.Sum = found()
		} else {
			a.MS = loops.Milliseconds(run)
		}
		return nil
	})
	return a, err
}

// serveLoops builds the tab's program and serves it with its worker.
func (b *bench) serveLoops() error {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "program.wasm")
	c := exec.Command("go", "build", "-tags", "noasm,simd,methods", "-buildvcs=false", "-o", file, "./scripts/bench/loops/tab")
	c.Dir, c.Env = b.root, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=")
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, text)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	script, err := bundle(b.root, b.site, "loops.js", api.FormatIIFE)
	if err != nil {
		return err
	}
	b.server.put("loops/program.wasm", program)
	b.server.put("loops/worker.js", script)
	return nil
}

// writeKernels writes a row a loop.
func (b *bench) writeKernels(w io.Writer) {
	programs := b.loopers(nil)
	if b.full.Loops.Torch != "" {
		programs = append(programs, looper{key: "torch", name: "PyTorch"})
	}
	writef(w, "\n| ms |")
	for _, p := range programs {
		writef(w, " %s |", p.name)
	}
	writef(w, "\n|---|%s\n", strings.Repeat("---:|", len(programs)))
	for _, l := range loops.All() {
		writef(w, "| %s |", l.What)
		for _, p := range programs {
			text := ""
			if s := b.samples["loop/"+l.Key+"/"+p.key]; s != nil {
				text = fmt.Sprintf("%g", round(s.median()))
			}
			writef(w, " %s |", text)
		}
		writef(w, "\n")
	}
	if b.full.Loops.Torch == "" {
		writef(w, "\n%s is not installed here.\n", pyTorch)
	} else {
		writef(w, "\nPyTorch is %s.\n", b.full.Loops.Torch)
	}
	equal := "are equal"
	if !b.full.Loops.Equal {
		equal = "**differ**"
	}
	writef(w, "\nThe bits of ours, natively and in the tab, in vectors and scalar, %s.\n", equal)
}
