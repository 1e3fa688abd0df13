package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"cadem.example/scripts/build/builder"
)

// measuredBench is a bench that has measured on a date.
func measuredBench(date string) *bench {
	b := newBench(io.Discard)
	b.site = &builder.Site{}
	b.hashes = map[string]string{"native": "a", "shipped": "a", "scalar": "a"}
	b.machine = machine{CPU: "Example CPU", Cores: 2, System: "linux/amd64", Go: "go1.26", Browser: "Chromium 156", Date: date,
		Commit: "0123456789ab"}
	return b
}

// sections renders parts.
func (b *bench) sections(names ...string) map[string]string {
	all := map[string]string{}
	for _, p := range parts {
		if slices.Contains(names, p.name) {
			all[p.name] = b.render(&p)
		}
	}
	return all
}

// everything has figures for most parts.
func everything(date string) *bench {
	b := measuredBench(date)
	for name, x := range map[string]float64{"step/shipped": 5.5, "torch/natural": 110,
		"tab/Floor/stream": .5, "tab/Floor/roots": 1, "tab/Floor/products": 1.5, allocations: 0,
		"run/syn1": .65, "board": 120, "board/processors": 200, "task/syn1, seed 0, dgi": 41, "task/syn1, seed 0": 2, "native/Epoch/Syn1/dgi": 30,
		"tab/Epoch/Syn1/dgi": 50, "native/Official/dmg": 10_000, "native/Official/dmg|s-first": 30, "native/Official/dmg|steps": 2000,
		"memory/peak": 1, "memory/parameters": 1, "memory/graph": 1} {
		b.add(name, x)
	}
	b.remark("step", "PyTorch, one thread 2.0: the losses of its first 5 steps agree with ours to 1e-07.")
	b.wholes["runs"], b.steps["syn1"] = brief()[:1], 2100
	for _, row := range regexp.MustCompile(`\{\{row "([^"]+)"`).FindAllStringSubmatch(sections, -1) {
		if row[1] != "read/native" && row[1] != "read/tab" {
			b.add(row[1], 1000)
		}
	}
	for _, loop := range loops() {
		b.add("native/Loops/"+loop+"/vectors", 12)
		b.add("torch/Loops/"+loop, 4)
	}
	b.remark("kernels", "PyTorch is 2.0 with OpenBLAS.")
	for size, x := range map[string]float64{"1000": 1, "8000": 8} {
		b.add("native/Scaling/nodes (degree 10)/"+size+"|MB", x)
		b.add("native/Scaling/nodes (degree 10)/"+size+"|ms/step", x)
	}
	b.add("cohort/250|scans", 750)
	b.add("cohort/250|s", 10)
	b.add("cohort/2000|scans", 6000)
	b.add("cohort/2000|s", 90)
	b.add("cohort/2000|MB", 1100)
	return b
}

// loops are those of the table.
func loops() (list []string) {
	for _, m := range regexp.MustCompile(`template "loop" "(\w+)"`).FindAllStringSubmatch(sections, -1) {
		list = append(list, m[1])
	}
	return list
}

// Sections of parts that were measured take the place of those before; the others keep date
// and figures.
func TestMerge(t *testing.T) {
	b := everything("2026-01-01 10:00 UTC")
	first := b.merge("", b.sections("step", "runs", "kernels", "methods", "page", "scaling", "projected", "cohort", "size"))
	for _, want := range []string{"\n## A step of Syn2\n", "| PyTorch, one thread, (Z W1) W2 | 110 | 110 .. 110 | 1 | 20 |", "agree with ours to 1e-07",
		"take 2 times as long as the stream", "sums 3 times,", "is 5 of the 11 times that", "of a step: 0. The hashes of Syn1",
		"\n## Whole trainings\n", "| Syn1, 2100 steps | 0.65 | 0.65 .. 0.65 | 1 | 2100 |\n", "| Syn1, 2100 steps | at most 0.7 s | 0.65 | met |",
		"| at most 0.5 s | 1 | **missed** |",
		"| Frame, hover over 3000 nodes, 95th percentile | at most 50 ms | 1000 | **missed** |",
		"| Training with all views open to one with none | at most 1.1 times | 1 | met |",
		"| 3000 x 512 by 512 x 512, float32 |  | 12 |  |  |  | 4 |\n", "PyTorch is 2.0 with OpenBLAS.",
		"native to PyTorch, one thread | at most 4 times | 3 | met |", "float32: native to PyTorch, one thread | at most 2 times | 3 | **missed** |",
		"All methods on Syn1 in the tab: 120 s, of the processors 200 s.", "tasks is \"syn1, seed 0, dgi\" with\n41 s.",
		"| All methods on Syn1 in the tab, lite, one seed | at most 150 s | 120 | met |",
		"| The longest of its tasks, syn1, seed 0, dgi | at most 40 s | 41 | **missed** |", "| dgi | Syn1 | 30 | 50 |\n",
		"| Time of a step against nodes, exponent | at most 1.05 | 1 | met |", " .. ", "| 1.000 |",
		"| dmg | 30 | 10 | 2000 | 5.564 |", "| 2000 | 6000 | 90 | 15 | 1100 |",
		"| Memory of table5 at 2000 subjects | at most 1000 MB | 1100 | **missed** |", "\n| program of a first visit | 0.0 | "} {
		if !strings.Contains(first, want) {
			t.Errorf("%s\nexpected %s", first, want)
		}
	}
	if strings.Contains(first, "Long trainings") || strings.Contains(first, "How close to the paper") || strings.Contains(first, "TensorFlow.js wasm, same") {
		t.Errorf("it has sections or rows of what was not measured:\n%s", first)
	}
	if gap := regexp.MustCompile(`\n\n\n|NaN|<no value>|\x00|\{\{|[^|\n]\n\|`).FindString(first); gap != "" {
		t.Errorf("found %q in\n%s", gap, first)
	}
	b = everything("2026-02-02 20:00 UTC")
	second := b.merge(first+"\n## Of an older version\n\nfigures\n", b.sections("runs"))
	old, now := strings.Count(second, "2026-01-01 10:00 UTC"), strings.Count(second, "2026-02-02 20:00 UTC")
	if old != 8 || now != 1 || strings.Contains(second, "older version") {
		t.Errorf("%d dates before and %d now in\n%s", old, now, second)
	}
	b = everything("2026-01-01 10:00 UTC")
	if same := b.merge(second, b.sections("runs")); same != first {
		t.Errorf("%s\nexpected\n%s", same, first)
	}
	for line := range strings.Lines(second) {
		if n := utf8.RuneCountInString(line); n > 160 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
}

// Output of benchmarks is read, whatever their units, and nothing else.
func TestParse(t *testing.T) {
	b := newBench(io.Discard)
	err := b.parse("native", []byte("goos: linux\n"+
		"BenchmarkScaling/nodes_(degree_10)/1000 \t 2\t 98436052 ns/op\t 14.14 MB\t 19687210 ns/step\nPASS\nok  \tcadem/core/cadem\t70.911s\n"))
	const name = "native/Scaling/nodes (degree 10)/1000"
	if err != nil || len(b.names) != 3 || b.median(name) != 98.436052 || b.median(name+"|ms/step") != 19.68721 || b.median(name+"|MB") != 14.14 {
		t.Errorf("found %+v, %v", b.figures, err)
	}
	for _, text := range []string{"PASS\n", "BenchmarkScaling/a 1 x ns/op\n"} {
		if err := b.parse("native", []byte(text)); err == nil {
			t.Errorf("%q: expected an error", text)
		}
	}
}

// Every loop of core/base/kernel is in the table, and the program for PyTorch knows it. Programs must find the same.
func TestLoops(t *testing.T) {
	ours, err := os.ReadFile("../../core/base/kernel/loops_test.go")
	theirs, also := os.ReadFile("torch/loops.py")
	if err != nil || also != nil {
		t.Fatal(err, also)
	}
	for _, loop := range loops() {
		if !strings.Contains(string(ours), `{"`+loop+`", `) || !strings.Contains(string(theirs), `"`+loop+`": lambda:`) {
			t.Errorf("%s is not in both programs", loop)
		}
	}
	if n := strings.Count(string(theirs), `": lambda:`); n != len(loops()) {
		t.Errorf("torch/loops.py has %d loops, expected %d", n, len(loops()))
	}
	b := newBench(io.Discard)
	for name, found := range map[string]float64{"native/Loops/a/vectors": 1000, "tab/Loops/a/vectors": 1000.5, "torch/Loops/b": 7} {
		b.add(name+"|found", found)
	}
	if err := b.sameSums(); err != nil {
		t.Error(err)
	}
	b.add("torch/Loops/a|found", math.NaN())
	if err := b.sameSums(); err == nil {
		t.Error("no sum counts as the same")
	}
}

// The texts of BENCHMARKS.md are those that the next run would write.
func TestRecordedTexts(t *testing.T) {
	text, err := os.ReadFile("../../" + recordName)
	if err != nil {
		t.Fatal(err)
	}
	b := measuredBench("")
	if head := b.render(nil); !strings.HasPrefix(string(text), head) {
		t.Errorf("it does not begin with\n%s", head)
	}
	for _, p := range parts {
		about, _, _ := strings.Cut(b.render(&p), "\nMeasured by ")
		if !strings.Contains(string(text), about+"\nMeasured by ") {
			t.Errorf("it does not have%s", about)
		}
	}
}

func TestPaperRows(t *testing.T) {
	b := measuredBench("2026-01-01 10:00 UTC")
	row := func(more string) string {
		return fmt.Sprintf(`{"table":"I","embedding":"common","target":"final","metric":"macro_f1","ours":0.5,"trainings":10%s}`, more)
	}
	text := `{"rows":[` + row(`,"paper":0.6,"reach":3,"seed_std":0,"untrained":0.4`) + "," + row(`,"paper":0.7,"variant":"printed"`) + "," + row("") + "," +
		row(`,"paper":0.7,"variant":"printed","reach":10`) + `]}`
	if err := b.addPaper("table1", []byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := b.addPaper("table1", []byte("no JSON")); err == nil || !strings.Contains(err.Error(), "cadem study table1") {
		t.Errorf("found %v", err)
	}
	const want = "| table1 | common, final, macro_f1 | 0.500 ± 0.000 | 0.400 | 0.6 | 3 of 10 |\n" +
		"| table1 | common, final, macro_f1, printed | 0.500 |  | 0.7 | 10 of 10 |\n"
	if text := b.sections("paper")["paper"]; !strings.HasSuffix(text, want) {
		t.Errorf("%s\nexpected %s", text, want)
	}
}
