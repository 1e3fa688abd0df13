package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// Every command that works for long, and every experiment, ends when it looks for a signal and there is one: at its first look, and some looks
// later. The others are short.
func TestEveryCommandIsInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	scans, collection, edges := writeScans(t), t.TempDir(), matrices(t)
	writeCollection(t, collection)
	plan := planned(t, tiny...)
	sheetOf(t, "sheet.json", handedIn(t, "4711"))
	cases := map[string][][]string{
		"train": {{"train", "-data", "syn1"}, {"train", "-data", "syn1", "-method", "vgae"}, {"train", "-data", "syn1", "-preset", "refined"},
			{"train", "-data", "syn1", "-set", "nodes=600", "-preset", "evidence"}},
		"subjects": {{"subjects", "-data", scans, "-model", "s.npz"}, {"subjects", "-data", "synthetic", "-model", "s.npz"}},
		"study":    {{"study", "run", plan}},
		"verify":   {{"verify", "sheet.json"}},
		"example":  {{"example", "cohort", "-bids", "bids"}},
	}
	for _, s := range studies() {
		args := []string{"study", s.Name, "-cache", filepath.Join("kept", s.Name)}
		switch {
		case s.Needs == study.NeedGraphs:
			args = append(args, "-data", collection)
		case s.AnyExample:
			args = append(args, "-data", "syn1")
		case s.Needs == study.NeedGraph:
			args = append(args, "-data", edges, "-layers", "ring,pairs", "-features", "feature", "-labels", "label")
		}
		// These two want longer series, and numbers of participants.
		wants := s.Name == "identify" || s.Name == "targets"
		if cases["study"] = append(cases["study"], args); s.Needs == study.NeedCohort && !wants {
			cases["study"] = append(cases["study"], append(slices.Clone(args), "-data", scans))
		}
	}
	short := []string{"apply", "methods", "inspect", "connectome", "parity", "options", "version"} // hurry ends them where they are not
	for _, v := range verbs() {
		if (cases[v.name] == nil) != slices.Contains(short, v.name) {
			t.Errorf("%s is in one of the lists", v.name)
		}
		for _, args := range cases[v.name] {
			for _, looks := range []int64{0, 2} {
				ctx := &interruption{Context: t.Context()}
				ctx.left.Store(looks)
				var out, log bytes.Buffer
				err := execute(ctx, args, &out, &log)
				if code := status(err, io.Discard); code != 130 && !(code == 75 && args[1] == "run") {
					t.Errorf("cadem %s, at look %d: %v, code %d, said %s", strings.Join(args, " "), looks, err, code, &log)
				}
				if err := os.RemoveAll("bids"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// A program ends soon after a signal in the middle of work that does not look for one, and keeps what it had: a step of a large training, data that
// do not come.
func TestSignalIsHeeded(t *testing.T) {
	program := makeProgram(t)
	large := []string{"-set", "nodes=3000", "-set", "epochs=1000"}
	plan := planned(t, "sweep", "-data", "syn2", "-set", "nodes=3000", "-set", "epochs=900,1000", "-seeds", "1")
	for name, c := range map[string]struct {
		args []string
		code int
		said string
	}{
		"step":    {slices.Concat([]string{"train", "-data", "syn2", "-out", "run.zip"}, large), 130, "interrupted"},
		"pipe":    {[]string{"train", "-data", "/dev/stdin"}, 130, "interrupted"},
		"part":    {[]string{"study", "run", plan}, 75, "the same command goes on"},
		"study":   {slices.Concat([]string{"study", "table1", "-set", "nodes=3000"}, []string{"-seeds", "1"}), 130, "interrupted"},
		"inspect": {[]string{"inspect", "/dev/stdin"}, 130, "interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, dir, args := c, t.TempDir(), c.args
			p := exec.Command(program, args...)
			p.Dir = dir
			stdin, err := p.StdinPipe() // which stays open
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			log, err := p.StderrPipe()
			if err == nil {
				err = p.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			defer p.Process.Kill()
			hang := time.AfterFunc(5*time.Minute, func() { p.Process.Kill() })
			defer hang.Stop()
			said, signalled := "", false
			for lines := bufio.NewScanner(log); lines.Scan(); {
				said += lines.Text() + "\n"
				if !signalled && (strings.Contains(lines.Text(), ", for ") || strings.Contains(lines.Text(), " left")) {
					signalled = true
					if err := p.Process.Signal(syscall.SIGTERM); err != nil {
						t.Fatal(err)
					}
				}
			}
			_ = p.Wait() // the code says it
			if code := p.ProcessState.ExitCode(); code != c.code || !strings.Contains(said, c.said) {
				t.Errorf("code %d, said %s", code, said)
			}
			if left, err := filepath.Glob(filepath.Join(dir, ".cadem-*")); err != nil || len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// What stood after a step is kept beside a training that goes on, and goes on itself to the same result.
func TestTrainingIsKeptBeside(t *testing.T) {
	t.Chdir(t.TempDir())
	defer func(usual time.Duration) { keptEvery = usual }(keptEvery)
	keptEvery = 0
	few := []string{"train", "-data", "syn1", "-set", "nodes=40", "-set", "epochs=4", "-set", "eval_epochs=2", "-json"}
	for _, method := range []string{"cadem", "vgae"} {
		ctx := &interruption{Context: t.Context()}
		ctx.left.Store(6)
		var out, log bytes.Buffer
		p := &program{ctx: ctx, stdout: &out, stderr: &log}
		args := append(slices.Clone(few), "-method", method)
		if err := p.execute(args); !errors.Is(err, errInterrupted) {
			t.Fatal(err)
		}
		first := advice(t, log.String())
		log.Reset()
		if err := (*p.rescue.Load())(); !errors.Is(err, errInterrupted) {
			t.Fatal(err)
		}
		want, _, err := command(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		for _, next := range [][]string{advice(t, log.String()), first} {
			if got, log, err := command(t, next...); err != nil || comparable(got) != comparable(want) {
				t.Errorf("%s, %v: %v, said %s\nresumed %s\nwhole %s", method, next, err, log, got, want)
			}
		}
	}
}

// Results of a study that are done by now can be kept at any time, also those that were put aside.
func TestStudyIsKeptBeside(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	var log bytes.Buffer
	c := &resultFolder{p: &program{stderr: &log}, say: func(string, ...any) {}}
	for _, key := range []string{"a-1", "a-2"} {
		r := &measure.Result{Key: key, Arrays: []measure.Array{{Name: "x", Shape: []int{2}, Data: []float64{1, 2}}}}
		if err := c.keep(r, 0); err != nil {
			t.Fatal(err)
		}
		if key == "a-2" && !c.spill(r) {
			t.Fatal("not put aside")
		}
	}
	err := c.interrupted([]string{"x"}, 5)
	if !errors.Is(err, errInterrupted) || !strings.Contains(log.String(), "2 of 5 tasks are done and kept in cadem-study") {
		t.Errorf("%v, said %s", err, &log)
	}
	again := &resultFolder{p: c.p, dir: "cadem-study", say: c.say}
	for _, key := range []string{"a-1", "a-2"} {
		if r := again.find(key); r == nil || len(r.Arrays) != 1 || !slices.Equal(r.Arrays[0].Data, []float64{1, 2}) {
			t.Errorf("%s is kept as %+v", key, r)
		}
	}
}
