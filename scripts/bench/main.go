// Command bench measures how fast CaDeM is, natively and in Chromium. make bench runs it, with the vector kernels that the toolchain has:
//
//	make bench ARGS="-quick -json"    a minute: step, floor, whole trainings, hashes
//	make bench                        everything, other programs included
//	make bench ARGS="-part page"      one part: step, runs, long, kernels, methods, page and others
//
// A run without -quick brings BENCHMARKS.md up to date: each part has a section there with its
// own date and machine, and only the sections of the parts that were measured change.
//
// What runs natively is Go benchmarks beside the code they measure. Figures of the page are taken from the
// site as it ships: its worker and its program, built into dist/ when stale, in real workers, driven by the
// messages of wasm/PROTOCOL.md. Compared programs are measured in turns, round by round, so a machine that
// slows down slows down all of them. Progress goes to standard error, the sections, or with -json the
// figures, to standard output.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"cadem.example/core/base/property"
	_ "cadem.example/core/baseline/all"
	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/cadem/console"
)

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// A part of a run can be measured by itself. It has a section of its own in BENCHMARKS.md, which sections.md describes.
type part struct {
	name, title string
	browser     bool // it is measured in one
	measure     func(b *bench)
}

// parts are in the order of the file.
var parts = []part{
	{"step", "A step of Syn2", true, (*bench).step},
	{"runs", "Whole trainings", true, func(b *bench) { b.trainings("runs", brief()) }},
	{"long", "Long trainings", true, func(b *bench) { b.trainings("long", long()) }},
	{"kernels", "Kernels", false, (*bench).kernels},
	{"methods", "Methods to compare with", true, (*bench).methods},
	{"read", "Reading files", true, (*bench).reading},
	{"page", "The page", true, (*bench).behaviour}, // the last that needs the page that measures: it leaves that
	{"scaling", "How a step grows", false, func(b *bench) { b.goBench("native", "./core/cadem", "Scaling", "1s", "1") }},
	{"large", "Large graphs without features", true, (*bench).large},
	{"projected", "Methods with official settings on a large graph", false,
		func(b *bench) { b.goBench("native", "./core/baseline", "Official", "5s", "1") }},
	{"cohort", "How a cohort grows", false, (*bench).cohort},
	{"size", "Size of the program", false, func(*bench) {}},
	{"paper", "How close to the paper", false, (*bench).besidePaper},
}

// An order says what to measure and how to print it.
type order struct {
	quick, json bool
	part        string
}

// command measures as the arguments say and returns the exit code.
func command(args []string, stdout, stderr io.Writer) int {
	var o order
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	f := flag.NewFlagSet("bench", flag.ExitOnError)
	f.BoolVar(&o.quick, "quick", false, "measure step, floor, whole trainings and hashes only")
	f.BoolVar(&o.json, "json", false, "print JSON instead of sections")
	f.StringVar(&o.part, "part", "",
		"of the full run, measure these parts only: "+strings.Join(names, ", ")+", separated by commas")
	if code, ok := console.ParseFlags(f, args, stdout, stderr); !ok {
		return code
	}
	list, err := o.parts(names)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	if err := o.run(list, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

// parts lists those that the order asks for.
func (o *order) parts(names []string) (list []part, err error) {
	wanted := names
	switch {
	case o.quick && o.part != "":
		return nil, errors.New("-part: found beside -quick, expected one of the two")
	case o.quick:
		wanted = []string{"step", "runs", "size"}
	case o.part != "":
		wanted = strings.Split(o.part, ",")
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, property.Unknown("-part", fmt.Sprintf("%q", name), name, names)
		}
	}
	for _, p := range parts {
		if slices.Contains(wanted, p.name) {
			list = append(list, p)
		}
	}
	return list, nil
}

func (o *order) run(list []part, stdout, stderr io.Writer) (err error) {
	defer caught(&err)
	b := newBench(stderr)
	b.quick = o.quick
	b.root = must(builder.FindRoot("."))
	b.machine = thisMachine(b.root) // looked at before anything keeps it busy
	b.site = must(builder.Ensure(builder.Options{Root: b.root, Dist: b.root + "/dist", Log: stderr}))
	if b.machine.Load > quiet {
		b.say("load average %.2f before the start: the figures are unreliable", b.machine.Load)
	}
	if needsBrowser(list) {
		b.open()
		defer b.server.Close()
		defer b.page.Close()
	}
	text := b.machine.String() + "\n"
	sections := map[string]string{}
	for _, p := range list {
		p.measure(b)
		sections[p.name] = b.render(&p)
		text += sections[p.name]
	}
	b.say("done")
	if !o.quick {
		err = b.record(sections)
	}
	if o.json {
		report := must(json.MarshalIndent(b.report(), "", "  "))
		text = string(report) + "\n"
	}
	_, lost := io.WriteString(stdout, text)
	return errors.Join(err, lost)
}

func needsBrowser(list []part) bool {
	return slices.ContainsFunc(list, func(p part) bool { return p.browser })
}

// A bench holds the means of measuring and the results.
type bench struct {
	log     io.Writer
	began   time.Time
	root    string
	site    *builder.Site
	machine machine
	server  *server
	page    page
	quick   bool
	warming bool // what is measured does not count yet

	figures
	wholes  map[string][]whole  // that were measured, by part
	steps   map[string]int      // of the trainings, by name
	hashes  map[string]string   // of one run of Syn1, by where it ran
	remarks map[string][]string // sentences about what was measured, by part
	paper   []map[string]any    // figures of experiments beside the paper's
}

func newBench(log io.Writer) *bench {
	return &bench{log: log, began: time.Now(), figures: figures{of: map[string]samples{}}, wholes: map[string][]whole{},
		steps: map[string]int{}, hashes: map[string]string{}, remarks: map[string][]string{}}
}

// say writes how far it is, with the seconds since the start.
func (b *bench) say(format string, arg ...any) {
	fmt.Fprintf(b.log, "bench: %3.0f s  "+format+"\n",
		append([]any{time.Since(b.began).Seconds()}, arg...)...)
}

// remark adds a sentence to the section of a part.
func (b *bench) remark(part, format string, arg ...any) {
	b.remarks[part] = append(b.remarks[part], fmt.Sprintf(format, arg...))
}

// A failure ends what is measured: ok and must throw it, caught returns it.
type failure struct{ error }

func ok(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func must[T any](x T, err error) T {
	ok(err)
	return x
}

func caught(err *error) {
	switch e := recover().(type) {
	case nil:
	case failure:
		*err = e.error
	default:
		panic(e)
	}
}
