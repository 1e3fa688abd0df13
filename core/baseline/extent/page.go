//go:build js && wasm && simd && !methods

package extent

// All is false in the programs of the page that train CaDeM: those that need gradients weigh more than these may, and are in
// a program of their own, built with the tag "methods".
const All = false
