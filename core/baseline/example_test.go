package baseline_test

import (
	"fmt"

	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

func Example() {
	d, err := run.OpenExample("syn1", nil, 0)
	if err != nil {
		panic(err)
	}
	m, err := train.Lookup("random")
	if err != nil {
		panic(err)
	}
	options, _, err := m.Settings(train.Official)
	if err != nil {
		panic(err)
	}
	t, err := train.Start(m, &train.Setup{Graphs: []*multiplex.Graph{d.Graph}, Options: options, Seed: 0})
	if err != nil {
		panic(err)
	}
	for !train.Done(t) {
		if err := t.Step(nil); err != nil {
			panic(err)
		}
	}
	for _, e := range t.Embeddings(0) {
		m, d := e.X.Dims()
		fmt.Println(e.Name, m, d)
	}
	// Output:
	// layer_1 100 8
	// layer_2 100 8
	// layer_3 100 8
}
