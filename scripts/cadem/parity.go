package main

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/scripts/cadem/console"
	"cadem.example/scripts/parity"
)

// parity compares this program with the reference implementation.
func (p *program) parity(args []string) error {
	f := p.flags("parity", "FOLDER", "Replay the golden cases of the reference implementation in a folder, and print the largest deviation of every "+
		"quantity. The exit code is 1 when one exceeds its tolerance.")
	asJSON := f.Bool("json", false, "print one JSON object")
	rest, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return misuse("parity: found %d folders, expected one", len(rest))
	}
	if _, err := os.Stat(rest[0]); err != nil {
		return &diag.Error{File: rest[0], Found: "no such folder",
			Expected: "golden cases, as scripts/parity/testdata of a clone holds them"}
	}
	progress := p.begin("comparing")
	report, err := parity.Check(plainFiles{os.DirFS(rest[0])})
	progress.End()
	if err != nil {
		return fmt.Errorf("%s: %w", rest[0], err)
	}
	if err := p.answer(*asJSON, report, func() string { return parityText(report) }); err != nil {
		return err
	}
	if !report.Pass {
		fmt.Fprintln(p.stderr, "parity: not every case passed")
		return errReported
	}
	return nil
}

// plainFiles are folders and regular files alone.
type plainFiles struct{ fs.FS }

func (p plainFiles) Open(name string) (fs.File, error) {
	if info, err := fs.Stat(p.FS, name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: found %s, expected a file", name, kindOf(info))
	}
	return p.FS.Open(name)
}

// parityText is a table of all quantities, with why those failed that have no numbers.
func parityText(r *parity.Report) string {
	// The verdict comes first, so that it stands beside its case however wide the table is.
	rows := [][]string{{"", "file", "quantity", "bits", "deviation", "tolerance"}}
	var reasons []string
	for _, c := range r.Cases {
		deviation, tolerance, verdict := fmt.Sprintf("%.1e", c.MaxDeviation), fmt.Sprintf("%.0e", c.Tolerance), "pass"
		if !c.Pass {
			verdict = "FAIL"
			if c.Reason != "" {
				reasons = append(reasons, fmt.Sprintf("%s, %s, %d bits: %s", c.File, c.Quantity, c.Precision, c.Reason))
			}
		}
		rows = append(rows, []string{verdict, c.File, c.Quantity, fmt.Sprint(c.Precision), deviation, tolerance})
	}
	text := console.Table(rows)
	for _, s := range reasons {
		text += console.Fill(s, "  ") + "\n"
	}
	for _, s := range r.Skipped {
		why := "no reader for files of this kind yet"
		if strings.Contains(s, ": ") {
			why = "the program has no such setting"
		}
		text += fmt.Sprintf("%s: skipped, %s\n", s, why)
	}
	return text
}
