//go:build js && wasm && simd

package extent

// All is false in the programs of the page: those that need gradients weigh more than it may, and are left to the command line.
const All = false
