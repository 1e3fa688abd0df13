package worker

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/lab/study/measure"
)

// part returns a part of the protocol, from its heading to the next of the same depth.
func part(t *testing.T, heading string) string {
	t.Helper()
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("the protocol has no section %q", heading)
	}
	depth, _, _ := strings.Cut(heading, " ")
	rest, _, _ = strings.Cut(rest, "\n"+depth+" ")
	if len(depth) > 2 {
		rest, _, _ = strings.Cut(rest, "\n## ")
	}
	return rest
}

// kindsIn returns the kinds of requests that a text names, in order.
func kindsIn(text string, all map[string]request) []string {
	var list []string
	for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(text, -1) {
		if _, ok := all[m[1]]; ok && !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	slices.Sort(list)
	return list
}

// The protocol describes the requests that the table lists, says which of them the first program
// answers, and which are answered or end a job while one is going on.
func TestRequestsAreThoseOfTheProtocol(t *testing.T) {
	first, all := newFirst(nil, nil).requests, newWhole(nil, nil).requests
	delete(all, "split") // which nobody asks for: it is there to be listed
	sorted := func(keep func(request) bool) (list []string) {
		for kind, r := range all {
			if keep(r) {
				list = append(list, kind)
			}
		}
		slices.Sort(list)
		return list
	}
	check := func(what string, got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: the protocol names %v, the table %v", what, got, want)
		}
	}
	var described []string
	for _, heading := range []string{"### Data", "### One run", "### Many tasks"} {
		for _, m := range regexp.MustCompile("(?m)^\\*\\*`([a-z]+)`\\*\\* ").FindAllStringSubmatch(part(t, heading), -1) {
			described = append(described, m[1])
		}
	}
	slices.Sort(described)
	check("described", described, sorted(func(request) bool { return true }))
	lead, _, _ := strings.Cut(part(t, "## Compute"), "Half a second")
	check("the first program", kindsIn(lead, all), slices.Sorted(maps.Keys(first)))
	beside, ends, ok := strings.Cut(part(t, "### During long work"), "are answered.")
	if !ok {
		t.Fatal("the section on long work has another form")
	}
	ends, _, _ = strings.Cut(ends, "end that work")
	check("answered during a job", kindsIn(beside, all), sorted(func(r request) bool { return r.during == answered }))
	check("ending a job", kindsIn(ends, all), sorted(func(r request) bool { return r.during == replaces || r.during == stops }))
}

// The protocol has, where it describes a request, every field of what this takes and answers, and every event.
func TestFieldsAreThoseOfTheProtocol(t *testing.T) {
	text, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	objects, _, _ := strings.Cut(string(text), "\n## Storage\n")
	_, objects, _ = strings.Cut(objects, "\n### Objects\n")
	check := func(what, described string, of any) {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag != "" && !regexp.MustCompile(`\b`+tag+`\b`).MatchString(described) {
				t.Errorf("%s: the protocol lacks %q", what, tag)
			}
		}
	}
	newWhole(nil, nil).Messages(func(kind string, args, result any) {
		if kind == "split" { // which nobody asks for
			return
		}
		_, described, ok := strings.Cut(string(text), "\n**`"+kind+"`**")
		if !ok {
			t.Errorf("the protocol does not describe %s", kind)
		}
		described, _, _ = strings.Cut(described, "\n**`")
		for _, as := range regexp.MustCompile("(?:as|As|of|after|like|see) `?([a-z]+)`?").FindAllStringSubmatch(described, -1) {
			_, more, _ := strings.Cut(string(text), "\n**`"+as[1]+"`**")
			more, _, _ = strings.Cut(more, "\n**`")
			described += more
		}
		check(kind, described+objects, args)
		if result != nil && reflect.TypeOf(result) != reflect.TypeFor[measure.Result]() { // which studies describe
			check(kind, described+objects, result)
		}
	})
	sent := regexp.MustCompile(`(?:Event|send)\("(\w+)"|tell\([\w.]+, "(\w+)"`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range sent.FindAllStringSubmatch(string(source), -1) {
			if !strings.HasSuffix(name, "_test.go") {
				found[m[1]+m[2]] = true
			}
		}
	}
	if list, want := slices.Sorted(maps.Keys(Events())), slices.Sorted(maps.Keys(found)); !slices.Equal(list, want) {
		t.Errorf("the table of events has %v, the source sends %v", list, want)
	}
	for name, fields := range Events() {
		if !strings.Contains(string(text), "`"+name) {
			t.Errorf("the protocol does not describe the event %s", name)
		}
		check(name, string(text), fields)
	}
}
