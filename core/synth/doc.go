// Package synth draws multiplex graphs whose structure is known: Syn1, where every
// layer has communities of its own; Syn2, where the layers mix a shared structure with
// private ones in a proportion gamma; Syn3, where the layers have the same edges and
// signals with a shared and a private part; Syn4, many graphs whose signals are states
// of dynamics; features mixed from known directions; a small town, a sparse one and a small firm to look at; and layers
// that are painted.
//
//	o := &synth.Syn2Options{}
//	property.Defaults(o)
//	o.Gamma = 0.3
//	g, err := synth.Syn2.Draw(o, 7)
//
// What was drawn beside the edges is kept as label sets and as [multiplex.Truth], which
// training never sees. Features are the identity, or the signals. The same options and seed give the same graph on every
// machine. Every random quantity has a stream of its own, so one more layer, or
// another gamma, leaves everything else where it was.
package synth

import (
	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
)

// ErrOptions is panicked when the options are those of another generator.
const ErrOptions diag.Misuse = "synth: options of another generator"

// A Generator draws graphs of one kind.
type Generator struct {
	Name string // as on the command line and in links
	Doc  string // what it draws, in one sentence

	options  func() any
	generate func(options any, seed uint64) (*multiplex.Graph, error)
}

// Options returns a pointer to the generator's options, set to their defaults.
func (g *Generator) Options() any {
	o := g.options()
	property.Defaults(o)
	return o
}

// New returns a generator whose options are of type O. It panics with [ErrOptions] when it is given others.
func New[O any](name, doc string, draw func(o *O, seed uint64) (*multiplex.Graph, error)) Generator {
	return Generator{name, doc,
		func() any { return new(O) },
		func(options any, seed uint64) (*multiplex.Graph, error) {
			o, ok := options.(*O)
			ErrOptions.Unless(ok)
			return draw(o, seed)
		}}
}

// Draw draws a graph. Options is a pointer to the generator's options struct, nil for the
// defaults. Options out of range, and a graph that cannot be trained, such as one with a
// layer without edges, come back as a [*diag.Error].
func (g *Generator) Draw(options any, seed uint64) (*multiplex.Graph, error) {
	if options == nil {
		options = g.Options()
	}
	if err := property.Check(options); err != nil {
		return nil, err
	}
	graph, err := g.generate(options, seed)
	if err != nil {
		return nil, err
	}
	if err := graph.Check(); err != nil {
		return nil, err
	}
	return graph, nil
}
