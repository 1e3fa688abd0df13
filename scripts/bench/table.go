package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A row is a quantity of the table.
type row struct{ key, what string }

var stepRows = []row{
	{"step/simd", "CaDeM, Chromium, SIMD, one worker"},
	{"step/two", "CaDeM, Chromium, SIMD, private encoders in a second worker"},
	{"step/scalar", "CaDeM, Chromium, scalar"},
	{"step/native", "CaDeM, native"},
	{"floor/simd", "stream over the parameters, Chromium, SIMD"},
	{"floor/native", "stream over the parameters, native"},
	{"tfjs/natural", "TensorFlow.js wasm, (Z W1) W2"},
	{"tfjs/reassociated", "TensorFlow.js wasm, Z (W1 W2)"},
	{"tfjs/pooled", "TensorFlow.js wasm, Z (W1 W2), pooled first"},
	{"torch/natural", "PyTorch, one thread, (Z W1) W2"},
	{"torch/reassociated", "PyTorch, one thread, Z (W1 W2)"},
	{"torch/pooled", "PyTorch, one thread, Z (W1 W2), pooled first"},
}

var pageRows = []row{
	{"scores", "scores of Syn1, all embeddings and labels, trained and untrained"},
	{"start/first", "navigation until Train can be pressed, first visit"},
	{"start/second", "the same, second visit, from the service worker"},
	{"isolated/first", "first visit, isolated by the host"},
	{"isolated/second", "second visit, isolated by the host"},
	{"pause", "press of Pause until the run is known to hold"},
	{"late/training", "timers of the page's thread late while it trains"},
	{"late/idle", "the same before"},
}

// table writes what was measured for people, in Markdown.
func (b *bench) table() string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s\n", &b.machine)
	if b.samples["step/simd"] != nil {
		head(&w, "Step of Syn2, ms", "times ours")
	}
	for _, r := range stepRows {
		if s := b.samples[r.key]; s != nil {
			entry(&w, r.what, *s, fmt.Sprintf("%.3g", s.median()/b.median("step/simd")))
		}
	}
	if b.wholes != nil {
		head(&w, "Whole trainings in Chromium, s", "steps")
	}
	for _, r := range b.wholes {
		entry(&w, r.what, *b.samples["run/"+r.key], fmt.Sprint(b.steps[r.key]))
	}
	if b.full != nil {
		b.rest(&w)
	}
	if b.hashes["native"] != "" {
		fmt.Fprintf(&w, "\nAllocations of a step: %g. Hashes of Syn1 natively, with SIMD and without are equal: %v. Program of a first visit: %d bytes gzip; the whole one: %d.\n",
			b.allocs, b.report().HashEqual, b.site.WasmSize(), b.site.WholeSize())
	}
	return w.String()
}

// rest writes what only a full run has.
func (b *bench) rest(w io.Writer) {
	for _, key := range slices.Sorted(maps.Keys(b.full.Peers)) {
		p := b.full.Peers[key]
		fmt.Fprintf(w, "\n%s %s: losses of the first %d steps as ours but for %.1g.\n", p.Name, p.Version, checkedSteps, p.Deviation)
	}
	for _, name := range b.full.NotHere {
		fmt.Fprintf(w, "\n%s: not here.\n", name)
	}
	if b.samples["pause"] != nil {
		head(w, "The page, ms", "99th percentile")
		for _, r := range pageRows {
			s := b.samples[r.key]
			entry(w, r.what, *s, fmt.Sprintf("%.3g", s.quantile(0.99)))
		}
		m := b.full.Memory
		fmt.Fprintf(w, "\nMemory of the program after a training of Syn2: %.1f MB; 32 bytes a parameter are %.1f MB, the graph %.1f MB.\n", m.Peak, m.Parameters, m.Graph)
	}
	if b.full.Scaling != nil {
		fmt.Fprintf(w, "\n| A native step against | from .. to | ms | exponent | MB kept | exponent |\n|---|---|---|---:|---|---:|\n")
	}
	for _, f := range b.full.Scaling {
		n := len(f.Size) - 1
		fmt.Fprintf(w, "| %s (%s) | %g .. %g | %g .. %g | %.3f | %g .. %g | %.3f |\n", f.Against, f.Fixed, f.Size[0], f.Size[n],
			f.StepMS[0], f.StepMS[n], f.Time, f.MB[0], f.MB[n], f.Memory)
	}
	fmt.Fprintf(w, "\n| Asked for | target | figure | |\n|---|---|---:|---|\n")
	for _, l := range b.full.Acceptance {
		verdict := "ok"
		if !l.OK {
			verdict = "**short**"
		}
		fmt.Fprintf(w, "| %s | %s | %g | %s |\n", l.What, l.Target, l.Figure, verdict)
	}
}

func head(w io.Writer, what, last string) {
	fmt.Fprintf(w, "\n| %s | median | lowest .. highest | n | %s |\n|---|---:|---:|---:|---:|\n", what, last)
}

func entry(w io.Writer, what string, s samples, last string) {
	x := s.spread()
	fmt.Fprintf(w, "| %s | %g | %g .. %g | %d | %s |\n", what, x.Median, x.Low, x.High, x.N, last)
}
