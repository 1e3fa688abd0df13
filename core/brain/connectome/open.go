package connectome

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/brain/imaging"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// An Input holds the content of the files of one subject and condition.
type Input struct {
	Series    *Series    // nil when FC was given
	FC        []float64  // M x M; nil when a series was given
	Regions   []string   // of FC; nil when they have no names
	Without   []string   // names of regions that were left out, for they have no data
	Confounds *Confounds // nil when there are none
	Atlas     *Atlas     // nil when there is none
	Notes     []string   // what reading did, in sentences
	Regional  []string   // what is to be known about its regions and their table, alike for recordings of the same regions
	Rows      string     // what the rows of the file of a series are: "regions" or "frames"
	// Structures are matrices between the same regions, in the same order; nil when there are none.
	Structures []Structure
	More       []*Input  // further runs that are joined to the series
	Unclear    bool      // Rows is the likelier of two; only after [Survey]
	Directed   error     // why connectivity is refused: its directions differ; only after [Survey]
	Uses       []FileUse // what each file is, in their order

	name string            // of the file of the series or matrix
	as   map[string]string // what a table calls regions, by the plain form of what the file calls them; nil: the same
}

// About adds what is known about the recording of the input: the time between frames, motion, frames that are marked, of the
// files of their names. The error is a [*diag.Error].
func (in *Input) About(r *collection.Run, files map[string]formats.File) error {
	s := in.Series
	if s != nil && s.TR == 0 {
		s.TR = r.TR
	}
	if s != nil && in.Confounds != nil {
		in.Confounds.Modern = r.Modern
	}
	if r.Motion != "" {
		t, err := formats.ReadTable(files[r.Motion])
		if err != nil {
			return err
		}
		if in.Confounds, err = newConfounds(t); err != nil {
			return err
		}
		in.Confounds.MotionOnly = true
	}
	if s == nil || r.Outliers == "" {
		return nil
	}
	t, err := formats.ReadTable(files[r.Outliers])
	if err != nil {
		return err
	}
	return in.mark(t)
}

func (in *Input) note(format string, values ...any) {
	in.Notes = append(in.Notes, fmt.Sprintf(format, values...))
}

// A FileUse says what a file was taken for.
type FileUse struct {
	File string `json:"file"`
	As   string `json:"as"`
}

// Compute makes the connectome of the input.
func (in *Input) Compute(o *Options) (*Connectome, error) {
	var c *Connectome
	var err error
	if in.FC != nil {
		c, err = FromFC(in.name, in.Regions, in.FC, o)
		if err == nil && in.Confounds != nil { // which About has read
			c.Quality.Motion, c.Quality.Moved = in.Confounds.motion(in.Confounds.Frames)
		}
	} else {
		c, err = join(append([]*Input{in}, in.More...), o)
	}
	if err == nil && in.FC != nil && len(in.More) > 0 {
		err = diag.Option("runs", "connectivity of several runs, which cannot be joined", "apart, or one of them, or none for that of all where it is there")
	}
	if err == nil && in.FC != nil && o.Windows != "" {
		err = diag.Option("windowed", "windows of connectivity, which has no frames", "those of a series")
	}
	if err != nil {
		return nil, err
	}
	for k := range in.Structures {
		c.structure(&in.Structures[k], o)
	}
	c.Notes = slices.Concat(in.Notes, in.Regional, c.Notes)
	return c, nil
}

// Open reads the files of one subject in one condition: a series (CIFTI-2, CSV, TSV, 1D, NPY, MAT)
// or a dense series with a dense label file, or a ready matrix of functional connectivity, and
// optionally a table of confounds and one of regions, and matrices of structure between the same regions. It recognises files by
// content. A table of regions, if given, sets the order of regions, by name. The error is a [*diag.Error], also for hints
// that no file needs.
func Open(files []formats.File, hints *Hints) (*Input, error) {
	r := newReader(hints)
	in, err := r.open(files)
	if err == nil && r.hints.Variable != "" && !r.arrays {
		err = diag.Option("variable", fmt.Sprintf("%q without a file of arrays", r.hints.Variable), "none")
	}
	return in, err
}

func newReader(hints *Hints) *reader {
	if hints == nil {
		hints = &Hints{}
	}
	return &reader{hints: hints}
}

// open reads files that are known to be those of one subject.
func (r *reader) open(files []formats.File) (*Input, error) {
	if err := r.read(files); err != nil {
		return nil, err
	}
	return r.finish(files)
}

// read finds out what files are by themselves.
func (r *reader) read(files []formats.File) error {
	for _, f := range files {
		p, err := r.parse(f)
		if err != nil {
			return err
		}
		r.parts = append(r.parts, p)
	}
	r.promote()
	for _, p := range r.parts {
		if err := r.take(p); err != nil {
			return err
		}
	}
	if err := r.movement(); err != nil {
		return err
	}
	return r.settle()
}

// finish makes of them what they are together.
func (r *reader) finish(files []formats.File) (*Input, error) {
	in, err := r.input()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		in.Uses = append(in.Uses, FileUse{f.Name, r.use(f.Name)})
	}
	return in, nil
}

// use says what a file was taken for.
func (r *reader) use(file string) string {
	in := &r.in
	switch {
	case in.Confounds != nil && in.Confounds.File == file:
		return figure.Count(len(in.Confounds.Names), "column") + " of confounds"
	case in.Atlas != nil && in.Atlas.File == file:
		s := fmt.Sprintf("table of %d regions", len(in.Atlas.Names))
		if n := len(in.Atlas.Networks); n > 0 {
			s += fmt.Sprintf(" in %d networks", n)
		}
		return s
	case r.flags != nil && r.flags.File == file && in.Series == nil:
		return "table that marks frames, which connectivity has none of"
	case r.flags != nil && r.flags.File == file:
		return fmt.Sprintf("table that marks %d of %d frames",
			count(in.Series.Marked)+count(in.Series.gone), len(r.flags.Rows))
	case slices.Contains(r.tables, file):
		return "further table of regions"
	case slices.Contains(r.surfaces, file):
		return "surface, for the view of the brain"
	case r.names != nil && r.named == file:
		return "names of regions"
	case r.labels != nil && r.labels.Name == file:
		return "labels of a dense series"
	}
	for _, s := range in.Structures {
		if s.File == file {
			return fmt.Sprintf("matrix of structure between %d regions, a layer of its own, joined %s", in.M(), s.Joined)
		}
	}
	switch {
	case in.Series != nil:
		return fmt.Sprintf("series of %d regions x %d frames", in.Series.M(), in.Series.Frames)
	}
	return fmt.Sprintf("functional connectivity of %d regions", in.M())
}

// Kinds of files of one subject.
type partKind int

const (
	partCIFTI     partKind = iota
	partArrays             // of a binary file
	partRegions            // a table of them
	partConfounds          // by the header
	partMotion             // confounds by the name of the file alone
	partFlags              // of frames
	partNames              // of regions
	partNumbers            // a series or connectivity as text
	partSurface            // GIFTI, which a view shows
	partSquare             // as many rows as columns of numbers >= 0: links or counts, or anything
	partOther              // none of these
)

// A part is a file, read as far as possible without knowing the others.
type part struct {
	kind  partKind
	file  formats.File
	table *formats.Table // of text
}

// A reader collects what files hold.
type reader struct {
	hints    *Hints
	guess    bool // rather than to fail
	parts    []part
	in       Input
	names    []string       // of regions, from a file of names
	named    string         // that file
	tables   []string       // of regions
	flags    *formats.Table // of frames
	atlases  []*Atlas       // tables of regions that add nothing to the first
	dense    *imaging.CIFTI
	labels   *imaging.CIFTI
	matrices []*matrix // in the order of their files
	matrix   *matrix   // that of the series or of connectivity
	// structures are the others.
	structures []*matrix
	surfaces   []string
	arrays     bool // a file of arrays was among them
	others     bool // it holds more than a matrix, words and single numbers
}

// parse finds out what a file is by itself.
func (r *reader) parse(f formats.File) (part, error) {
	if f.Data == nil && f.Reader != nil {
		data, err := io.ReadAll(io.LimitReader(f.Reader, formats.MaxFile+1))
		if err != nil {
			return part{}, fmt.Errorf("%s: %w", f.Name, err)
		}
		f = formats.File{Name: f.Name, Data: data}
	}
	f, err := formats.Unpacked(f)
	if err == nil {
		err = f.Load()
	}
	if err != nil {
		return part{}, err
	}
	switch kind := kindOf(f); kind {
	case partCIFTI, partArrays:
		return part{kind: kind, file: f}, nil
	case partSurface:
		return part{kind: kind, file: formats.File{Name: f.Name}}, nil
	case partOther:
		return part{}, diag.At(f.Name, 0, "file", "XML",
			"a series, functional connectivity, confounds or regions")
	}
	return parseText(f)
}

// isBinary reports whether a file begins as those of arrays do, and no text does.
func isBinary(data []byte) bool {
	for _, magic := range []string{"\x93NUMPY", "PK", "\x1f\x8b", "\x80", "MATLAB"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return true
		}
	}
	return bytes.IndexByte(data[:min(len(data), 512)], 0) >= 0
}

// parseText distinguishes tables.
func parseText(f formats.File) (part, error) {
	p := part{kind: partNumbers, file: formats.File{Name: f.Name}}
	var err error
	if p.table, err = readSheet(f); err != nil {
		return p, err
	}
	switch {
	case isAtlas(p.table):
		p.kind = partRegions
	case isFlags(p.table, f.Name):
		p.kind = partFlags
	case confoundsByHeader(p.table.Header):
		p.kind = partConfounds
	case onlyNames(p.table) != nil:
		p.kind = partNames
	case confoundsByName(f.Name):
		p.kind = partMotion
	}
	return p, nil
}

// promote takes a file for the series that only its name makes one of confounds, when there is nothing else.
func (r *reader) promote() {
	series, motion := false, -1
	for k, p := range r.parts {
		series = series || p.kind == partNumbers || p.kind == partArrays || p.kind == partCIFTI
		if p.kind == partMotion && motion >= 0 {
			return
		} else if p.kind == partMotion {
			motion = k
		}
	}
	if !series && motion >= 0 {
		r.parts[motion].kind = partNumbers
	}
}

// take takes a file for what it is.
func (r *reader) take(p part) (err error) {
	name := p.file.Name
	switch p.kind {
	case partSurface:
		r.surfaces = append(r.surfaces, name)
	case partCIFTI:
		return r.cifti(p.file)
	case partArrays:
		return r.variables(p.file)
	case partRegions:
		var a *Atlas
		if a, err = newAtlas(p.table); err != nil {
			return err
		}
		r.tables = append(r.tables, name)
		if r.in.Atlas == nil {
			r.in.Atlas = a
		} else if more := r.in.Atlas.add(a); more != nil {
			r.in.Atlas = more
		} else {
			r.atlases = append(r.atlases, a)
		}
	case partConfounds, partMotion:
		if r.in.Confounds != nil {
			return second(name, "table of confounds", r.in.Confounds.File)
		}
		r.in.Confounds, err = newConfounds(p.table)
	case partFlags:
		if r.flags != nil {
			return second(name, "table of outliers", r.flags.File)
		}
		r.flags = p.table
	case partNames:
		if r.names != nil {
			return second(name, "list of region names", r.named)
		}
		r.names, r.named = onlyNames(p.table), name
	case partNumbers:
		var m *matrix
		if m, err = numbers(p.table); err == nil {
			err = r.takeMatrix(m)
		}
	}
	return err
}

// second refuses a second file of one kind.
func second(file, what, first string) error {
	return diag.At(file, 0, "file", "a second "+what+" beside "+first,
		"one subject in one condition at a time")
}

func (r *reader) cifti(f formats.File) error {
	c, err := imaging.ReadCIFTI(f)
	if err != nil {
		return err
	}
	switch c.Type() {
	case "dtseries":
		if r.dense != nil {
			return second(f.Name, "series", r.dense.Name)
		}
		r.dense = c
		return nil
	case "dlabel":
		if r.labels != nil {
			return second(f.Name, "label file", r.labels.Name)
		}
		r.labels = c
		return nil
	case "ptseries", "pconn":
		m := &matrix{file: f.Name, rows: c.Rows.Len, cols: c.Columns.Len, values: make([]float64, c.Rows.Len*c.Columns.Len),
			rowNames: c.Rows.Names, regionsOfRows: true, tr: c.Columns.Step}
		if c.Type() == "pconn" {
			m.columnNames, m.connectivity = c.Columns.Names, true
		}
		for i := range m.rows {
			c.Row(m.values[i*m.cols:(i+1)*m.cols], i)
		}
		return r.takeMatrix(m)
	}
	return diag.At(f.Name, 0, "file", fmt.Sprintf("%s by %s", c.Rows.Kind, c.Columns.Kind),
		"a series (ptseries, or dtseries with dlabel) or functional connectivity (pconn)")
}

func (r *reader) takeMatrix(m *matrix) error {
	r.matrices = append(r.matrices, m)
	return m.refused
}

// onlyNames returns the words of a table that is a single row or column of them.
func onlyNames(t *formats.Table) []string {
	rows := t.Rows
	if t.Header != nil {
		rows = append([]formats.Row{{Fields: t.Header}}, rows...)
	}
	var words []string
	for k, row := range rows {
		if len(rows) > 1 && len(row.Fields) != 1 {
			return nil
		}
		for _, s := range row.Fields {
			if _, ok := formats.Number(s); ok {
				return nil
			}
			if k == 0 && len(rows) > 1 && slices.Contains(nameColumns, formats.Plain(s)) {
				continue // the title of the column
			}
			words = append(words, s)
		}
	}
	return words
}

// input settles what the files are together.
func (r *reader) input() (*Input, error) {
	in := &r.in
	m := r.matrix
	switch {
	case r.dense != nil && m != nil:
		return nil, second(r.dense.Name, "series or matrix", m.file)
	case r.dense != nil && r.labels == nil:
		return nil, diag.At(r.dense.Name, 0, "file", "a dense series alone",
			"a label file (.dlabel.nii) beside it, to average over regions")
	case r.dense == nil && m == nil:
		found := "no series and no functional connectivity"
		if r.surfaces != nil {
			found += " beside the surface " + r.surfaces[0]
		}
		return nil, &diag.Error{File: "", Where: "files", Found: found,
			Expected: "a series (.ptseries.nii, .csv, .tsv, .npy, .mat; or .dtseries.nii with .dlabel.nii) or a matrix of it (.pconn.nii)"}
	case r.dense != nil:
		s, without, notes, err := Parcellate(r.dense, r.labels, 0)
		if err != nil {
			return nil, err
		}
		in.Series, in.Without, in.Notes, in.name = s, without, notes, s.Name
	default:
		in.name = m.file
		if r.labels != nil {
			in.Notes = append(in.Notes, r.labels.Name+" was not needed: the series has regions.")
		}
		in.Notes = append(in.Notes, m.notes...)
		take := r.series
		if m.isConnectivity() {
			take = r.connectivity
		}
		if err := take(m); err != nil {
			return nil, err
		}
	}
	if in.Series != nil && r.hints.TR != 0 {
		in.Series.TR = r.hints.TR
	}
	if err := r.name(); err != nil {
		return nil, err
	}
	if err := r.beside(); err != nil {
		return nil, err
	}
	if err := r.translate(); err != nil {
		return nil, err
	}
	r.leaveOut()
	if in.Series != nil {
		in.gaps()
		if r.flags != nil {
			if err := in.mark(r.flags); err != nil {
				return nil, err
			}
		}
	}
	if err := r.match(); err != nil {
		return nil, err
	}
	in.locate()
	return in, nil
}

// name gives regions the names of a file of names.
func (r *reader) name() error {
	if r.names == nil {
		return nil
	}
	switch have := r.in.M(); {
	case r.in.Names() != nil:
		r.in.Notes = append(r.in.Notes, r.named+" was not needed: the regions have names.")
	case len(r.names) != have:
		return diag.At(r.named, 0, "names", fmt.Sprint(len(r.names)),
			fmt.Sprintf("%d, as many as there are regions", have))
	default:
		r.in.rename(r.names)
	}
	return nil
}

// match brings regions into the order of the table of regions and leaves out those without data.
func (r *reader) match() error {
	a := r.in.Atlas
	if a == nil {
		return nil
	}
	r.in.Regional = append(r.in.Regional, a.notes...)
	if have := r.in.Names(); have != nil {
		if a = a.without(slices.Concat(r.in.Without, r.hints.Without), have); a.all {
			a = a.without(a.Names, have)
		}
		r.in.Atlas = a
	}
	in := &r.in
	if in.Names() == nil {
		if m := in.M(); m != len(a.Names) {
			return diag.At(in.name, 0, "regions", fmt.Sprintf("%d without names", m),
				fmt.Sprintf("%d, as in the table of regions", len(a.Names)))
		}
		in.rename(a.Names)
		return nil
	}
	order, err := match(in.name, in.Names(), a.Names)
	if err == nil {
		in.pick(order, a.Names)
	}
	return err
}
