package main

import (
	"fmt"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex/fingerprint"
)

// What is given on the command line and changes nothing is refused, before any work. Plans and runs
// that are continued are as they were made: nobody is asked about them.

// A chosen is a choice, and what it makes of files: "" is nothing.
type chosen struct {
	formats.Choice
	made func(c formats.Choice) string
}

// graphOf is the graph that a choice makes of files.
func graphOf(files []formats.File, options map[string]any) func(c formats.Choice) string {
	known := map[string]string{}
	return func(c formats.Choice) string {
		key := fmt.Sprintf("%q", fmt.Sprint(c))
		if _, ok := known[key]; !ok {
			known[key] = ""
			if d, err := run.OpenFiles(files, asked(c), options); err == nil {
				known[key] = fingerprint.Graph(d.Graph)
			}
		}
		return known[key]
	}
}

// eachGraph is a choice of every graph of a collection, which is read when it is asked for.
func eachGraph(c formats.Choice, files *run.Files, specs []run.FileSpec) (all []chosen) {
	c.Unscored = true // labels of nodes are no matter
	for k := range specs {
		all = append(all, chosen{c, func(c formats.Choice) string {
			if read, err := files.Contents(specs[k : k+1]); err == nil {
				return graphOf(read, nil)(c)
			}
			return ""
		}})
	}
	return all
}

// idle refuses flags of files that make the same of all data, whatever they say. One that asks for
// what is so anyway, such as no splits, is fulfilled: another answer would be refused, or heeded.
func idle(given []string, of ...chosen) error {
	for _, q := range choiceFlags {
		if slices.Contains(given, q.name) && !slices.ContainsFunc(of, func(d chosen) bool {
			before := d.made(d.Choice)
			_ = q.set(&d.Choice, "\x00") // a name that nothing has, or none
			return before == "" || d.made(d.Choice) != before
		}) {
			return diag.Option("-"+q.name, "a flag without effect", "none: all is the same without it")
		}
	}
	return nil
}

// unscored refuses what is of scores alone, where there are none.
func (f *flags) unscored(why string, options [][2]string) error {
	for _, nv := range options {
		if nv[0] != "score" && property.Has(&evaluate.Options{}, nv[0]) {
			return diag.Option(nv[0], "an option without effect", "none: "+why)
		}
	}
	return f.without(why, "cv-seed")
}
