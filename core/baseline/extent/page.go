//go:build js && wasm && simd && !methods

package extent

// All is false in the programs of the page that train CaDeM: methods that need gradients weigh more than these may. A program
// of their own trains them, built with the tag "methods"; these only plan such trainings.
const All = false
