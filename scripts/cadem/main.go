// Command cadem is the core of the page on the command line.
//
//	go run ./scripts/cadem train -data syn1 -seed 3 -json
//	go run ./scripts/cadem train -data edges.txt labels.csv -set epochs=100 -out run.zip
//	go run ./scripts/cadem parity DIR
//
// Flags may stand before or after arguments. With -json one object goes to standard
// output and everything else to standard error.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"cadem/core/study"
)

const usage = `usage:
  cadem train -data syn1|syn2|syn3|syn4[:published]|social|PATH... [-preset released|printed] [-seed N] [-data-seed N] [-cv-seed N]
              [-precision 32|64] [-set name=value]... [-out run.zip] [-embeddings FILE.csv|.npz|.graphml] [-json]
              of PATH: [-layers A,B] [-features X|none] [-labels Y|none] [-binary] [-mutual] [-raw];
              of one subject's brain: -set tr=SECONDS, keep=5 and what else connectome has
  cadem study NAME [-seeds K] [-data-seeds K] [-preset released|printed] [-data drawn|published] [-set name=value]...
              [-json] [-out report.html] [-cache DIR] [-workers N]
              NAME: table1, table2, table3, table4, ablation, augmentation, gamma,
              posterior, tsne, or all of these; or, of files of one's own,
              table6 -data PATH[,PATH] [PATH...] [-layers A,B] [-features X|none] [-labels Y|none] [-binary] [-mutual] [-raw];
              table5, identify, regions -data synthetic|FOLDER|SCANS.csv[,PATH]: scans of many subjects, by a table with
              the columns subject, condition, file (confounds), or by names as BIDS has them; -set tr=SECONDS, crop=FRAMES
  cadem inspect FILE... [-json]    tell what files hold: variables, layers, features, classes
  cadem connectome FILE... [-raw] [-tr SECONDS] [-rows regions|frames] [-variable NAME] [-pairs i:j,...] [-set name=value]... [-json]
              one subject's series, or functional connectivity, and beside it confounds, regions, labels
  cadem parity DIR [-json]    replay the golden cases in DIR
  cadem options               describe every option, preset and example as JSON
  cadem finished [-o FILE]    train the opening example and write what the page draws first
`

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, errReported) {
			fmt.Fprintln(os.Stderr, "cadem:", err)
		}
		os.Exit(1)
	}
}

// errReported ends the command with exit code 1 after it has said why.
var errReported = errors.New("reported")

func run(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return errReported
	}
	switch args[0] {
	case "train":
		return train(args[1:], stdout, stderr)
	case "study":
		return runStudy(args[1:], stdout, stderr)
	case "inspect":
		return inspect(args[1:], stdout)
	case "connectome":
		return runConnectome(args[1:], stdout)
	case "parity":
		return checkParity(args[1:], stdout, stderr)
	case "options":
		_, err := fmt.Fprintf(stdout, "%s\n", study.NewCatalogue().JSON())
		return err
	case "finished":
		return finished(args[1:], stderr)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, usage)
		return nil
	}
	return fmt.Errorf("found the command %q, expected train, inspect, study, connectome, parity, options or finished", args[0])
}

// parse reads flags wherever they stand and returns the other arguments.
func parse(f *flag.FlagSet, args []string) ([]string, error) {
	f.SetOutput(io.Discard)
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			return nil, err
		}
		if f.NArg() == 0 {
			return rest, nil
		}
		if n := len(args) - f.NArg(); n > 0 && args[n-1] == "--" {
			return append(rest, f.Args()...), nil
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
}

// list is a flag that may come several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
