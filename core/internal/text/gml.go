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
	graph bool   // the graph was read
}

// readGML reads a GML file. Lists inside of nodes and edges, which say how they are drawn, are passed over.
func readGML(file, text string) (*network, error) {
	r := &gmlReader{g: newNetwork(file, text, "node", "edge", "\x00"), rest: text, line: 1}
	err := r.list(true, func(key string, list bool) error {
		switch {
		case !list:
			return nil
		case !strings.EqualFold(key, "graph"):
			return r.skip()
		case r.graph:
			return r.g.bad(r.begun, "graph", "a second graph", "one graph a file")
		}
		r.graph = true
		return r.list(false, r.inGraph)
	})
	if err != nil {
		return nil, err
	}
	return r.g, r.g.ends("the id of a node of this file")
}

// next reads a token; it is false at the end of the file.
func (r *gmlReader) next() (ok bool, err error) {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t\r\f\v\u00a0")
		if strings.HasPrefix(r.rest, "#") {
			r.rest = strings.TrimLeftFunc(r.rest, func(c rune) bool { return c != '\n' })
		}
		if !strings.HasPrefix(r.rest, "\n") {
			break
		}
		r.line, r.rest = r.line+1, r.rest[1:]
	}
	if r.rest == "" {
		return false, nil
	}
	if r.begun, r.text = r.line, false; r.rest[0] == '"' {
		end := strings.IndexByte(r.rest[1:], '"')
		if end < 0 {
			return false, r.g.bad(r.line, "GML", "a quotation mark that is not closed", `"`)
		}
		r.token, r.rest, r.text = xml.Unescape(r.rest[1:end+1]), r.rest[end+2:], true
		r.line += int32(strings.Count(r.token, "\n"))
		return true, nil
	}
	end := strings.IndexAny(r.rest, " \t\r\n\f\v[]\"#")
	if end < 0 {
		end = len(r.rest)
	}
	end = max(end, 1) // a bracket
	r.token, r.rest = r.rest[:end], r.rest[end:]
	return true, nil
}

// is reports whether the last token is a bracket.
func (r *gmlReader) is(bracket string) bool { return !r.text && r.token == bracket }

// list gives take the keys up to the end of a list, which is that of the file outside of lists, each with its value as the last token. That
// of a list has only begun.
func (r *gmlReader) list(outside bool, take func(key string, list bool) error) error {
	for {
		ok, err := r.next()
		switch {
		case err != nil:
			return err
		case !ok && outside, ok && !outside && r.is("]"):
			return nil
		case !ok:
			return r.g.bad(r.line, "GML", "the end of the file", "]")
		case r.text || r.is("[") || r.is("]"):
			return r.g.bad(r.begun, "GML", input.Quote(r.token), "a key: a word before its value")
		}
		key := r.token
		if ok, err = r.next(); err == nil && (!ok || r.is("]")) {
			err = r.g.bad(r.begun, "GML", "no value of "+input.Quote(key), "a number, a text in quotes, or a list in brackets")
		}
		if err == nil {
			err = take(key, r.is("["))
		}
		if err != nil {
			return err
		}
	}
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
		case r.is("["):
			depth++
		case r.is("]"):
			depth--
		}
	}
	return nil
}

// inGraph reads what a graph holds under a key.
func (r *gmlReader) inGraph(key string, list bool) error {
	switch {
	case list && strings.EqualFold(key, "node"):
		return r.element(&r.g.nodes)
	case list && strings.EqualFold(key, "edge"):
		return r.element(&r.g.edges)
	case list:
		return r.skip()
	}
	return nil
}

// element reads a node or an edge, up to and with its end.
func (r *gmlReader) element(e *networkElements) error {
	g := r.g
	row := networkRow{line: r.begun, start: int32(len(g.cells))}
	ends := 0
	err := r.list(false, func(key string, list bool) error {
		switch lower := strings.ToLower(key); {
		case list && (lower == "graph" || lower == "node" || lower == "edge"):
			inside := fmt.Sprintf("%s inside of the %s of line %d", input.Quote(key), e.name, row.line)
			return g.bad(r.begun, "GML", inside, input.WantUngrouped)
		case list:
			return r.skip()
		case lower == "id" && e == &g.nodes:
			row.id = oneLine(r.token)
		case lower == "source" && e == &g.edges:
			row.id = oneLine(r.token)
			ends |= 1
		case lower == "target" && e == &g.edges:
			row.target = oneLine(r.token)
			ends |= 2
		default:
			return g.say(e, r.begun, key, r.token)
		}
		return nil
	})
	if err == nil && e == &g.nodes {
		err = g.node(row.id, row.line, "node [ id 1 ]")
	} else if err == nil && ends != 3 {
		err = g.bad(row.line, "edge", "an edge without ends", "edge [ source 1 target 2 ]")
	}
	row.end = int32(len(g.cells))
	e.rows = append(e.rows, row)
	return err
}
