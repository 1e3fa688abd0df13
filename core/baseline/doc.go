// Package baseline holds the methods that CaDeM is compared with, the trivial ones among them, as rows for the table of package train.
//
//	train.Register(baseline.Trainers()...)
//	m, err := train.Lookup("random")
//	options, _, err := m.Settings(train.Official)
//	run, err := train.Start(m, &train.Setup{Graphs: graphs, Options: options, Seed: seed})
//	for !train.Done(run) {
//		if err := run.Step(nil); err != nil { ... }
//	}
//	list := run.Embeddings(0)
//
// A method is a row in [Rows] and [Trainers], one in docs/methods.md, and one file, as random.go:
//
//   - its options, a struct whose tags package property reads; their defaults are the official
//     settings, and the row lists where other levels differ;
//   - a function that makes its [train.Training]: a Step is an epoch or the like, and State lists
//     whatever a step changes, for checkpoints and exact resuming;
//   - at the top of the file the objective as a formula, its source, its cost, and choices that the
//     paper leaves open.
//
// Everything random comes from the [train.Source] of the setup, under a name and the number of a round.
// So no generator belongs to the state, and a golden case hands over its own draws. Everything
// that leads to an embedding is computed with packages kernel and linalg and without fused
// products: the same options and seed have the same bits everywhere.
//
// The command line, studies, messages and the page follow the table.
package baseline
