// Package measure finds things out about trainings: scores, controls, losses over time, pictures.
// A [Spec] names one of them, a [Result] holds what all measures of a task found.
package measure
