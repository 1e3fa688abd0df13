package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"cadem/core/baseline"
	"cadem/core/formats/npy"
	"cadem/core/multiplex"
	"cadem/core/study"
	"cadem/core/study/experiments"
	"cadem/scripts/bench/epochs"
)

// What the comparison of all methods may take in a tab, and one method of it, in seconds.
const (
	mostBoard  = 150
	mostMethod = 40
)

// A boardReport tells how long the comparison of all methods on Syn1 takes in a tab, with lite settings and one seed.
type boardReport struct {
	Seconds   float64            `json:"seconds"`
	Processor float64            `json:"processor_seconds"` // of the page's process
	Each      map[string]float64 `json:"each_seconds"`      // of every task, by its name, beside another one
}

// slowest returns the task that takes longest.
func (r *boardReport) slowest() (name string, seconds float64) {
	for n, s := range r.Each {
		if s > seconds {
			name, seconds = n, s
		}
	}
	return name, seconds
}

// A learnReport tells what an epoch of every method takes, in ms of the processor, by graph, method and program.
type learnReport struct {
	Torch   string                                   `json:"torch,omitempty"`
	Skipped string                                   `json:"skipped,omitempty"` // why PyTorch was left out
	Epochs  map[string]map[string]map[string]float64 `json:"epoch_ms"`
}

// methods measures the comparison of all methods in a tab, and an epoch of those with gradients beside PyTorch.
func (b *bench) methods() error {
	if err := b.board(); err != nil {
		return err
	}
	return b.learning()
}

// board runs the comparison as the page does: in its pool, two tasks at a time.
func (b *bench) board() error {
	b.say("all methods on Syn1 in the tab")
	tasks, err := experiments.All().Plan(study.Order{Study: "table2", Methods: "all", Level: baseline.Lite, Seeds: 1})
	if err != nil {
		return err
	}
	before, err := b.page.Usage()
	if err != nil {
		return err
	}
	r := &boardReport{}
	var found struct {
		S    float64            `json:"s"`
		Each map[string]float64 `json:"each"`
	}
	if err := b.page.call("shipped", "pool", &found, map[string]any{"tasks": tasks, "workers": 2, "files": []any{}}); err != nil {
		return err
	}
	after, err := b.page.Usage()
	if err != nil {
		return err
	}
	r.Seconds, r.Processor, r.Each = round(found.S), round((after.CPU - before.CPU).Seconds()), map[string]float64{}
	for name, s := range found.Each {
		r.Each[name] = round(s)
	}
	b.full.Board = r
	return nil
}

// A learner learns for so many seconds, and tells how many epochs that were and how long the processor took.
type learner struct {
	key, name string
	learn     func(graph, method string, seconds float64) (epochs int, processor float64, err error)
}

// learning measures epochs in all programs, in turns.
func (b *bench) learning() error {
	r := &learnReport{Epochs: map[string]map[string]map[string]float64{}}
	b.full.Learning = r
	if err := b.serveLoops(); err != nil {
		return err
	}
	programs := []learner{{"native", "native", b.learnNatively()}, {"tab", "tab", b.learnInTab}}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, why, err := b.references()
	if err != nil {
		return err
	}
	if p == nil {
		b.say("%s", why)
		r.Skipped = why
	} else {
		defer p.close()
		programs = append(programs, learner{"torch", "PyTorch", b.learnByTorch(p, dir, r)})
	}
	for _, graph := range epochs.Graphs {
		turns, seconds := 3, 1.0
		if graph == "papers" {
			turns, seconds = 1, 0
		}
		r.Epochs[graph] = map[string]map[string]float64{}
		for _, method := range epochs.Methods(graph) {
			b.say("epochs of %s on %s", method, graph)
			r.Epochs[graph][method] = map[string]float64{}
			for range turns {
				for _, who := range programs {
					n, used, err := who.learn(graph, method, seconds)
					if err != nil {
						return fmt.Errorf("%s, %s on %s: %w", who.name, method, graph, err)
					}
					b.add(epochKey(graph, method, who.key), 1000*used/float64(n))
				}
			}
			for _, who := range programs {
				r.Epochs[graph][method][who.key] = round(b.median(epochKey(graph, method, who.key)))
			}
		}
	}
	return nil
}

func epochKey(graph, method, program string) string {
	return "epoch/" + graph + "/" + method + "/" + program
}

// learnNatively learns in this process, on one processor.
func (b *bench) learnNatively() func(string, string, float64) (int, float64, error) {
	var open string
	var g *multiplex.Graph
	return func(graph, method string, seconds float64) (n int, used float64, err error) {
		if open != graph {
			if g, err = epochs.Open(graph); err != nil {
				return 0, 0, err
			}
			open = graph
		}
		err = b.native.on(1, true, func() error {
			l, err := epochs.Start(method, g)
			if err != nil {
				return err
			}
			before := processorSeconds()
			n, err = l.Learn(seconds)
			used = processorSeconds() - before
			return err
		})
		return n, used, err
	}
}

// processorSeconds is what this process has taken of the processors.
func processorSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of this process
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// learnInTab learns in a worker of the browser.
func (b *bench) learnInTab(graph, method string, seconds float64) (int, float64, error) {
	var found struct{ Epochs int }
	ask := func(seconds float64) error {
		return b.page.call("shipped", "loop", &found, map[string]any{"graph": graph, "method": method, "seconds": seconds})
	}
	if err := ask(-1); err != nil { // gets ready
		return 0, 0, err
	}
	before, err := b.page.Usage()
	if err != nil {
		return 0, 0, err
	}
	if err := ask(seconds); err != nil {
		return 0, 0, err
	}
	after, err := b.page.Usage()
	return found.Epochs, (after.CPU - before.CPU).Seconds(), err
}

// references starts the program that learns with the references in PyTorch; nil and the reason where something is missing for it.
func (b *bench) references() (p *python, why string, err error) {
	dir := filepath.Join(b.root, "..", "shared", "reference", "baselines")
	if _, err := os.Stat(dir); err != nil {
		return nil, "The references of the methods are not here.", nil
	}
	name := b.withTorch()
	if name == "" {
		return nil, pyTorch + " is not installed here.", nil
	}
	p, err = b.startPython(name, "epochs.py", dir)
	return p, "", err
}

// learnByTorch learns with the references.
func (b *bench) learnByTorch(p *python, dir string, r *learnReport) func(string, string, float64) (int, float64, error) {
	var open string
	return func(graph, method string, seconds float64) (int, float64, error) {
		if open != graph {
			file := filepath.Join(dir, graph+".npz")
			if err := writeGraph(file, graph); err != nil {
				return 0, 0, err
			}
			var a struct{ Version string }
			if err := p.ask(map[string]any{"graph": file}, &a); err != nil {
				return 0, 0, err
			}
			open, r.Torch = graph, a.Version
		}
		var a struct {
			Epochs    int     `json:"epochs"`
			Processor float64 `json:"processor_s"`
		}
		err := p.ask(map[string]any{"method": method, "seconds": seconds}, &a)
		return a.Epochs, a.Processor, err
	}
}

// writeGraph writes a graph as the references read it.
func writeGraph(file, name string) error {
	g, err := epochs.Open(name)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	put := func(name string, data any, shape ...int) error {
		w, err := z.Create(name + ".npy")
		if err != nil {
			return err
		}
		return npy.Write(w, &npy.Array{Shape: shape, Data: data})
	}
	err = put("nodes", []int32{int32(g.M())})
	if err == nil {
		err = put("layers", []int32{int32(g.N())})
	}
	for l := 0; l < g.N() && err == nil; l++ {
		var edges []int32
		a := g.Layers[l].Adjacency
		for i := range a.Rows {
			for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
				if int(j) >= i {
					edges = append(edges, int32(i), j)
				}
			}
		}
		err = put(fmt.Sprintf("edges%d", l), edges, len(edges)/2, 2)
	}
	if x := g.Layers[0].Features; err == nil && x.Sparse != nil {
		dense := make([]float32, x.Rows*x.Cols)
		for i := range x.Rows {
			for _, j := range x.Sparse.Index[x.Sparse.Start[i]:x.Sparse.Start[i+1]] {
				dense[i*x.Cols+int(j)] = 1
			}
		}
		err = put("features", dense, x.Rows, x.Cols)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// graphNames are those of the graphs that are learned from.
var graphNames = map[string]string{"syn1": "Syn1", "papers": "ACM's size"}

func (b *bench) writeMethods(w io.Writer) {
	if r := b.full.Board; r != nil {
		name, s := r.slowest()
		writef(w, "\nAll methods on Syn1 in the tab: %g s, of the processors %g s. The longest of the %d tasks is %q with %g s.\n", r.Seconds, r.Processor,
			len(r.Each), name, s)
	}
	r := b.full.Learning
	if r == nil {
		return
	}
	writef(w, "\n| ms of the processor | | native | tab | PyTorch | native to PyTorch | tab to PyTorch |\n|---|---|---:|---:|---:|---:|---:|\n")
	for _, graph := range epochs.Graphs {
		for _, method := range epochs.Methods(graph) {
			ms := r.Epochs[graph][method]
			torch, native, tab := "", "", ""
			if t := ms["torch"]; t > 0 {
				torch, native, tab = fmt.Sprintf("%g", t), fmt.Sprintf("%.2g", ms["native"]/t), fmt.Sprintf("%.2g", ms["tab"]/t)
			}
			writef(w, "| %s | %s | %g | %g | %s | %s | %s |\n", method, graphNames[graph], ms["native"], ms["tab"], torch, native, tab)
		}
	}
	if r.Skipped != "" {
		writef(w, "\n%s\n", r.Skipped)
	} else {
		writef(w, "\nPyTorch is %s.\n", r.Torch)
	}
}

// methodLines hold what was measured against what was asked for.
func (b *bench) methodLines(compare func(what string, figure, limit float64, most bool, unit string),
	ratio func(what, above, below string, limit float64, most bool)) {
	if r := b.full.Board; r != nil {
		name, s := r.slowest()
		compare("All methods on Syn1 in the tab, lite, one seed", r.Seconds, mostBoard, true, "s")
		compare("The longest of its tasks, "+name, s, mostMethod, true, "s")
	}
	for _, method := range slices.Sorted(slices.Values(epochs.Methods("syn1"))) {
		ratio("Epoch of "+method+" on Syn1: native to PyTorch, one thread", epochKey("syn1", method, "native"), epochKey("syn1", method, "torch"), 4, true)
		ratio("Epoch of "+method+" on Syn1: tab to PyTorch, one thread", epochKey("syn1", method, "tab"), epochKey("syn1", method, "torch"), 8, true)
	}
}
