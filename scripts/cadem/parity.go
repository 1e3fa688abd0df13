package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"cadem/core/parity"
)

func checkParity(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("parity", flag.ContinueOnError)
	asJSON := f.Bool("json", false, "")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fmt.Errorf("parity: found %d folders, expected one", len(rest))
	}
	report, err := parity.Check(os.DirFS(rest[0]))
	if err != nil {
		return fmt.Errorf("%s: %w", rest[0], err)
	}
	if *asJSON {
		err = printJSON(stdout, report)
	} else {
		err = printParity(stdout, report)
	}
	if err != nil {
		return err
	}
	if !report.Pass {
		fmt.Fprintln(stderr, "parity: not every case passed")
		return errReported
	}
	return nil
}

func printParity(out io.Writer, r *parity.Report) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "file\tquantity\tbits\tdeviation\ttolerance\t")
	for _, c := range r.Cases {
		verdict := "pass"
		if !c.Pass {
			verdict = "FAIL " + c.Reason
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%.1e\t%.0e\t%s\n", c.File, c.Quantity, c.Precision, c.MaxDeviation, c.Tolerance, verdict)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "%s\tskipped: no reader for files of this kind yet\n", s)
	}
	return w.Flush()
}
