// Package study runs many trainings and reports what they found. An experiment is data: a [Study]
// plans tasks for an [Order], a [Scheduler] or the page's workers run the tasks in any order, and
// the study assembles a [Report] of their results. The experiments themselves are in
// core/lab/study/experiments, what can be measured is in core/lab/study/measure.
//
// Errors are a [*diag.Error] for orders and data that cannot be used, and those of the functions that are passed in, which end the work.
package study
