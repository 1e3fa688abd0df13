package imaging

import (
	"fmt"
	"math"
	"strconv"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/xml"
)

// An xmlParser reads the elements of a CIFTI or GIFTI file.
type xmlParser struct {
	file string
	xml  *xml.Reader
}

func (p *xmlParser) bad(field, found, expected string) error {
	return diag.At(p.file, 0, field, found, expected)
}

// children calls child at the start tag of every element inside of the current one. A child
// that it does not read to its end is skipped.
func (p *xmlParser) children(child func(t *xml.Token) error) error {
	depth := p.xml.Depth()
	for {
		t, err := p.xml.Next()
		if err != nil {
			return err
		}
		switch {
		case t.Kind == xml.End && p.xml.Depth() < depth:
			return nil
		case t.Kind == xml.Start:
			if err := child(t); err != nil {
				return err
			}
			if p.xml.Depth() > depth {
				if err := p.xml.Skip(); err != nil {
					return err
				}
			}
		}
	}
}

// number returns an attribute that is a whole number >= least.
func (p *xmlParser) number(t *xml.Token, name string, least int) (int, error) {
	s, ok := t.Attr(name)
	n, tail := wholeNumber([]byte(s))
	if !ok || len(tail) > 0 || n < least {
		return 0, p.bad(t.Name+" "+name, input.Quote(s), fmt.Sprintf("a whole number >= %d", least))
	}
	return n, nil
}

// wholeNumber reads the digits a text begins with; -1 if there are none or too many.
func wholeNumber(text []byte) (int, []byte) {
	n, k := 0, 0
	for k < len(text) && k < 12 && text[k] >= '0' && text[k] <= '9' {
		n = n*10 + int(text[k]-'0')
		k++
	}
	if k == 0 || k == 12 {
		return -1, text
	}
	return n, text[k:]
}

// readLabel reads a Label element of CIFTI or GIFTI into a table.
func readLabel(r *xml.Reader, t *xml.Token, table map[int]string) error {
	if t.Name != "Label" {
		return nil
	}
	word, ok := t.Attr("Key")
	if !ok {
		word, _ = t.Attr("Index") // early GIFTI files
	}
	line := t.Line
	key, ok := parseNumber(word)
	if !ok || key != math.Trunc(key) || math.Abs(key) > math.MaxInt32 {
		return diag.At("", line, "", "the label key "+input.Quote(word), "a whole number")
	}
	name, err := r.Content()
	if err != nil {
		return err
	}
	if _, again := table[int(key)]; again {
		return diag.At("", line, "", fmt.Sprintf("the label key %d is there twice", int(key)), "")
	}
	table[int(key)] = string(name)
	return nil
}

// parseNumber reads a finite number.
func parseNumber(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}
