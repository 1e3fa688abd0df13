package text

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/formats/internal/input"
)

// A Kind is what a text file holds.
type Kind string

// The files that make a multiplex graph.
const (
	Edges  Kind = "edges"  // layerID nodeID nodeID weight
	Layer  Kind = "layer"  // nodeID nodeID weight: the edges of one layer
	Layers Kind = "layers" // layerID layerLabel
	Nodes  Kind = "nodes"  // nodeID nodeLabel and attributes
	Labels Kind = "labels" // node and one or more columns of labels
	Arrays Kind = "arrays" // variables of numbers, in whatever format
)

// Column names as they are met in published files, compared by [input.Plain].
var (
	layerColumns  = []string{"layer", "layerid", "layername", "layerlabel", "relation"}
	weightColumns = []string{"weight", "w", "value"}
	idColumns     = []string{"id", "node", "nodeid", "actor", "actorid", "vertex", "vertexid", "user", "userid"}
	nameColumns   = []string{"name", "nodelabel", "nodename", "actorname"}
	endColumns    = append([]string{"source", "target", "sourceid", "targetid", "from", "to", "i", "j", "u", "v", "src", "dst", "node1", "node2",
		"nodei", "nodej", "node1id", "node2id", "nodeid1", "nodeid2", "ego", "alter", "actor1", "actor2"}, idColumns...)
)

// kindOf tells what a file holds: by its first line where that is clear, else by its
// name. A table of nodes whose name says nothing holds labels if it is a .csv or .tsv.
func kindOf(file, text string) (Kind, error) {
	name := strings.ToLower(path.Base(file))
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	first := firstLine(text)
	if _, ok := edgeHeader(edgeFields(first), false); ok {
		return Edges, nil
	}
	head := strings.Fields(first)
	if separator := separatorOf(file, first); separator != 0 {
		head = strings.Split(first, string(separator))
	}
	for i := range head {
		head[i] = strings.Trim(head[i], "\" \n")
	}
	isTable := len(head) > 0 && (slices.Contains(idColumns, input.Plain(head[0])) || slices.Contains(nameColumns, input.Plain(head[0])))
	switch {
	case len(head) == 2 && slices.Contains(layerColumns, input.Plain(head[0])):
		return Layers, nil
	case isTable && says("layer"), !isTable && says("layers"):
		return Layers, nil
	case isTable && says("label", "attribute", "class", "group", "communit"):
		return Labels, nil
	case isTable && says("node", "actor", "vertex", "vertices"):
		return Nodes, nil
	case isTable && (strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".tsv")):
		return Labels, nil
	case isTable:
		return Nodes, nil
	case (len(head) == 3 || len(head) == 4) && input.IsWhole(head[0]) && input.IsWhole(head[1]) && input.IsWhole(head[2]):
		return Edges, nil
	case says(".edges", "edge", "multiplex", "links"):
		return Edges, nil
	case says("label", "attribute", "class", "communit"):
		return Labels, nil
	case says("node", "actor", "vertex", "vertices"):
		return Nodes, nil
	}
	return "", &diag.Error{File: file, Found: "a file of unknown kind that begins with " + input.Quote(strings.TrimSpace(first)),
		Expected: "edges (layerID nodeID nodeID weight), layers (layerID layerLabel), nodes (nodeID nodeLabel ...) or labels (nodeID, group, ...)"}
}

// firstLine returns the first line that is not a comment.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if !input.IsComment(line) {
			return line
		}
	}
	return ""
}

// isOneLayer tells whether a text may be the edges of one layer: its first line names two
// nodes and perhaps a weight, or holds two whole numbers and perhaps another number.
func isOneLayer(text string) bool {
	fields := edgeFields(firstLine(text))
	if len(fields) < 2 || len(fields) > 3 {
		return false
	}
	if _, ok := edgeHeader(fields, true); ok {
		return true
	}
	_, err := strconv.ParseFloat(fields[len(fields)-1], 64)
	return input.IsWhole(fields[0]) && input.IsWhole(fields[1]) && err == nil
}
