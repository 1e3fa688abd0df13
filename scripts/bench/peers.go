package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	key   string
	name  string
	forms []form
	// ask sends a request to the program: the time of a step or the losses of the first.
	ask       func(q request) (answer, error)
	close     func()
	version   string
	deviation float64 // largest relative difference of a loss
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

// check compares the losses of every form with ours.
func (p *peer) check(q *problem) error {
	for _, f := range p.forms {
		a, err := p.ask(request{Form: f.name, Check: checkedSteps})
		if err != nil {
			return fmt.Errorf("%s, %s: %w", p.name, f.name, err)
		}
		p.version = a.Version
		d := q.deviation(a.Losses)
		if !(d <= agreement) {
			return fmt.Errorf("%s, %s: losses %v, expected %v", p.name, f.name, a.Losses, q.Losses)
		}
		p.deviation = max(p.deviation, d)
	}
	return nil
}

// tensorflow is TensorFlow.js with its WebAssembly backend, in a worker of the same browser.
func (b *bench) tensorflow(q *problem) (*peer, error) {
	dir := filepath.Join(b.root, "scripts", "bench", "tfjs")
	if err := install(dir); err != nil {
		return nil, err
	}
	files := map[string]string{"peer.js": "peer.js", "tf.min.js": "node_modules/@tensorflow/tfjs/dist/tf.min.js"}
	for _, name := range []string{"tf-backend-wasm.min.js", "tfjs-backend-wasm.wasm", "tfjs-backend-wasm-simd.wasm", "tfjs-backend-wasm-threaded-simd.wasm"} {
		files[name] = "node_modules/@tensorflow/tfjs-backend-wasm/dist/" + name
	}
	for name, from := range files {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(from)))
		if err != nil {
			return nil, err
		}
		b.server.put("tfjs/"+name, text)
	}
	b.server.put("problem.json", q.header())
	b.server.put("problem.bin", q.data)
	ask := func(q request) (a answer, err error) {
		err = b.page.call("shipped", "tfjs", &a, q)
		if err == nil && q.Check > 0 && !a.SIMD {
			err = errors.New("its backend runs without SIMD")
		}
		return a, err
	}
	return &peer{key: "tfjs", name: "TensorFlow.js wasm", forms: []form{{"natural", 1}, {"reassociated", 5}, {"pooled", 5}}, ask: ask, close: func() {}}, nil
}

// install has npm fetch the pinned packages of a folder unless they are there.
func install(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	c.Dir = dir
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, text)
	}
	return nil
}

// torch is PyTorch on one thread, where a python3 can import it; nil elsewhere.
func (b *bench) torch(q *problem) (*peer, error) {
	name := b.withTorch()
	if name == "" {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) } // a temporary folder at worst
	for name, text := range map[string][]byte{"problem.json": q.header(), "problem.bin": q.data} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			remove()
			return nil, err
		}
	}
	p, err := b.startPython(name, "peer.py", dir)
	if err != nil {
		remove()
		return nil, err
	}
	return &peer{
		key:   "torch",
		name:  "PyTorch, one thread",
		forms: []form{{"natural", 3}, {"reassociated", 10}, {"pooled", 10}},
		ask: func(q request) (a answer, err error) {
			err = p.ask(q, &a)
			return a, err
		},
		close: func() { p.close(); remove() },
	}, nil
}

// A python answers requests, one JSON object a line.
type python struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	log     strings.Builder
}

// torchFolder has the programs for PyTorch.
func (b *bench) torchFolder() string { return filepath.Join(b.root, "scripts", "bench", "torch") }

// oneThread is the environment of PyTorch on one thread.
func oneThread() []string {
	return append(os.Environ(), "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1")
}

// pyTorch is the peer.
const pyTorch = "PyTorch with OpenBLAS, BLIS, ATLAS or MKL"

// withTorch names a python3 that can import PyTorch with a matrix library worth comparing with; ""
// if there is none.
func (b *bench) withTorch() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		c := exec.Command(name, filepath.Join(b.torchFolder(), "blas.py"))
		c.Env = oneThread()
		if out, err := c.Output(); err == nil && strings.TrimSpace(string(out)) != "None" {
			return name
		}
	}
	return ""
}

// startPython starts a script of the folder for PyTorch.
func (b *bench) startPython(name, script string, arg ...string) (*python, error) {
	p := &python{command: exec.Command(name, append([]string{filepath.Join(b.torchFolder(), script)}, arg...)...)}
	p.command.Env, p.command.Stderr = oneThread(), &p.log
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.command.Start()
}

// ask has a request answered.
func (p *python) ask(request, answer any) error {
	if err := json.NewEncoder(p.in).Encode(request); err != nil {
		return fmt.Errorf("%w\n%s", err, p.log.String())
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%w\n%s", err, p.log.String())
	}
	return json.Unmarshal(line, answer)
}

func (p *python) close() {
	_ = p.in.Close() // ends its loop
	_ = p.command.Wait()
}
