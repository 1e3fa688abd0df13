package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/cadem/console"
)

// measuredBench is a bench that has measured parts on a date.
func measuredBench(date string, parts ...string) *bench {
	b := &bench{log: io.Discard, site: &builder.Site{}, measured: parts, samples: map[string]*samples{}, steps: map[string]int{},
		hashes: map[string]string{"native": "a", "shipped": "a", "scalar": "a"}, full: &full{Peers: map[string]peerReport{}},
		machine: machine{CPU: "Example CPU", Cores: 2, System: "linux/amd64", Go: "go1.26", Browser: "Chromium 156", Date: date, Commit: "0123456789ab"}}
	has := func(name string) bool { return slices.Contains(parts, name) }
	if has("step") {
		b.add("step/simd", 5.5)
		b.add("torch/natural", 110)
		b.add("floor/simd", 0.5)
		b.add("floor/roots", 1)
		b.add("floor/products", 1.5)
		b.full.Peers["torch"] = peerReport{Name: "PyTorch, one thread", Version: "2.0", Deviation: 1e-7}
	}
	if has("runs") {
		w := brief()[0]
		w.part = "runs"
		b.wholes = []whole{w}
		b.add("run/"+w.key, 0.65)
		b.steps[w.key] = 2100
	}
	if has("page") {
		for _, r := range pageRows {
			b.add(r.key, 1000)
		}
	}
	if has("kernels") {
		b.full.Loops = &loopReport{Torch: "2.0 with OpenBLAS"}
		for _, l := range loopNames {
			b.add("loop/"+l.key+"/native/vectors", 12)
			b.add("loop/"+l.key+"/torch", 4)
		}
	}
	if has("methods") {
		b.full.Board = &boardReport{Seconds: 120, Processor: 200, Each: map[string]float64{"syn1, seed 0, dgi": 41, "syn1, seed 0": 2}}
		b.full.Epochs = []string{"Syn1/dgi"}
		b.add("epoch/Syn1/dgi/native", 30)
		b.add("epoch/Syn1/dgi/tab", 50)
	}
	if has("scaling") {
		b.full.Scaling = []fit{
			{Against: "nodes (degree 10)", Size: []float64{1000, 8000}, StepMS: []float64{1, 8}, MB: []float64{1, 8}, Time: 1, Memory: 1},
		}
	}
	if has("projected") {
		b.full.Projected = []projection{{Method: "dmg", First: 30, Step: 10, Steps: 2000, Hours: 5.564}}
	}
	if has("cohort") {
		b.full.Cohort = &cohortFit{Subjects: []float64{250, 2000}, Seconds: []float64{10, 90}, MB: []float64{100, 1100}, Time: 1.057}
	}
	b.full.Acceptance = b.acceptance()
	return b
}

// Sections of parts that were measured take the place of those before; the others keep date
// and figures.
func TestMerge(t *testing.T) {
	first := measuredBench("2026-01-01 10:00 UTC", "step", "runs", "kernels", "methods", "page", "scaling", "projected", "cohort", "size").merge("")
	for _, want := range []string{"\n## A step of Syn2\n", "| PyTorch, one thread, (Z W1) W2 | 110 | 110 .. 110 | 1 | 20 |", "agree with ours to 1e-07",
		"take 2 times as long as the stream", "sums 3 times,", "is 5 of the 11 times that",
		"\n## Whole trainings\n", "| Syn1, 2100 steps | at most 0.7 s | 0.65 | met |",
		"| at most 0.5 s | 1 | **missed** |",
		"| Frame, hover over 3000 nodes, 95th percentile | at most 50 ms | 1000 | **missed** |",
		"| Training with all views open to one with none | at most 1.1 times | 1 | met |",
		"| 3000 x 512 by 512 x 512, float32 |  | 12 |  |  |  | 4 |\n", "PyTorch is 2.0 with OpenBLAS.",
		"native to PyTorch, one thread | at most 4 times | 3 | met |", "float32: native to PyTorch, one thread | at most 2 times | 3 | **missed** |",
		"All methods on Syn1 in the tab: 120 s, of the processors 200 s. The longest of the 2 tasks is \"syn1, seed 0, dgi\" with 41 s.",
		"| All methods on Syn1 in the tab, lite, one seed | at most 150 s | 120 | met |",
		"| The longest of its tasks, syn1, seed 0, dgi | at most 40 s | 41 | **missed** |", "| dgi | Syn1 | 30 | 50 |\n",
		"| Time of a step against nodes, exponent | at most 1.05 | 1 | met |",
		"| nodes (degree 10) | 1000 .. 8000 | 1 .. 8 | 1.000 | 1 .. 8 | 1.000 |",
		"| dmg | 30 | 10 | 2000 | 5.564 |", "| 2000 | 6000 | 90 | 15 | 1100 |",
		"| Memory of table5 at 2000 subjects | at most 1000 MB | 1100 | **missed** |", "\n| program of a first visit | 0.0 | "} {
		if !strings.Contains(first, want) {
			t.Errorf("%s\nexpected %s", first, want)
		}
	}
	if strings.Contains(first, "Long trainings") || strings.Contains(first, "How close to the paper") {
		t.Errorf("it has sections of what was not measured:\n%s", first)
	}
	second := measuredBench("2026-02-02 20:00 UTC", "runs").merge(first + "\n## Of an older version\n\nfigures\n")
	old, now := strings.Count(second, "2026-01-01 10:00 UTC"), strings.Count(second, "2026-02-02 20:00 UTC")
	if old != 8 || now != 1 || strings.Contains(second, "older version") {
		t.Errorf("%d dates before and %d now in\n%s", old, now, second)
	}
	if same := measuredBench("2026-01-01 10:00 UTC", "runs").merge(second); same != first {
		t.Errorf("%s\nexpected\n%s", same, first)
	}
	for line := range strings.Lines(second) {
		if n := utf8.RuneCountInString(line); n > 160 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
}

// Output of benchmarks is read, whatever their units, and nothing else.
func TestParseBench(t *testing.T) {
	list, err := parseBench("BenchmarkScaling", []byte("goos: linux\n"+
		"BenchmarkScaling/nodes_(degree_10)/1000 \t 2\t 98436052 ns/op\t 14.14 MB\t 19687210 ns/step\n"+
		"BenchmarkOther/nodes/1 1 1 ns/op\nPASS\nok  \tcadem/core/cadem\t70.911s\n"))
	if err != nil || len(list) != 1 || list[0].name != "nodes (degree 10)/1000" || list[0].value["ns/step"] != 19687210 || list[0].value["MB"] != 14.14 {
		t.Errorf("found %+v, %v", list, err)
	}
	for _, text := range []string{"PASS\n", "BenchmarkScaling/a 1 x ns/op\n"} {
		if list, err := parseBench("BenchmarkScaling", []byte(text)); err == nil {
			t.Errorf("%q: found %+v, expected an error", text, list)
		}
	}
}

// Every loop of core/base/kernel is in the table, and the program for PyTorch knows it.
func TestLoopNames(t *testing.T) {
	ours, err := os.ReadFile("../../core/base/kernel/loops_test.go")
	theirs, also := os.ReadFile("torch/loops.py")
	if err != nil || also != nil {
		t.Fatal(err, also)
	}
	for _, l := range loopNames {
		if !strings.Contains(string(ours), `{"`+l.key+`", `) || !strings.Contains(string(theirs), `"`+l.key+`": lambda:`) {
			t.Errorf("%s is not in both programs", l.key)
		}
	}
	if n := strings.Count(string(theirs), `": lambda:`); n != len(loopNames) {
		t.Errorf("torch/loops.py has %d loops, expected %d", n, len(loopNames))
	}
}

// The texts of BENCHMARKS.md are those that the next run would write.
func TestRecordedTexts(t *testing.T) {
	text, err := os.ReadFile("../../" + recordName)
	if err != nil {
		t.Fatal(err)
	}
	if head := console.Fill(recordHead, ""); !strings.HasPrefix(string(text), head) {
		t.Errorf("it does not begin with\n%s", head)
	}
	for _, p := range (&bench{}).parts() {
		if about := "\n## " + p.title + "\n\n" + console.Fill(p.about, "") + "\n\nMeasured by "; !strings.Contains(string(text), about) {
			t.Errorf("it does not have%s", about)
		}
	}
}

func TestPaperRows(t *testing.T) {
	b := measuredBench("2026-01-01 10:00 UTC", "paper")
	row := func(more string) string {
		return fmt.Sprintf(`{"table":"I","embedding":"common","target":"final","metric":"macro_f1","ours":0.5,"trainings":10%s}`, more)
	}
	text := `{"rows":[` + row(`,"paper":0.6,"reach":3,"seed_std":0.01,"untrained":0.4`) + "," + row(`,"paper":0.7,"variant":"printed"`) + "," + row("") + `]}`
	if err := b.addPaper("table1", []byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := b.addPaper("table1", []byte("no JSON")); err == nil || !strings.Contains(err.Error(), "cadem study table1") {
		t.Errorf("found %v", err)
	}
	const want = "| table1 | common, final, macro_f1 | 0.500 ± 0.010 | 0.400 | 0.6 | 3 of 10 |\n"
	if text := b.table(); len(b.full.Paper) != 1 || !strings.HasSuffix(text, want) {
		t.Errorf("%s\nexpected %s", text, want)
	}
}

// Parts that need no browser are measured without one.
func TestBrowser(t *testing.T) {
	for part, want := range map[string]bool{"": true, "size": false, "scaling,paper": false, "size,page": true} {
		if o := (&order{part: part}); o.browser() != want {
			t.Errorf("%q: found %v", part, !want)
		}
	}
}
