// Command testlog stands behind go test -json. It prints what go test would print without that flag, fails when a test
// failed, and notes in a file which tests ran and which were skipped:
//
//	go test -json ./... | go run ./scripts/testlog FILE
//
// With -summary it prints the tests in such a file that took longest, and those that were skipped wherever they came up, as some
// run in the browser alone, and why:
//
//	go run ./scripts/testlog -summary FILE
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	summary := flag.Bool("summary", false, "print what was skipped")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go test -json ... | testlog FILE, or testlog -summary FILE")
		os.Exit(2)
	}
	if err := run(*summary, flag.Arg(0), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
}

func run(summary bool, name string, in io.Reader, out io.Writer) error {
	if summary {
		notes, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return summarise(strings.NewReader(string(notes)), out)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = follow(in, out, f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// An event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// An outcome is a line of the notes: a test that ran, or why it was skipped.
type outcome struct {
	Test    string  // with its package
	Skipped string  `json:",omitempty"`
	Seconds float64 `json:",omitempty"` // that it took, beside others
}

// said finds a test's own remarks in its output.
var said = regexp.MustCompile(`^\s*\w+\.go:\d+: (.*)`)

// follow reads events, prints what is to be seen of them and notes the outcomes.
func follow(in io.Reader, out, notes io.Writer) error {
	note := json.NewEncoder(notes)
	output := map[string][]string{} // of tests that are not over
	packages, failed := 0, false
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line == "" && err == io.EOF {
			break
		}
		if err != nil && err != io.EOF {
			return err
		}
		var e event
		if json.Unmarshal([]byte(line), &e) != nil { // from something else than a test
			fmt.Fprint(out, line)
			continue
		}
		test := e.Package + " " + e.Test
		switch {
		case e.Action == "build-output":
			fmt.Fprint(out, e.Output)
		case e.Action == "output" && e.Test == "":
			if e.Output != "PASS\n" {
				fmt.Fprint(out, e.Output)
			}
		case e.Action == "output":
			output[test] = append(output[test], e.Output)
		case e.Test == "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
			packages++
			failed = failed || e.Action == "fail"
			for _, cut := range slices.Sorted(maps.Keys(output)) { // tests that never ended
				if strings.HasPrefix(cut, e.Package+" ") {
					fmt.Fprint(out, strings.Join(output[cut], ""))
					delete(output, cut)
				}
			}
		case e.Action == "fail":
			fmt.Fprint(out, strings.Join(output[test], ""))
			delete(output, test)
		case e.Action == "pass":
			delete(output, test)
			if err := note.Encode(outcome{Test: test, Seconds: e.Elapsed}); err != nil {
				return err
			}
		case e.Action == "skip":
			why := "for no reason that it tells"
			for _, l := range output[test] {
				if m := said.FindStringSubmatch(l); m != nil {
					why = m[1]
				}
			}
			delete(output, test)
			if err := note.Encode(outcome{Test: test, Skipped: why}); err != nil {
				return err
			}
		}
	}
	switch {
	case packages == 0:
		return fmt.Errorf("no package was tested")
	case failed:
		return fmt.Errorf("tests failed")
	}
	return nil
}

// slowest is the number of slow tests that are named.
const slowest = 20

// summarise prints the tests that took longest, and those that never ran, by the reason that they tell.
func summarise(notes io.Reader, out io.Writer) error {
	ran, skipped := map[string]bool{}, map[string]string{}
	var slow []outcome
	for d := json.NewDecoder(notes); ; {
		var o outcome
		if err := d.Decode(&o); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if o.Skipped == "" {
			ran[o.Test] = true
			if _, name, _ := strings.Cut(o.Test, " "); o.Seconds >= 1 && !strings.Contains(name, "/") {
				slow = append(slow, o)
			}
		} else {
			skipped[o.Test] = o.Skipped
		}
	}
	reasons := map[string][]string{}
	n := 0
	for test, why := range skipped {
		if !ran[test] {
			_, name, _ := strings.Cut(test, " ")
			reasons[why] = append(reasons[why], name)
			n++
		}
	}
	fmt.Fprintf(out, "%d tests ran, %d skipped.\n", len(ran), n)
	slices.SortStableFunc(slow, func(a, b outcome) int { return cmp.Compare(b.Seconds, a.Seconds) })
	for i, o := range slow[:min(len(slow), slowest)] {
		if i == 0 {
			fmt.Fprintln(out, "Longest, in seconds beside others:")
		}
		fmt.Fprintf(out, "  %4.0f  %s\n", o.Seconds, o.Test)
	}
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		slices.Sort(reasons[why])
		fmt.Fprintf(out, "  %s: %s\n", why, strings.Join(slices.Compact(reasons[why]), ", "))
	}
	return nil
}
