package text

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
)

// A sectioned is a file of sections that begin with a star, as Pajek and Infomap write them. It becomes a list of
// edges and a table of nodes.
type sectioned struct {
	linked
	file    string
	size    int
	section *section // nil before the first
	fields  []string // of the line
	links   *section // the first section of links

	vertices int // the line of their section, 0 before it
	count    int // how many there are, -1 if the file does not say
	first    int // of two modes how many the first has, else 0

	relations map[string]string // names by numbers; nil unless there are several
	relation  string            // of the section
	row       int               // of a matrix
	written   []string          // the link that was written last
}

// maxMatrix is the largest number of vertices of a matrix: its text is far shorter than the result.
const maxMatrix = 1500

const wantSections = "*Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist or *Matrix of one network of Pajek, or *Multilayer, *Intra or *Inter of Infomap"

// readPajek reads a network of Pajek (.net), or one of several layers for Infomap. Relations are layers.
func readPajek(file, text string) (*Graph, error) {
	s := &sectioned{file: file, size: len(text), count: -1, linked: linked{seen: map[string]bool{}}}
	if err := s.findRelations(text); err != nil {
		return nil, err
	}
	s.edges.Grow(len(text))
	s.lines = make([]int32, 0, strings.Count(text, "\n"))
	if err := s.eachLine(text, s.read); err != nil {
		return nil, err
	}
	const free = 1 << 15 // this many unlisted nodes take little memory
	if missing := s.count - len(s.seen); missing > free+len(text)/64 {
		s.at = s.vertices
		return nil, s.bad("vertices", fmt.Sprintf("%d, of which %d have a line", s.count, len(s.seen)), "a line for each")
	}
	s.at = s.vertices
	for i := 1; i <= s.count; i++ {
		s.add(strconv.Itoa(i))
	}
	return s.graph(), nil
}

func (s *sectioned) bad(field, found, expected string) error {
	return diag.At(s.file, s.at, field, found, expected)
}

// eachLine calls read for every line that holds something, cut into fields.
func (s *sectioned) eachLine(text string, read func() error) error {
	s.at = 0
	blanks := layout{separator: ' '}
	for line := range strings.Lines(text) {
		s.at++
		if input.IsComment(line) {
			continue
		}
		s.fields, _ = blanks.split(strings.TrimSpace(line), s.fields[:0])
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// A section is a kind of sections.
type section struct {
	name   string
	read   func(*sectioned) error // reads a line
	layers []int                  // where the layer, node, layer and node of a link stand in Infomap's; nil in Pajek's
}

var sections = [...]section{
	{"network", (*sectioned).pass, nil}, {"vertices", (*sectioned).vertex, nil}, {"matrix", (*sectioned).matrix, nil},
	{"arcs", (*sectioned).link, nil}, {"edges", (*sectioned).link, nil},
	{"arcslist", (*sectioned).list, nil}, {"edgeslist", (*sectioned).list, nil},
	{"multilayer", (*sectioned).layered, []int{0, 1, 2, 3}}, {"multiplex", (*sectioned).layered, []int{0, 1, 2, 3}},
	{"intra", (*sectioned).layered, []int{0, 1, 0, 2}}, {"inter", (*sectioned).layered, []int{0, 1, 2, 1}},
}

func (s *sectioned) pass() error { return nil }

// read reads a line.
func (s *sectioned) read() error {
	switch {
	case strings.HasPrefix(s.fields[0], "*"):
		return s.begin()
	case s.section == nil:
		return s.bad("section", input.Quote(s.fields[0]), wantSections)
	}
	return s.section.read(s)
}

// begin begins a section.
func (s *sectioned) begin() error {
	word, _, _ := strings.Cut(strings.ToLower(s.fields[0][1:]), ":")
	k := slices.IndexFunc(sections[:], func(of section) bool { return of.name == word })
	if k < 0 {
		return s.bad("section", input.Quote(s.fields[0]), wantSections)
	}
	s.section, s.row = &sections[k], 0
	switch word {
	case "network":
		return nil
	case "vertices":
		return s.beginVertices()
	case "matrix":
		if s.count < 0 || s.count > maxMatrix {
			return s.bad("section", fmt.Sprintf("a matrix of %d vertices", max(s.count, 0)), fmt.Sprintf("1 to %d of them, listed before it; or *Arcs", maxMatrix))
		}
		most := min(s.count*s.count, s.size/2)
		s.edges.Grow(12 * most)
		s.lines = slices.Grow(s.lines, most)
	}
	switch {
	case s.links != nil && (s.links.layers == nil) != (s.section.layers == nil):
		return s.bad("section", "*"+word+" beside *"+s.links.name, "links of layers or of relations in a file, not both")
	case s.links != nil:
	case s.section.layers != nil:
		s.titles = []string{"source", "target", "source layer", "target layer", "weight"}
	case s.relations != nil:
		s.titles = []string{"source", "target", "weight", "relation"}
	default:
		s.titles = []string{"source", "target", "weight"}
	}
	s.links = cmp.Or(s.links, s.section)
	s.relation, _ = s.numbered()
	s.relation = s.relations[s.relation]
	return nil
}

// numbered returns the number of the relation that a section has in its first line, and its name: *Arcs :2 "name".
func (s *sectioned) numbered() (number, name string) {
	rest := s.fields[1:]
	_, number, glued := strings.Cut(s.fields[0], ":")
	if !glued && len(rest) > 0 && strings.HasPrefix(rest[0], ":") {
		number, rest, glued = rest[0][1:], rest[1:], true
	}
	if !glued {
		return "1", ""
	}
	return number, oneLine(strings.Join(rest, " "))
}

// prefix returns the number of the relation that stands before a link, as in "2: 1 3", or "".
func (s *sectioned) prefix() string {
	if number, ok := strings.CutSuffix(s.fields[0], ":"); ok && input.IsWhole(number) {
		return number
	}
	return ""
}

// findRelations looks for the relations of a network, which have names from their first section on.
func (s *sectioned) findRelations(text string) error {
	lines := map[string]int{} // where each name is
	found := map[string]string{}
	err := s.eachLine(text, func() error {
		number, name := s.prefix(), ""
		if strings.HasPrefix(s.fields[0], "*") {
			section := strings.ToLower(s.fields[0][1:])
			if !strings.HasPrefix(section, "arcs") && !strings.HasPrefix(section, "edges") && !strings.HasPrefix(section, "matrix") {
				return nil
			}
			if number, name = s.numbered(); !input.IsWhole(number) {
				return s.bad("relation", input.Quote(number), `the number of the relation: *Arcs :1 "name"`)
			}
		}
		switch old, known := found[number]; {
		case number == "" || known && (name == "" || name == old):
			return nil
		case known && old != number:
			return s.bad("relation", fmt.Sprintf("%s for relation %s, %s in line %d", input.Quote(name), number, input.Quote(old), lines[old]), "one name")
		case name == "":
			name = number
		}
		if first, again := lines[name]; again {
			return s.bad("relation", fmt.Sprintf("%s again (first in line %d)", input.Quote(name), first), "a name for one relation only")
		}
		if len(found) == input.MaxLayers {
			return s.bad("relation", fmt.Sprintf("more than %d relations", input.MaxLayers), fmt.Sprintf("at most %d", input.MaxLayers))
		}
		found[number], lines[name] = name, s.at
		return nil
	})
	if len(found) > 1 {
		s.relations = found
	}
	return err
}

// beginVertices reads *Vertices n, or of two modes *Vertices n m.
func (s *sectioned) beginVertices() error {
	if s.vertices > 0 {
		return s.bad("section", fmt.Sprintf("*Vertices again (first in line %d)", s.vertices), "one network a file")
	}
	s.vertices = s.at
	s.named = []string{"id", "label"}
	for k, field := range s.fields[1:min(len(s.fields), 3)] {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 || n > input.MaxNodes {
			return s.bad("vertices", input.Quote(field), fmt.Sprintf("how many there are, from 1 to %d", input.MaxNodes))
		}
		if k == 0 {
			s.count = n
		} else {
			s.first = n
		}
	}
	if s.first > max(s.count, 0) {
		return s.bad("vertices", fmt.Sprintf("%d of the first kind among %d", s.first, s.count), fmt.Sprintf("at most %d", s.count))
	}
	return nil
}

// id reads the number of a vertex. Where none is counted in the file, those of a list that links name are there, too.
func (s *sectioned) id(field, value string, known bool) (string, error) {
	n, err := strconv.Atoi(value)
	least, counted := 0, s.count >= 0
	if counted {
		least = 1
	}
	if err != nil || n < least || counted && n > s.count || n > 1<<31-1 {
		expected := "the number of a vertex"
		if counted {
			expected += fmt.Sprintf(", from 1 to %d", s.count)
		}
		return "", s.bad(field, input.Quote(value), expected)
	}
	id := strconv.Itoa(n)
	if known && !counted && s.vertices > 0 && !s.seen[id] {
		if len(s.seen) == input.MaxNodes {
			return "", s.bad(field, fmt.Sprintf("more than %d vertices", input.MaxNodes), fmt.Sprintf("at most %d", input.MaxNodes))
		}
		s.add(id)
	}
	return id, nil
}

// vertex reads the line of a vertex: its number, its name, and where it is drawn, which is passed over.
func (s *sectioned) vertex() error {
	id, err := s.id("vertex", s.fields[0], false)
	switch {
	case err != nil:
		return err
	case s.seen[id]:
		return s.bad("vertex", id+" again", "a line for each")
	case len(s.seen) == input.MaxNodes:
		return s.bad("vertex", fmt.Sprintf("more than %d vertices", input.MaxNodes), fmt.Sprintf("at most %d", input.MaxNodes))
	}
	label := ""
	if len(s.fields) > 1 {
		label = s.fields[1]
	}
	s.add(id, oneLine(label))
	return nil
}

// edge writes a link. The text between its nodes and the end depends on the section.
func (s *sectioned) edge(source, target string, more ...string) error {
	var err error
	if source, err = s.id("source", source, true); err != nil {
		return err
	}
	if target, err = s.id("target", target, true); err != nil {
		return err
	}
	s.written = append(append(s.written[:0], source, target), more...)
	s.linked.link(s.written)
	return nil
}

// related writes a link of the section's relation, or of that which its line names.
func (s *sectioned) related(source, target, weight string) error {
	if s.relations == nil {
		return s.edge(source, target, weight)
	}
	return s.edge(source, target, weight, s.relation)
}

// link reads "source target value", behind which may stand how it is drawn.
func (s *sectioned) link() error {
	fields, of := s.fields, s.relation
	if number := s.prefix(); number != "" {
		fields, s.relation = fields[1:], s.relations[number]
	}
	if len(fields) < 2 {
		return s.bad("columns", figure.Count(len(fields), "column"), "at least 2: source, target and perhaps a value")
	}
	weight := ""
	if len(fields) > 2 {
		if _, ok := input.Number(fields[2]); ok {
			weight = fields[2]
		}
	}
	err := s.related(fields[0], fields[1], weight)
	s.relation = of
	return err
}

// list reads "source target target ...".
func (s *sectioned) list() error {
	if len(s.fields) < 2 {
		return s.bad("columns", "1 column", "at least 2: source and targets")
	}
	for _, target := range s.fields[1:] {
		if err := s.related(s.fields[0], target, ""); err != nil {
			return err
		}
	}
	return nil
}

// matrix reads a row: the values of links to all vertices, or of two modes to those of the second.
func (s *sectioned) matrix() error {
	rows, columns := s.count, s.count-s.first
	if s.first > 0 {
		rows = s.first
	}
	if s.row++; s.row > rows || len(s.fields) != columns {
		return s.bad("matrix", fmt.Sprintf("row %d with %s", s.row, figure.Count(len(s.fields), "value")), fmt.Sprintf("%d rows with %d values each", rows, columns))
	}
	for k, value := range s.fields {
		if w, ok := input.Number(value); ok && w == 0 {
			continue
		}
		if err := s.related(strconv.Itoa(s.row), strconv.Itoa(s.first+k+1), value); err != nil {
			return err
		}
	}
	return nil
}
