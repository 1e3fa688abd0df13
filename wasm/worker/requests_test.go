package worker

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
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
