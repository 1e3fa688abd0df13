package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// agreement is the largest relative difference at which a peer's losses count as ours: sums of
// thousands of terms in single precision differ by less with their order.
const agreement = 1e-3

// A peer is another program that takes the step of the problem.
type peer struct {
	key, name string
	forms     []form
	ask       func(q request) answer // the time of a step, or the losses of the first
	close     func()
}

// A form is how the peer writes the encoder, and how many steps one measurement averages.
type form struct {
	name  string
	steps int
}

type request struct {
	Form  string `json:"form"`
	Steps int    `json:"steps,omitempty"`
	Check int    `json:"check,omitempty"`
}

type answer struct {
	MS      float64   `json:"ms"`
	Losses  []columns `json:"losses"` // by step; a term that a peer lacks stays 0 and deviates
	Version string    `json:"version"`
	SIMD    bool      `json:"simd"`
}

// peers starts the other programs that are here and compares the losses of every form with ours.
func (b *bench) peers(q *problem) (list []*peer) {
	for _, p := range []*peer{b.tensorflow(q), b.torch(q)} {
		if p == nil {
			continue
		}
		version, worst := "", 0.0
		for _, f := range p.forms {
			a := p.ask(request{Form: f.name, Check: checkedSteps})
			d := q.deviation(a.Losses)
			if !(d <= agreement) {
				ok(fmt.Errorf("another program computes something else: %s, %s: losses %v, expected %v",
					p.name, f.name, a.Losses, q.Losses))
			}
			version, worst = a.Version, max(worst, d)
		}
		b.remark("step", "%s %s: the losses of its first %d steps agree with ours to %.1g.",
			p.name, version, checkedSteps, worst)
		list = append(list, p)
	}
	return list
}

// absent notes that a program is not here.
func (b *bench) absent(part, name string) {
	b.say("%s: not here", name)
	b.remark(part, "%s is not installed here.", name)
}

// tensorflow is TensorFlow.js with its WebAssembly backend, in a worker of the same browser; nil where it is not installed.
func (b *bench) tensorflow(q *problem) *peer {
	dir := filepath.Join(b.root, "scripts", "bench", "tfjs")
	modules := filepath.Join(dir, "node_modules", "@tensorflow")
	wasm := must(filepath.Glob(filepath.Join(modules, "tfjs-backend-wasm", "dist", "*.wasm")))
	if len(wasm) == 0 {
		b.absent("step", "TensorFlow.js")
		return nil
	}
	for _, file := range append(wasm, filepath.Join(dir, "peer.js"), filepath.Join(modules, "tfjs", "dist", "tf.min.js"),
		filepath.Join(modules, "tfjs-backend-wasm", "dist", "tf-backend-wasm.min.js")) {
		b.server.put("tfjs/"+filepath.Base(file), must(os.ReadFile(file)))
	}
	b.putFiles("", q.files())
	ask := func(q request) (a answer) {
		b.call("shipped", "tfjs", &a, q)
		if q.Check > 0 && !a.SIMD {
			ok(errors.New("TensorFlow.js: its backend runs without SIMD"))
		}
		return a
	}
	return &peer{"tfjs", "TensorFlow.js wasm", []form{{"natural", 1}, {"reassociated", 5}, {"pooled", 5}}, ask, func() {}}
}

// torch is PyTorch on one thread, where a python3 can import it; nil elsewhere.
func (b *bench) torch(q *problem) *peer {
	dir := must(os.MkdirTemp("", "bench-"))
	written(dir, q.files())
	remove := func() { _ = os.RemoveAll(dir) } // a temporary folder at worst
	p := b.startPython("step", "peer.py", dir)
	if p == nil {
		remove()
		return nil
	}
	ask := func(q request) (a answer) {
		p.ask(q, &a)
		return a
	}
	return &peer{"torch", "PyTorch, one thread", []form{{"natural", 3}, {"reassociated", 10}, {"pooled", 10}}, ask,
		func() { p.close(); remove() }}
}

// pythonWith is a python3 on one thread for which a script succeeds and does not print None; "" if there is none.
func pythonWith(args ...string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if out, err := python3(name, args...).Output(); err == nil && strings.TrimSpace(string(out)) != "None" {
			return name
		}
	}
	return ""
}

// withSciPy names a python3 that can import SciPy.
func withSciPy() string { return pythonWith("-c", "import scipy.sparse.linalg") }

// python3 is a Python on one thread.
func python3(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1")
	return c
}

// A python answers requests, one JSON object a line.
type python struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
}

// startPython starts a script for PyTorch, if that is here with a matrix library worth comparing with; nil if not.
func (b *bench) startPython(part, script string, arg ...string) *python {
	folder := filepath.Join(b.root, "scripts", "bench", "torch")
	name := pythonWith(filepath.Join(folder, "blas.py"))
	if name == "" {
		b.absent(part, "PyTorch with OpenBLAS, BLIS, ATLAS or MKL")
		return nil
	}
	p := &python{command: python3(name, append([]string{filepath.Join(folder, script)}, arg...)...)}
	p.command.Stderr = b.log
	p.in = must(p.command.StdinPipe())
	p.out = json.NewDecoder(must(p.command.StdoutPipe()))
	ok(p.command.Start())
	return p
}

// ask has a request answered.
func (p *python) ask(request, answer any) {
	ok(json.NewEncoder(p.in).Encode(request))
	ok(p.out.Decode(answer))
}

func (p *python) close() {
	_ = p.in.Close() // ends its loop
	_ = p.command.Wait()
}
