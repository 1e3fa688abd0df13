package main

import (
	"fmt"
	"log"
	"os"

	"cadem.example/core/formats/export"
	"cadem.example/core/base/precision"
	"cadem.example/core/lab/run"
)

func main() {
	d, err := run.OpenExample("syn1", map[string]any{"nodes": 60}, 0)
	check(err)
	s, err := run.NewSettings("released", d) // a preset, with what suits the data
	check(err)
	check(s.Set("epochs", "20"))
	r, err := run.Train(d, s, precision.Single, run.Watch{})
	check(err)
	scores, err := run.Score(d, r.Scored, r.ScoredBefore, s.Scoring(), s.EvalSeed, nil)
	check(err)
	for _, score := range scores {
		fmt.Printf("%s, %s, %s: %.3f, untrained %.3f\n", score.Embedding, score.Target, score.Metric, score.Value, score.Untrained)
	}
	f, err := os.Create("embeddings.csv")
	check(err)
	check(run.Export(f, &export.Formats[0], d, r.Exported(), r.Axes(), true))
	check(f.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
