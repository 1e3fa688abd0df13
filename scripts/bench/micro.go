package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// These parts run Go benchmarks, which lie beside what they measure.

// loopNames are the loops of core/base/kernel, in the order of the table.
var loopNames = []row{
	{"dense32", "3000 x 512 by 512 x 512, float32"},
	{"dense64", "3000 x 512 by 512 x 512, float64"},
	{"narrow32", "3000 x 512 by 512 x 64, float32"},
	{"transposed32", "transposed 3000 x 512 by 3000 x 512, float32"},
	{"sparse32", "sparse, 2.2 million entries by 64 columns, float32"},
	{"sparse64", "sparse, 2.2 million entries by 64 columns, float64"},
	{"skipgram32", "skip-gram updates, 20000 pairs of 64 columns, 6 targets each, float32"},
	{"softmax64", "softmax over 100000 rows of 16, float64"},
}

var loopPrograms = []row{{"native/scalar", "native, scalar"}, {"native/vectors", "native, vectors"}, {"native/gonum", "gonum"},
	{"tab/scalar", "tab, scalar"}, {"tab/vectors", "tab, SIMD"}, {"torch", "PyTorch"}}

// kernels measures the loops natively, in the tab and in PyTorch, in turns, and compares what they find.
func (b *bench) kernels() {
	b.full.Loops = &loopReport{}
	var p *python
	if name := b.withTorch(); name == "" {
		b.say("%s: not here", pyTorch)
	} else {
		p = must(b.startPython(name, "loops.py"))
		defer p.close()
	}
	sums := map[string]float64{}
	note := func(loop, program string, ms, found float64) {
		b.add("loop/"+loop+"/"+program, ms)
		if sums[loop] == 0 {
			sums[loop] = found
		}
		if d := math.Abs(found-sums[loop]) / math.Abs(sums[loop]); !(d <= agreement) {
			ok(fmt.Errorf("%s, %s: found %v, expected %v", program, loop, found, sums[loop]))
		}
	}
	for range rounds {
		for _, where := range []string{"native", "tab"} {
			b.say("kernels, %s", where)
			list := must(b.goBench(where == "tab", "./core/base/kernel", "BenchmarkLoops", "50ms"))
			for _, r := range list {
				loop, program, _ := strings.Cut(r.name, "/")
				note(loop, where+"/"+program, r.value["ns/op"]/1e6, r.value["found"])
			}
		}
		for _, l := range loopNames {
			var check, a struct {
				Sum, MS float64
				Version string
			}
			if p == nil {
				break
			}
			ok(p.ask(map[string]any{"key": l.key, "check": true}, &check))
			ok(p.ask(map[string]any{"key": l.key}, &a))
			b.full.Loops.Torch = check.Version
			note(l.key, "torch", a.MS, check.Sum)
		}
	}
}

// writeKernels writes a row a loop.
func (b *bench) writeKernels(w io.Writer) {
	writef(w, "\n| ms |")
	for _, p := range loopPrograms {
		writef(w, " %s |", p.what)
	}
	writef(w, "\n|---|%s\n", strings.Repeat("---:|", len(loopPrograms)))
	for _, l := range loopNames {
		writef(w, "| %s |", l.what)
		for _, p := range loopPrograms {
			writef(w, " %s |", b.figure("loop/"+l.key+"/"+p.key))
		}
		writef(w, "\n")
	}
	if b.full.Loops.Torch == "" {
		writef(w, "\n%s is not installed here.\n", pyTorch)
	} else {
		writef(w, "\nPyTorch is %s.\n", b.full.Loops.Torch)
	}
}

// figure is the median of a quantity as text, "" if it was not measured.
func (b *bench) figure(name string) string {
	if b.samples[name] == nil {
		return ""
	}
	return fmt.Sprintf("%g", round(b.median(name)))
}

// epochs measures an epoch of every method with gradients, natively and in the tab, in turns.
func (b *bench) epochs() {
	for range 3 {
		for _, where := range []string{"native", "tab"} {
			b.say("epochs of methods, %s", where)
			list := must(b.goBench(where == "tab", "./core/baseline", "BenchmarkEpoch", "1s"))
			for _, r := range list {
				b.add("epoch/"+r.name+"/"+where, r.value["ns/op"]/1e6)
				if !slices.Contains(b.full.Epochs, r.name) {
					b.full.Epochs = append(b.full.Epochs, r.name)
				}
			}
		}
	}
}

func (b *bench) writeEpochs(w io.Writer) {
	writef(w, "\n| ms | | native | tab |\n|---|---|---:|---:|\n")
	for _, name := range b.full.Epochs {
		graph, method, _ := strings.Cut(name, "/")
		writef(w, "| %s | %s | %s | %s |\n", method, graph, b.figure("epoch/"+name+"/native"), b.figure("epoch/"+name+"/tab"))
	}
}

// A fit tells how the cost of a step grows, natively, as fitted exponents of a power.
type fit struct {
	Against string    `json:"against"`
	Size    []float64 `json:"size"`
	StepMS  []float64 `json:"step_ms"`
	MB      []float64 `json:"mb"` // kept by the graph and the run
	Time    float64   `json:"time_exponent"`
	Memory  float64   `json:"memory_exponent"`
}

// scaling measures steps of random graphs that grow in nodes, edges and features.
func (b *bench) scaling() {
	b.say("steps of graphs that grow")
	list := must(b.goBench(false, "./core/cadem", "BenchmarkScaling", "1s"))
	var f *fit
	for _, r := range list {
		at := strings.LastIndexByte(r.name, '/')
		size := must(strconv.ParseFloat(r.name[at+1:], 64))
		if f == nil || f.Against != r.name[:at] {
			b.full.Scaling = append(b.full.Scaling, fit{Against: r.name[:at]})
			f = &b.full.Scaling[len(b.full.Scaling)-1]
		}
		f.Size, f.StepMS, f.MB = append(f.Size, size), append(f.StepMS, round(r.value["ns/step"]/1e6)), append(f.MB, round(r.value["MB"]))
		f.Time, f.Memory = round(exponent(f.Size, f.StepMS)), round(exponent(f.Size, f.MB))
	}
}

func (b *bench) writeScaling(w io.Writer) {
	writef(w, "\n| A native step against | from .. to | ms | exponent | MB kept | exponent |\n|---|---|---|---:|---|---:|\n")
	for _, f := range b.full.Scaling {
		n := len(f.Size) - 1
		writef(w, "| %s | %.0f .. %.0f | %g .. %g | %.3f | %g .. %g | %.3f |\n", f.Against, f.Size[0], f.Size[n],
			f.StepMS[0], f.StepMS[n], f.Time, f.MB[0], f.MB[n], f.Memory)
	}
}

// A projection tells from a few steps what a training would take natively, on one processor.
type projection struct {
	Method string  `json:"method"`
	First  float64 `json:"first_s"` // the first step of every network, with what prepares it
	Step   float64 `json:"step_s"`  // of one network thereafter
	Steps  float64 `json:"steps"`   // of all networks
	Hours  float64 `json:"hours"`   // of all steps, if none stops early
}

// project takes the first steps of methods with official settings on a graph of ACM's size.
func (b *bench) project() {
	b.say("first steps of methods with official settings on a large graph")
	for _, r := range must(b.goBench(false, "./core/baseline", "BenchmarkOfficial", "5s")) {
		p := projection{r.name, r.value["s-first"], r.value["ns/op"] / 1e9, r.value["steps"], 0}
		p.Hours = round((p.First + p.Step*p.Steps) / 3600)
		p.Step = round(p.Step)
		b.full.Projected = append(b.full.Projected, p)
	}
}

func (b *bench) writeProjected(w io.Writer) {
	writef(w, "\n| method | first steps, s | a step, s | steps | projected, h |\n|---|---:|---:|---:|---:|\n")
	for _, p := range b.full.Projected {
		writef(w, "| %s | %g | %g | %g | %g |\n", p.Method, p.First, p.Step, p.Steps, p.Hours)
	}
}

// A benched is the result of a Go benchmark.
type benched struct {
	name  string             // after that of the function, with spaces
	value map[string]float64 // by unit
}

// goBench runs benchmarks of a package once, on one processor natively or in a worker of the browser. It repeats each for at least
// that time.
func (b *bench) goBench(tab bool, pkg, function, atLeast string) ([]benched, error) {
	args := []string{"test", "-run", "^$", "-bench", "^" + function + "$", "-benchtime", atLeast, "-cpu", "1", "-timeout", "0"}
	env, tags := os.Environ(), "noasm"
	if tab {
		tags = "noasm,simd,methods"
		args = append(args, "-exec", "env GOOS= GOARCH= go run cadem.example/scripts/wasmtest -limit 1h")
		env = append(env, "GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=")
	}
	c := b.command("go", append(args, "-tags", tags, pkg)...)
	c.Env = env
	var log bytes.Buffer
	c.Stderr = &log
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", c, err, out, &log)
	}
	return parseBench(function, out)
}

// parseBench reads the lines that benchmarks print: a name, how often it ran, and pairs of a number and its unit.
func parseBench(function string, out []byte) (list []benched, err error) {
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		word := strings.Fields(lines.Text())
		if len(word) < 4 || !strings.HasPrefix(word[0], function+"/") {
			continue
		}
		r := benched{strings.ReplaceAll(strings.TrimPrefix(word[0], function+"/"), "_", " "), map[string]float64{}}
		for i := 2; i+1 < len(word); i += 2 {
			if r.value[word[i+1]], err = strconv.ParseFloat(word[i], 64); err != nil {
				return nil, fmt.Errorf("%s: found %q, expected a number before %s", word[0], word[i], word[i+1])
			}
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: found no figures in\n%s", function, out)
	}
	return list, nil
}
