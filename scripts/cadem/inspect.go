package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"cadem/core/formats"
)

// inspect tells what files hold and what of it would make a graph.
func (p *program) inspect(args []string) error {
	f := p.flags("inspect", "FILE...", "Tell what files hold: variables, layers, features, classes.")
	asJSON := f.Bool("json", false, "print one JSON object")
	names, err := f.parse(args)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return misuse("inspect: found no files, expected at least one")
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
		return printJSON(p.stdout, d)
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
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
