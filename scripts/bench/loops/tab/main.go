//go:build js

// Command tab runs the loops, and epochs of methods, in a browser's worker, which asks for them by page/loops.js.
package main

import (
	"syscall/js"

	"cadem/core/kernel"
	"cadem/core/multiplex"
	"cadem/scripts/bench/epochs"
	"cadem/scripts/bench/loops"
)

func main() {
	list := loops.All()
	// loop({key, vectors, check}) gives what the loop finds, or the milliseconds that it takes.
	js.Global().Set("loop", js.FuncOf(func(_ js.Value, arg []js.Value) any {
		l := loops.Find(list, arg[0].Get("key").String())
		defer kernel.UseVectors(kernel.UseVectors(arg[0].Get("vectors").Bool()))
		if arg[0].Get("check").Bool() {
			c := l.Check()
			return map[string]any{"sum": c.Sum, "hash": c.Hash}
		}
		return map[string]any{"ms": l.Milliseconds()}
	}))
	js.Global().Set("learn", js.FuncOf(learning()))
	select {}
}

// learning returns learn({graph, method, seconds}), which gives the epochs that were taken in that time, at least one. Below 0 it makes
// the method ready and drops the one before.
func learning() func(js.Value, []js.Value) any {
	var open string
	var g *multiplex.Graph
	var l *epochs.Learner
	return func(_ js.Value, arg []js.Value) any {
		graph, seconds := arg[0].Get("graph").String(), arg[0].Get("seconds").Float()
		n, err := 0, error(nil)
		if open != graph {
			open = graph
			g, err = epochs.Open(graph)
		}
		switch {
		case err != nil:
		case seconds < 0:
			l = nil
			l, err = epochs.Start(arg[0].Get("method").String(), g)
		default:
			n, err = l.Learn(seconds)
		}
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"epochs": n}
	}
}
