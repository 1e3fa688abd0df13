// Package measure evaluates trained models: scores, controls, losses over time, maps of nodes. A [Spec]
// names a measure and its parameters. All measures of a task write to one [Result].
//
// A measure whose data lack something, as labels, returns a [*diag.Error]. Errors of a training, and of the
// functions that are passed in, end the work and are returned as they are.
package measure
