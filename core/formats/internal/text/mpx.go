package text

import (
	"fmt"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
)

// isMPX tells whether a text is a network of the R package multinet: sections that begin
// with #ACTORS, #EDGES and the like.
func isMPX(text string) bool {
	for line := range strings.Lines(text) {
		switch strings.TrimSpace(strings.ToUpper(line)) {
		case "#EDGES", "#ACTORS", "#ACTOR ATTRIBUTES", "#LAYERS", "#VERSION", "#TYPE":
			return true
		}
		if !input.IsComment(line) {
			return false
		}
	}
	return false
}

// readMPX takes such a network apart into an edge list and a node file, in which every line
// keeps its number.
func readMPX(file, text string) (edges, nodes string, err error) {
	var parts [2]strings.Builder
	attributes := []string{}
	section, line := "", 0
	written := [2]int{}
	put := func(k int, s string) {
		for ; written[k] < line-1; written[k]++ {
			parts[k].WriteByte('\n')
		}
		parts[k].WriteString(s)
		parts[k].WriteByte('\n')
		written[k]++
	}
	for s := range strings.Lines(text) {
		line++
		s = strings.TrimSpace(s)
		upper := strings.ToUpper(s)
		switch {
		case strings.HasPrefix(s, "#"):
			section = upper
			switch section {
			case "#EDGES":
				parts[0].Grow(len(text))
				put(0, "source,target,layer")
			case "#ACTORS":
				put(1, strings.Join(append([]string{"nodeID"}, attributes...), ","))
			}
		case s == "":
		case section == "#TYPE" && upper != "MULTIPLEX":
			return "", "", &diag.Error{File: file, Line: line, Where: "type", Found: input.Quote(s), Expected: "multiplex"}
		case section == "#ACTOR ATTRIBUTES":
			name, _, _ := strings.Cut(s, ",")
			attributes = append(attributes, strings.TrimSpace(name))
		case section == "#EDGES":
			end := 0
			for n := 1; n <= 3; n++ {
				more := strings.IndexByte(s[end:], ',')
				switch {
				case more < 0 && n < 3:
					return "", "", &diag.Error{File: file, Line: line, Where: "columns", Found: atMost(n), Expected: "at least 3: actor, actor, layer"}
				case more < 0:
					end = len(s)
				case n < 3:
					end += more + 1
				default: // attributes of the edge follow
					end += more
				}
			}
			put(0, strings.TrimSpace(s[:end]))
		case section == "#ACTORS":
			if n := strings.Count(s, ",") + 1; n != len(attributes)+1 {
				return "", "", &diag.Error{File: file, Line: line, Where: "columns", Found: figure.Count(n, "column"),
					Expected: fmt.Sprintf("%d: the actor and its attributes", len(attributes)+1)}
			}
			put(1, s)
		}
	}
	return parts[0].String(), parts[1].String(), nil
}
