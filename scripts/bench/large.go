package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/rng"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/scripts/e2e/drive"
)

// largeSizes are nodes and links, in two layers, of graphs that are lists of links and nothing else but groups to score. Without CADEM_LARGE the
// first is measured alone.
var largeSizes = []struct{ nodes, links int }{{10_000, 100_000}, {100_000, 1_000_000}, {1_000_000, 10_000_000}}

// A largeWork is a training that is measured on graphs of up to most nodes: released with the features that fit the size.
type largeWork struct {
	preset, features string
	steps, most      int
}

var largeWorks = []largeWork{
	{"released", "spectral:64", 100, 100_000}, {"released", "random:64", 100, 100_000}, {"released", "degree", 100, 100_000},
	{"refined", "", 1000, 1_000_000}, {"evidence", "", 1000, 100_000},
}

// stepsOn returns how many steps are measured on a graph of that many nodes.
func (w *largeWork) stepsOn(nodes int) int {
	if nodes > 100_000 {
		return w.steps / 2
	}
	return w.steps
}

// A largeFit tells what a preset takes on a large graph, phase by phase.
type largeFit struct {
	Nodes    int                `json:"nodes"`
	Links    int                `json:"links"`
	Preset   string             `json:"preset"`
	Features string             `json:"features"`
	Steps    int                `json:"steps"`
	Estimate float64            `json:"estimate_mb"`
	Seconds  map[string]float64 `json:"seconds"`
	MB       map[string]float64 `json:"heap_mb"`
	ListMB   float64            `json:"list_mb"`  // of the file of links
	GraphMB  float64            `json:"graph_mb"` // that the data set holds, without the files
}

var largePhases = []string{"read", "prepare", "steps", "score"}

// largeLayers is the number of layers of these graphs.
const largeLayers = 2

// largeFiles are links between nodes of four groups, six in ten inside a group, and the groups.
func largeFiles(nodes, links int) []formats.File {
	var text, groups bytes.Buffer
	draw := rng.New(1, "bench/large")
	text.WriteString("source,target,layer\n")
	for k := range links {
		i, j := draw.IntN(nodes), draw.IntN(nodes)
		if draw.Float64() < .6 {
			j = min(j/4*4+i%4, nodes-1)
		}
		fmt.Fprintf(&text, "%d,%d,%c\n", i, j, 'a'+k%largeLayers)
	}
	groups.WriteString("node,group\n")
	for i := range nodes {
		fmt.Fprintf(&groups, "%d,%c\n", i, 'a'+i%4)
	}
	return []formats.File{{Name: "links.csv", Data: text.Bytes()}, {Name: "groups.csv", Data: groups.Bytes()}}
}

// large trains graphs without features, one larger than the other, and then compares how well they tell links that were held out.
func (b *bench) large() {
	ok(drive.Available("chromium"))
	sizes := largeSizes
	if os.Getenv("CADEM_LARGE") == "" {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		files := largeFiles(size.nodes, size.links)
		for _, w := range largeWorks {
			if size.nodes <= w.most {
				b.full.Large = append(b.full.Large, b.largeFit(files, size.nodes, size.links, w))
			}
		}
		if size.nodes <= mostHeld {
			b.full.LargeLinks = append(b.full.LargeLinks, b.largeLinks(files)...)
		}
	}
	b.largeTab()
}

// largeFit reads, prepares, trains and scores.
func (b *bench) largeFit(files []formats.File, nodes, links int, w largeWork) largeFit {
	f := largeFit{Nodes: nodes, Links: links, Preset: w.preset, Features: w.features, Steps: w.stepsOn(nodes),
		Seconds: map[string]float64{}, MB: map[string]float64{}}
	var d *run.Dataset
	var s *run.Settings
	var r *run.Run
	var result *run.Result
	f.ListMB = float64(len(files[0].Data)) / 1e6
	before := heapMB()
	for _, phase := range largePhases {
		if phase == "prepare" {
			f.GraphMB = heapMB() - before
		}
		b.say("%d nodes, %s %s: %s", nodes, w.preset, w.features, phase)
		f.Seconds[phase], f.MB[phase] = watchedHeap(func() {
			switch phase {
			case "read":
				d = must(run.OpenFiles(files, nil, nil))
				s = largeSettings(d, w.preset, w.features)
				ok(s.SetAll(map[string]any{"epochs": f.Steps / s.CaDeM().InnerSteps, "early_stop": "off"}))
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
	return f
}

// heapMB returns the megabytes that the heap holds.
func heapMB() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// largeSettings are those of a preset, with the sample to score that is usual for large graphs for all sizes.
func largeSettings(d *run.Dataset, preset, features string) *run.Settings {
	s := must(run.NewSettings(preset, d))
	if features != "" {
		ok(s.Set("features", features))
	}
	ok(s.Set("score", fmt.Sprint("sample:", evaluate.UsualSample)))
	return s
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
		for over := false; !over; { // once more when it is done
			over = done.Load()
			metrics.Read(sample)
			most = max(most, float64(sample[0].Value.Uint64()))
			if !over {
				time.Sleep(5 * time.Millisecond)
			}
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
	writef(w, "\n| nodes | links | preset | features | s to read | s to prepare | steps | s of steps | s to score | MB read | MB prepared | MB of steps | "+
		"MB of scores | MB estimated |\n|---:|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, f := range b.full.Large {
		writef(w, "| %d | %d | %s | %s |", f.Nodes, f.Links, f.Preset, f.Features)
		for _, phase := range largePhases {
			if phase == "steps" {
				writef(w, " %d |", f.Steps)
			}
			writef(w, " %.3g |", f.Seconds[phase])
		}
		for _, phase := range largePhases {
			writef(w, " %.0f |", f.MB[phase])
		}
		writef(w, " %.0f |\n", f.Estimate)
	}
	b.writeLargeTab(w)
	b.writeLargeLinks(w)
	b.writeBeyond(w)
}

// largeOf lists the fits of a preset, from the smallest graph to the largest.
func (b *bench) largeOf(preset string) (list []largeFit) {
	for _, f := range b.full.Large {
		if f.Preset == preset {
			list = append(list, f)
		}
	}
	return list
}

// growth returns the exponent of what fits took against their nodes, of which the links are a multiple.
func growth(list []largeFit, took func(largeFit) float64) float64 {
	var nodes, seconds []float64
	for _, f := range list {
		nodes, seconds = append(nodes, float64(f.Nodes)), append(seconds, took(f))
	}
	return round(exponent(nodes, seconds))
}

// Seconds of a phase.
func ofPhase(phase string) func(largeFit) float64 {
	return func(f largeFit) float64 { return f.Seconds[phase] }
}

func ofStep(f largeFit) float64 { return f.Seconds["steps"] / float64(f.Steps) }

// acceptLarge compares what large graphs take with what they may.
func (b *bench) acceptLarge(compare func(what string, value, target float64, atMost bool, unit string)) {
	for _, f := range b.full.Large {
		switch {
		case f.Preset != "refined":
		case f.Nodes == 100_000:
			compare("100,000 nodes, 1,000,000 links: read", f.Seconds["read"], 1.2, true, "s")
			compare("The same, `refined`: prepared", f.Seconds["prepare"], 12, true, "s")
			compare("The same: memory to prepare it", f.MB["prepare"], 600, true, "MB")
			compare("The same: 1,000 steps", f.Seconds["steps"], 10, true, "s")
			compare("The same: scored from a sample", f.Seconds["score"], 20, true, "s")
		case f.Nodes == 1_000_000:
			all, most := 0.0, 0.0
			for _, phase := range largePhases {
				all, most = all+f.Seconds[phase], max(most, f.MB[phase])
			}
			compare("1,000,000 nodes, 10,000,000 links, `refined`: all phases", all/60, 6, true, "minutes")
			compare("The same: memory", most/1000, 7, true, "GB")
		}
	}
	if list := b.largeOf("refined"); len(list) > 1 {
		compare("`refined` prepared against nodes and links, exponent", growth(list, ofPhase("prepare")), 1.15, true, "")
		compare("A step of `refined` against nodes and links, exponent", growth(list, ofStep), 1.15, true, "")
	}
	if list := b.largeOf("evidence"); len(list) > 1 {
		compare("`evidence` prepared against nodes and links, exponent", growth(list, ofPhase("prepare")), 1.06, true, "") // 5.5 times for five times the links
	}
}
