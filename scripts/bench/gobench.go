package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/core/train"
)

// allocations is the figure of a step's.
const allocations = "native/Syn2/vectors|allocs/op"

// processors is the end of a benchmark's name.
var processors = regexp.MustCompile(`(?m)^(Benchmark\S+)-\d+\b`)

// goBench runs a Go benchmark once, natively or in a worker of the browser, and adds its figures. It repeats each for at
// least that time, on every number of processors in a list, or on all without one.
func (b *bench) goBench(where, pkg, function, atLeast, cpu string) {
	b.say("%s, %s, %s", pkg, function, where)
	c := b.command("go", "test", "-tags", "noasm", "-run", "^$", "-bench", "^Benchmark"+function+"$",
		"-benchtime", atLeast, "-timeout", "0")
	c.Env = os.Environ()
	if cpu != "" {
		c.Args = append(c.Args, "-cpu", cpu)
	}
	if where == "tab" {
		c.Args = append(c.Args, "-tags", "noasm,simd",
			"-exec", "env GOOS= GOARCH= go run cadem.example/scripts/wasmtest -limit 1h")
		c.Env = append(c.Env, "GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=")
	}
	c.Args = append(c.Args, pkg)
	out := output(c)
	if cpu == "" {
		out = processors.ReplaceAll(out, []byte("$1"))
	}
	ok(b.parse(where, out))
}

// parse reads the lines that benchmarks print: a name, how often it ran, and pairs of a number and its unit.
func (b *bench) parse(where string, out []byte) error {
	found := false
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		word := strings.Fields(lines.Text())
		if len(word) < 4 || !strings.HasPrefix(word[0], "Benchmark") {
			continue
		}
		name := where + "/" + strings.ReplaceAll(strings.TrimPrefix(word[0], "Benchmark"), "_", " ")
		for i := 2; i+1 < len(word); i += 2 {
			value, err := strconv.ParseFloat(word[i], 64)
			if err != nil {
				return fmt.Errorf("%s: found %q, expected a number before %s", word[0], word[i], word[i+1])
			}
			switch unit := word[i+1]; unit {
			case "ns/op":
				b.add(name, value/1e6)
			case "ns/step":
				b.add(name+"|ms/step", value/1e6)
			default:
				b.add(name+"|"+unit, value)
			}
		}
		found = true
	}
	if !found {
		return fmt.Errorf("%s: found no figures in\n%s", where, out)
	}
	return nil
}

// command is a program in the project's folder.
func (b *bench) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = b.root
	return c
}

// output runs a program and returns what it prints.
func output(c *exec.Cmd) []byte {
	var log bytes.Buffer
	c.Stderr = &log
	out, err := c.Output()
	if err != nil {
		ok(fmt.Errorf("%s: %w\n%s%s", c, err, out, &log))
	}
	return out
}

// kernels measures the loops natively, in the tab and in PyTorch, in turns, and compares what they find.
func (b *bench) kernels() {
	torch := b.startPython("kernels", "loops.py")
	if torch != nil {
		defer torch.close()
	}
	for range rounds {
		b.goBench("native", "./core/base/kernel", "Loops", "50ms", "1")
		b.goBench("tab", "./core/base/kernel", "Loops", "50ms", "1")
		if torch == nil {
			continue
		}
		for _, loop := range b.groups("native/Loops/") {
			var a struct {
				Sum, MS float64
				Version string
			}
			torch.ask(map[string]any{"key": loop}, &a)
			b.add("torch/Loops/"+loop, a.MS)
			b.add("torch/Loops/"+loop+"|found", a.Sum)
			b.remarks["kernels"] = []string{"PyTorch is " + a.Version + "."}
		}
	}
	ok(b.sameSums())
}

// sameSums compares what programs have found in a loop.
func (b *bench) sameSums() error {
	sums := map[string]float64{}
	for _, name := range b.names {
		text, sum := strings.CutSuffix(name, "|found")
		if !sum {
			continue
		}
		loop, found := strings.Split(text, "/")[2], b.median(name)
		if sums[loop] == 0 {
			sums[loop] = found
		}
		if d := math.Abs(found-sums[loop]) / math.Abs(sums[loop]); !(d <= agreement) {
			return fmt.Errorf("%s: found %v, expected %v", text, found, sums[loop])
		}
	}
	return nil
}

// methods measures the comparison of all methods as the page does it, in its pool, two tasks at a time, and
// an epoch of those with gradients, natively and in the tab, in turns.
func (b *bench) methods() {
	b.say("all methods on Syn1 in the tab")
	tasks := must(experiments.All().Plan(study.Order{Study: "table2", Methods: "all", Level: train.Lite, Seeds: 1}))
	before := must(b.page.Usage())
	var found struct {
		S    float64
		Each map[string]float64
	}
	b.call("shipped", "pool", &found, map[string]any{"tasks": tasks, "workers": 2, "files": []any{}})
	b.add("board", found.S)
	b.add("board/processors", (must(b.page.Usage()).CPU - before.CPU).Seconds())
	for name, s := range found.Each {
		b.add("task/"+name, s)
	}
	for range 3 {
		b.goBench("native", "./core/baseline", "Epoch", "1s", "1")
		b.goBench("tab", "./core/baseline", "Epoch", "1s", "1")
	}
}

// slowest names the quantity that takes longest under a prefix.
func (b *bench) slowest(prefix string) (name string) {
	for _, n := range b.under(prefix) {
		if name == "" || b.median(prefix+n) > b.median(prefix+name) {
			name = n
		}
	}
	return name
}

// withCommand hands over the command line and a folder, both of which go afterwards.
func (b *bench) withCommand(use func(cadem, dir string)) {
	dir := must(os.MkdirTemp("", "bench-"))
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "cadem")
	output(b.command("go", "build", "-o", program, "./scripts/cadem"))
	use(program, dir)
}

// besidePaper runs the experiments on the published data that have figures beside the paper's, natively.
// Shared tasks are trained once.
func (b *bench) besidePaper() {
	b.withCommand(func(cadem, dir string) {
		for _, name := range []string{"table1", "table3", "table7", "table11"} {
			b.say("%s beside the paper's", name)
			text := output(b.command(cadem, "study", name, "-data", "published", "-seeds", "10", "-cache", dir, "-json"))
			ok(b.addPaper(name, text))
		}
	})
}

// addPaper keeps the rows of an experiment that stand beside figures of the paper, but for micro-F1, which
// says what macro-F1 says.
func (b *bench) addPaper(study string, text []byte) error {
	var found struct{ Rows []map[string]any }
	if err := json.Unmarshal(text, &found); err != nil {
		return fmt.Errorf("cadem study %s -json: %w", study, err)
	}
	for _, r := range found.Rows {
		if r["ours"] != nil && r["paper"] != nil && r["reach"] != nil && r["metric"] != "micro_f1" {
			r["study"] = study
			b.paper = append(b.paper, r)
		}
	}
	return nil
}

// cohort runs table5 on synthetic cohorts that grow, each in a process of its own. Processor time, unlike the clock,
// stays comparable on a machine with other work.
func (b *bench) cohort() {
	b.withCommand(func(cadem, _ string) {
		for _, subjects := range []int{250, 500, 1000, 2000} {
			b.say("table5 of %d subjects", subjects)
			c := b.command(cadem, "study", "table5", "-methods", "cadem", "-set", fmt.Sprintf("subjects=%d", subjects), "-json")
			c.Stdout = io.Discard
			ok(c.Run())
			used := c.ProcessState.SysUsage().(*syscall.Rusage)
			name := fmt.Sprintf("cohort/%d", subjects)
			b.add(name+"|s", (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds())
			b.add(name+"|MB", float64(used.Maxrss)*1024/1e6)
			b.add(name+"|scans", float64(3*subjects))
		}
	})
}
