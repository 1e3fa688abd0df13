// Package study runs many trainings and reports what they found. A [Study] is a row of data with two
// functions: it plans the tasks of an [Order], and it assembles a [Report] from their results. Tasks are
// independent of each other, so that a [Scheduler] or the page's workers may run them in any order.
// Package experiments has the studies, package measure what a task can measure.
//
// An order or data that cannot be used are reported as a [*diag.Error]. An error of a function that is
// passed in ends the work and is returned as it is.
package study
