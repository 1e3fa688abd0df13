package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/cadem/console"
)

// A row is a quantity of the table.
type row struct{ key, what string }

var stepRows = []row{
	{"step/simd", "CaDeM, Chromium, SIMD, one worker"},
	{"step/scalar", "CaDeM, Chromium, scalar"},
	{"step/native", "CaDeM, native, one processor"},
	{"step/native_two", "CaDeM, native, two processors"},
	{"step/native_scalar", "CaDeM, native, one processor, scalar"},
	{"floor/simd", "stream over the parameters, Chromium, SIMD"},
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
	{"module", "Syn1, 2100 steps, by the module for pages of one's own"},
	{"module/page", "the same, by the page, in turns, also the first training of a worker"},
	{"waits/syn2", "a request while Syn2 is prepared, refined, until its answer"},
	{"waits/acm", "the same, a graph of ACM's size"},
	{"start/first", "navigation until Train can be pressed, first visit"},
	{"start/second", "the same, second visit, from the service worker"},
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
	{"frame/hover/100000", "frame, pointing at 100,000 nodes, of which the density is drawn"},
	{"frame/lasso/100000", "frame, drawing around some of 100,000 nodes"},
	{"sum/hover/120", "frame, pointing at the arrows of a sum, 120 nodes"},
	{"sum/snap/120", "press of a link of that node until dots and arrows stand anew"},
	{"sum/hover/1000", "frame, pointing at the arrows of a sum, 1000 nodes"},
	{"sum/snap/1000", "press of a link of that node until dots and arrows stand anew"},
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
		"other that is %.2g of the %.2g times that a step takes.", roots, products, roots+products, step)
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

// A part of a run can be measured by itself. It has a section of its own in BENCHMARKS.md.
type part struct {
	name, title string
	about       string // what is measured, and how
	browser     bool   // it is measured in one
	measure     func()
	write       func(w io.Writer) // its tables
}

// parts are in the order of the file.
func (b *bench) parts() []part {
	return []part{
		{"step", "A step of Syn2", aboutStep, true, b.stepBesideOthers, b.writeStep},
		{
			"runs",
			"Whole trainings",
			aboutRuns,
			true,
			func() { b.trainings("runs", brief(), thoroughly) },
			func(w io.Writer) { b.writeRuns(w, "runs") },
		},
		{"long", "Long trainings", aboutLong, true, b.longTrainings, func(w io.Writer) { b.writeRuns(w, "long") }},
		{"kernels", "Kernels", aboutKernels, false, b.kernels, b.writeKernels},
		{"methods", "Methods to compare with", aboutMethods, true, b.methods, b.writeMethods},
		{"read", "Reading files", aboutReading, true, b.reading, b.writeReading},
		// The last in the browser: it leaves the page that measures.
		{"page", "The page", aboutPage, true, b.behaviour, b.writePage},
		{"scaling", "How a step grows", aboutScaling, false, b.scaling, b.writeScaling},
		{"large", "Large graphs without features", aboutLarge, false, b.large, b.writeLarge},
		{"projected", "Methods with official settings on a large graph", aboutProjected, false, b.project, b.writeProjected},
		{"cohort", "How a cohort grows", aboutCohort, false, b.cohort, b.writeCohort},
		{"size", "Size of the program", aboutSize, false, nil, b.writeSize},
		{"paper", "How close to the paper", aboutPaper, false, b.besidePaper, b.writePaper},
	}
}

func partNames() []string {
	var names []string
	for _, p := range (&bench{}).parts() {
		names = append(names, p.name)
	}
	return names
}

// everything measures all parts, or those named.
func (b *bench) everything(only string) {
	b.full = &full{Peers: map[string]peerReport{}}
	names := strings.Split(only, ",")
	for _, p := range b.parts() {
		if only != "" && !slices.Contains(names, p.name) {
			continue
		}
		if p.measure != nil {
			p.measure()
		}
		b.measured = append(b.measured, p.name)
	}
	b.full.Acceptance = b.acceptance()
}

// table writes what was measured for people, in Markdown.
func (b *bench) table() string {
	var w strings.Builder
	w.WriteString(b.machine.String() + "\n")
	for _, p := range b.parts() {
		if slices.Contains(b.measured, p.name) {
			b.tables(&w, &p)
		}
	}
	return w.String()
}

// tables writes those of a part, and how its figures compare with what was asked for.
func (b *bench) tables(w io.Writer, p *part) {
	p.write(w)
	if b.full == nil {
		return
	}
	begun := false
	for _, l := range b.full.Acceptance {
		if l.Part != p.name {
			continue
		}
		if !begun {
			begun = true
			writef(w, "\n| Target | | figure | |\n|---|---|---:|---|\n")
		}
		verdict := "met"
		if !l.OK {
			verdict = "**missed**"
		}
		writef(w, "| %s | %s | %g | %s |\n", l.What, l.Target, l.Figure, verdict)
	}
}

const (
	aboutStep = "One step of Syn2 with all its 1000 features (`dropout_rate=0`), in the shipped program and its " +
		"worker, from the start of a run to the report of its last step. It includes what comes with a step: " +
		"the consensus every fifth step, progress events, and pauses for messages.\n\n" +
		"The native program runs in the process that measures, on as many processors as its row says. \"Scalar\" " +
		"switches the vector kernels off, which changes no bit.\n\n" +
		"Everything works on the same 1,548,336 parameters. The stream reads and writes each weight and both its " +
		"moments once, 24 bytes a parameter: no step can use less. The other programs are " +
		"given Z (dense), the consensus of the first outer epoch, samples, noise, pairs and first weights of " +
		"one of our runs. They must reproduce all four losses of its first five steps to 1e-3. They do not " +
		"update the consensus, and they do not decay the weights of the heads. \"Pooled first\" also gives them " +
		"the pooled rows of Z."
	aboutRuns = "From the request to the answer. Several trainings go through the page's pool of workers, which also " +
		"draw the data within the time."
	aboutLong = "Measured like whole trainings. Connectomes and the graph of ACM's size are random graphs of the " +
		"published sizes and densities; they are files, so the time includes reading them."
	aboutKernels = "`BenchmarkLoops` of `core/base/kernel`: the loops that methods spend their time in, in the sizes of graph networks, on one processor: " +
		"medians, in ms. \"Tab\" is the same Go code in a worker of Chromium. \"Scalar\" switches the vector kernels off. gonum is built with " +
		"`noasm`, as everything here, so without its assembly. PyTorch runs on one thread; it makes all skip-gram updates " +
		"at once, from the values before. All programs must find the same sums to 1e-3."
	aboutMethods = "`table2` with all methods, lite settings and one seed, in the page's pool of two workers, from the request to the last answer, " +
		"with the loading of their program. Then `BenchmarkEpoch` of `core/baseline`, on one processor: an epoch of each method with gradients, " +
		"official settings. It is one update of the network of every layer, or of the one network; of DMG a step, ten of which make an " +
		"iteration. GraphMAE, DMG and MVGRL, which take minutes for one on a graph of ACM's size or to prepare it, have figures of their own " +
		"below. No products are fused with sums here, for the same bits everywhere: that has its price."
	aboutPage = "The shipped page in Chromium. Visits are to fresh addresses. Timers of the page's thread show how long it " +
		"is blocked. The 99th percentile is given for 100 measurements or more. Chromium draws in software. A frame is the time between two " +
		"of them while a pointer moves over a picture of the embeddings, beside the matrices of three layers."
	aboutScaling = "`BenchmarkScaling` of `core/cadem`: native steps of random graphs with two layers, on one processor. The exponent " +
		"is that of a power fitted by least squares to all sizes between the two."
	aboutLarge = "Lists of links in two layers between nodes of four groups, natively: read, prepared, trained and scored from a sample of 5,000 nodes, " +
		"in one process. Memory is what the heap holds at most in each phase, garbage and the files among it; beside it stands what is estimated " +
		"before, without the files. With CADEM_LARGE set, graphs of up to 1,000,000 nodes, in half an hour; without, those of 10,000 alone. " +
		"The same in the shipped page, each in a Chromium of its own: from the drop of the files, with the loading of the program that reads them. " +
		"Memory is the most that the page's process has held by the end of a phase, the browser's own program in it. " +
		"Timers of 5 ms tell for how long the page's thread is not free, and a frame is the time between two while a pointer moves over a picture. " +
		"Then a share of the links is held out, and each method is trained on the others; seconds are from the graph to the scores of links. " +
		"`svds` of SciPy is the rank-64 approximation of all layers' links together, on one thread, and its seconds are those of the decomposition. " +
		"node2vec has lite settings."
	aboutProjected = "`BenchmarkOfficial` of `core/baseline`: `study table6` has these methods in lite settings on graphs of ACM's size. " +
		"A random graph of that size stands for it. " +
		"The first step of the network of every layer prepares the others; of MNE and MCGC, which have no such networks, as many steps. The " +
		"projection takes every step after for as long as those that were measured, and that none stops early. Time is that of one " +
		"processor, natively."
	aboutCohort = "`cadem study table5 -methods cadem` on synthetic cohorts of 360 regions and 300 frames, three scans a subject, each in a " +
		"process of its own. Time is that of the processors, user and system; memory is the largest resident set. The exponent is that of a " +
		"power fitted by least squares to all sizes. Other work on the machine takes caches and so time of the processors, too."
	aboutSize = "Bytes after gzip. The program of a first visit trains the examples. The whole program, loaded when " +
		"it is asked for, also reads files and runs experiments; that of other methods trains what CaDeM is compared with. `make dist` fails above the budgets."
)
