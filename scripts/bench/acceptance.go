package main

import (
	"fmt"
	"strings"
)

// A line of the acceptance list.
type line struct {
	Part   string  `json:"part"`
	What   string  `json:"what"`
	Target string  `json:"target"`
	Figure float64 `json:"figure"`
	OK     bool    `json:"ok"`
}

// acceptance compares the figures with the targets. Missing figures are not listed.
func (b *bench) acceptance() []line {
	var list []line
	has := func(names ...string) bool {
		for _, name := range names {
			if b.samples[name] == nil {
				return false
			}
		}
		return true
	}
	part := ""
	compare := func(what string, figure, limit float64, most bool, unit string) {
		target, ok := "at least ", figure >= limit
		if most {
			target, ok = "at most ", figure <= limit
		}
		list = append(list, line{part, what, target + strings.TrimSpace(fmt.Sprintf("%g %s", limit, unit)), round(figure), ok})
	}
	ratio := func(what, above, below string, limit float64, most bool) {
		if has(above, below) {
			compare(what, b.median(above)/b.median(below), limit, most, "times")
		}
	}
	part = "step"
	ratio("Step of Syn2: TensorFlow.js wasm, same algebra, to ours", "tfjs/reassociated", "step/simd", 20, false)
	ratio("Step of Syn2: TensorFlow.js wasm, natural form, to ours", "tfjs/natural", "step/simd", 250, false)
	ratio("Step of Syn2: PyTorch, one thread, same algebra, to ours", "torch/reassociated", "step/simd", 2, false)
	ratio("Step of Syn2: one worker of the tab to the stream", "step/simd", "floor/simd", 4, true)
	ratio("Step of Syn2: scalar to SIMD", "step/scalar", "step/simd", 4, false)
	ratio("Step of Syn2: native, one processor, to one worker of the tab", "step/native", "step/simd", 1, true)
	ratio("Step of Syn2: native scalar to vectors", "step/native_scalar", "step/native", 4, false)
	ratio("Step of Syn2: PyTorch, one thread, same algebra, to ours, native", "torch/reassociated", "step/native", 4, false)
	if has("step/simd") {
		compare("Allocations of a step", b.allocs, 0, true, "")
	}
	for _, w := range b.wholes {
		part = w.part
		if w.most > 0 {
			compare(w.what, b.median("run/"+w.key), w.most, true, "s")
		}
	}
	part = "long"
	ratio("Syn2, one gamma: refined to released", "run/syn2_refined", "run/syn2_one_gamma", 1, true)
	part = "kernels"
	const dense = "Product of 3000 x 512 and 512 x 512, float32: "
	ratio(dense+"native to PyTorch, one thread", "loop/dense32/native/vectors", "loop/dense32/torch", 4, true)
	ratio(dense+"tab to PyTorch, one thread", "loop/dense32/tab/vectors", "loop/dense32/torch", 8, true)
	ratio("Sparse product, 2.2 million entries by 64 columns, float32: native to PyTorch, one thread",
		"loop/sparse32/native/vectors", "loop/sparse32/torch", 2, true)
	part = "methods"
	if r := b.full.Board; r != nil {
		name, s := r.slowest()
		compare("All methods on Syn1 in the tab, lite, one seed", r.Seconds, mostBoard, true, "s")
		compare("The longest of its tasks, "+name, s, mostMethod, true, "s")
	}
	part = "page"
	if has("scores") {
		compare("Scores of Syn1", b.median("scores")/1000, 0.5, true, "s")
	}
	if has("scores/native") {
		compare("Scores of Syn1, native", b.median("scores/native")/1000, 0.15, true, "s")
	}
	ratio("Syn1, the module to the page", "module", "module/page", 1.2, true)
	if m := b.full.Memory; m.Peak > 0 {
		compare("Memory of Syn2 beyond 32 bytes a parameter and the graph", m.Peak-m.Parameters-m.Graph, 25, true, "MB")
	}
	for _, of := range [][2]string{{"waits/syn2", "Syn2"}, {"waits/acm", "a graph of ACM's size"}} {
		if has(of[0]) {
			compare("A request while "+of[1]+" is prepared, 99th percentile", b.samples[of[0]].quantile(0.99), 16, true, "ms")
		}
	}
	if has("start/first", "start/second") {
		compare("Ready to train, first visit", b.median("start/first")/1000, 0.5, true, "s")
		compare("Ready to train, second visit", b.median("start/second")/1000, 0.4, true, "s")
		compare("First contentful paint, first visit", b.median("paint/first")/1000, 0.5, true, "s")
		compare("Blocking time, first visit", b.median("blocked/first"), 100, true, "ms")
	}
	if has("late/training", "pause") {
		compare("Page's thread blocked while training, 99th percentile", b.samples["late/training"].quantile(0.99), 16, true, "ms")
		compare("Pause, slowest of "+fmt.Sprint(len(*b.samples["pause"])), b.samples["pause"].quantile(1), 50, true, "ms")
	}
	if has("read/native", "read/tab") {
		part = "read"
		compare("Reading 1,000,000 links, native", b.median("read/native"), 1.2, true, "s")
		compare("Reading 1,000,000 links, in the page", b.median("read/tab"), 4, true, "s")
		part = "page"
	}
	if has("matrix") {
		compare("Matrix of 1000 x 1000", b.median("matrix"), 100, true, "ms")
	}
	for _, c := range pointed {
		for _, how := range []string{"hover", "lasso"} {
			if name := fmt.Sprintf("frame/%s/%d", how, c.points); has(name) {
				compare(fmt.Sprintf("Frame, %s over %d nodes, 95th percentile", how, c.points), b.samples[name].quantile(0.95), c.most[how], true, "ms")
			}
		}
	}
	for _, c := range explained {
		if hover, snap := fmt.Sprintf("sum/hover/%d", c.nodes), fmt.Sprintf("sum/snap/%d", c.nodes); has(hover, snap) {
			compare(fmt.Sprintf("Frame, pointing at the arrows of a sum, %d nodes, 95th percentile", c.nodes), b.samples[hover].quantile(0.95), 33, true, "ms")
			compare(fmt.Sprintf("A link taken, %d nodes", c.nodes), b.median(snap), c.most, true, "ms")
		}
	}
	ratio("Training with all views open to one with none", "watched/lab", "watched/data", watched, true)
	part = "scaling"
	for _, f := range b.full.Scaling {
		what, _, _ := strings.Cut(f.Against, " (")
		compare("Time of a step against "+what+", exponent", f.Time, 1.05, true, "")
	}
	part = "large"
	b.acceptLarge(compare)
	b.acceptLargeTab(compare)
	part = "cohort"
	if f := b.full.Cohort; f != nil {
		last := len(f.Subjects) - 1
		compare("Time of table5 against subjects, exponent", f.Time, 1.05, true, "")
		compare(fmt.Sprintf("Memory of table5 at %.0f subjects", f.Subjects[last]), f.MB[last], mostCohort, true, "MB")
	}
	return list
}
