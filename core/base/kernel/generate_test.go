package kernel

import (
	"bytes"
	"os"
	"testing"

	"cadem.example/core/base/kernel/internal/lanes"
)

// The kernels in the repository are those that the generator writes.
func TestKernelsAreUpToDate(t *testing.T) {
	m := lanes.Module()
	for name, want := range map[string][]byte{"kernel.wasm": m.Kernel(), "shim.wasm": m.Shim()} {
		got, err := os.ReadFile("simd/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("simd/%s is old: run go generate ./core/base/kernel", name)
		}
	}
}
