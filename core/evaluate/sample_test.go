package evaluate

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"cadem.example/core/base/rng"
)

// A sample has its size, and each class its share of it to within one item.
func TestStratifiedSample(t *testing.T) {
	for seed := range uint64(200) {
		src := rng.New(seed, "sample")
		n, classes := 20+src.IntN(400), 1+src.IntN(9)
		y, items := make([]int, n), []int{}
		for i := range n {
			y[i] = src.IntN(classes)
			if src.Float64() < .2 {
				y[i] = 0
			}
			if src.Float64() < .9 {
				items = append(items, i)
			}
		}
		most := 1 + src.IntN(n)
		got := stratifiedSample(items, y, most, rng.New(seed, "draw"))
		if len(got) != min(most, len(items)) || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("seed %d: %d of %d items, %d asked for", seed, len(got), len(items), most)
		}
		if !slices.Equal(got, stratifiedSample(items, y, most, rng.New(seed, "draw"))) {
			t.Fatalf("seed %d: drawn again it is another", seed)
		}
		total, sampled := make([]int, classes), make([]int, classes)
		for _, i := range items {
			total[y[i]]++
		}
		for _, i := range got {
			if !slices.Contains(items, i) {
				t.Fatalf("seed %d: item %d is of no use", seed, i)
			}
			sampled[y[i]]++
		}
		for c, all := range total {
			share := float64(all) * float64(len(got)) / float64(len(items))
			if all > 0 && share >= 1 && sampled[c] == 0 || math.Abs(float64(sampled[c])-share) > 1 {
				t.Errorf("seed %d: %d of class %d, whose share is %.2f of %d", seed, sampled[c], c, share, len(got))
			}
		}
	}
}

func TestSampleOption(t *testing.T) {
	o := Defaults()
	for _, c := range []struct {
		score   string
		n, want int
	}{{"all", 1e6, 1e6}, {"sample:700", 1e6, 700}, {"sample:700", 100, 100}, {"none", 20_000, 20_000}, {"none", 20_001, UsualSample}} {
		if o.Score = c.score; o.Sample(c.n) != c.want {
			t.Errorf("%s of %d: %d, expected %d", c.score, c.n, o.Sample(c.n), c.want)
		}
	}
	if UsualScore(SampleAbove) != "all" || UsualScore(SampleAbove+1) != "sample:5000" {
		t.Error(UsualScore(SampleAbove), UsualScore(SampleAbove+1))
	}
}

// noisy is the example with classes that overlap, so that no score is 1.
func noisy(n int) Input {
	in := example(n)
	src := rng.New(2, "noisy")
	for _, e := range in.Trained[1:] {
		for i := range n {
			row := e.Tokens[0].RawRowView(i)
			for j := range row {
				row[j] += .5 * src.Norm()
			}
		}
	}
	return in
}

// Scores that are learned from a sample are near those of all nodes, say so, and test the same nodes; a sample of all is all.
func TestSampledScores(t *testing.T) {
	const n = 3000
	in, o := noisy(n), quick()
	in.Untrained = nil
	o.Epochs = 60
	all, err := Table(in, o, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Score = "sample:3000"
	same, err := Table(in, o, 1, nil)
	if err != nil || !reflect.DeepEqual(all, same) {
		t.Errorf("a sample of all nodes: %v", err)
	}
	o.Score = "sample:1500"
	var deals []Deal
	in.Deals = &deals
	some, err := Table(in, o, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	differ, below := false, false
	for i, s := range some {
		if s.Sampled != 1500 || all[i].Sampled != 0 {
			t.Errorf("%s, %s, %s: of %d, and %d", s.Embedding, s.Target, s.Metric, s.Sampled, all[i].Sampled)
		}
		pairs := [][2]float64{{s.Probe, all[i].Probe}, {s.Value, all[i].Value}}
		if s.Embedding == "combined" { // which so few epochs do not settle: package run trains for longer
			pairs = pairs[:1]
		}
		for _, v := range pairs {
			differ, below = differ || v[0] != v[1], below || v[1] < .98 && v[1] > .6
			if v[1] > .6 && math.Abs(v[0]-v[1]) > .01 { // what is at chance moves by itself
				t.Errorf("%s, %s, %s: %.4f of a sample, %.4f of all", s.Embedding, s.Target, s.Metric, v[0], v[1])
			}
		}
	}
	if !differ || !below {
		t.Error("nothing was compared")
	}
	tested := 0
	for _, d := range deals {
		if len(d.Train) != 1500 {
			t.Errorf("fold %s learned from %d nodes", d.Name, len(d.Train))
		}
		tested += len(d.Test)
	}
	if tested != 2*n {
		t.Errorf("%d nodes were tested, expected all %d for both targets", tested, 2*n)
	}
	// Fewer than there are clusters.
	o.Score, o.KMeansRuns = "sample:1", 1
	if _, err := Table(Input{Trained: in.Trained[1:2], Targets: in.Targets, Cluster: true}, o, 1, nil); err != nil {
		t.Error(err)
	}
}
