//go:build js && wasm

// Command wasm is the Go part of the page, one program in three roles: compute and
// storage, each in a worker of its own, and page, on the page. PROTOCOL.md describes
// what they say to each other.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"cadem/wasm/bridge"
	"cadem/wasm/page"
	"cadem/wasm/store"
	"cadem/wasm/worker"
)

// heapLimit is where the collector begins to work hard. WebAssembly has 4 GB at most and
// never gives memory back; beyond it the program ends.
const heapLimit = 3 << 30

func main() {
	role := ""
	if len(os.Args) > 1 {
		role = os.Args[1]
	}
	debug.SetMemoryLimit(heapLimit)
	switch role {
	case "compute":
		worker.New(listen(), bridge.Yield).Serve()
	case "storage":
		store.Serve(listen())
	case "page":
		page.Serve()
	}
	fmt.Fprintf(os.Stderr, "unknown role %q\n", role)
	os.Exit(2)
}

func listen() *bridge.Inbox {
	in := bridge.NewInbox()
	bridge.Listen(in)
	return in
}
