package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/sorting"
	"cadem.example/core/internal/input"
)

// Names of the columns of an edge list in choices and headers, compared by [input.Plain].
const (
	sourceColumn = "source"
	targetColumn = "target"
	layerColumn  = "layer"
	weightColumn = "weight"
	timeColumn   = "time"
	leftColumn   = "-"
)

// Column names found in published files, compared by [input.Plain].
var (
	layerColumns = []string{"layer", "layerid", "layername", "layerlabel", "relation", "relationid", "relationtype", "reltype",
		"edgetype", "linktype", "etype"}
	weightColumns = []string{"weight", "weights", "edgeweight", "w", "value"}
	idColumns     = []string{"id", "node", "nodeid", "actor", "actorid", "vertex", "vertexid", "user", "userid"}
	nameColumns   = []string{"name", "nodelabel", "nodename", "actorname"}
	endColumns    = []string{"source", "target", "sourceid", "targetid", "from", "to", "i", "j", "u", "v", "src", "dst", "node1", "node2",
		"nodei", "nodej", "node1id", "node2id", "nodeid1", "nodeid2", "ego", "alter", "actor1", "actor2", "fromnode", "tonode", "fromnodeid", "tonodeid",
		"sourcenode", "targetnode", "fromid", "toid"}
	sourceLayerColumns = []string{"sourcelayer", "fromlayer", "layer1", "layeri", "layerfrom", "layersource", "layerid1", "fromlayerid"}
	targetLayerColumns = []string{"targetlayer", "tolayer", "layer2", "layerj", "layerto", "layertarget", "layerid2", "tolayerid"}
	indexColumns       = []string{"", "unnamed0", "index", "rownames"} // they count the rows
)

// firstLevel is how pandas calls the first level of an index without names, as that of a matrix that was stacked.
const firstLevel = "level0"

func isLevel(title string) bool { return input.Plain(title) == firstLevel }

// plainTitle returns a title as [input.Plain] does, of columns for the importer of neo4j what it calls their role behind the name, as in
// personId:ID(Person) and :START_ID.
func plainTitle(title string) string {
	_, role, _ := strings.Cut(title, ":")
	role, _, _ = strings.Cut(role, "(")
	switch role {
	case "ID":
		return idColumns[0]
	case "START_ID":
		return sourceColumn
	case "END_ID":
		return targetColumn
	case "TYPE":
		return layerColumn
	case "LABEL":
		return "labels" // of classes, not of nodes
	}
	return input.Plain(title)
}

// columns says where the columns of an edge list are; those that it does not have are -1.
type columns struct {
	source, target, layer, weight int
	other                         int // the layer of the target, where it has one of its own
	time                          int // which is known and not used
	n                             int
	channels                      string // the columns whose weights make a layer each, as characters; "" unless there are several
}

func noColumns(n int) columns { return columns{-1, -1, -1, -1, -1, -1, n, ""} }

// headed reads the columns of an edge list from the names in its first line. It returns false unless they
// name two nodes. Two ambiguous names such as id, which nodes have everywhere, are taken only if nothing
// better is there.
func headed(fields []string) (columns, bool) {
	c, common := noColumns(len(fields)), false
	if at := len(fields) - 3; at >= 0 && at < 2 && isLevel(fields[at]) &&
		input.Plain(fields[at+1]) == "level1" {
		if c.source, c.target = at, at+1; fields[at+2] == "0" { // what pandas calls values without a name
			c.weight = at + 2
		}
	}
	ends := func(names []string) {
		for i, f := range fields {
			switch f = plainTitle(f); {
			case !slices.Contains(names, f) || i == c.source:
			case c.source < 0:
				c.source = i
			case c.target < 0:
				c.target = i
			}
		}
	}
	if ends(endColumns); c.target < 0 {
		if c.source >= 0 && slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(nameColumns, input.Plain(f)) }) {
			return c, false // a table of nodes with a column called end, say
		}
		ends(idColumns)
		common = true
	}
	c.titled(fields)
	for i, f := range fields { // any sentence may contain two words such as node and node
		known := i == c.source || i == c.target || i == c.layer || i == c.other || i == c.weight
		if common && !known && !slices.Contains(indexColumns, input.Plain(f)) {
			return c, false
		}
	}
	return c, c.target >= 0
}

// titled finds layers and weights by their titles beside the ends of links.
func (c *columns) titled(fields []string) {
	for i, f := range fields {
		if i == c.source || i == c.target {
			continue
		}
		plain := plainTitle(f)
		switch {
		case c.layer < 0 && (slices.Contains(layerColumns, plain) || slices.Contains(sourceLayerColumns, plain)):
			c.layer = i
		case c.other < 0 && slices.Contains(targetLayerColumns, plain):
			c.other = i
		}
	}
	for _, title := range weightColumns {
		if c.weight < 0 {
			c.weight = slices.IndexFunc(fields, func(f string) bool {
				f, _, _ = strings.Cut(f, ":") // its type, which Neo4j writes
				return input.Plain(f) == title
			})
		}
	}
	if c.other >= 0 && c.layer < 0 {
		c.layer, c.other = c.other, -1
	}
}

// chosenColumns reads the chosen columns: a name for each, "source,target,-,layer", or, for a list with
// a header, the meaning of some of them: "layer=type,weight=strength"; the rest is as known. Several weights make a layer each.
func chosenColumns(choice string, header []string, known columns) (columns, error) {
	bad := func(found, expected string) (columns, error) {
		return columns{}, &diag.Error{Where: "columns", Found: found, Expected: expected, Option: true}
	}
	n := known.n
	c := noColumns(n)
	parts := strings.Split(choice, ",")
	var channels []rune
	layers := 0
	named := strings.Contains(choice, "=")
	if named {
		c = known
	} else {
		parts = parts[:min(len(parts), n)] // beyond are the empty ones
	}
	for i, part := range parts {
		role := strings.TrimSpace(part)
		if named {
			var of string
			role, of, _ = strings.Cut(role, "=")
			role, of = strings.TrimSpace(role), strings.TrimSpace(of)
			if i = input.Index(header, of); i < 0 {
				return bad("no column "+input.Quote(of), "one of "+strings.Join(header, ", "))
			}
		}
		switch at := i; role {
		case sourceColumn:
			c.source = at
		case targetColumn:
			c.target = at
		case layerColumn:
			if layers++; layers > 1 {
				c.other = at
			} else {
				c.layer = at
			}
		case weightColumn:
			c.weight, channels = at, append(channels, rune(at))
		case timeColumn, leftColumn, "":
			for _, known := range []*int{&c.layer, &c.other, &c.weight, &c.time} {
				if *known == at {
					*known = -1
				}
			}
			if role == timeColumn {
				c.time = at
			}
		default:
			return bad(input.Quote(role), "source, target, layer, weight, time or - for each column, or layer=NAME of a header")
		}
	}
	if len(channels) > 1 {
		c.channels = string(channels)
	}
	switch {
	case !named && len(parts) != n:
		return bad(figure.Count(len(parts), "column"), fmt.Sprintf("%d, as the list has", n))
	case c.source < 0 || c.target < 0:
		return bad(choice, "a source and a target among them")
	}
	return c, nil
}

// A Reading is one way to read the columns of a list without a header.
type Reading struct {
	Columns string `json:"columns"` // "layer,source,target,weight"
	Layers  int    `json:"layers"`
	Nodes   int    `json:"nodes"`

	cost float64
}

func (r *Reading) String() string {
	return fmt.Sprintf("%s (%s, %s)", r.Columns, figure.Count(r.Layers, "layer"), figure.Count(r.Nodes, "node"))
}

// layouts are the published column orders of lists, by number of columns.
var layouts = [...][]string{
	2: {"source,target"},
	3: {"layer,source,target", "source,target,weight", "source,target,layer", "source,target,time", "time,source,target", "source,layer,target"},
	4: {"layer,source,target,weight", "source,layer,target,layer", "source,target,layer,weight", "source,target,weight,time", "source,target,weight,layer",
		"layer,source,target,time", "time,source,target,weight", "time,source,target,layer"},
	5: {"source,layer,target,layer,weight", "layer,source,target,weight,time", "source,target,layer,weight,time", "time,source,target,-,-"},
}

// worded are layouts of layers that are words: of numbers they could be too much else.
var worded = [...]string{"source,target,layer,time", "source,layer,target,weight",
	"layer,source,layer,target,weight"}

// documented is the layout of "layerID nodeID nodeID weight", which many collections use.
const documented = "layer,source,target,weight"

// Costs of evidence against a reading. Their balance separates published lists and those of the tests with
// a margin of [decisive] and more.
const (
	costOfLoops     = 6   // all rows join a node with itself
	costOfRepeats   = 4   // all rows come again
	costOfLayers    = 4   // there are as many layers as nodes
	costOfStrange   = 2   // sources and targets have no value in common
	costOfFew       = 1   // few of the nodes are sources, or targets
	costOfApart     = 3   // the two layers of a row differ
	costOfTime      = 3   // a column is of times and taken for something else
	costOfMistakes  = 6   // no field of a column of numbers is one
	costOfNothing   = 2.5 // no link is in two layers
	giftOfLayers    = 3   // a file of layers stands beside the list
	giftOfTradition = 1   // the documented layout
	decisive        = 1   // the least difference of costs between the best reading and the next
)

// fewRows is the largest number of rows that may each be of another layer.
const fewRows = 4

// shortList is the largest number of rows of a list that may have as many layers as nodes.
const shortList = 20

// readings returns the ways to read the columns that are possible, the likeliest first.
func (e *evidence) readings() []Reading {
	if len(e.column) >= len(layouts) || e.rows == 0 {
		return nil
	}
	var found []Reading
	for _, layout := range slices.Concat(layouts[len(e.column)], worded[:]) {
		if r, ok := e.reading(layout); ok {
			found = append(found, r)
		}
	}
	sorting.Stable(found, byCost)
	return found
}

func byCost(r, s Reading) int { return cmp.Compare(r.cost, s.cost) }

// reading says what speaks against a layout; false when it is impossible.
func (e *evidence) reading(layout string) (Reading, bool) {
	r := Reading{Columns: layout, Layers: 1}
	roles := strings.Split(layout, ",")
	if len(roles) != len(e.column) {
		return r, false
	}
	a, b := slices.Index(roles, sourceColumn), slices.Index(roles, targetColumn)
	all, both := e.shared(a, b)
	r.Nodes = all
	for _, end := range []int{a, b} {
		o := &e.column[end]
		if 2*o.whole <= o.numbers && o.numbers > 0 || 2*o.whole < e.rows && both == 0 {
			return r, false // fractions, or words that have nothing in common
		}
		r.cost += float64(costOfMistakes * ratio(o.numbers-o.whole, e.rows))
		r.cost += float64(costOfFew * (1 - ratio(len(e.column[end].has), all)))
		if e.isTime(end, all-len(e.column[end].has)+both) {
			r.cost += costOfTime
		}
	}
	r.cost += float64(costOfStrange * (1 - ratio(both, all)))
	r.cost += float64(costOfLoops * ratio(e.equal(a, b), e.rows))
	key := []int{a, b}
	first := slices.Index(roles, layerColumn)
	for c, role := range roles {
		o := &e.column[c]
		switch role {
		case layerColumn:
			key = append(key, c)
			r.cost += float64(costOfApart * ratio(e.rows-e.equal(c, first), e.rows))
			n := len(o.has)
			if n > input.MaxLayers || n >= all && (layout != documented || e.rows > shortList) || o.numbers > o.whole ||
				n < 2 && c == first && c > 0 || n == e.rows && n > fewRows ||
				o.numbers > 0 && slices.Contains(worded[:], layout) {
				return r, false
			}
			r.Layers = max(r.Layers, n)
			if c == first {
				r.cost += float64(costOfLayers * ratio(n, all))
			}
			if e.isTime(c, all) {
				r.cost += costOfTime
			}
		case weightColumn:
			if 2*o.numbers < e.rows {
				return r, false
			}
			r.cost += float64(costOfMistakes * ratio(e.rows-o.numbers, e.rows))
			if e.isWhen(c, all) {
				r.cost += costOfTime
			}
		case timeColumn:
			if !e.isWhen(c, all) {
				return r, false
			}
			r.cost -= costOfTime
			key = append(key, c)
		}
	}
	r.cost += float64(costOfRepeats * ratio(e.rows-e.distinct(key), e.rows))
	if r.Layers > 1 && e.distinct(key[:2]) == e.rows {
		r.cost += costOfNothing
	}
	switch {
	case layout == documented:
		r.cost -= giftOfTradition
	case len(roles) == 3 && first == 1: // a triple, which few lists are
		r.cost += giftOfTradition
	}
	return r, true
}

func ratio(a, b int) float64 { return float64(a) / float64(b) }

// distinct returns how many different rows there are in the first three of some columns.
func (e *evidence) distinct(of []int) int {
	keys := make([]int, e.rows)
	for _, c := range of[:min(len(of), 3)] {
		for k := range keys {
			keys[k] = keys[k]<<21 | int(e.codes[c][k])
		}
	}
	slices.Sort(keys)
	return len(slices.Compact(keys))
}
