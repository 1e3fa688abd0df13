package main

import (
	"fmt"
	"log"
	"os"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats/export"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth"
)

func main() {
	drawn := &synth.Syn1Options{}
	property.Defaults(drawn)
	drawn.Nodes = 60
	g, err := synth.Syn1.Draw(drawn, 0) // or formats.Read(files) and Graph
	check(err)
	options := cadem.Released()
	options.Epochs = 20
	trainer, err := cadem.New([]*multiplex.Graph{g}, options, 1, precision.Single)
	check(err)
	untrained := trainer.Embeddings(0)
	for !trainer.Done() {
		check(trainer.Step())
	}
	trained := trainer.Embeddings(0)
	scores, err := evaluate.Table(evaluate.Input{Trained: read(trained), Untrained: read(untrained), Targets: g.Labels, Classify: true},
		evaluate.Defaults(), 1, nil)
	check(err)
	for _, s := range scores {
		fmt.Printf("%s, %s, %s: %.3f, untrained %.3f\n", s.Embedding, s.Target, s.Metric, s.Value, s.Untrained)
	}
	f, err := os.Create("embeddings.csv")
	check(err)
	s := trained.Consensus
	check(export.WriteCSV(f, g, []export.Embedding{{Name: "common", Cols: s.RawMatrix().Cols, Values: s.RawMatrix().Data}}))
	check(f.Close())
}

// read names what is scored: what the layers share and one layer's own part together, and each by itself.
func read(e *cadem.Embeddings) []evaluate.Embedding {
	common, private := e.Consensus, e.Private[0]
	return []evaluate.Embedding{
		{Name: "combined", Tokens: []*mat.Dense{common, private}}, {Name: "common", Tokens: []*mat.Dense{common}},
		{Name: "private_1", Tokens: []*mat.Dense{private}},
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
