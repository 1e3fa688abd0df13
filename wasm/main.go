//go:build js && wasm

// Command wasm is the Go part of the page that a first visit loads, one program in three roles:
// compute, for the examples, and storage, each in a worker of its own, and page, on the page.
// Readers of files are in cadem.example/wasm/whole, experiments in cadem.example/wasm/studies. PROTOCOL.md describes their messages.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"cadem.example/core/lab/run"
	"cadem.example/core/train"
	"cadem.example/wasm/bridge"
	"cadem.example/wasm/page"
	"cadem.example/wasm/store"
	"cadem.example/wasm/worker"
)

func main() {
	role := ""
	if len(os.Args) > 1 {
		role = os.Args[1]
	}
	debug.SetMemoryLimit(bridge.HeapLimit)
	switch role {
	case "compute":
		train.Register(train.CaDeM())
		worker.Compute(worker.Runs, worker.CaDeM, worker.WarmUp)
	case "storage":
		debug.SetGCPercent(25) // what it holds is large, short-lived and free of pointers: checkpoints on their way
		in := bridge.NewInbox()
		bridge.Listen(in)
		store.Serve(in, run.CheckStored)
	case "page":
		page.Serve()
	}
	fmt.Fprintf(os.Stderr, "unknown role %q\n", role)
	os.Exit(2)
}
