package formats

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Content is what files hold, before it is decided what makes the graph: an edge list with
// its layers, nodes and labels where there is one, and variables.
type Content struct {
	Variables []*Variable

	files  []FileReport
	names  map[Kind][]string // of the text files that belong to an edge list
	texts  map[Kind][]string
	titles map[string]string // of the layers that a configuration names, by file
	loose  []textFile        // text that is not sorted in yet
}

// Files tells what every file was taken for, those of archives among them.
func (c *Content) Files() []FileReport { return slices.Clone(c.files) }

// stem returns the name of a file without folders and endings.
func stem(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	name = strings.TrimSuffix(name, ".gz")
	if s := strings.TrimSuffix(name, path.Ext(name)); s != "" {
		return s
	}
	return name
}

// Read reads files: arrays and matrices (.mat, .npy, .npz, .pkl), text (see [Open]), zip
// archives of such files, each of them packed by gzip or not. It looks at what a file
// holds, not at its name. Errors are of type [*Error].
func Read(files []File) (*Content, error) {
	c := &Content{names: map[Kind][]string{}, texts: map[Kind][]string{}}
	for i := range files {
		if err := c.read(&files[i], false); err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, &Error{Found: "no files", Expected: "an edge list"}
	}
	if err := c.sortTexts(); err != nil {
		return nil, err
	}
	c.unique()
	return c, nil
}

// read reads one file.
func (c *Content) read(f *File, inside bool) error {
	s, err := f.open()
	if err != nil {
		return err
	}
	if f.outer != nil {
		defer func() { f.outer.kept, f.outer.most = s.kept, s.most }()
	}
	head, _ := s.r.Peek(HeadSize)
	begins := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	var vars []*Variable
	n := max(f.Size, int64(len(f.Data)))
	if s.unpacked {
		n = 0
	}
	kind := Identify(head, n)
	switch {
	case kind.Use != ForGraph:
		return s.fail("", kind.Name, kind.Expected)
	case begins("PK\x03\x04"), begins("PK\x05\x06"):
		return c.readZip(f, s, inside)
	case begins(npyMagic):
		var v *Variable
		if v, _, err = readArray(s, stem(f.Name)); err == nil {
			vars = []*Variable{v}
		}
	case kind.Name == pickleName:
		u := &unpickler{s: s}
		var root any
		if root, err = u.run(); err == nil {
			vars, err = u.variables(stem(f.Name), root)
		}
	case kind.Name == matName:
		vars, err = readMAT(s)
	default:
		text := &File{Name: strings.TrimSuffix(f.Name, ".gz"), Data: f.Data, Reader: s.r, Size: f.Size}
		if s.unpacked {
			text.Data, text.Reader, text.Size = nil, &limited{s: s}, 0
		}
		if err := c.readText(text); err != nil {
			var e *Error
			if s.unpacked && !errors.As(err, &e) {
				return s.cut("", err)
			}
			return err
		}
		return nil
	}
	if err == nil && s.unpacked { // the sum stands at the end
		if _, e := io.Copy(io.Discard, io.LimitReader(s.r, s.most)); e != nil {
			err = s.cut("", e)
		}
	}
	if err != nil {
		return err
	}
	c.add(f.Name, vars, roomFor(s.in.n))
	return nil
}

// add takes up the variables of a file.
func (c *Content) add(file string, vars []*Variable, room int64) {
	for _, v := range vars {
		v.room = room
	}
	c.Variables = append(c.Variables, vars...)
	c.files = append(c.files, FileReport{file, Arrays})
}

// readZip reads an archive of arrays, or of files of any kind.
func (c *Content) readZip(f *File, s *source, inside bool) error {
	at, n := f.random()
	if s.unpacked || f.Data == nil && f.At == nil { // archives are read from their end
		most := int64(MaxFile)
		if s.unpacked {
			most = roomFor(s.in.n)
		}
		packed := &File{Name: f.Name, Reader: s.r}
		data, err := packed.bytes(most, "an archive")
		if err != nil {
			return err
		}
		at, n = bytes.NewReader(data), int64(len(data))
	}
	z, err := zip.NewReader(at, n)
	if err != nil {
		return s.fail("", "an archive that is cut off or altered", "a complete zip archive")
	}
	arrays := len(z.File) > 0
	for _, m := range z.File {
		arrays = arrays && strings.HasSuffix(m.Name, ".npy")
	}
	if !s.unpacked {
		s.in.n = n
	}
	if arrays {
		vars, err := readNPZ(stem(f.Name), z, s)
		if err != nil {
			return err
		}
		c.add(f.Name, vars, roomFor(s.in.n))
		return nil
	}
	if inside {
		return s.fail("", "an archive inside of an archive", "files")
	}
	seen := map[string]bool{}
	before := len(c.files)
	for _, m := range z.File {
		if seen[m.Name] {
			return s.fail(m.Name, "a second member of that name", "one")
		}
		seen[m.Name] = true
		base := path.Base(m.Name)
		if strings.HasSuffix(m.Name, "/") || strings.HasPrefix(base, ".") || strings.HasPrefix(m.Name, "__MACOSX/") {
			continue
		}
		r, err := openMember(f.Name, m)
		if err != nil {
			return err
		}
		if err := c.read(&File{Name: base, Reader: r, outer: s}, true); err != nil {
			if bad := (*Error)(nil); errors.As(err, &bad) && bad.File == base {
				bad.File = f.Name + "/" + m.Name
			}
			return err
		}
	}
	if len(c.files) == before {
		return s.fail("", "an archive without files", "an archive of files with layers")
	}
	return nil
}

// readText sorts a text file in.
func (c *Content) readText(f *File) error {
	text, err := f.text()
	if err != nil {
		return err
	}
	add := func(kind Kind, text string, err error) {
		c.loose = append(c.loose, textFile{f.Name, text, kind, err, len(c.files), false})
	}
	switch {
	case isMPX(text):
		edges, nodes, err := readMPX(f.Name, text)
		if err != nil {
			return err
		}
		if strings.TrimSpace(nodes) != "" {
			add(Nodes, nodes, nil)
		}
		add(Edges, edges, nil)
	case isGraphML(text):
		g, err := readGraphML(f.Name, text)
		if err != nil {
			return err
		}
		edges, kind, nodes, err := g.texts()
		if err != nil {
			return err
		}
		if len(g.nodes) > 0 {
			c.addNodes(textFile{f.Name, nodes, Nodes, nil, len(c.files), true})
		}
		add(kind, edges, nil)
	default:
		kind, err := kindOf(f.Name, text)
		add(kind, text, err)
	}
	c.files = append(c.files, FileReport{Name: f.Name})
	return nil
}

// addNodes takes up the nodes of a GraphML file. When each layer has a file of its own, the
// one with the most nodes stands for all.
func (c *Content) addNodes(t textFile) {
	for k := range c.loose {
		if old := &c.loose[k]; old.generated {
			if strings.Count(t.text, "\n") > strings.Count(old.text, "\n") {
				*old = t
			}
			return
		}
	}
	c.loose = append(c.loose, t)
}

// unique gives variables of the same name that of their file as well.
func (c *Content) unique() {
	seen := map[string]int{}
	for _, v := range c.Variables {
		seen[v.Name]++
	}
	for _, v := range c.Variables {
		if seen[v.Name] > 1 {
			v.Name = stem(v.file) + "." + v.Name
		}
	}
	clear(seen)
	for _, v := range c.Variables {
		if seen[v.Name]++; seen[v.Name] > 1 {
			v.Name += fmt.Sprintf(" (%d)", seen[v.Name])
		}
	}
}
