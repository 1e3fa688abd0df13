package formats

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Content is what files hold, before it is decided what makes the graph: an edge list with
// its layers, nodes and labels where there is one, and variables.
type Content struct {
	Variables []*Variable

	set textSet
}

// Files tells what every file was taken for, those of archives among them.
func (c *Content) Files() []FileReport { return slices.Clone(c.set.files) }

// Read reads files: arrays and matrices (.mat, .npy, .npz, .pkl), text (see [Open]), zip
// archives of such files, each of them packed by gzip or not. It looks at what a file
// holds, not at its name. Errors are of type [*Error].
func Read(files []File) (*Content, error) {
	c := &Content{set: newTextSet()}
	for i := range files {
		if err := c.read(&files[i], false); err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, &Error{Found: "no files", Expected: "an edge list"}
	}
	tables, err := c.set.sort()
	if err != nil {
		return nil, err
	}
	c.Variables = append(c.Variables, tables...)
	c.unique()
	return c, nil
}

// read reads one file.
func (c *Content) read(f *File, inside bool) error {
	s, err := openFile(f)
	if err != nil {
		return err
	}
	defer s.leave()
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
		vars, err = readPickle(s, stem(f.Name))
	case kind.Name == matName:
		vars, err = readMAT(s)
	default:
		if err := c.set.read(s.asText(f)); err != nil {
			var e *Error
			if s.unpacked && !errors.As(err, &e) {
				return s.cut("", err)
			}
			return err
		}
		return nil
	}
	if err == nil && s.unpacked { // the sum stands at the end
		err = s.drain("", s.most)
	}
	if err != nil {
		return err
	}
	c.add(f.Name, vars, s.room())
	return nil
}

// add takes up the variables of a file.
func (c *Content) add(file string, vars []*Variable, room int64) {
	for _, v := range vars {
		v.limit(room)
	}
	c.Variables = append(c.Variables, vars...)
	c.set.addArrays(file)
}

// readZip reads an archive of arrays, or of files of any kind.
func (c *Content) readZip(f *File, s *source, inside bool) error {
	at, n := randomOf(f)
	if s.unpacked || f.Data == nil && f.At == nil { // archives are read from their end
		most := int64(MaxFile)
		if s.unpacked {
			most = s.room()
		}
		packed := &File{Name: f.Name, Reader: s.r}
		data, err := bytesOf(packed, most, "an archive")
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
		s.wasStored(n)
	}
	if arrays {
		vars, err := readNPZ(stem(f.Name), z, s)
		if err != nil {
			return err
		}
		c.add(f.Name, vars, s.room())
		return nil
	}
	if inside {
		return s.fail("", "an archive inside of an archive", "files")
	}
	seen := map[string]bool{}
	before := len(c.set.files)
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
		if err := c.read(s.member(base, r), true); err != nil {
			if bad := (*Error)(nil); errors.As(err, &bad) && bad.File == base {
				bad.File = f.Name + "/" + m.Name
			}
			return err
		}
	}
	if len(c.set.files) == before {
		return s.fail("", "an archive without files", "an archive of files with layers")
	}
	return nil
}

// unique gives variables of the same name that of their file as well.
func (c *Content) unique() {
	seen := map[string]int{}
	for _, v := range c.Variables {
		seen[v.Name]++
	}
	for _, v := range c.Variables {
		if seen[v.Name] > 1 {
			v.Name = stem(v.origin()) + "." + v.Name
		}
	}
	clear(seen)
	for _, v := range c.Variables {
		if seen[v.Name]++; seen[v.Name] > 1 {
			v.Name += fmt.Sprintf(" (%d)", seen[v.Name])
		}
	}
}
