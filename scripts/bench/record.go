package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cadem/scripts/cadem/console"
)

// recordName is the file that measured figures stand in, and nowhere else.
const recordName = "BENCHMARKS.md"

const recordHead = "# Measured\n\n" +
	"`make bench` writes this file. It replaces the sections of the parts that it measures and keeps the " +
	"others, each with its own date, machine and commit.\n" +
	"\"Lowest .. highest\" is the range of n measurements. Everything that is compared is measured in " +
	"turns, so a machine that slows down slows down all of it. Absolute times vary by a third from hour " +
	"to hour on shared machines; trust the ratios.\n\n" +
	"Kernels, steps, epochs, scores and readers have Go benchmarks beside them: `make microbench PKG=./core/kernel NAME=before` " +
	"runs those of a package, and benchstat compares all that were run.\n"

// record brings BENCHMARKS.md up to date with what was measured.
func (b *bench) record() error {
	name := filepath.Join(b.root, recordName)
	before, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return console.WriteFile(name, []byte(b.merge(string(before))))
}

// merge returns the text of the file: the sections of what was measured now, and those of the
// other parts as they stand in the text before.
func (b *bench) merge(before string) string {
	kept := map[string]string{} // by title
	for _, text := range strings.Split(before, "\n## ")[1:] {
		title, _, _ := strings.Cut(text, "\n")
		kept[title] = "\n## " + strings.TrimRight(text, "\n") + "\n"
	}
	var w strings.Builder
	w.WriteString(console.Fill(recordHead, ""))
	for _, p := range b.parts() {
		if slices.Contains(b.measured, p.name) {
			b.section(&w, &p)
		} else {
			w.WriteString(kept[p.title])
		}
	}
	return w.String()
}

// section writes one part with how, where and when it was measured.
func (b *bench) section(w *strings.Builder, p *part) {
	how := fmt.Sprintf("Measured by `make bench`, or `make bench ARGS=\"-part %s\"` for this section alone, at commit %s: %s.",
		p.name, b.machine.Commit, b.machine.String())
	writef(w, "\n## %s\n\n%s\n\n%s\n", p.title, console.Fill(p.about, ""), console.Fill(how, ""))
	b.tables(w, p)
}
