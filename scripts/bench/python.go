package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

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

// pyTorch is what we compare with.
const pyTorch = "PyTorch with OpenBLAS, BLIS, ATLAS or MKL"

// withTorch names a python3 that can import PyTorch, with a library for matrices that is worth a
// comparison; "" where there is none.
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
