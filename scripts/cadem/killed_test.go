package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/study/measure"
)

// rounds is the number of kills: half of them at a moment of its run, half while it writes a file.
const rounds = 20

// killedIn runs a program and kills it: after a time or, of 0, as soon as a file of its own is in a folder. It tells
// whether the program had ended by itself.
func killedIn(t *testing.T, dir string, after time.Duration, program string, args ...string) (ended bool) {
	t.Helper()
	before, err := filepath.Glob(filepath.Join(dir, ".cadem-*.part"))
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- c.Wait() }()
	began := time.Now()
	for {
		now, err := filepath.Glob(filepath.Join(dir, ".cadem-*.part"))
		if err != nil {
			t.Fatal(err)
		}
		if after == 0 && len(now) > len(before) || after > 0 && time.Since(began) > after {
			_ = c.Process.Kill() // it may have ended
			<-over
			return c.ProcessState.Success()
		}
		select {
		case <-over:
			return true
		default:
		}
	}
}

// A killed training leaves its results whole or not at all, and older files unchanged.
func TestKilledTraining(t *testing.T) {
	program, dir := makeProgram(t), t.TempDir()
	run, table := filepath.Join(dir, "run.zip"), filepath.Join(dir, "e.csv")
	args := []string{"train", "-data", "syn1", "-set", "nodes=60", "-set", "epochs=2", "-set", "eval_epochs=2", "-out", run, "-embeddings", table}
	began := time.Now()
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	whole := time.Since(began)
	want, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(run); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	kills := 0
	for round := range rounds {
		var before []byte // of a table that somebody else has written, every other time
		if round%4 < 2 {
			before = []byte("mine\n")
			if err := os.WriteFile(table, before, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if err := os.RemoveAll(table); err != nil {
			t.Fatal(err)
		}
		after := time.Duration(0)
		if round%2 == 0 {
			after = time.Duration((0.3 + 0.8*rng.Float64()) * float64(whole))
		}
		if !killedIn(t, dir, after, program, args...) {
			kills++
		}
		if got, err := os.ReadFile(table); err == nil && !bytes.Equal(got, want) && !bytes.Equal(got, before) || err != nil && before != nil {
			t.Errorf("round %d: the table has %d bytes, whole %d (%v)", round, len(got), len(want), err)
		}
		if data, err := os.ReadFile(run); err == nil {
			if _, err := archive.Read(data); err != nil {
				t.Errorf("round %d: %v", round, err)
			}
		}
		if round%4 == 3 {
			if err := os.RemoveAll(run); err != nil {
				t.Fatal(err)
			}
		}
	}
	if kills < rounds/2 {
		t.Errorf("%d of %d rounds ended before they were killed", rounds-kills, rounds)
	}
}

// A part of a plan that is killed leaves whole results, and the plan is done in the end as if nothing had been.
func TestKilledPlan(t *testing.T) {
	program := makeProgram(t)
	order := []string{"gamma", "-seeds", "1", "-set", "nodes=60", "-set", "epochs=60", "-set", "hidden=8", "-set", "dim=4"}
	undisturbed, dir := planned(t, order...), planned(t, order...)
	began := time.Now()
	if out, err := exec.Command(program, "study", "run", undisturbed, "-workers", "1").CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	whole := time.Since(began)
	rng := rand.New(rand.NewPCG(2, 1))
	for round := range rounds {
		after := time.Duration(0)
		if round%2 == 0 {
			after = time.Duration(rng.Float64() * float64(whole) / 2)
		}
		killedIn(t, dir, after, program, "study", "run", dir, "-workers", "1")
		for _, name := range resultsIn(t, dir) {
			r := &measure.Result{}
			if err := readJSON(name, r); err != nil || r.Key != strings.TrimSuffix(filepath.Base(name), resultEnding) {
				t.Errorf("round %d: %s: key %q, %v", round, filepath.Base(name), r.Key, err)
			}
		}
		if _, err := storedPlan(dir); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
	if out, err := exec.Command(program, "study", "run", dir).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	if got, want := rowsOf(t, "study", "merge", dir, "-json"), rowsOf(t, "study", "merge", undisturbed, "-json"); got != want {
		t.Errorf("killed\n%s\nundisturbed\n%s", got, want)
	}
}
