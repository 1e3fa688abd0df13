package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"cadem/core/figure"
	"cadem/scripts/build/builder"
	"cadem/scripts/cadem/console"
)

// A row is a quantity of the table.
type row struct{ key, what string }

var stepRows = []row{
	{"step/simd", "CaDeM, Chromium, SIMD, one worker"},
	{"step/two", "CaDeM, Chromium, SIMD, private encoders in a second worker"},
	{"step/three", "CaDeM, Chromium, SIMD, a common encoder in a third worker, too"},
	{"step/scalar", "CaDeM, Chromium, scalar"},
	{"step/native", "CaDeM, native, one processor"},
	{"step/native_two", "CaDeM, native, two processors"},
	{"step/native_scalar", "CaDeM, native, one processor, scalar"},
	{"floor/simd", "stream over the parameters, Chromium, SIMD"},
	{"floor/native", "stream over the parameters, native"},
	{"floor/roots", "a root and a division for each parameter, Chromium, SIMD"},
	{"floor/products", "24 products and sums for each parameter, Chromium, SIMD"},
	{"tfjs/natural", "TensorFlow.js wasm, (Z W1) W2"},
	{"tfjs/reassociated", "TensorFlow.js wasm, Z (W1 W2)"},
	{"tfjs/pooled", "TensorFlow.js wasm, Z (W1 W2), pooled first"},
	{"torch/natural", "PyTorch, one thread, (Z W1) W2"},
	{"torch/reassociated", "PyTorch, one thread, Z (W1 W2)"},
	{"torch/pooled", "PyTorch, one thread, Z (W1 W2), pooled first"},
}

var pageRows = []row{
	{"scores", "scores of Syn1, all embeddings and labels, trained and untrained"},
	{"scores/native", "the same, native"},
	{"waits/syn2", "a request while Syn2 is prepared, refined, until its answer"},
	{"waits/acm", "the same, a graph of ACM's size"},
	{"start/first", "navigation until Train can be pressed, first visit"},
	{"start/second", "the same, second visit, from the service worker"},
	{"isolated/first", "first visit, isolated by the host"},
	{"isolated/second", "second visit, isolated by the host"},
	{"pause", "press of Pause until the run is known to hold"},
	{"late/training", "timers of the page's thread late while it trains"},
	{"late/idle", "the same before"},
	{"paint/first", "navigation until anything is painted, first visit"},
	{"paint/second", "the same, second visit"},
	{"blocked/first", "the page's thread blocked until Train can be pressed, of each task what is beyond 50 ms, first visit"},
	{"blocked/second", "the same, second visit"},
	{"matrix", "matrix of a layer of Syn2, 1000 x 1000"},
	{"frame/hover/3000", "frame, pointing at 3000 nodes"},
	{"frame/lasso/3000", "frame, drawing around some of 3000 nodes"},
	{"frame/hover/8000", "frame, pointing at 8000 nodes"},
	{"frame/lasso/8000", "frame, drawing around some of 8000 nodes"},
	{"watched/data", "training of Syn2, 500 steps, one worker, no view open"},
	{"watched/lab", "the same with all views open"},
}

// writeStep writes the step of Syn2 beside others, and whether the bits are the same everywhere.
func (b *bench) writeStep(w io.Writer) {
	if b.samples["step/simd"] != nil {
		head(w, "Step of Syn2, ms", "times ours")
	}
	for _, r := range stepRows {
		if s := b.samples[r.key]; s != nil {
			entry(w, r.what, *s, fmt.Sprintf("%.3g", s.median()/b.median("step/simd")))
		}
	}
	if b.samples["step/three"] != nil {
		writef(w, "\nThe third worker is taken whether it pays or not. This machine has %s, and workers beyond them wait for each other.\n",
			figure.Count(b.machine.Cores, "core"))
	}
	b.writeWhy(w)
	if b.full != nil {
		for _, key := range slices.Sorted(maps.Keys(b.full.Peers)) {
			p := b.full.Peers[key]
			writef(w, "\n%s %s: the losses of its first %d steps agree with ours to %.1g.\n", p.Name, p.Version, checkedSteps, p.Deviation)
		}
		for _, name := range b.full.NotHere {
			writef(w, "\n%s is not installed here.\n", name)
		}
	}
	equal := "are equal"
	if !b.sameHashes() {
		equal = "**differ**"
	}
	writef(w, "\nAllocations of a step: %g. The hashes of Syn1 natively and in Chromium, each in vectors and scalar, %s.\n", b.allocs, equal)
}

// writeWhy says what keeps a step in the tab from the stream.
func (b *bench) writeWhy(w io.Writer) {
	times := func(key string) float64 { return b.median(key) / b.median("floor/simd") }
	roots, products, step := times("floor/roots"), times("floor/products"), times("step/simd")
	if !(roots > 0 && products > 0 && step > 0) {
		return
	}
	text := fmt.Sprintf("Arithmetic keeps a step in the tab from the stream. Four numbers at a time and with no fused products, a root and a division for "+
		"every parameter take %.2g times as long as the stream, and 24 products and sums %.2g times, with nothing read or written. One after the "+
		"other that is %.2g of the %.2g times that a step takes in one worker; two workers can halve it.", roots, products, roots+products, step)
	writef(w, "\n%s\n", console.Fill(text, ""))
}

// writeRuns writes the whole trainings of a part.
func (b *bench) writeRuns(w io.Writer, part string) {
	head(w, "Whole trainings in Chromium, s", "steps")
	for _, r := range b.wholes {
		if r.part == part {
			entry(w, r.what, *b.samples["run/"+r.key], fmt.Sprint(b.steps[r.key]))
		}
	}
}

func (b *bench) writePage(w io.Writer) {
	head(w, "The page, ms", "99th percentile")
	for _, r := range pageRows {
		s := b.samples[r.key]
		high := ""
		if len(*s) >= 100 { // of fewer it is the maximum
			high = fmt.Sprintf("%.3g", s.quantile(0.99))
		}
		entry(w, r.what, *s, high)
	}
	m := b.full.Memory
	writef(w, "\nThe program's memory after a training of Syn2 is %.1f MB: 32 bytes a parameter are %.1f MB, the graph %.1f MB.\n",
		m.Peak, m.Parameters, m.Graph)
}

func (b *bench) writeSize(w io.Writer) {
	writef(w, "\n| kB after gzip | | budget |\n|---|---:|---:|\n")
	for _, r := range []struct {
		what         string
		size, budget int
	}{
		{"page, style and scripts of a first visit", b.site.FirstLoadSize(), builder.FirstLoadBudget},
		{"program of a first visit", b.site.WasmSize(), builder.WasmBudget},
		{"whole program", b.site.WholeSize(), builder.WholeBudget},
		{"program of other methods", b.site.MethodsSize(), builder.MethodsBudget},
	} {
		writef(w, "| %s | %.1f | %.0f |\n", r.what, float64(r.size)/1e3, float64(r.budget)/1e3)
	}
}

// writef writes to a buffer in memory, where nothing can fail.
func writef(w io.Writer, format string, arg ...any) { _, _ = fmt.Fprintf(w, format, arg...) }

func head(w io.Writer, what, last string) {
	writef(w, "\n| %s | median | lowest .. highest | n | %s |\n|---|---:|---:|---:|---:|\n", what, last)
}

func entry(w io.Writer, what string, s samples, last string) {
	x := s.spread()
	writef(w, "| %s | %g | %g .. %g | %d | %s |\n", what, x.Median, x.Low, x.High, x.N, last)
}
