// Command cadem is the core of the page on the command line.
//
//	cadem train -data syn1 -seed 3 -json
//	cadem train -data edges.txt labels.csv -set epochs=100 -out run.zip
//	cadem study table1 -cache kept
//	cadem help study
//
// Flags may stand before or after arguments. With -json one object goes to standard
// output and everything else to standard error. Exit codes: 0 ok; 1 failed; 2 usage; 130
// interrupted, after what was done by then is kept; 75 an interrupted part of a plan: run it again.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/property"
	_ "cadem.example/core/baseline/all"
	"cadem.example/core/brain"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/scripts/cadem/console"
)

func init() { brain.Register() }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	limitMemory()
	p := &program{ctx: ctx, stdout: os.Stdout, stderr: os.Stderr}
	context.AfterFunc(ctx, p.hurry)
	err := p.execute(os.Args[1:])
	p.over()
	os.Exit(status(err, os.Stderr))
}

// limitMemory has the collector know how much there is, so that what needs more is refused and does not end the machine's work, and has
// it run when the heap has grown by half: cohorts hold much for long. GOMEMLIMIT and GOGC say otherwise.
func limitMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil || os.Getenv("GOMEMLIMIT") != "" {
		return // another system: no limit
	}
	_, text, _ = bytes.Cut(text, []byte("MemAvailable:"))
	var kilobytes int64
	if _, err := fmt.Sscan(string(text), &kilobytes); err == nil {
		debug.SetMemoryLimit(kilobytes << 10)
	}
}

// A program is one use of cadem: its output, and the signals that end it early.
type program struct {
	ctx            context.Context
	stdout, stderr io.Writer
	inputs         []string // paths of files that are read
	outputs        []result
	closing
}

var (
	// errReported ends the command with exit code 1 after it has said why.
	errReported = errors.New("reported")
	// errUsage ends it with exit code 2 after it has said how it is used.
	errUsage = errors.New("usage")
	// errHelp ends it after help that was asked for.
	errHelp = errors.New("help")
	// errInterrupted ends it after a signal.
	errInterrupted = errors.New("interrupted")
)

// A usageError is an error of how the program was called.
type usageError struct{ error }

func misuse(format string, values ...any) error { return usageError{fmt.Errorf(format, values...)} }

// status says what went wrong and returns the exit code for it.
func status(err error, stderr io.Writer) int {
	var setting *diag.Error
	code := 1
	switch {
	case err == nil || errors.Is(err, errHelp):
		return 0
	case errors.Is(err, errInterrupted):
		return 130
	case errors.Is(err, errAgain):
		return 75
	case errors.Is(err, errUsage):
		return 2
	case errors.Is(err, errReported):
		return 1
	case errors.As(err, new(usageError)), errors.As(err, &setting) && setting.Option:
		code = 2
	}
	fmt.Fprintln(stderr, console.Fill("cadem: "+err.Error(), "  "))
	return code
}

// interrupted returns errInterrupted once a signal came.
func (p *program) interrupted() error {
	if p.ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

// A verb is a command of cadem.
type verb struct {
	name, summary string
	run           func(p *program, args []string) error
}

func verbs() []verb {
	return []verb{
		{"train", "train on an example or on files, and score the embeddings", (*program).train},
		{"apply", "embed new nodes by a model that was trained", (*program).apply},
		{"subjects", "train a model that many subjects share, or ask it about new ones", (*program).subjects},
		{"methods", "list CaDeM and the methods that it is compared with", (*program).methods},
		{"study", "run an experiment of the paper beside its printed figures", (*program).study},
		{"verify", "train the runs of answer sheets again and mark the sheets", (*program).verify},
		{"inspect", "say what files contain", (*program).inspect},
		{"connectome", "make the co- and anti-activation layers of one subject", (*program).connectome},
		{"example", "write an example to files, as people have them", (*program).example},
		{"parity", "replay the golden cases of the reference implementation", (*program).parity},
		{"options", "describe every option, preset and example as JSON", (*program).options},
		{"version", "print the version and how it was built", (*program).version},
	}
}

func (p *program) execute(args []string) error {
	if len(args) == 0 {
		p.usage(p.stderr)
		return errUsage
	}
	switch name := args[0]; name {
	case "-h", "-help", "--help":
		p.usage(p.stdout)
		return nil
	case "help":
		return p.help(args[1:])
	default:
		c, err := find(name)
		if err != nil {
			return err
		}
		return c.run(p, args[1:])
	}
}

// find returns the command of a name.
func find(name string) (*verb, error) {
	var names []string
	for _, c := range verbs() {
		if c.name == name {
			return &c, nil
		}
		names = append(names, c.name)
	}
	return nil, property.Unknown("command", fmt.Sprintf("%q", name), name, append(names, "help"))
}

// usage lists the commands.
func (p *program) usage(out io.Writer) {
	fmt.Fprint(out, "usage: cadem COMMAND [argument or flag]...\n\n")
	for _, c := range verbs() {
		fmt.Fprintf(out, "  %-11s %s\n", c.name, c.summary)
	}
	fmt.Fprint(out, "\n`cadem help COMMAND` describes a command and its flags.\n")
}

// help describes a command, or lists them.
func (p *program) help(args []string) error {
	switch len(args) {
	case 0:
		p.usage(p.stdout)
		return nil
	case 1:
		c, err := find(args[0])
		if err != nil {
			return err
		}
		return c.run(p, []string{"-h"})
	}
	return misuse("help: found %d names, expected one command", len(args))
}

// options describes all options.
func (p *program) options(args []string) error {
	f := p.flags("options", "", "Describe every option of data, training and evaluation, every preset, example and experiment as JSON.")
	if err := f.nothing(args); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "%s\n", experiments.NewCatalogue().JSON())
	return err
}

// begin shows the progress of work on standard error, from its first part on.
func (p *program) begin(what string) *console.Progress {
	progress := console.NewProgress(p.stderr)
	progress.Begin(what)
	return progress
}

// within follows work that is done bit by bit: it shows how far it is, and ends it after a signal.
func (p *program) within(progress *console.Progress) pause.Yield {
	return func(done, total int) error {
		progress.Tell(done, total, "")
		return p.interrupted()
	}
}

// answer prints a result as JSON or as text.
func (p *program) answer(asJSON bool, result any, text func() string) error {
	if asJSON {
		return printJSON(p.stdout, result)
	}
	_, err := io.WriteString(p.stdout, text())
	return err
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
