package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"

	"cadem/core/formats"
	"cadem/core/multiplex"
	"cadem/core/precision"
	"cadem/core/rng"
	"cadem/core/run"
)

// largeSizes are nodes and links, in two layers, of graphs that are lists of links and nothing else but groups to score.
var largeSizes = []struct{ nodes, links int }{{20_000, 200_000}, {100_000, 1_000_000}}

// largePresets are trained on each; released with the features that fit the size.
var largePresets = []struct{ preset, features string }{{"released", "spectral:64"}, {"released", "random:64"}, {"released", "degree"}, {"refined", ""}}

const largeSteps = 100

// A largeFit tells what a preset takes on a large graph, phase by phase.
type largeFit struct {
	Nodes    int                `json:"nodes"`
	Links    int                `json:"links"`
	Preset   string             `json:"preset"`
	Features string             `json:"features"`
	Score    string             `json:"score"`
	Estimate float64            `json:"estimate_mb"`
	Seconds  map[string]float64 `json:"seconds"`
	MB       map[string]float64 `json:"heap_mb"`
}

var largePhases = []string{"read", "prepare", "steps", "score"}

// largeFiles are links between nodes of four groups, six in ten inside a group, and the groups.
func largeFiles(nodes, links int) []formats.File {
	var text, groups strings.Builder
	draw := rng.New(1, "bench/large")
	text.WriteString("source,target,layer\n")
	for k := range links {
		i, j := draw.IntN(nodes), draw.IntN(nodes)
		if draw.Float64() < .6 {
			j = min(j/4*4+i%4, nodes-1)
		}
		fmt.Fprintf(&text, "%d,%d,%c\n", i, j, 'a'+k%2)
	}
	groups.WriteString("node,group\n")
	for i := range nodes {
		fmt.Fprintf(&groups, "%d,%c\n", i, 'a'+i%4)
	}
	return []formats.File{{Name: "links.csv", Data: []byte(text.String())}, {Name: "groups.csv", Data: []byte(groups.String())}}
}

// large trains graphs of thousands of nodes without features.
func (b *bench) large() {
	sizes := largeSizes
	if os.Getenv("CADEM_LARGE") == "" {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		files := largeFiles(size.nodes, size.links)
		for _, p := range largePresets {
			f := largeFit{Nodes: size.nodes, Links: size.links, Preset: p.preset, Features: p.features, Seconds: map[string]float64{}, MB: map[string]float64{}}
			b.say("%d nodes, %s %s", size.nodes, p.preset, p.features)
			var d *run.Dataset
			var s *run.Settings
			var r *run.Run
			var result *run.Result
			for _, phase := range largePhases {
				f.Seconds[phase], f.MB[phase] = watchedHeap(func() {
					switch phase {
					case "read":
						d = must(run.OpenFiles(files, nil, nil))
						s = must(run.NewSettings(p.preset, d))
						ok(s.SetAll(map[string]any{"epochs": largeSteps / 5, "early_stop": "off"}))
						if p.features != "" {
							ok(s.Set("features", p.features))
						}
						if f.Score = s.Evaluation.Score; f.Score == "all" { // of both sizes the same
							ok(s.Set("score", "sample:5000"))
							f.Score = s.Evaluation.Score
						}
						f.Estimate = run.Memory(run.SizeOf(d.Graph), s.CaDeM(), &s.Evaluation) / 1e6
					case "prepare":
						r = must(s.Start([]*multiplex.Graph{d.Graph}, precision.Single, nil))
					case "steps":
						ok(r.Finish(run.Watch{}))
						result = r.Result()
					case "score":
						must(run.Score(d, result.Scored, result.ScoredBefore, s.Scoring(), 1, nil))
					}
				})
			}
			b.full.Large = append(b.full.Large, f)
		}
	}
}

// watchedHeap returns the seconds that f takes, and the megabytes that the heap holds at most meanwhile, garbage among it.
func watchedHeap(f func()) (seconds, mb float64) {
	runtime.GC()
	debug.FreeOSMemory()
	var done atomic.Bool
	ended, most := make(chan struct{}), 0.0
	go func() {
		defer close(ended)
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for !done.Load() {
			metrics.Read(sample)
			most = max(most, float64(sample[0].Value.Uint64()))
			time.Sleep(5 * time.Millisecond)
		}
	}()
	began := time.Now()
	defer func() { // f may end what is measured
		done.Store(true)
		<-ended
		mb = round(most / 1e6)
	}()
	f()
	return round(time.Since(began).Seconds()), 0
}

func (b *bench) writeLarge(w io.Writer) {
	writef(w, "\n| nodes | links | preset | features | s to read | s to prepare | s of %d steps | s to score | MB read | MB prepared | MB of steps | "+
		"MB of scores | MB estimated |\n|---:|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n", largeSteps)
	for _, f := range b.full.Large {
		writef(w, "| %d | %d | %s | %s |", f.Nodes, f.Links, f.Preset, f.Features)
		for _, values := range []map[string]float64{f.Seconds, f.MB} {
			for _, phase := range largePhases {
				writef(w, " %.3g |", values[phase])
			}
		}
		writef(w, " %.0f |\n", f.Estimate)
	}
}
