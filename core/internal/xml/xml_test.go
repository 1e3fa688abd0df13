package xml

import (
	stdxml "encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
)

func Example() {
	r, err := NewReader([]byte(`<graph><node id="a&amp;b"/><data>1 <![CDATA[<2>]]></data></graph>`))
	for err == nil {
		var t *Token
		if t, err = r.Next(); err != nil || t.Kind == EOF {
			break
		}
		if t.Kind == Start && t.Name == "node" {
			id, _ := t.Attr("id")
			fmt.Println("node", id)
		}
		if t.Kind == Start && t.Name == "data" {
			var text []byte
			text, err = r.Content()
			fmt.Printf("data %q\n", text)
		}
	}
	fmt.Println(err)
	// Output:
	// node a&b
	// data "1 <2>"
	// <nil>
}

// dump writes the tokens of a document, text joined.
func dump(data []byte) (string, error) {
	r, err := NewReader(data)
	if err != nil {
		return "", err
	}
	var b, text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			fmt.Fprintf(&b, "%q ", text.String())
			text.Reset()
		}
	}
	for {
		t, err := r.Next()
		if err != nil {
			return "", err
		}
		switch t.Kind {
		case EOF:
			return b.String(), nil
		case Text:
			text.Write(t.Bytes())
		case Start:
			flush()
			b.WriteString("<" + t.Name)
			for _, a := range t.attrs {
				v, _ := t.Attr(string(a.name))
				fmt.Fprintf(&b, " %s=%q", a.name, v)
			}
			b.WriteString("> ")
		case End:
			flush()
			b.WriteString("</" + t.Name + "> ")
		}
	}
}

// standard writes the same by the standard library's reader.
func standard(data []byte) (string, error) {
	d := stdxml.NewDecoder(strings.NewReader(string(data)))
	var b, text strings.Builder
	depth := 0
	flush := func() {
		if text.Len() > 0 {
			fmt.Fprintf(&b, "%q ", text.String())
			text.Reset()
		}
	}
	for {
		t, err := d.Token()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case stdxml.CharData:
			if depth > 0 {
				text.Write(t)
			}
		case stdxml.StartElement:
			depth++
			flush()
			b.WriteString("<" + t.Name.Local)
			for _, a := range t.Attr {
				fmt.Fprintf(&b, " %s=%q", a.Name.Local, a.Value)
			}
			b.WriteString("> ")
		case stdxml.EndElement:
			depth--
			flush()
			b.WriteString("</" + t.Name.Local + "> ")
		}
	}
}

var documents = []string{
	`<a/>`,
	`<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE G SYSTEM "g.dtd"><a b="1" c='&lt;"&#65;&#x42;'>x &amp; y<!-- <z> --><b/></a>`,
	`<!DOCTYPE G SYSTEM "a>b[<" '">'><a/>`,
	"<g:a xmlns:g='u'>\n<g:b g:k='v'>text</g:b>\n<![CDATA[a<b>&amp;]]>tail</g:a>\n<!-- after -->\n",
	"<a>é&gt;<b x = \"1\" >1\t2</b ></a>",
}

func TestAgreesWithTheStandardLibrary(t *testing.T) {
	for _, s := range documents {
		want, err := standard([]byte(s))
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if got, err := dump([]byte(s)); err != nil || got != want {
			t.Errorf("%s:\n%s %v\n%s", s, got, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for s, want := range map[string]string{
		"":                       "line 1: found no element, expected XML",
		"<a>":                    "line 1: found the end of the document, expected </a>",
		"<a>\n<b></a>":           "line 2: found </a, expected </b>",
		"</a>":                   "line 1: found </a, expected no end tag outside of an element",
		"<a/><b/>":               "line 1: found a second root element <b, expected one",
		"<a/>text":               "line 1: found text outside of the root element, expected XML",
		"<a>&nbsp;</a>":          `line 1: found "&nbsp;", expected &lt; &gt; &amp; &quot; &apos; or a character's number`,
		"<a>\n& b</a>":           "line 2: found & that begins no entity, expected &amp;",
		"<a b='&x'/>":            "line 1: found & that begins no entity, expected &amp;",
		"<a b=1/>":               `line 1: found the attribute b without quotes, expected name="value"`,
		"<a b/>":                 `line 1: found the attribute b without a value, expected name="value"`,
		"<a b='1/>":              `line 1: found the attribute b whose value does not end, expected name="value"`,
		"<a b='1' b='2'/>":       "line 1: the attribute b is there twice",
		"<a b='1'c='2'/>":        `line 1: found "='2'/>" in the tag <a, expected name="value"`,
		"<!DOCTYPE a [<!E>]><a>": "line 1: found a document type with declarations, expected a document without",
		"<!DOCTYPE a '><a/>":     `line 1: found "<!DOCTYPE a " that is out of place or never ends, expected an element, a comment or text`,
		"<a><!-- </a>":           `line 1: found "<!-- </a>" that is out of place or never ends, expected an element, a comment or text`,
		"<a>\xff</a>":            "line 1: found bytes that are not UTF-8, expected XML in UTF-8",
		"<a>&#0;</a>":            `line 1: found "&#0;", expected &lt; &gt; &amp; &quot; &apos; or a character's number`,
		"< a/>":                  "line 1: found < without a name, expected an element",
		"<a /":                   "line 1: found / in the tag <a, expected />",
	} {
		if _, err := dump([]byte(s)); err == nil || err.Error() != want {
			t.Errorf("%q:\n%v\n%s", s, err, want)
		}
	}
	deep := strings.Repeat("<a>", Deepest+1)
	if _, err := dump([]byte(deep)); err == nil || !strings.Contains(err.Error(), "nested deeper") {
		t.Error(err)
	}
}

func TestContentAndSkip(t *testing.T) {
	r, err := NewReader([]byte("<a><s><t>1</t><u/></s><c> x<!-- -->&lt;y </c><d><e/></d></a>\x00\x00"))
	if err != nil {
		t.Fatal(err)
	}
	step := func(name string) {
		t.Helper()
		if tok, err := r.Next(); err != nil || tok.Kind != Start || tok.Name != name {
			t.Fatalf("%+v %v, want <%s>", tok, err, name)
		}
	}
	step("a")
	step("s")
	if err := r.Skip(); err != nil || r.Depth() != 1 {
		t.Fatal(err, r.Depth())
	}
	step("c")
	if s, err := r.Content(); err != nil || string(s) != "x<y" {
		t.Fatalf("%q %v", s, err)
	}
	step("d")
	if _, err := r.Content(); err == nil || err.Error() != "line 1: found <e> inside of <d>, expected text" {
		t.Fatal(err)
	}
}

// FuzzReader reads any bytes. If it accepts them, the standard library reads the same.
func FuzzReader(f *testing.F) {
	for _, s := range documents {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got string
		var err error
		frugal.Check(t, len(data), func() { got, err = dump(data) })
		if err != nil || strings.ContainsAny(string(data), "\r\x00") || strings.Count(string(data), ":") > 0 {
			return // line ends and prefixes are treated otherwise
		}
		if want, err := standard(data); err == nil && got != want {
			t.Errorf("%q:\n%s\n%s", data, got, want)
		}
	})
}
