package formats

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/mat"
	"cadem.example/core/internal/pickle"
	"cadem.example/core/internal/text"
	"cadem.example/core/internal/variable"
	"cadem.example/core/internal/zip"
)

// Content is the content of files, before the parts of the graph are chosen: an edge list, if any,
// with its layers, nodes and labels, and variables.
type Content struct {
	Variables []*Variable

	set    text.Set
	tables []*Variable         // of the variables, those of texts
	ids    map[string][]string // of the rows of matrices, by file
	notes  []string
	aside  []string // files that are no data
	beside error    // why the first of them is none
	names  []string // of the nodes, where a file of arrays gives them in the order of its rows

	mention bool // the data are those of a run that was kept before 2027
}

// Files says what every file was taken for, those of archives among them.
func (c *Content) Files() []FileReport { return slices.Clone(c.set.Files) }

// Read reads files: arrays and matrices (.mat, .npy, .npz, .pkl), text, zip
// archives of such files, each of them packed by gzip or not. It looks at what a file
// holds, not at its name. Columns of lists may be chosen as in a [Choice]: tables are lists by them. Errors are of type [*diag.Error].
func Read(files []File, columns ...string) (*Content, error) {
	c := &Content{set: text.NewSet(strings.Join(columns, ";"))}
	for i := range files {
		if err := c.read(&files[i], false); err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, &diag.Error{Found: "no files", Expected: "an edge list"}
	}
	tables, err := c.set.Sort()
	if c.beside != nil && len(c.set.Files) == 0 {
		err = c.beside
	}
	if err != nil {
		return nil, err
	}
	c.notes = append(c.notes, c.set.Notes()...)
	if aside := append(c.aside, c.set.Aside...); aside != nil {
		c.notes = append(c.notes, fmt.Sprintf("Left out as no data, by name or content: %s.", input.List(aside, 8)))
	}
	c.tables, c.Variables = tables, append(c.Variables, tables...)
	if err := c.refused(); err != nil {
		return nil, err
	}
	c.titles()
	c.pairs()
	c.keyArrays()
	c.nameLayers()
	c.signs()
	for _, v := range c.Variables {
		v.Aside = variable.SaysPlaces(v) // before names of files are part of names
	}
	c.unique()
	return c, nil
}

// titles takes the names that the modules for Python and for pages of one's own put beside the
// arrays that they write, in which any text is a name: of layers and labels in pairs of an array
// and its title, of nodes in the order of the rows.
func (c *Content) titles() {
	const ofArrays, ofNodes = "cadem_names", "cadem_nodes"
	titles := map[string]string{}
	for _, v := range c.Variables {
		words, _ := v.Words()
		for k := 1; v.Name == ofArrays && k < len(words); k += 2 {
			titles[v.File()+"\x00"+words[k-1]] = words[k]
		}
		if v.Name == ofNodes {
			c.names = words
		}
	}
	c.Variables = slices.DeleteFunc(c.Variables, func(v *Variable) bool {
		v.Title = titles[v.File()+"\x00"+v.Name]
		return v.Name == ofArrays || v.Name == ofNodes
	})
}

// signs offers the two layers that a matrix with entries below 0 may be, behind it.
func (c *Content) signs() {
	var all []*Variable
	for _, v := range c.Variables {
		all = append(append(all, v), v.Signs()...)
	}
	c.Variables = all
}

// keyArrays gives arrays the ids of their rows found in the same file, as words or as different whole numbers under a name
// that says so. Without a list of links they are those of the matrices, too.
func (c *Content) keyArrays() {
	of := map[string]*Variable{} // by file
	for _, v := range c.Variables {
		if variable.SaysIDs(v) && of[v.File()] == nil {
			of[v.File()] = v
		}
	}
	for _, v := range c.Variables {
		ids := of[v.File()]
		if ids == nil || v == ids || v.Keys != nil || v.Form == Links || v.IsSquare() || len(v.Shape) == 0 {
			continue
		}
		if list := ids.IDs(); list != nil && v.Rows() == len(list) {
			v.Keys = &variable.Keys{IDs: list, Lines: make([]int32, len(list)), Sure: true}
		}
	}
	c.ids = map[string][]string{}
	for file, v := range of {
		c.ids[file] = v.IDs()
	}
}

// refused returns why something is not read when there is nothing else.
func (c *Content) refused() error {
	for _, f := range c.set.Files {
		if f.Kind != Arrays {
			return nil
		}
	}
	var first error
	for _, v := range c.Variables {
		_, words := v.Words()
		switch why := v.Refused(); {
		case words || v.IsNumeric() && len(v.Shape) > 0:
			return nil
		case why != nil && first == nil:
			first = why
		}
	}
	return first
}

// read reads one file.
func (c *Content) read(f *File, inside bool) error {
	s, err := input.Open(f)
	if err != nil {
		return err
	}
	defer s.Leave()
	head, _ := s.Reader.Peek(HeadSize)
	begins := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	var vars []*Variable
	var g *text.Graph // of networkx
	n := max(f.Size, int64(len(f.Data)))
	if s.Unpacked {
		n = 0
	}
	kind := Identify(head, n)
	told := input.IsCompanion(f.Name)
	switch {
	case told, kind.Use == input.ForNothing && kind.Expected == input.WantFiles && !strings.HasPrefix(kind.Name, "an unknown"):
		if told {
			kind.Name += " that describes data, by its name"
		}
		if c.aside = append(c.aside, f.Name); c.beside == nil {
			c.beside = s.Fail("", kind.Name, input.WantFiles)
		}
		return nil
	case kind.Use != ForGraph:
		return s.Fail("", kind.Name, kind.Remedy(s.File))
	case begins("PK\x03\x04"), begins("PK\x05\x06"):
		return c.readZip(f, s, inside)
	case begins(input.NPYMagic):
		vars, _, err = npy.ReadVariable(s, input.Stem(f.Name))
	case kind.Name == input.PickleName:
		var p *pickle.Content
		if p, err = pickle.Read(s, input.Stem(f.Name)); err == nil {
			vars, c.notes = p.Variables, append(c.notes, p.Notes...)
			g = &text.Graph{Edges: p.Edges, Nodes: p.Nodes}
		}
	case kind.Name == input.MATName:
		vars, err = mat.Read(s)
	case kind.Name == input.MatrixMarketName:
		if f.Data != nil && !s.Unpacked { // read from memory
			s.WasStored(int64(len(f.Data)))
		}
		var v *Variable
		if v, err = text.ReadMatrixMarket(s.AsText(f)); err != nil {
			return textError(s, err)
		}
		vars = []*Variable{v}
	default:
		t := s.AsText(f)
		err := c.set.Read(t)
		if t.Encoding != "" {
			c.notes = append(c.notes, fmt.Sprintf("%s was read as %s.", t.Name, t.Encoding))
		}
		return textError(s, err)
	}
	if err == nil && s.Unpacked { // the sum is at the end
		err = s.Drain("", s.Most)
	}
	if err != nil {
		return err
	}
	if vars, err = slices3(s, vars); err != nil {
		return err
	}
	isGraph := g != nil && g.Edges != ""
	if isGraph {
		c.set.AddGraph(f.Name, g)
	}
	if !isGraph || len(vars) > 0 {
		c.add(f.Name, vars, s.Room())
	}
	return nil
}

// slices3 puts matrices in the place of arrays in three dimensions that are made of them.
func slices3(s *input.Stream, vars []*Variable) ([]*Variable, error) {
	var all []*Variable
	for _, v := range vars {
		parts, err := v.Slices(s.Keep)
		if err != nil {
			return nil, err
		}
		if parts == nil {
			parts = []*Variable{v}
		}
		if all = append(all, parts...); len(all) > input.MaxNamed {
			return nil, s.Fail(v.Name, fmt.Sprintf("more than %d matrices", input.MaxNamed), "fewer")
		}
	}
	return all, nil
}

// textError describes the damage of a compressed text.
func textError(s *input.Stream, err error) error {
	if e := (*diag.Error)(nil); err == nil || !s.Unpacked || errors.As(err, &e) {
		return err
	}
	return s.Cut("", err)
}

// add takes up the variables of a file.
func (c *Content) add(file string, vars []*Variable, room int64) {
	for _, v := range vars {
		v.Limit(room)
	}
	c.Variables = append(c.Variables, vars...)
	c.set.AddArrays(file)
}

// readZip reads an archive of arrays, or of files of any kind.
func (c *Content) readZip(f *File, s *input.Stream, inside bool) error {
	at, n := input.Random(f)
	if s.Unpacked || f.Data == nil && f.At == nil { // archives are read from their end
		most := int64(MaxFile)
		if s.Unpacked {
			most = s.Room()
		}
		packed := &File{Name: f.Name, Reader: s.Reader}
		data, err := input.Bytes(packed, most, "an archive")
		if err != nil {
			return err
		}
		at, n = bytes.NewReader(data), int64(len(data))
	}
	z, err := zip.NewReader(at, n)
	if err != nil {
		return s.Fail("", "an archive that is cut off or altered", "a complete zip archive")
	}
	arrays, members, office := len(z.File) > 0, map[string]*zip.File{}, false
	torch := map[string]bool{} // folders, by what torch.save puts in them
	for _, m := range z.File {
		arrays = arrays && strings.HasSuffix(m.Name, ".npy")
		dir, base := path.Split(m.Name)
		torch[dir] = torch[dir] || base == "data.pkl"
		members[m.Name], office = m, office || m.Name == input.Office
	}
	if office && members["xl/workbook.xml"] == nil {
		kind := FileKind{Name: input.WorkbookName, Expected: input.WantSheets}
		return s.Fail("", kind.Name, kind.Remedy(s.File))
	}
	for _, m := range z.File {
		if dir, base := path.Split(m.Name); torch[dir] && base == "version" {
			return s.Fail("", input.PyTorch.Name, input.PyTorch.Remedy(s.File))
		}
	}
	if !s.Unpacked {
		s.WasStored(n)
	}
	if office {
		return (&workbook{c: c, f: f, s: s, member: members}).read()
	}
	if arrays {
		vars, err := npy.ReadVariables(input.Stem(f.Name), z, s)
		if err == nil {
			vars, err = slices3(s, vars)
		}
		if err != nil {
			return err
		}
		c.add(f.Name, vars, s.Room())
		return nil
	}
	if inside {
		return s.Fail("", "an archive inside of an archive", "files")
	}
	seen := map[string]bool{}
	before := len(c.set.Files)
	for _, m := range z.File {
		if seen[m.Name] {
			return s.Fail(m.Name, "a second member of that name", "one")
		}
		seen[m.Name] = true
		base := path.Base(m.Name)
		if strings.HasSuffix(m.Name, "/") || strings.HasPrefix(base, ".") || strings.HasPrefix(m.Name, "__MACOSX/") {
			continue
		}
		r, err := input.OpenMember(f.Name, m)
		if err != nil {
			return err
		}
		if err := c.read(s.Member(m.Name, r), true); err != nil {
			if bad := (*diag.Error)(nil); errors.As(err, &bad) && bad.File == m.Name {
				bad.File = f.Name + "/" + m.Name
			}
			return err
		}
	}
	if len(c.set.Files) == before {
		if bad := (*diag.Error)(nil); errors.As(c.beside, &bad) {
			bad.File = f.Name + "/" + bad.File
			return bad
		}
		return s.Fail("", "an archive without files", "an archive of files with layers")
	}
	return nil
}

// nameLayers gives matrices of one array or list, NAME[0] or NAME{1} and so on, the names of layers
// that come with them as a list of as many words.
func (c *Content) nameLayers() {
	groups := map[string][]*Variable{}
	var order []string
	taken := map[string]bool{}
	for _, v := range c.Variables {
		taken[v.Name] = true
		at := strings.LastIndexAny(v.Name, "[{")
		if at < 1 || !strings.HasSuffix(v.Name, "]") && !strings.HasSuffix(v.Name, "}") || !v.IsSquare() {
			continue
		}
		group := v.File() + "\x00" + v.Name[:at]
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], v)
	}
	for _, group := range order {
		layers := groups[group]
		var names []string
		lists := 0
		for _, v := range c.Variables {
			if variable.SaysLayers(v, len(layers)) {
				names, _ = v.Words()
				lists++
			}
		}
		if lists == 0 {
			names, lists = c.frequencies(layers)
		}
		seen := map[string]bool{"": true}
		usable := lists == 1 && len(layers) > 1
		for _, name := range names {
			usable = usable && !seen[name] && !taken[name]
			seen[name] = true
		}
		if !usable {
			continue
		}
		for k, v := range layers {
			v.Name, v.Before = names[k], v.Name
			taken[names[k]] = true
		}
	}
}

// frequencies returns names of layers from the numbers of a variable beside them that says so, as FieldTrip has them, and how many do.
func (c *Content) frequencies(layers []*Variable) (names []string, lists int) {
	for _, v := range c.Variables {
		name := input.Plain(variable.Last(v.Name))
		if !slices.Contains([]string{"freq", "freqs", "foi"}, name) || !v.IsNumeric() || v.File() != layers[0].File() || v.Rows()*v.Cols() != len(layers) {
			continue
		}
		names, lists = make([]string, len(layers)), lists+1
		v.Each(func(i, j int, x float64) { names[max(i, j)] = fmt.Sprintf("%g Hz", x) })
	}
	return names, lists
}

// pairs puts matrices in the place of those whose rows are pairs of channels: named in labelcmb, as FieldTrip has them, or all of them, one below
// the other, as MNE has them. These need names beside them unless there is nothing else that may be a layer.
func (c *Content) pairs() {
	combined, named := map[string][]string{}, map[string]int{}
	others := c.set.HasEdges()
	for _, v := range c.Variables {
		if words, _ := v.Words(); variable.Last(v.Name) == "labelcmb" {
			combined[v.File()] = words
		}
		if variable.SaysIDs(v) {
			named[v.File()] = len(v.IDs())
		}
		others = others || v.IsSquare()
	}
	var all []*Variable
	for _, v := range c.Variables {
		words, n, nodes := combined[v.File()], 0, []string(nil)
		if k := len(words) / 2; k > 0 && v.IsNumeric() && len(v.Shape) == 2 && v.Rows() == k {
			for _, word := range words {
				if !slices.Contains(nodes, word) {
					nodes = append(nodes, word)
				}
			}
			n = len(nodes)
			all = append(all, v.Pairs(n, func(row int) (i, j int) { return slices.Index(nodes, words[row]), slices.Index(nodes, words[k+row]) })...)
			all = append(all, variable.NewText(v.File(), "label", []int{n}, nodes))
		} else if m := named[v.File()]; m > 0 || !others && v.Cols() > 1 {
			if n = v.Raveled(m); n > 0 {
				all = append(all, v.Pairs(n, func(row int) (i, j int) { return row / n, row % n })...)
			}
		}
		if n == 0 {
			all = append(all, v)
			continue
		}
		c.notes = append(c.notes, fmt.Sprintf("Rows of %s are pairs of %d nodes: a layer is made of each column.", v.Name, n))
	}
	c.Variables = all
}

// unique gives variables of the same name that of their file as well.
func (c *Content) unique() {
	seen := map[string]int{}
	for _, v := range c.Variables {
		seen[v.Name]++
	}
	for _, v := range c.Variables {
		if seen[v.Name] > 1 {
			v.Name = input.Stem(v.File()) + "." + v.Name
		}
	}
	clear(seen)
	for _, v := range c.Variables {
		if seen[v.Name]++; seen[v.Name] > 1 {
			v.Name += fmt.Sprintf(" (%d)", seen[v.Name])
		}
	}
}

// Unpacked returns the content of a file packed by gzip, in memory; any other file unchanged.
func Unpacked(f File) (File, error) {
	head := f.Head(3)
	if len(head) < 3 || string(head) != "\x1f\x8b\x08" {
		return f, nil
	}
	s, err := input.Open(&f)
	if err != nil {
		return f, err
	}
	data, err := input.Bytes(s.AsText(&f), input.MaxText, "a packed file of one subject")
	return File{Name: strings.TrimSuffix(f.Name, ".gz"), Data: data}, err
}
