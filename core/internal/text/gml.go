package text

import (
	"fmt"
	"strings"

	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// A gmlReader goes through a GML file (Himsolt 1997): keys, each followed by a number, a text in quotes or a
// list of keys in brackets.
type gmlReader struct {
	g     *network
	rest  string
	line  int32
	token string // the last one: [, ], a word, or a text
	text  bool   // it was quoted
	begun int32  // the line in which it begins
}

// readGML reads a GML file. Lists inside of nodes and edges, which say how they are drawn, are passed over.
func readGML(file, text string) (*network, error) {
	r := &gmlReader{g: newNetwork(file, text, "node", "edge", "\x00"), rest: text, line: 1}
	graph := false
	for {
		key, err := r.key(true)
		if err != nil {
			return nil, err
		}
		if key == "" {
			break
		}
		list, err := r.value()
		switch {
		case err != nil:
		case !list:
		case strings.EqualFold(key, "graph") && graph:
			err = r.g.bad(r.begun, "graph", "a second graph", "one graph a file")
		case strings.EqualFold(key, "graph"):
			graph, err = true, r.graph()
		default:
			err = r.skip()
		}
		if err != nil {
			return nil, err
		}
	}
	return r.g, r.g.ends("the id of a node of this file")
}

// next reads a token; it is false at the end of the file.
func (r *gmlReader) next() (ok bool, err error) {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t\r\f\v\u00a0")
		switch {
		case r.rest == "":
			return false, nil
		case r.rest[0] == '\n':
			r.line, r.rest = r.line+1, r.rest[1:]
			continue
		case r.rest[0] == '#':
			end := strings.IndexByte(r.rest, '\n')
			if end < 0 {
				end = len(r.rest)
			}
			r.rest = r.rest[end:]
			continue
		}
		break
	}
	r.begun, r.text = r.line, false
	end := 1
	switch r.rest[0] {
	case '[', ']':
	case '"':
		end = strings.IndexByte(r.rest[1:], '"')
		if end < 0 {
			return false, r.g.bad(r.line, "GML", "a quotation mark that is not closed", `"`)
		}
		r.token, r.rest, r.text = xml.Unescape(r.rest[1:end+1]), r.rest[end+2:], true
		r.line += int32(strings.Count(r.token, "\n"))
		return true, nil
	default:
		if end = strings.IndexAny(r.rest, " \t\r\n\f\v[]\"#"); end < 0 {
			end = len(r.rest)
		}
		end = max(end, 1)
	}
	r.token, r.rest = r.rest[:end], r.rest[end:]
	return true, nil
}

// key reads the next key of a list; "" at its end, which is that of the file outside of lists.
func (r *gmlReader) key(outside bool) (string, error) {
	ok, err := r.next()
	switch {
	case err != nil:
		return "", err
	case !ok && outside, ok && !outside && !r.text && r.token == "]":
		return "", nil
	case !ok:
		return "", r.g.bad(r.line, "GML", "the end of the file", "]")
	case r.text || r.token == "[" || r.token == "]":
		return "", r.g.bad(r.begun, "GML", input.Quote(r.token), "a key: a word before its value")
	}
	return r.token, nil
}

// value reads the value of a key, or says that it is a list, which begins.
func (r *gmlReader) value() (list bool, err error) {
	key := r.token
	ok, err := r.next()
	switch {
	case err != nil:
		return false, err
	case !ok || !r.text && r.token == "]":
		return false, r.g.bad(r.begun, "GML", "no value of "+input.Quote(key), "a number, a text in quotes, or a list in brackets")
	}
	return !r.text && r.token == "[", nil
}

// skip passes over a list that has begun.
func (r *gmlReader) skip() error {
	for depth := 1; depth > 0; {
		ok, err := r.next()
		switch {
		case err != nil:
			return err
		case !ok:
			return r.g.bad(r.line, "GML", "the end of the file", "]")
		case r.text:
		case r.token == "[":
			depth++
		case r.token == "]":
			depth--
		}
	}
	return nil
}

// graph reads the nodes and edges, up to and with the end of the graph.
func (r *gmlReader) graph() error {
	for {
		key, err := r.key(false)
		if key == "" {
			return err
		}
		list, err := r.value()
		key = strings.ToLower(key)
		switch {
		case err != nil:
		case list && key == "node":
			err = r.element(&r.g.nodes)
		case list && key == "edge":
			err = r.element(&r.g.edges)
		case list:
			err = r.skip()
		}
		if err != nil {
			return err
		}
	}
}

// element reads a node or an edge, up to and with its end.
func (r *gmlReader) element(e *networkElements) error {
	g := r.g
	row := networkRow{line: r.begun, start: int32(len(g.cells))}
	ends := 0
	for {
		key, err := r.key(false)
		if err != nil {
			return err
		}
		if key == "" {
			break
		}
		list, err := r.value()
		lower := strings.ToLower(key)
		switch {
		case err != nil:
		case list && (lower == "graph" || lower == "node" || lower == "edge"):
			err = g.bad(r.begun, "GML", fmt.Sprintf("%s inside of the %s of line %d", input.Quote(key), e.name, row.line),
				input.WantUngrouped)
		case list:
			err = r.skip()
		case lower == "id" && e == &g.nodes:
			row.id = oneLine(r.token)
		case lower == "source" && e == &g.edges:
			row.id = oneLine(r.token)
			ends |= 1
		case lower == "target" && e == &g.edges:
			row.target = oneLine(r.token)
			ends |= 2
		default:
			err = g.say(e, r.begun, key, r.token)
		}
		if err != nil {
			return err
		}
	}
	if e == &g.nodes {
		if err := g.node(row.id, row.line, "node [ id 1 ]"); err != nil {
			return err
		}
	} else if ends != 3 {
		return g.bad(row.line, "edge", "an edge without ends", "edge [ source 1 target 2 ]")
	}
	row.end = int32(len(g.cells))
	e.rows = append(e.rows, row)
	return nil
}
