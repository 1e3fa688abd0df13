package main

import (
	"io"
	"slices"
	"strings"
)

// A part of a run can be measured by itself. It has a section of its own in BENCHMARKS.md.
type part struct {
	name, title string
	about       string // what is measured, and how
	browser     bool   // it is measured in one
	measure     func() error
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
			func() error { return b.trainings("runs", brief(), thoroughly) },
			func(w io.Writer) { b.writeRuns(w, "runs") },
		},
		{"long", "Long trainings", aboutLong, true, b.longTrainings, func(w io.Writer) { b.writeRuns(w, "long") }},
		{"kernels", "Kernels", aboutKernels, false, b.kernels, b.writeKernels},
		{"methods", "Methods to compare with", aboutMethods, true, b.methods, b.writeMethods},
		{"read", "Reading files", aboutReading, true, b.reading, b.writeReading},
		// The last in the browser: it leaves the page that measures.
		{"page", "The page", aboutPage, true, b.behaviour, b.writePage},
		{"scaling", "How a step grows", aboutScaling, false, b.scaling, b.writeScaling},
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
func (b *bench) everything(only string) error {
	b.full = &full{Peers: map[string]peerReport{}}
	names := strings.Split(only, ",")
	for _, p := range b.parts() {
		if only != "" && !slices.Contains(names, p.name) {
			continue
		}
		if p.measure != nil {
			if err := p.measure(); err != nil {
				return err
			}
		}
		b.measured = append(b.measured, p.name)
	}
	b.full.Acceptance = b.acceptance()
	return nil
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
	aboutKernels = "`BenchmarkLoops` of `core/kernel`: the loops that methods spend their time in, in the sizes of graph networks, on one processor: " +
		"medians, in ms. \"Tab\" is the same Go code in a worker of Chromium. \"Scalar\" switches the vector kernels off. gonum is built with " +
		"`noasm`, as everything here, so without its assembly. PyTorch runs on one thread; it makes all skip-gram updates " +
		"at once, from the values before. All programs must find the same sums to 1e-3."
	aboutMethods = "`table2` with all methods, lite settings and one seed, in the page's pool of two workers, from the request to the last answer, " +
		"with the loading of their program. Then `BenchmarkEpoch` of `core/baseline`, on one processor: an epoch of each method with gradients, " +
		"official settings. It is one update of the network of every layer, or of the one network; of DMG a step, ten of which make an " +
		"iteration. GraphMAE, DMG and MVGRL, which take minutes for one on a graph of ACM's size or to prepare it, have figures of their own " +
		"below. No products are fused with sums here, for the same bits everywhere: that has its price."
	aboutPage = "The shipped page in Chromium. Visits are to fresh addresses, once on a plain host and once on one " +
		"that isolates the page (`Document-Isolation-Policy`). Timers of the page's thread show how long it " +
		"is blocked. The 99th percentile is given for 100 measurements or more. Chromium draws in software. A frame is the time between two " +
		"of them while a pointer moves over a picture of the embeddings, beside the matrices of three layers."
	aboutScaling = "`BenchmarkScaling` of `core/cadem`: native steps of random graphs with two layers, on one processor. The exponent " +
		"is that of a power fitted by least squares to all sizes between the two."
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
