package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"cadem/core/formats"
)

// inspect tells what files hold and what of it would make a graph.
func inspect(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("inspect", flag.ContinueOnError)
	asJSON := f.Bool("json", false, "")
	names, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("inspect: found no files, expected at least one")
	}
	files, done, err := openFiles(names)
	defer done()
	if err != nil {
		return err
	}
	content, err := formats.Read(files)
	if err != nil {
		return err
	}
	d, err := content.Describe()
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(stdout, d)
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	if len(d.Variables) > 0 {
		fmt.Fprintln(w, "variable\tkind\tshape\ttype")
		for _, v := range d.Variables {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", v.Name, v.Form, strings.Trim(fmt.Sprint(v.Shape), "[]"), v.Type)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%d nodes\n", d.Nodes)
	if len(d.Layers) > 0 {
		fmt.Fprintln(w, "layer\tentries\tself loops\tsymmetric\tisolated\tlargest degree\thash")
		for _, name := range slices.Sorted(maps.Keys(d.Layers)) {
			l := d.Layers[name]
			fmt.Fprintf(w, "%s\t%d\t%d\t%v\t%d\t%d\t%s\n", name, l.NNZ, l.SelfLoops, l.Symmetric, l.Isolated, l.MaxDegree, l.Hash)
		}
	}
	if d.Features != nil {
		fmt.Fprintf(w, "features %s: %d x %d, %d of them not 0\n", d.Guess.Features, d.Features.Shape[0], d.Features.Shape[1], d.Features.NNZ)
	}
	if len(d.Classes) > 0 {
		fmt.Fprintf(w, "classes: %s\n", strings.Trim(fmt.Sprint(d.Classes), "[]"))
	}
	return w.Flush()
}

// openFiles opens files to be read from front to back; done closes them.
func openFiles(names []string) (files []formats.File, done func(), err error) {
	var open []*os.File
	done = func() {
		for _, f := range open {
			f.Close()
		}
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, done, err
		}
		open = append(open, f)
		info, err := f.Stat()
		if err != nil {
			return nil, done, err
		}
		if info.IsDir() {
			return nil, done, fmt.Errorf("%s: found a folder, expected files", name)
		}
		files = append(files, formats.File{Name: filepath.Base(name), Reader: f, Size: info.Size()})
	}
	return files, done, nil
}
