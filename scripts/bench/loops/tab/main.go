//go:build js

// Command tab runs the loops in a browser's worker, which asks for them by page/loops.js.
package main

import (
	"syscall/js"

	"cadem/core/kernel"
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
	select {}
}
