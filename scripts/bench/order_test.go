package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// With -json standard output is JSON alone, also where the file cannot be written.
func TestPresent(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bench.json")
	for _, c := range []struct {
		order order
		want  string
	}{{order{json: true}, "{\n  \"a\": 1\n}\n"}, {order{out: file}, "a table\n"}, {order{json: true, out: file}, "{\n  \"a\": 1\n}\n"}} {
		var out bytes.Buffer
		if err := c.order.present(map[string]int{"a": 1}, "a table\n", &out); err != nil || out.String() != c.want {
			t.Errorf("%+v: %q, %v", c.order, &out, err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "{\n  \"a\": 1\n}\n" {
		t.Errorf("%q, %v", text, err)
	}
	var out bytes.Buffer
	if err := (&order{json: true, out: filepath.Join(file, "in it")}).present(map[string]int{"a": 1}, "", &out); err == nil || out.Len() == 0 {
		t.Errorf("a lost result: %q, %v", &out, err)
	}
}

func TestOrdersThatCannotBe(t *testing.T) {
	for want, args := range map[string][]string{
		"found the argument":          {"quick"},
		"did you mean scaling?":       {"-part", "step,scalnig"},
		"found beside -quick":         {"-quick", "-part", "step"},
		"-out: found /none/there.txt": {"-out", "/none/there.txt"},
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
	i := slices.IndexFunc(list, func(w whole) bool { return w.key == "gamma_refined" })
	if i < 0 || len(list[i].tasks) != 11*5 {
		t.Fatalf("expected 55 trainings in %+v", list)
	}
	for _, task := range list[i].tasks {
		if task.Preset != "refined" || len(task.Measure) != 4 || task.Data.Options["instance"] != "published" {
			t.Errorf("found %s: %+v", task.Name, task)
		}
	}
}
