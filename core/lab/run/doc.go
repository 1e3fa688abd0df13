// Package run implements the application's work with data, the same on the command line and in the browser: it opens a data set with the
// settings that suit it, trains, scores the embeddings beside those of an untrained model, and records, packs and exports the result.
//
//	d, err := run.OpenExample("syn1", nil, 0)
//	s, err := run.NewSettings("released", d)
//	r, err := run.Train(d, s, precision.Single, run.Watch{})
//
// Errors are a [*diag.Error] for data, files and settings that cannot be used. Those of the functions, readers and writers that are passed
// in end the work and are returned as they come.
package run
