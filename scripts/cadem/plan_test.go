package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cadem.example/core/cadem"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
	"cadem.example/scripts/cadem/console"
)

// tiny is a study whose trainings take a moment, in one stage.
var tiny = []string{"gamma", "-seeds", "1", "-set", "nodes=30", "-set", "epochs=2", "-set", "hidden=8", "-set", "dim=4"}

// planned makes a plan and returns its folder.
func planned(t *testing.T, order ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a plan")
	if _, log, err := command(t, slices.Concat([]string{"study", "plan"}, order, []string{"-dir", dir})...); err != nil {
		t.Fatal(err, log)
	}
	return dir
}

// rowsOf returns the rows that a command prints as JSON, without the time they took.
func rowsOf(t *testing.T, args ...string) string {
	t.Helper()
	out, log, err := command(t, args...)
	if err != nil {
		t.Fatalf("%v: %v, %s", args, err, log)
	}
	var o struct {
		Rows json.RawMessage
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}
	return comparable(string(o.Rows))
}

// results lists the files of results in a folder.
func resultsIn(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(name string) bool { return strings.Count(filepath.Base(name), ".") > 1 })
}

// The parts of a plan give the figures of one command, in stages, too, whatever is torn, and run again nothing is computed.
func TestPlanInParts(t *testing.T) {
	for name, order := range map[string][]string{"one stage": tiny,
		"three stages": {"table5", "-set", "subjects=6", "-set", "regions=60", "-set", "frames=60", "-set", "epochs=1", "-set", "eval_epochs=2"}} {
		t.Run(name, func(t *testing.T) {
			dir := planned(t, order...)
			l, err := readPlan(dir)
			if err != nil {
				t.Fatal(err)
			}
			for k := range l.stages() {
				for _, part := range []string{"2/3", "0/3", "1/3"} {
					if _, log, err := command(t, "study", "run", dir, "-shard", part, "-stage", string(rune('0'+k)), "-workers", "2"); err != nil {
						t.Fatal(err, log)
					}
				}
			}
			all := resultsIn(t, dir)
			if len(all) != len(l.Tasks) {
				t.Fatalf("%d results of %d tasks", len(all), len(l.Tasks))
			}
			want := rowsOf(t, slices.Concat([]string{"study"}, order, []string{"-json"})...)
			if got := rowsOf(t, "study", "merge", dir, "-json"); got != want {
				t.Errorf("in parts\n%s\nat once\n%s", got, want)
			}
			whole, err := os.ReadFile(all[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(all[0], whole[:len(whole)/2], 0o644); err != nil {
				t.Fatal(err)
			}
			if _, log, err := command(t, "study", "merge", dir); err != errReported || !strings.Contains(log, "missing: ") || !strings.Contains(log, "cannot be used") {
				t.Errorf("of a torn file: %v, %s", err, log)
			}
			if _, log, err := command(t, "study", "run", dir); err != nil || !strings.Contains(log, ": 1 of 1 missing task done") {
				t.Errorf("of a torn file: %v, %s", err, log)
			}
			if again, err := os.ReadFile(all[0]); err != nil || !reflect.DeepEqual(untimed(t, again), untimed(t, whole)) {
				t.Errorf("the torn file is not what it was: %v\n%s\n%s", err, again, whole)
			}
			if _, log, err := command(t, "study", "run", dir); err != nil || !strings.Contains(log, ": 0 of 0 missing tasks done") {
				t.Errorf("again: %v, %s", err, log)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 { // the pattern is a good one
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// Results put aside come back the same, to the bit; a truncated file does not, and nothing is left over.
func TestPutAside(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a := &aside{}
	r := &measure.Result{Key: "8-a", Name: "a scan", Notes: []string{"two\nlines"}, Arrays: []measure.Array{
		{Name: "z", Shape: []int{2, 3}, Data: []float64{0.1, math.Copysign(0, -1), 1e-300, math.Pi, 5, 6}}, {Name: "class", Shape: []int{0}, Data: []float64{}},
		{Name: "fc", Shape: []int{1, 1}, Data: []float64{7}}}}
	if found := a.find(r.Key); found != nil || !a.put(r) {
		t.Fatalf("%v, before it was put there", found)
	}
	if got := a.find(r.Key); !reflect.DeepEqual(got, r) || !math.Signbit(got.Arrays[0].Data[1]) {
		t.Errorf("%+v, expected %+v", got, r)
	}
	if got := a.find("8-b"); got != nil {
		t.Errorf("%+v of another key", got)
	}
	if err := os.Truncate(filepath.Join(a.dir, r.Key), 100); err != nil {
		t.Fatal(err)
	}
	if got := a.find(r.Key); got != nil {
		t.Errorf("%+v of a file that is cut off", got)
	}
	a.drop()
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// untimed is the content of a result's file except for its seconds.
func untimed(t *testing.T, file []byte) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(file, &r); err != nil {
		t.Fatal(err)
	}
	delete(r, "seconds")
	delete(r, "sum") // of the time, too
	return r
}

// A part whose tasks need others that are not done runs the rest and says so.
func TestPartBeforeItsNeeds(t *testing.T) {
	dir := planned(t, "table5", "-set", "subjects=2", "-set", "regions=60", "-set", "frames=60", "-set", "epochs=1")
	_, log, err := command(t, "study", "run", dir, "-stage", "1")
	if err == nil || !strings.Contains(err.Error(), "what they need is not done") || len(resultsIn(t, dir)) > 0 {
		t.Errorf("%v, %s", err, log)
	}
}

// An interrupted part ends with 75, keeps what is done and where its training stands, and goes on to the same results.
func TestInterruptedPartGoesOn(t *testing.T) {
	dir := planned(t, tiny...)
	for _, looks := range []int64{40, 3, 25} {
		ctx := &interruption{Context: t.Context()}
		ctx.left.Store(looks)
		var out, log bytes.Buffer
		err := execute(ctx, []string{"study", "run", dir, "-workers", "1"}, &out, &log)
		if !errors.Is(err, errAgain) || status(err, &log) != 75 || !strings.Contains(log.String(), "the same command goes on") {
			t.Fatalf("%v, %s", err, &log)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*"+leftEnding)); len(left) != 1 { // the pattern is a good one
			t.Errorf("left: %v", left)
		}
	}
	if _, log, err := command(t, "study", "run", dir); err != nil {
		t.Fatal(err, log)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*"+leftEnding)); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	if got, want := rowsOf(t, "study", "merge", dir, "-json"), rowsOf(t, slices.Concat([]string{"study"}, tiny, []string{"-json"})...); got != want {
		t.Errorf("interrupted\n%s\nat once\n%s", got, want)
	}
}

// A part that is ended by a signal while it trains encoders on a cohort leaves where they stood, and goes on from there.
func TestKilledCohort(t *testing.T) {
	program := makeProgram(t)
	dir := planned(t, "table5", "-set", "subjects=4", "-set", "regions=60", "-set", "frames=60", "-set", "epochs=100000", "-set", "early_stop=off")
	if _, log, err := command(t, "study", "run", dir, "-stage", "0"); err != nil {
		t.Fatal(err, log)
	}
	// killed returns the step that was reached, one after another one.
	killed := func(after int, wait time.Duration) int {
		for ; wait < time.Minute; wait *= 2 { // until it has begun to train, and went on
			c := exec.Command(program, "study", "run", dir, "-stage", "1", "-shard", "0/3", "-workers", "1")
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(wait)
			if err := c.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait() // the code is checked below
			list, _ := filepath.Glob(filepath.Join(dir, "*"+leftEnding))
			if c.ProcessState.ExitCode() != 75 || len(list) != 1 {
				continue
			}
			var left study.Left
			if err := readJSON(list[0], &left); err != nil {
				t.Fatal(err)
			}
			stood, err := cadem.OpenCheckpoint(bytes.NewReader(left.Checkpoint))
			if err != nil {
				t.Fatal(err)
			}
			if stood.Step < after {
				t.Fatalf("ended after step %d, then after step %d", after, stood.Step)
			}
			if stood.Step > after {
				return stood.Step
			}
		}
		t.Fatalf("no part was ended after step %d", after)
		return 0
	}
	killed(killed(0, 2*time.Second), time.Second/2) // begun anew, it would not come as far in a quarter of the time
}

// rewritten changes what a plan says.
func rewritten(t *testing.T, dir string, change func(l *plan)) {
	t.Helper()
	l, err := storedPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	change(l)
	text, err := json.Marshal(l)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, planFile), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestBadPlans(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string)
		args  []string
		want  string
		code  int
	}{
		"another version": {func(dir string) { rewritten(t, dir, func(l *plan) { l.Version = 9 }) }, []string{"run", ""},
			"plan.json: plan: found version 9, expected version 1", 1},
		"other keys": {func(dir string) { rewritten(t, dir, func(l *plan) { l.Tasks[2].Key = "7-abc" }) }, []string{"merge", ""},
			`found "syn2, seed 0, gamma 0.2" with the key 7-abc, where this version of cadem has `, 1},
		"fewer tasks": {func(dir string) { rewritten(t, dir, func(l *plan) { l.Tasks = l.Tasks[1:] }) }, []string{"sbatch", ""}, "found 10 tasks, where", 1},
		"an order of another version": {func(dir string) { rewritten(t, dir, func(l *plan) { l.Order.Options["colour"] = "red" }) }, []string{"run", ""},
			"found an order that this version refuses (colour: ", 1},
		"cut off": {func(dir string) {
			if err := os.Truncate(filepath.Join(dir, planFile), 100); err != nil {
				t.Fatal(err)
			}
		}, []string{"run", ""}, "found a file that is cut off", 1},
		"no plan":       {func(dir string) { os.Remove(filepath.Join(dir, planFile)) }, []string{"run", ""}, "found no plan", 1},
		"two plans":     {func(string) {}, []string{"plan", "gamma", "-dir", ""}, "which has the plan of another order (cadem study plan gamma -seeds 1 ", 2},
		"no folder":     {func(string) {}, []string{"plan", "gamma"}, "found no -dir", 2},
		"no such part":  {func(string) {}, []string{"run", "", "-shard", "3/3"}, "-shard: found 3/3, expected a part from 0 to 2", 2},
		"no part":       {func(string) {}, []string{"run", "", "-shard", "two"}, "-shard: found two, expected I/N", 2},
		"no such stage": {func(string) {}, []string{"run", "", "-stage", "1"}, "-stage: found 1, expected a number from 0 to 0", 2},
		"two folders":   {func(string) {}, []string{"merge", "", "x"}, "found 2 arguments", 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir := planned(t, tiny...)
			if _, log, err := command(t, "study", "run", dir, "-shard", "0/11"); err != nil {
				t.Fatal(err, log)
			}
			c.spoil(dir)
			before := resultsIn(t, dir)
			args := slices.Clone(c.args)
			for i, a := range args {
				if a == "" {
					args[i] = dir
				}
			}
			_, _, err := command(t, append([]string{"study"}, args...)...)
			if code := status(err, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), c.want) || code != c.code {
				t.Errorf("%v, exit code %d, expected %q, %d", err, code, c.want, c.code)
			}
			if after := resultsIn(t, dir); len(before) != 1 || !slices.Equal(after, before) {
				t.Errorf("results %v, before %v", after, before)
			}
		})
	}
}

// The same order again is the same plan, whatever is done of it.
func TestPlanAgain(t *testing.T) {
	dir := planned(t, tiny...)
	if _, log, err := command(t, "study", "run", dir, "-shard", "0/2"); err != nil {
		t.Fatal(err, log)
	}
	before := resultsIn(t, dir)
	if _, _, err := command(t, slices.Concat([]string{"study", "plan"}, tiny, []string{"-dir", dir})...); err != nil {
		t.Error(err)
	}
	if after := resultsIn(t, dir); len(after) != 6 || !slices.Equal(before, after) {
		t.Errorf("results %v, before %v", after, before)
	}
}

func TestShardOf(t *testing.T) {
	for name, c := range map[string]struct {
		flag, id, count, least string
		want                   shard
		err                    string
	}{
		"all":        {want: shard{0, 1}},
		"flag":       {flag: "2/5", id: "9", count: "10", want: shard{2, 5}},
		"array":      {id: "9", count: "10", least: "0", want: shard{9, 10}},
		"from one":   {id: "10", count: "10", least: "1", want: shard{9, 10}},
		"with gaps":  {id: "9", count: "2", least: "3", err: "SLURM_ARRAY_TASK_ID: found 9 of 2 jobs, expected a part from 3 to 4"},
		"no count":   {id: "9", err: "SLURM_ARRAY_TASK_ID: found 9 of  jobs"},
		"negative":   {flag: "-1/5", err: "a part from 0 to 4"},
		"of nothing": {flag: "0/0", err: "I/N"},
	} {
		s, err := shardOf(c.flag, func(name string) string {
			return map[string]string{"SLURM_ARRAY_TASK_ID": c.id, "SLURM_ARRAY_TASK_COUNT": c.count, "SLURM_ARRAY_TASK_MIN": c.least}[name]
		})
		if s != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// A full disk ends a part with its reason, and stored results stay. The same part goes on once there is room.
func TestFullDisk(t *testing.T) {
	dir := planned(t, tiny...)
	l, err := readPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	full := 0
	writeFile = func(name string, data []byte) error {
		if full++; full > 4 {
			return &fs.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
		}
		return console.WriteFile(name, data)
	}
	t.Cleanup(func() { writeFile = console.WriteFile })
	_, _, err = command(t, "study", "run", dir, "-workers", "1")
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "cannot be kept") || len(resultsIn(t, dir)) != 2 {
		t.Errorf("%v, %d results", err, len(resultsIn(t, dir)))
	}
	writeFile = console.WriteFile
	if _, log, err := command(t, "study", "run", dir); err != nil || !strings.Contains(log, "9 of 9 missing tasks done, 2 were there") {
		t.Errorf("%v, %s", err, log)
	}
	if n := len(resultsIn(t, dir)); n != len(l.Tasks) {
		t.Errorf("%d results of %d", n, len(l.Tasks))
	}
}

// Clocks that disagree are named, and change no figure.
func TestClocksThatDisagree(t *testing.T) {
	dir := planned(t, tiny...)
	if _, log, err := command(t, "study", "run", dir); err != nil {
		t.Fatal(err, log)
	}
	want := rowsOf(t, "study", "merge", dir, "-json")
	l, err := readPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, wrong := range []time.Duration{3 * time.Hour, -20 * time.Minute} {
		name := filepath.Join(dir, l.Tasks[i].Key+tookEnding)
		var m measured
		if err := readJSON(name, &m); err != nil {
			t.Fatal(err)
		}
		m.Host, m.Ended = []string{"node7", "node8"}[i], m.Ended.Add(wrong)
		if err := (&resultFolder{p: &program{}, dir: dir}).put(filepath.Base(name), &m); err != nil {
			t.Fatal(err)
		}
	}
	out, log, err := command(t, "study", "merge", dir, "-json")
	ahead := regexp.MustCompile(`the clock of node7 is \d h \d+ min ahead of that of the file system`)
	behind := regexp.MustCompile(`the clock of node8 is \d+ min \d+ s behind that`)
	if err != nil || !ahead.MatchString(log) || !behind.MatchString(log) || !strings.Contains(out, want) {
		t.Errorf("%v, %s", err, log)
	}
}

// Files are read from where they were when the study was planned, and have to be unchanged.
func TestPlanOfFiles(t *testing.T) {
	file := matrices(t)
	dir := planned(t, "table6", "-data", file, "-layers", "ring,pairs", "-features", "feature", "-labels", "label", "-seeds", "1",
		"-set", "epochs=1", "-set", "dim=2", "-set", "heads=1", "-set", "folds=2")
	t.Chdir(t.TempDir())
	if _, log, err := command(t, "study", "run", dir); err != nil {
		t.Fatal(err, log)
	}
	result := resultsIn(t, dir)
	if err := os.Remove(result[0]); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(data, 0), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := command(t, "study", "run", dir); err == nil || !strings.Contains(err.Error(), "as when the study was ordered") {
		t.Errorf("%v", err)
	}
}

// The script asks for what was measured, or for more where nothing was, stage by stage.
func TestSbatch(t *testing.T) {
	dir := planned(t, "table5", "-set", "subjects=20", "-set", "regions=60", "-set", "frames=60", "-set", "epochs=1", "-set", "eval_epochs=2")
	text, log, err := command(t, "study", "sbatch", dir, "-jobs", "3")
	if err != nil {
		t.Fatal(err, log)
	}
	for _, want := range []string{"--requeue", "--array=0-2 ", "study run '" + dir + "' -stage", "stage 2: 2 jobs of at most 1 task", "none of its tasks measured",
		"--signal=B:TERM@60", "afterok:${job%%;*}", "-eq 75", "scontrol requeue"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	l, err := readPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]measured{l.Tasks[0].Key: {Seconds: 1000, Bytes: 3 << 30, Workers: 2}, l.Tasks[1].Key: {Seconds: 10, Bytes: 1 << 20, Workers: 1}}
	r := l.request(0, times, 2, 1)
	if want := (request{jobs: 2, tasks: 2, megabytes: 2000, minutes: 105, basis: "2 tasks of it measured, the longest 16 min 40 s"}); r != want {
		t.Errorf("%+v, expected %+v", r, want)
	}
}

// A sweep is planned and run in parts as any study; only a sweep selects from a grid.
func TestSweepInParts(t *testing.T) {
	order := []string{"sweep", "-data", "syn1", "-set", "nodes=30", "-set", "epochs=1,2", "-set", "dim=4", "-set", "hidden=8", "-set", "eval_epochs=2"}
	dir := planned(t, order...)
	for _, part := range []string{"0/2", "1/2"} {
		if _, log, err := command(t, "study", "run", dir, "-shard", part); err != nil {
			t.Fatal(err, log)
		}
	}
	out := rowsOf(t, "study", "merge", dir, "-json")
	if want := rowsOf(t, slices.Concat([]string{"study"}, order, []string{"-json"})...); out != want || !strings.Contains(out, `"variant":"epochs=2"`) {
		t.Errorf("in parts\n%s\nat once\n%s", out, want)
	}
	for want, args := range map[string][]string{
		"-select: found it for table1": {"study", "table1", "-select"},
		"expected one of the examples": {"study", "sweep", "-set", "epochs=1,2"},
		"noise: found \"loud\"":        {"study", "sweep", "-data", "syn1", "-set", "noise=0.1,loud"},
	} {
		if _, _, err := command(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", args, err, want)
		}
	}
}

// The output of merge for the page has the order and every result: whole if a missing task needs it, otherwise reduced to the needs of reports.
func TestMergedForThePage(t *testing.T) {
	dir := planned(t, "table5", "-set", "subjects=6", "-set", "regions=60", "-set", "frames=60", "-set", "epochs=1", "-set", "eval_epochs=2")
	for _, stage := range []string{"0", "1"} {
		if _, log, err := command(t, "study", "run", dir, "-stage", stage); err != nil {
			t.Fatal(err, log)
		}
	}
	out, _, err := command(t, "study", "merge", dir, "-json")
	if err != errReported {
		t.Fatal(err)
	}
	var merged studyOutput
	if err := json.Unmarshal([]byte(out), &merged); err != nil {
		t.Fatal(err)
	}
	l, err := readPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(merged.Order, l.Order) || len(merged.Results)+len(merged.Missing) != len(l.Tasks) || len(merged.Missing) != 2 {
		t.Fatalf("order %+v, %d results, missing %q", merged.Order, len(merged.Results), merged.Missing)
	}
	for i, r := range merged.Results {
		prepared := strings.HasPrefix(r.Name, "graphs of scans")
		if r.Key != l.Tasks[i].Key || r.Part != prepared || prepared != (r.Array("quality") != nil) || r.Array("z") != nil {
			t.Errorf("%s: part %t, arrays %d", r.Name, r.Part, len(r.Arrays))
		}
	}
}

// altered calls try with documents in which one field is of another type of JSON, for each field and type; in long lists, the first two elements.
func altered(t *testing.T, document []byte, try func(where string, text []byte)) {
	t.Helper()
	var whole any
	if err := json.Unmarshal(document, &whole); err != nil {
		t.Fatal(err)
	}
	values := []any{nil, true, 0., -1., 0.5, 1e300, "", "x", []any{}, []any{nil}, map[string]any{}, map[string]any{"x": nil}}
	var walk func(where string, v any, set func(any))
	fields, long := 0, os.Getenv("CADEM_LONG") != ""
	walk = func(where string, v any, set func(any)) {
		fields++
		for k, other := range values {
			if !long && k%3 != fields%3 {
				continue // one field has a third of them, the next one another third
			}
			set(other)
			text, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			shown, _ := json.Marshal(other) // as whole could be
			try(fmt.Sprintf("%s = %s", where, shown), text)
		}
		set(v)
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(where+"."+key, v[key], func(other any) { v[key] = other })
			}
		case []any:
			for i, field := range v[:min(len(v), 2)] {
				walk(fmt.Sprintf("%s[%d]", where, i), field, func(other any) { v[i] = other })
			}
		}
	}
	walk("plan", whole, func(other any) { whole = other })
}

// A plan with an altered field is refused in words, or gives the same figures.
func TestAlteredPlans(t *testing.T) {
	few := []string{"-seeds", "1", "-set", "epochs=1", "-set", "hidden=8", "-set", "dim=4"}
	for name, order := range map[string][]string{
		"drawn": append([]string{"gamma", "-set", "nodes=30"}, few...),
		"files": append([]string{"sweep", "-data", matrices(t), "-layers", "ring,pairs", "-labels", "label", "-set", "weight_causal=0.1,1",
			"-set", "folds=2"}, few...),
		"cohort": {"table5", "-data", writeScans(t), "-set", "tr=0.72", "-set", "epochs=1", "-set", "eval_epochs=2"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := planned(t, order...)
			if _, log, err := command(t, "study", "run", dir); err != nil {
				t.Fatal(err, log)
			}
			file := filepath.Join(dir, planFile)
			written, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, kept := rowsOf(t, "study", "merge", dir, "-json"), resultsIn(t, dir)
			n := 0
			altered(t, written, func(where string, text []byte) {
				n++
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
				for _, verb := range []string{"merge", "run", "sbatch"} {
					func() {
						defer func() {
							if e := recover(); e != nil {
								t.Errorf("%s: study %s panics: %v", where, verb, e)
							}
						}()
						args := []string{"study", verb, dir}
						if verb == "merge" {
							args = append(args, "-json")
						}
						out, log, err := command(t, args...)
						var o struct{ Rows json.RawMessage }
						if err == nil && verb == "merge" &&
							(json.Unmarshal([]byte(out), &o) != nil || comparable(string(o.Rows)) != want) {
							t.Errorf("%s: study merge comes to\n%s\n%s", where, out, log)
						}
						if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "runtime error")) {
							t.Errorf("%s: study %s: %v", where, verb, err)
						}
					}()
				}
			})
			if now := resultsIn(t, dir); !slices.Equal(now, kept) {
				t.Errorf("of the results %v\nthere are left %v", kept, now)
			}
			t.Logf("%d alterations", n)
		})
	}
}

// Halving cannot be laid down in advance: what it tries next depends on what it found.
func TestHalvingIsNotPlanned(t *testing.T) {
	_, _, err := command(t, "study", "plan", "tune", "-data", "syn1", "-search", "halving", "-dir", filepath.Join(t.TempDir(), "plan"))
	if err == nil || !strings.Contains(err.Error(), "search: found halving, expected random or grid") {
		t.Errorf("%v", err)
	}
}
