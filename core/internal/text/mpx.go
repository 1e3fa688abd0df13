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

// readMPX reads such a network.
func readMPX(file, text string) (*Graph, error) {
	g, section := &linked{titles: []string{sourceColumn, targetColumn, layerColumn}}, ""
	named, fields := []string{"nodeID"}, []string(nil)
	g.edges.Grow(len(text))
	g.lines = make([]int32, 0, strings.Count(text, "\n"))
	bad := func(where, found, expected string) (*Graph, error) {
		return nil, diag.At(file, g.at, where, found, expected)
	}
	for s := range strings.Lines(text) {
		g.at++
		s = strings.TrimSpace(s)
		upper := strings.ToUpper(s)
		fields, _ = layout{separator: ','}.split(s, fields[:0])
		n := len(fields)
		switch {
		case strings.HasPrefix(s, "#") &&
			(slices.Contains(mpxSections, upper) || section != "#EDGES" && section != "#ACTORS"):
			if section = upper; section == "#ACTORS" {
				g.named = named
			}
		case s == "", strings.HasPrefix(s, "--") && n == 1:
		case section == "#TYPE" && upper != "MULTIPLEX":
			return bad("type", input.Quote(s), "multiplex")
		case section == "#ACTOR ATTRIBUTES":
			named = append(named, fields[0])
		case section == "#EDGE ATTRIBUTES": // those of one layer begin with its name
			if name := fields[max(0, n-2)]; !slices.Contains(g.titles[3:], name) {
				g.titles = append(g.titles, name)
			}
		case section == "#EDGES" && n < 3:
			return bad("columns", figure.Count(n, "column"), "at least 3: actor, actor, layer")
		case section == "#EDGES": // nothing may name attributes, and rows may lack some
			for len(fields) < len(g.titles) {
				fields = append(fields, "")
			}
			g.link(fields[:len(g.titles)])
		case section == "#ACTORS" && n != len(named):
			return bad("columns", figure.Count(n, "column"), fmt.Sprintf("%d: the actor and its attributes", len(named)))
		case section == "#ACTORS":
			WriteRecord(&g.nodes, fields)
			g.of = append(g.of, int32(g.at))
		}
	}
	return g.graph(), nil
}
