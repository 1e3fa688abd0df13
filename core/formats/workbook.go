package formats

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/text"
	"cadem.example/core/internal/xml"
	"cadem.example/core/internal/zip"
)

// A workbook is a file of Excel (ECMA-376, part 1, 18.2 to 18.4): an archive whose sheets are read as tables, each as a file of its own.
type workbook struct {
	c      *Content
	f      *File
	s      *input.Stream
	member map[string]*zip.File
	shared []string // texts that cells refer to
}

// read reads the sheets that are not empty. One alone has the name of the workbook.
func (w *workbook) read() error {
	where := map[string]string{} // the part that each sheet is, by its id
	err := w.elements("xl/_rels/workbook.xml.rels", func(_ *xml.Reader, t *xml.Token) error {
		id, _ := t.Attr("Id")
		target, _ := t.Attr("Target")
		where[id] = strings.TrimPrefix(target, "/xl/")
		return nil
	})
	if err != nil {
		return err
	}
	var part []byte
	err = w.elements("xl/sharedStrings.xml", func(x *xml.Reader, t *xml.Token) (err error) {
		if t.Name == "si" {
			if part, err = w.words(x, ""); err == nil {
				w.shared, err = append(w.shared, string(part)), w.s.Keep(t.Name, len(part)+16)
			}
		}
		return err
	})
	var names, tables []string
	if err == nil {
		err = w.elements("xl/workbook.xml", func(x *xml.Reader, t *xml.Token) error {
			if t.Name != "sheet" {
				return nil
			}
			name, _ := t.Attr("name")
			id, _ := t.Attr("id")
			table, err := w.sheet(path.Join("xl", where[id]))
			if table != "" {
				names, tables = append(names, name), append(tables, table)
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	if len(names) == 1 {
		names[0] = input.Stem(w.f.Name)
	}
	for k, name := range names {
		sheet := File{Name: w.f.Name + "/" + name + ".csv", Data: []byte(tables[k])}
		if err := w.c.read(&sheet, true); err != nil {
			return err
		}
	}
	if names == nil {
		return w.s.Fail("", "a workbook without a sheet that holds anything", "sheets of links or matrices")
	}
	return nil
}

// elements calls read with the start of every element of a part that read before did not pass over; a part that is missing has none.
func (w *workbook) elements(name string, read func(*xml.Reader, *xml.Token) error) error {
	m := w.member[name]
	if m == nil {
		return nil
	}
	r, err := input.OpenMember(w.f.Name, m)
	if err != nil {
		return err
	}
	data, err := input.Bytes(&File{Name: w.f.Name, Reader: r}, input.MaxText, "a part of a workbook")
	if err == nil {
		err = w.s.Keep(name, len(data))
	}
	if err != nil {
		return err
	}
	x, err := xml.NewReader(data)
	if err == nil {
		err = x.Each(func(t *xml.Token) error { return read(x, t) })
	}
	if bad := (*diag.Error)(nil); errors.As(err, &bad) && bad.File == "" {
		return input.XMLError(w.f.Name, name, err)
	}
	return err
}

// words returns the text inside of an element, without how it is spoken, or without the element of a name.
func (w *workbook) words(x *xml.Reader, name string) (all []byte, err error) {
	for depth := x.Depth(); x.Depth() >= depth; {
		t, err := x.Next()
		if err == nil && t.Kind == xml.Start && (t.Name == "rPh" || t.Name == name) {
			err = x.Skip()
		} else if err == nil && t.Kind == xml.Text {
			all = append(all, t.Bytes()...)
		}
		if err != nil {
			return nil, err
		}
	}
	return bytes.TrimSpace(all), nil
}

// sheet returns a sheet as CSV, a line a row, without empty columns at its end; "" of an empty one.
func (w *workbook) sheet(name string) (string, error) {
	var rows [][]string
	width, from := 0, 0
	err := w.elements(name, func(x *xml.Reader, t *xml.Token) error {
		switch t.Name {
		case "row":
			at := len(rows) + 1
			if r, ok := t.Attr("r"); ok {
				at, _ = strconv.Atoi(r)
			}
			if at <= len(rows) || at > 1<<20 {
				return w.s.Fail(name, "row "+strconv.Itoa(at), "rows in order, at most 1048576")
			}
			more := make([][]string, at-len(rows))
			rows = append(rows, more...)
			return w.s.Keep(name, 24*len(more))
		case "c":
			r, _ := t.Attr("r")
			kind, _ := t.Attr("t")
			value, err := w.words(x, "f")
			if err != nil || len(value) == 0 {
				return err
			}
			if len(rows) == 0 {
				return w.s.Fail(name, "a cell outside of rows", "cells in rows")
			}
			return w.cell(&rows[len(rows)-1], r, kind, string(value), &width)
		}
		return nil
	})
	if err != nil || width == 0 {
		return "", err
	}
	filled := func(cell string) bool { return cell != "" }
	for !slices.ContainsFunc(rows, func(row []string) bool { return from < len(row) && row[from] != "" }) { // tables may begin further right
		from++
	}
	var b strings.Builder
	for _, row := range rows {
		if slices.ContainsFunc(row, filled) {
			if err := w.s.Keep(name, 16*(width-len(row))+4*width); err != nil {
				return "", err
			}
			row = append(row, make([]string, width-len(row))...)[from:]
			text.WriteRecord(&b, row)
		} else {
			b.WriteByte('\n')
		}
	}
	return b.String(), nil
}

// cell puts a value into a row, at the column that letters say, A to XFD, or behind the one before.
func (w *workbook) cell(row *[]string, at, kind, value string, width *int) error {
	c := 0
	for _, letter := range strings.TrimRight(at, "0123456789") {
		c = min(26*c+int(letter-'A')+1, 1<<15)
	}
	if at == "" {
		c = len(*row) + 1
	}
	switch k, err := strconv.Atoi(value); {
	case c < 1 || c > 1<<14:
		return w.s.Fail("cell", at, "a column from A to XFD")
	case kind == "s" && (err != nil || k < 0 || k >= len(w.shared)):
		return w.s.Fail(at, "shared text "+value, "one that the workbook holds")
	case kind == "s":
		value = w.shared[k]
	case kind == "e": // an error, as #N/A is
		value = ""
	}
	*width = max(*width, c)
	if err := w.s.Keep("cell "+at, len(value)+24*max(c-len(*row), 0)); err != nil {
		return err
	}
	for len(*row) < c {
		*row = append(*row, "")
	}
	(*row)[c-1] = strings.ReplaceAll(value, "\n", " ")
	return nil
}
