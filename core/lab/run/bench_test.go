package run

import (
	"testing"

	"cadem.example/core/base/precision"
)

// BenchmarkScore scores the embeddings of Syn1, trained and untrained, on all its labels.
func BenchmarkScore(b *testing.B) {
	d, err := OpenExample("syn1", nil, 0)
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewSettings("released", d)
	if err == nil {
		err = s.Set("early_stop", "off")
	}
	if err != nil {
		b.Fatal(err)
	}
	r, err := Train(d, s, precision.Single, Watch{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Score(d, r.Scored, r.ScoredBefore, s.Evaluation, 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}
