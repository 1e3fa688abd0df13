// Package measure finds things out about trainings: scores, controls, losses over time, pictures.
// A [Spec] names one of them, a [Result] holds what all measures of a task found.
//
// Errors are a [*diag.Error] where the data lack what a measure needs, those of a training, and those of the functions that are passed
// in, which end the work.
package measure
