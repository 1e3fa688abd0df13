package text

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
)

// isMPX reports whether a text is a network of the R package multinet: sections that begin
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

// mpxSections are known; below #EDGES and #ACTORS any other line may be of an actor whose name begins so.
var mpxSections = []string{"#VERSION", "#TYPE", "#LAYERS", "#ACTOR ATTRIBUTES", "#NODE ATTRIBUTES",
	"#VERTEX ATTRIBUTES", "#EDGE ATTRIBUTES", "#ACTORS", "#NODES", "#VERTICES", "#EDGES"}

// readMPX splits such a network into an edge list and a node file; every line keeps its number.
func readMPX(file, text string) (edges, nodes string, err error) {
	var parts [2]strings.Builder
	attributes, ofEdges := []string{}, []string{}
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
		case strings.HasPrefix(s, "#") &&
			(slices.Contains(mpxSections, upper) || section != "#EDGES" && section != "#ACTORS"):
			section = upper
			switch section {
			case "#EDGES":
				parts[0].Grow(len(text))
				put(0, strings.Join(append([]string{"source", "target", "layer"}, ofEdges...), ","))
			case "#ACTORS":
				put(1, strings.Join(append([]string{"nodeID"}, attributes...), ","))
			}
		case s == "", strings.HasPrefix(s, "--") && strings.IndexByte(s, ',') < 0:
		case section == "#TYPE" && upper != "MULTIPLEX":
			return "", "", diag.At(file, line, "type", input.Quote(s), "multiplex")
		case section == "#ACTOR ATTRIBUTES":
			name, _, _ := strings.Cut(s, ",")
			attributes = append(attributes, strings.TrimSpace(name))
		case section == "#EDGE ATTRIBUTES":
			parts := strings.Split(s, ",") // those of one layer begin with its name
			if name := strings.TrimSpace(parts[max(0, len(parts)-2)]); !slices.Contains(ofEdges, name) {
				ofEdges = append(ofEdges, name)
			}
		case section == "#EDGES":
			n := strings.Count(s, ",") + 1
			if n < 3 {
				return "", "", diag.At(file, line, "columns", figure.Count(n, "column"),
					"at least 3: actor, actor, layer")
			}
			for ; n < 3+len(ofEdges); n++ {
				s += ","
			}
			for ; n > 3+len(ofEdges); n-- { // attributes that nothing names
				s = s[:strings.LastIndexByte(s, ',')]
			}
			put(0, s)
		case section == "#ACTORS":
			if n := strings.Count(s, ",") + 1; n != len(attributes)+1 {
				return "", "", diag.At(file, line, "columns", figure.Count(n, "column"),
					fmt.Sprintf("%d: the actor and its attributes", len(attributes)+1))
			}
			put(1, s)
		}
	}
	return parts[0].String(), parts[1].String(), nil
}
