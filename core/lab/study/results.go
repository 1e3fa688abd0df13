package study

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"cadem.example/core/base/json"
	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/lab/study/measure"
)

// finds holds what the program finds: for each part of tasks (see [Task.Parts]) a hash of what brief tasks with it give, and the
// hash that stood there when keys began to depend on it, or a dash. TestFound of core/lab/study/experiments computes them all: whoever changes
// what is found puts the new hashes down, and keys of tasks with these parts change, alike natively and in the browser. A hash of the
// sources in their place would need a build, which go run is not, or a generated file that conflicts in every merge.
//
//go:embed found.txt
var finds string

// changed holds the hash of each part that differs from the first one. Results from before any change keep their keys.
var changed = sync.OnceValue(readChanged)

func readChanged() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(finds) {
		words := strings.Fields(line)
		n := len(words) - 2
		if words[n] != words[n+1] {
			m[strings.Join(words[:n], " ")] = words[n]
		}
	}
	return m
}

// Parts names the parts of the program that the results of the task depend on: its preset or method, its data, the options it
// sets, and its measurements.
func (t *Task) Parts() []string {
	list := []string{"preset " + t.Preset, "data " + t.Data.Example}
	if t.Method != "" {
		list[0] = "method " + t.Method
	}
	switch {
	case len(t.Data.Scans) > 0:
		list[1] = "data scans"
	case len(t.Data.Files) > 0:
		list[1] = "data files"
	}
	for _, name := range slices.Sorted(maps.Keys(t.Options)) {
		list = append(list, "option "+name)
	}
	for i := range t.Measure {
		if list = append(list, "measure "+string(t.Measure[i].Kind)); t.Measure[i].Fitted && !slices.Contains(list, "reader fitted") {
			list = append(list, "reader fitted")
		}
	}
	return list
}

// Key names the computation of the task: equal keys, equal results. It is made of the fields that matter, and of the
// program's results for the parts of the task. Files are identified by their sums.
func (t *Task) Key() string {
	c := *t
	c.Name, c.Inputs, c.Clock, c.Lenient = "", nil, nil, false
	c.Options, c.Data.Options = asText(t.Options), asText(t.Data.Options)
	text, err := json.Marshal(&c) // maps in order of their keys
	if err != nil {
		panic(err) // numbers and strings only
	}
	h := fnv.New128a()
	h.Write(text)
	for _, part := range t.Parts() {
		io.WriteString(h, changed()[part])
	}
	return fmt.Sprintf("8-%x", h.Sum(nil)) // 8 is in keys from before they depended on results
}

// Keys returns the keys of tasks.
func Keys(tasks []Task) []string {
	return sorting.Map(tasks, func(t Task) string { return t.Key() })
}

// asText makes values equal that an option reads as the same.
func asText(options map[string]any) map[string]any {
	m := map[string]any{}
	for name, v := range options {
		m[name] = property.Text(v)
	}
	return m
}

// Pairs returns the results of two lists of tasks that are there in both, a task of one beside
// that of the same seeds in the other.
func (r Results) Pairs(a, b []Task) (x, y []*measure.Result) {
	for i := range min(len(a), len(b)) {
		s, t := r[a[i].Key()], r[b[i].Key()]
		if s != nil && t != nil {
			x, y = append(x, s), append(y, t)
		}
	}
	return x, y
}

// Results of tasks by their keys. Missing ones were not run.
type Results map[string]*measure.Result

// Of returns the results of tasks in their order, without those that were not run.
func (r Results) Of(tasks []Task) []*measure.Result {
	var list []*measure.Result
	for i := range tasks {
		if t := r[tasks[i].Key()]; t != nil {
			list = append(list, t)
		}
	}
	return list
}
