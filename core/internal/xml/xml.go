// Package xml reads the part of XML that CIFTI, GIFTI, GraphML and GEXF files use: elements,
// attributes, text, CDATA sections, the predefined entities and numeric ones. Comments,
// processing instructions and a document type without declarations of its own are passed
// over. Names lose their prefix. The document is kept in memory; nothing is copied but
// what is asked for.
//
//	r, err := xml.NewReader(data)
//	for {
//		t, err := r.Next()
//		if err != nil || t.Kind == xml.EOF { ... }
//		if t.Kind == xml.Start && t.Name == "node" {
//			id, ok := t.Attr("id")
//		}
//	}
//
// Errors are a [*diag.Error] with the line and what was expected there.
//
// The standard library's reader would add 9.5 kB to the page's larger program, after gzip, and copies all text, coordinates of surfaces among it.
package xml

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"cadem.example/core/base/diag"
)

// A Kind is the kind of a [Token].
type Kind int

const (
	EOF   Kind = iota // the document has ended as it should
	Start             // a start tag; of an empty element, too
	End               // an end tag; of an empty element, too
	Text              // text between tags, which may come in several parts
)

// A Token is a part of the document. It holds until the next one is asked for.
type Token struct {
	Kind Kind
	Name string // of Start and End
	Line int    // from 1

	text  []byte
	plain bool // text holds no entities to resolve
	attrs []attribute
}

type attribute struct{ name, value []byte }

// Deepest is the largest depth of nested elements.
const Deepest = 64

// MostAttributes is how many an element may have. Each is compared with those before it, so the work is
// linear in the length of the document.
const MostAttributes = 64

// A Reader goes through a document.
type Reader struct {
	data  []byte
	pos   int
	line  int
	open  []string // names of the elements that are open
	empty bool     // the last Start was an empty element: its End is due
	root  bool     // the root element has begun
	token Token
	names map[string]string
}

// NewReader returns a reader of a document in UTF-8, which is kept. NUL bytes after its end
// are padding.
func NewReader(data []byte) (*Reader, error) {
	data = bytes.TrimPrefix(bytes.TrimRight(data, "\x00"), []byte("\ufeff"))
	if !utf8.Valid(data) {
		return nil, diag.At("", 1, "", "bytes that are not UTF-8", "XML in UTF-8")
	}
	return &Reader{data: data, line: 1, names: map[string]string{}}, nil
}

// Depth returns how many elements are open.
func (r *Reader) Depth() int { return len(r.open) }

func (r *Reader) fail(found, expected string) (*Token, error) {
	return nil, diag.At("", r.line, "", found, expected)
}

// take moves n bytes on and returns them.
func (r *Reader) take(n int) []byte {
	b := r.data[r.pos : r.pos+n]
	r.pos += n
	r.line += bytes.Count(b, []byte("\n"))
	return b
}

// until moves behind the next end mark and returns the text before it.
func (r *Reader) until(end string) ([]byte, bool) {
	n := bytes.Index(r.data[r.pos:], []byte(end))
	if n < 0 {
		return nil, false
	}
	return r.take(n + len(end))[:n], true
}

// Next returns the next token. After an error it must not be called again.
func (r *Reader) Next() (*Token, error) {
	t := &r.token
	if r.empty {
		r.empty = false
		t.Kind, t.attrs = End, t.attrs[:0]
		r.open = r.open[:len(r.open)-1]
		return t, nil
	}
	for {
		*t = Token{Line: r.line, attrs: t.attrs[:0]}
		if r.pos == len(r.data) {
			if len(r.open) > 0 {
				return r.fail("the end of the document", "</"+short([]byte(r.open[len(r.open)-1]))+">")
			}
			if !r.root {
				return r.fail("no element", "XML")
			}
			return t, nil
		}
		if r.data[r.pos] != '<' {
			n := bytes.IndexByte(r.data[r.pos:], '<')
			if n < 0 {
				n = len(r.data) - r.pos
			}
			b := r.take(n)
			if len(r.open) == 0 {
				if len(bytes.TrimSpace(b)) > 0 {
					return r.fail("text outside of the root element", "XML")
				}
				continue
			}
			t.Kind, t.text, t.plain = Text, b, bytes.IndexByte(b, '&') < 0
			return t, r.resolvable(b)
		}
		rest := r.data[r.pos:]
		var ok bool
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			r.take(4)
			_, ok = r.until("-->")
		case bytes.HasPrefix(rest, []byte("<?")):
			_, ok = r.until("?>")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			r.take(9)
			t.text, ok = r.until("]]>")
			if ok && len(r.open) > 0 {
				t.Kind, t.plain = Text, true
				return t, nil
			}
			ok = false
		case bytes.HasPrefix(rest, []byte("<!DOCTYPE")) && !r.root:
			var declares bool
			if declares, ok = r.documentType(); declares {
				return r.fail("a document type with declarations", "a document without")
			}
		case bytes.HasPrefix(rest, []byte("<!")):
		default:
			return r.tag()
		}
		if !ok {
			return r.fail(strconv.Quote(string(rest[:min(len(rest), 12)]))+" that is out of place or never ends", "an element, a comment or text")
		}
	}
}

// documentType moves behind a document type. It ends at the first > that stands outside of quotes; declares
// says that it holds declarations, which could define entities.
func (r *Reader) documentType() (declares, ok bool) {
	quote := byte(0)
	for i, c := range r.data[r.pos+1:] {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '<':
			return true, false
		case c == '>':
			r.take(i + 2)
			return false, true
		}
	}
	return false, false
}

// tag reads a start or end tag.
func (r *Reader) tag() (*Token, error) {
	t := &r.token
	r.take(1)
	if r.pos < len(r.data) && r.data[r.pos] == '/' {
		r.take(1)
		name := r.name()
		r.blanks()
		if r.pos == len(r.data) || r.data[r.pos] != '>' || len(r.open) == 0 || r.open[len(r.open)-1] != string(name) {
			want := "no end tag outside of an element"
			if len(r.open) > 0 {
				want = "</" + short([]byte(r.open[len(r.open)-1])) + ">"
			}
			return r.fail("</"+short(name), want)
		}
		r.take(1)
		t.Kind, t.Name = End, r.intern(local(name))
		r.open = r.open[:len(r.open)-1]
		return t, nil
	}
	name := r.name()
	switch {
	case len(name) == 0:
		return r.fail("< without a name", "an element")
	case len(r.open) == 0 && r.root:
		return r.fail("a second root element <"+short(name), "one")
	case len(r.open) == Deepest:
		return r.fail(fmt.Sprintf("elements nested deeper than %d", Deepest), "fewer")
	}
	r.root = true
	t.Kind, t.Name = Start, r.intern(local(name))
	for {
		blanks := r.blanks()
		if r.pos == len(r.data) {
			return r.fail("<"+short(name)+" that never ends", "a start tag")
		}
		switch r.data[r.pos] {
		case '>':
			r.take(1)
			r.open = append(r.open, r.intern(name))
			return t, nil
		case '/':
			r.take(1)
			if r.pos == len(r.data) || r.data[r.pos] != '>' {
				return r.fail("/ in the tag <"+short(name), "/>")
			}
			r.take(1)
			r.open = append(r.open, r.intern(name))
			r.empty = true
			return t, nil
		}
		key := r.name()
		if len(key) == 0 || !blanks {
			return r.fail(strconv.Quote(string(r.data[r.pos:min(len(r.data), r.pos+12)]))+" in the tag <"+short(name), `name="value"`)
		}
		r.blanks()
		if r.pos == len(r.data) || r.data[r.pos] != '=' {
			return r.fail("the attribute "+short(key)+" without a value", `name="value"`)
		}
		r.take(1)
		r.blanks()
		if r.pos == len(r.data) || r.data[r.pos] != '"' && r.data[r.pos] != '\'' {
			return r.fail("the attribute "+short(key)+" without quotes", `name="value"`)
		}
		value, ok := r.until(string(r.take(1)))
		if !ok || bytes.IndexByte(value, '<') >= 0 {
			return r.fail("the attribute "+short(key)+" whose value does not end", `name="value"`)
		}
		key = local(key)
		if len(t.attrs) == MostAttributes {
			return r.fail(fmt.Sprintf("more than %d attributes in the tag <%s", MostAttributes, short(name)), "fewer")
		}
		for _, a := range t.attrs {
			if bytes.Equal(a.name, key) {
				return r.fail("the attribute "+short(key)+" is there twice", "")
			}
		}
		if err := r.resolvable(value); err != nil {
			return nil, err
		}
		t.attrs = append(t.attrs, attribute{key, value})
	}
}

// blanks passes over white space and reports whether there was any.
func (r *Reader) blanks() bool {
	n := 0
	for r.pos+n < len(r.data) && strings.IndexByte(" \t\r\n", r.data[r.pos+n]) >= 0 {
		n++
	}
	r.take(n)
	return n > 0
}

// name takes a name; empty if there is none.
func (r *Reader) name() []byte {
	n := 0
	for r.pos+n < len(r.data) {
		c := r.data[r.pos+n]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || c >= utf8.RuneSelf
		if !letter && (n == 0 || c != '-' && c != '.' && (c < '0' || c > '9')) {
			break
		}
		n++
	}
	return r.take(n)
}

// local returns a name without its prefix.
func local(name []byte) []byte { return name[bytes.LastIndexByte(name, ':')+1:] }

// short returns a name fit for a message.
func short(name []byte) string {
	s := strconv.Quote(string(name[:min(len(name), 40)]))
	return s[1 : len(s)-1]
}

// intern returns a name as a string; the few names of a document are kept.
func (r *Reader) intern(name []byte) string {
	s, ok := r.names[string(name)]
	if !ok {
		s = string(name)
		r.names[s] = s
	}
	return s
}

// Attr returns the value of an attribute.
func (t *Token) Attr(name string) (value string, ok bool) {
	for _, a := range t.attrs {
		if string(a.name) == name {
			return string(resolved(a.value)), true
		}
	}
	return "", false
}

// Bytes returns the text of a Text token. It is part of the document where it holds no
// entities, and must not be changed.
func (t *Token) Bytes() []byte {
	if t.plain {
		return t.text
	}
	return resolved(t.text)
}

// Content returns the text of the element whose Start was the last token, up to and with
// its End, without white space around it. An element inside is an error.
func (r *Reader) Content() ([]byte, error) {
	element := r.token.Name
	var content []byte
	for parts := 0; ; {
		t, err := r.Next()
		if err != nil {
			return nil, err
		}
		switch t.Kind {
		case Start:
			return nil, diag.At("", t.Line, "", "<"+t.Name+"> inside of <"+element+">", "text")
		case End:
			return bytes.TrimSpace(content), nil
		case Text:
			// One part, the usual case, is not copied.
			if parts++; parts == 1 {
				content = t.Bytes()
				content = content[:len(content):len(content)]
			} else {
				content = append(content, t.Bytes()...)
			}
		}
	}
}

// Each calls read with the start of every element that read before did not pass over, up to and with the end of the element whose Start
// was the last token, or of a document that has not begun.
func (r *Reader) Each(read func(*Token) error) error {
	for depth := r.Depth(); depth == 0 || r.Depth() >= depth; {
		t, err := r.Next()
		if err == nil && t.Kind == EOF {
			return nil
		}
		if err == nil && t.Kind == Start {
			err = read(t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Skip passes over the rest of the element whose Start was the last token.
func (r *Reader) Skip() error {
	for depth := r.Depth() - 1; ; {
		t, err := r.Next()
		if err != nil {
			return err
		}
		if t.Kind == End && r.Depth() == depth {
			return nil
		}
	}
}

var entities = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}

// entity returns the text of the entity between & and ;.
func entity(name []byte) (string, bool) {
	digits, numeric := bytes.CutPrefix(name, []byte("#"))
	if !numeric {
		s, ok := entities[string(name)]
		return s, ok
	}
	base := 10
	if hex, ok := bytes.CutPrefix(digits, []byte("x")); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || n == 0 || !utf8.ValidRune(rune(n)) {
		return "", false
	}
	return string(rune(n)), true
}

// resolvable refuses text with an entity that is not known.
func (r *Reader) resolvable(text []byte) error {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return nil
		}
		text = text[i+1:]
		end := bytes.IndexByte(text[:min(len(text), 12)], ';')
		if end < 0 {
			return diag.At("", r.line, "", "& that begins no entity", "&amp;")
		}
		if _, ok := entity(text[:end]); !ok {
			return diag.At("", r.line, "", strconv.Quote("&"+string(text[:end+1])),
				"&lt; &gt; &amp; &quot; &apos; or a character's number")
		}
		text = text[end+1:]
	}
}

// resolved returns text with its entities resolved; unknown ones stay.
func resolved(text []byte) []byte {
	i := bytes.IndexByte(text, '&')
	if i < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for ; i >= 0; i = bytes.IndexByte(text, '&') {
		out, text = append(out, text[:i]...), text[i:]
		s, n := "&", 1
		if end := bytes.IndexByte(text[:min(len(text), 13)], ';'); end > 0 {
			if known, ok := entity(text[1:end]); ok {
				s, n = known, end+1
			}
		}
		out, text = append(out, s...), text[n:]
	}
	return append(out, text...)
}

// Unescape returns a text of another format with its entities resolved; unknown ones stay.
func Unescape(text string) string { return string(resolved([]byte(text))) }
