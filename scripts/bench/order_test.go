package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestOrdersThatCannotBe(t *testing.T) {
	for want, args := range map[string][]string{
		"found the argument":    {"quick"},
		"did you mean scaling?": {"-part", "step,scalnig"},
		"found beside -quick":   {"-quick", "-part", "step"},
	} {
		var out, log bytes.Buffer
		if code := command(args, &out, &log); code != 2 || out.Len() > 0 || !strings.Contains(log.String(), want) {
			t.Errorf("%v: exit code %d, %q, %q", args, code, &out, &log)
		}
	}
}

// The experiment with refined is the whole one of the page, with its scores.
func TestLong(t *testing.T) {
	list := long()
	i := slices.IndexFunc(list, func(w whole) bool { return w.Key == "gamma_refined" })
	if i < 0 || len(list[i].tasks) != 11*5 {
		t.Fatalf("expected 55 trainings in %+v", list)
	}
	for _, task := range list[i].tasks {
		if task.Preset != "refined" || len(task.Measure) != 4 || task.Data.Options["instance"] != "published" {
			t.Errorf("found %s: %+v", task.Name, task)
		}
	}
}

// Parts that need no browser are measured without one.
func TestBrowser(t *testing.T) {
	names := []string{"step", "size", "scaling", "paper", "page"}
	for part, want := range map[string]bool{"": true, "size": false, "scaling,paper": false, "size,page": true} {
		list, err := (&order{part: part}).parts(names)
		if err != nil || needsBrowser(list) != want {
			t.Errorf("%q: found %v, %v", part, !want, err)
		}
	}
}
