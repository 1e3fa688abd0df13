package text

import (
	"cmp"
	"slices"
	"strconv"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/internal/input"
)

// An object is one of JSON, whose values stay as they are written: numbers may be long ids.
type object map[string]json.RawMessage

// A nodeLink is a graph as networkx (node_link_data), D3, vis.js, VOSviewer and Cytoscape write it: two lists of objects, or one in which
// links are those that have ends. Networkx has lists of neighbours, one for each node, too (adjacency_data). The JSON Graph Format has nodes
// by their ids.
type nodeLink struct {
	Nodes     json.RawMessage     `json:"nodes"` // a list, or by their ids
	Items     []json.RawMessage   `json:"items"`
	Links     []json.RawMessage   `json:"links"`
	Edges     []json.RawMessage   `json:"edges"`
	Adjacency [][]json.RawMessage `json:"adjacency"`
	Elements  json.RawMessage     `json:"elements"`
	Network   json.RawMessage     `json:"network"`
	Graph     json.RawMessage     `json:"graph"` // of networkx attributes
}

// endKeys are how the ends of links are called.
var endKeys = [...][2]string{{"source", "target"}, {"from", "to"}, {"source_id", "target_id"}}

// readJSON reads a graph of nodes and links in JSON. Links name their ends by the ids of nodes, or by their places in the list from 0 on.
func readJSON(file, text string) (*network, error) {
	g := newNetwork(file, text, `{"id"`, `"target"`, ":")
	fail := func(err error) (*network, error) {
		if bad, ok := err.(*diag.Error); ok {
			bad.File, bad.Where = file, cmp.Or(bad.Where, "JSON")
		}
		return nil, err
	}
	var all nodeLink
	inside := json.RawMessage(text)
	for inside != nil {
		all = nodeLink{}
		if err := json.Unmarshal(inside, &all); err != nil {
			if inside[0] != '[' {
				return fail(err)
			}
			all.Nodes = inside // and links in one list
		}
		if inside = all.Network; inside == nil {
			inside = all.Elements
		}
		if inside == nil && all.Edges == nil && all.Links == nil && all.Adjacency == nil {
			inside = all.Graph
		}
	}
	var links, listed []json.RawMessage
	var byID object
	var keys []string
	if all.Nodes != nil && json.Unmarshal(all.Nodes, &byID) == nil {
		for key, raw := range byID { // in any order: the graph has its own
			keys, listed = append(keys, key), append(listed, raw)
		}
	} else if all.Nodes != nil {
		if err := json.Unmarshal(all.Nodes, &listed); err != nil {
			return fail(err)
		}
	}
	named := 0
	for k, raw := range slices.Concat(listed, all.Items) {
		o, ends, err := objectOf(raw)
		if err != nil {
			return fail(err)
		}
		if ends >= 0 && o["id"] == nil || ends == 0 {
			links = append(links, raw)
			continue
		}
		id := scalar(o["id"])
		if k < len(keys) {
			id = keys[k]
		}
		if id != "" {
			named++
		} else {
			id = strconv.Itoa(len(g.nodes.rows))
		}
		if err = g.node(id, 0, `{"id": "a"}`); err == nil {
			err = g.properties(&g.nodes, networkRow{id: id}, o, "id")
		}
		if err != nil {
			return nil, err
		}
	}
	links = slices.Concat(links, all.Links, all.Edges)
	for k, near := range all.Adjacency {
		for _, raw := range near {
			o, _, err := objectOf(raw)
			if err == nil && (k >= len(g.nodes.rows) || scalar(o["id"]) == "") {
				err = &diag.Error{Found: input.Quote(string(raw)),
					Expected: "an object with the id of a neighbour, in the list of a node"}
			}
			if err == nil {
				row := networkRow{id: g.nodes.rows[k].id, target: scalar(o["id"])}
				err = g.properties(&g.edges, row, o, "id")
			}
			if err != nil {
				return fail(err)
			}
		}
	}
	if len(links)+len(g.edges.rows) == 0 {
		return nil, g.bad(0, "JSON", "no links or edges",
			"a list of objects with source and target under links or edges, or adjacency_data of networkx")
	}
	known, places := true, true
	for k, raw := range links {
		o, ends, err := objectOf(raw)
		if err != nil {
			return fail(err)
		}
		if ends < 0 {
			return nil, g.bad(0, "edge "+strconv.Itoa(k+1), input.Quote(string(raw)), "an object with source and target")
		}
		keys := endKeys[ends]
		row := networkRow{id: scalar(o[keys[0]]), target: scalar(o[keys[1]])}
		for _, end := range [...]string{row.id, row.target} {
			_, is := g.lines[end]
			if listed == nil && all.Items == nil && end != "" && !is { // links alone
				if err := g.node(end, 0, ""); err != nil {
					return nil, err
				}
				is = true
			}
			at := shortNumber(end)
			known, places = known && is, places && at >= 0 && at < len(g.nodes.rows)
		}
		if err := g.properties(&g.edges, row, o, keys[0], keys[1]); err != nil {
			return nil, err
		}
	}
	if !known && places && named > 0 && all.Adjacency == nil {
		for k := range g.edges.rows {
			row := &g.edges.rows[k]
			from, to := shortNumber(row.id), shortNumber(row.target)
			row.id, row.target = g.nodes.rows[from].id, g.nodes.rows[to].id
		}
	}
	return g, g.ends("the id of a node of this file")
}

// objectOf reads an object, that of Cytoscape from its data, and says which of [endKeys] it has; -1: none.
func objectOf(raw json.RawMessage) (o object, ends int, err error) {
	if err = json.Unmarshal(raw, &o); err == nil && len(o["data"]) > 0 && o["data"][0] == '{' {
		raw, o = o["data"], nil
		err = json.Unmarshal(raw, &o)
	}
	var meta object // of the JSON Graph Format
	if err == nil && json.Unmarshal(o["metadata"], &meta) == nil {
		for key, value := range meta {
			if o[key] == nil {
				o[key] = value
			}
		}
	}
	return o, slices.IndexFunc(endKeys[:], func(k [2]string) bool { return o[k[0]] != nil && o[k[1]] != nil }), err
}

// scalar returns a value as text, of an object its id; "" of null and of one that is no id.
func scalar(raw json.RawMessage) string {
	var text string
	var o object
	switch {
	case raw == nil || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	case raw[0] == '{' && json.Unmarshal(raw, &o) == nil:
		if o["id"] == nil {
			return scalar(o["index"])
		}
		return scalar(o["id"])
	}
	return string(raw)
}

// properties adds an element with what an object says of it, apart from some keys, and from lists and objects.
func (g *network) properties(e *networkElements, row networkRow, o object, apart ...string) error {
	row.start = int32(len(g.cells))
	for key, raw := range o {
		if slices.Contains(apart, key) || raw[0] == '{' || raw[0] == '[' {
			continue
		}
		if err := g.say(e, 0, key, scalar(raw)); err != nil {
			return err
		}
	}
	row.end = int32(len(g.cells))
	e.rows = append(e.rows, row)
	return nil
}
