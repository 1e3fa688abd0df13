// Package generators lists the graphs that can be drawn, by name.
package generators

import (
	"fmt"
	"slices"

	"cadem/core/multiplex"
	"cadem/core/property"
	"cadem/core/synth"
	"cadem/core/synth/cohort"
)

// all are in the order in which to show them.
var all = []synth.Generator{synth.Syn1, synth.Syn2, synth.Syn3, synth.Syn4, cohort.Example, synth.Social}

// All returns all generators in the order in which to show them.
func All() []synth.Generator { return slices.Clone(all) }

// Lookup returns the generator of that name. The error, a [*diag.Error], lists the names
// that there are.
func Lookup(name string) (*synth.Generator, error) {
	var names []string
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	return nil, property.Unknown("data", fmt.Sprintf("%q", name), name, names)
}

// Generate draws the graph of the named generator; see [synth.Generator.Draw].
func Generate(name string, options any, seed uint64) (*multiplex.Graph, error) {
	g, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return g.Draw(options, seed)
}
