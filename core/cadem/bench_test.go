package cadem

import (
	"testing"

	"cadem/core/multiplex"
	"cadem/core/synth"
)

// BenchmarkStep is one inner step of the published settings; ns/op is the time of a step,
// and a step allocates nothing.
func BenchmarkStep(b *testing.B) {
	for name, n := range map[string]int{"syn1": 5, "syn2": 20} {
		b.Run(name, func(b *testing.B) {
			g, err := synth.Generate(name, nil, 0)
			if err != nil {
				b.Fatal(err)
			}
			o := Released()
			o.Epochs, o.EarlyStop, o.Augmented = 100000, "off", n
			r, err := New([]*multiplex.Graph{g}, o, 0, Single)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := r.Step(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCheckpoint packs the state of Syn2, which happens between two steps.
func BenchmarkCheckpoint(b *testing.B) {
	g, err := synth.Generate("syn2", nil, 0)
	if err != nil {
		b.Fatal(err)
	}
	r, err := New([]*multiplex.Graph{g}, Released(), 0, Single)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.SetBytes(int64(len(r.Checkpoint())))
	}
}
