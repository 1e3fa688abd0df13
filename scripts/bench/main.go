// Command bench measures how fast CaDeM is, natively and in Chromium:
//
//	go run ./scripts/bench -quick -json     a minute: step, floor, whole trainings, hashes
//	go run ./scripts/bench                  everything, other programs included; what make bench does
//	go run ./scripts/bench -part page       one part: step, runs, long, kernels, methods, page and others
//
// A run without -quick brings BENCHMARKS.md up to date: each part has a section there with its
// own date and machine, and only the sections of the parts that were measured change.
//
// Browser figures are taken from the site as it ships: its worker and its program, built into dist/
// when stale, in real workers, driven by the messages of wasm/PROTOCOL.md. Compared programs are
// measured in turns, round by round, so a machine that slows down slows down all of them. Progress goes
// to standard error, the table, or with -json the same as JSON, to standard output.
//
// The step of Syn2 is measured with all its 1000 features (dropout_rate=0), the same as for the floor
// and the peers; whole trainings run with the published settings.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"cadem.example/core/base/kernel"
	"cadem.example/core/base/property"
	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/cadem/console"
	"cadem.example/scripts/e2e/drive"
)

func main() {
	if c := withVectors(os.Args[1:]); c != nil {
		_ = c.Run() // says what is wrong
		os.Exit(c.ProcessState.ExitCode())
	}
	os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
}

// withVectors returns this command with native vector kernels, for one that was compiled without by a
// toolchain that has them; nil otherwise.
func withVectors(arg []string) *exec.Cmd {
	const name, value = "GOEXPERIMENT", "simd"
	if runtime.GOARCH != "amd64" || kernel.Kind() != "scalar" || os.Getenv(name) != "" {
		return nil
	}
	known := exec.Command("go", "env", name)
	known.Env = append(os.Environ(), name+"="+value)
	if out, err := known.Output(); err != nil || strings.TrimSpace(string(out)) != value {
		return nil
	}
	c := exec.Command("go", append([]string{"run", "cadem.example/scripts/bench"}, arg...)...)
	c.Env, c.Stdin, c.Stdout, c.Stderr = known.Env, os.Stdin, os.Stdout, os.Stderr
	return c
}

// An order says what to measure and where the figures go.
type order struct {
	quick, json bool
	part, out   string
}

// command measures as the arguments say and returns the exit code.
func command(args []string, stdout, stderr io.Writer) int {
	var o order
	f := flag.NewFlagSet("bench", flag.ExitOnError)
	f.BoolVar(&o.quick, "quick", false, "measure step, floor, whole trainings and hashes only")
	f.BoolVar(&o.json, "json", false, "print JSON instead of a table")
	f.StringVar(&o.part, "part", "", "of the full run, measure these parts only: "+strings.Join(partNames(), ", ")+", separated by commas")
	f.StringVar(&o.out, "out", "", "file to write the JSON to as well")
	if code, ok := console.ParseFlags(f, args, stdout, stderr); !ok {
		return code
	}
	if err := o.check(); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	if err := o.run(stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

// check finds out before anything is measured what the order cannot have.
func (o *order) check() error {
	if o.part != "" {
		if o.quick {
			return errors.New("-part: found beside -quick, expected one of the two")
		}
		for name := range strings.SplitSeq(o.part, ",") {
			if !slices.Contains(partNames(), name) {
				return property.Unknown("-part", fmt.Sprintf("%q", name), name, partNames())
			}
		}
	}
	if o.out != "" {
		return console.CheckOutput("-out", o.out)
	}
	return nil
}

// browser says whether any part of the order is measured in one.
func (o *order) browser() bool {
	for _, p := range (&bench{}).parts() {
		if p.browser && (o.part == "" || slices.Contains(strings.Split(o.part, ","), p.name)) {
			return true
		}
	}
	return false
}

func (o *order) run(stdout, stderr io.Writer) (err error) {
	defer caught(&err)
	root, err := builder.FindRoot(".")
	if err != nil {
		return err
	}
	b, err := newBench(stderr, root, thisMachine(root)) // looked at before anything keeps it busy
	if err != nil {
		return err
	}
	if o.browser() {
		if err := b.open(); err != nil {
			return err
		}
		defer b.close()
	}
	if o.quick {
		b.quick()
	} else {
		b.everything(o.part)
	}
	r := b.report()
	b.say("done")
	if !o.quick {
		err = b.record()
	}
	return errors.Join(err, o.present(r, b.table(), stdout))
}

// present prints the results and writes them to the file of the order. If writing fails they are
// printed anyway.
func (o *order) present(report any, table string, stdout io.Writer) error {
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	var lost error
	if o.out != "" {
		lost = console.WriteFile(o.out, text)
	}
	if o.json {
		_, err = stdout.Write(text)
	} else {
		_, err = io.WriteString(stdout, table)
	}
	return errors.Join(err, lost)
}

// A bench holds the means of measuring and the results.
type bench struct {
	log     io.Writer
	began   time.Time
	root    string
	site    *builder.Site
	machine machine
	server  *server
	page    *page
	native  *native

	measured []string            // parts
	wholes   []whole             // that were measured
	samples  map[string]*samples // by the name of the quantity
	hashes   map[string]string   // of one run of Syn1, by where it ran
	steps    map[string]int      // of the trainings, by name
	allocs   float64
	full     *full // nil in a quick run
}

func newBench(log io.Writer, root string, m machine) (b *bench, err error) {
	b = &bench{log: log, began: time.Now(), root: root, machine: m,
		samples: map[string]*samples{}, hashes: map[string]string{}, steps: map[string]int{}}
	if b.site, err = builder.Ensure(builder.Options{Root: b.root, Dist: b.root + "/dist", Log: log}); err != nil {
		return nil, err
	}
	if b.machine.Load > quiet {
		b.say("load average %.2f before the start: the figures are unreliable", b.machine.Load)
	}
	b.native = newNative()
	return b, nil
}

// open starts the server and the browser.
func (b *bench) open() (err error) {
	if err = drive.Available("chromium"); err != nil {
		return fmt.Errorf("%w; make setup installs it", err)
	}
	if b.server, err = newServer(b.root, b.site); err != nil {
		return err
	}
	if b.page, err = openPage(b.server.url); err != nil {
		b.server.close()
	}
	return err
}

func (b *bench) close() {
	b.page.close()
	b.server.close()
}

// say tells how far it is, with the seconds since the start.
func (b *bench) say(format string, arg ...any) {
	fmt.Fprintf(b.log, "bench: %3.0f s  "+format+"\n", append([]any{time.Since(b.began).Seconds()}, arg...)...)
}

// add notes measurements.
func (b *bench) add(name string, values ...float64) {
	if b.samples[name] == nil {
		b.samples[name] = &samples{}
	}
	*b.samples[name] = append(*b.samples[name], values...)
}

// median of a quantity, 0 if it was not measured.
func (b *bench) median(name string) float64 {
	if s := b.samples[name]; s != nil {
		return s.median()
	}
	return 0
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
