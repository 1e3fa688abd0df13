// Command generate writes the SIMD kernels and the shim that links them.
package main

import (
	"log"
	"os"

	"cadem.example/core/base/kernel/internal/lanes"
)

func main() {
	m := lanes.Module()
	for name, data := range map[string][]byte{"kernel.wasm": m.Kernel(), "shim.wasm": m.Shim()} {
		if err := os.WriteFile("simd/"+name, data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
