package connectome

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats"
	"cadem/core/formats/imaging"
)

// An Input is what the files of one subject and condition hold.
type Input struct {
	Series    *Series    // nil when FC was given
	FC        []float64  // M x M; nil when a series was given
	Regions   []string   // of FC; nil when they have no names
	Confounds *Confounds // nil when there are none
	Atlas     *Atlas     // nil when there is none
	Notes     []string   // what reading did, in sentences
	Rows      string     // what the rows of the file of a series are: "regions" or "frames"
	Unclear   bool       // Rows is the likelier of two; only after [Survey]
	Uses      []FileUse  // what each file is, in their order

	name string // of the file of the series or matrix
}

// A FileUse tells what a file was taken for.
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
	} else {
		c, err = Compute(in.Series, in.Confounds, o)
	}
	if err == nil {
		c.Notes = append(slices.Clone(in.Notes), c.Notes...)
	}
	return c, err
}

// Open reads the files of one subject in one condition: a series (CIFTI-2, CSV, TSV, NPY,
// MAT) or a dense series with a dense label file, or a ready matrix of functional
// connectivity, and beside it, where there are, a table of confounds and one of regions.
// Files are told apart by what they hold. Where a table of regions is given, regions are
// brought into its order by name. The error is a [*diag.Error], also of hints
// that no file needs.
func Open(files []formats.File, hints *Hints) (*Input, error) { return open(files, hints, false) }

// Survey reads files as [Open] does. Where it is not clear which way a series lies it does
// not fail but takes the likelier way, and says so in Unclear.
func Survey(files []formats.File) (*Input, error) { return open(files, nil, true) }

func open(files []formats.File, hints *Hints, guess bool) (*Input, error) {
	if hints == nil {
		hints = &Hints{}
	}
	r := &reader{hints: hints, guess: guess}
	for _, f := range files {
		if err := r.read(f); err != nil {
			return nil, err
		}
	}
	in, err := r.input()
	if err == nil && hints.Variable != "" && !r.arrays {
		err = diag.Option("variable", fmt.Sprintf("%q without a file of arrays", hints.Variable), "none")
	}
	if err == nil {
		for _, f := range files {
			in.Uses = append(in.Uses, FileUse{f.Name, r.use(f.Name)})
		}
	}
	return in, err
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
	case r.names != nil && r.named == file:
		return "names of regions"
	case r.labels != nil && r.labels.Name == file:
		return "labels of a dense series"
	case in.Series != nil:
		return fmt.Sprintf("series of %d regions x %d frames", in.Series.M(), in.Series.Frames)
	}
	return fmt.Sprintf("functional connectivity of %d regions", r.matrix.rows)
}

// A reader collects what files hold.
type reader struct {
	hints  *Hints
	guess  bool // rather than to fail
	in     Input
	names  []string // of regions, from a file of names
	named  string   // that file
	dense  *imaging.CIFTI
	labels *imaging.CIFTI
	matrix *matrix
	arrays bool // a file of arrays was among them
}

func (r *reader) read(f formats.File) error {
	if f.Data == nil && f.Reader != nil {
		data, err := io.ReadAll(io.LimitReader(f.Reader, formats.MaxFile+1))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		f = formats.File{Name: f.Name, Data: data}
	}
	if err := f.Load(); err != nil {
		return err
	}
	begins := func(s string) bool { return bytes.HasPrefix(f.Data, []byte(s)) }
	switch {
	case IsCIFTI(f):
		return r.cifti(f)
	case bytes.IndexByte(f.Data[:min(len(f.Data), 512)], 0) >= 0, begins("\x93NUMPY"), begins("PK"), begins("\x1f\x8b"), begins("\x80"), begins("MATLAB"):
		return r.variables(f)
	case begins("<"):
		return &diag.Error{File: f.Name, Where: "file", Found: "XML, such as a surface", Expected: "a series, functional connectivity, confounds or regions"}
	}
	return r.text(f)
}

// second refuses a second file of one kind.
func second(file, what, first string) error {
	return &diag.Error{File: file, Where: "file", Found: "a second " + what + " beside " + first, Expected: "one subject in one condition at a time"}
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
			m.columnNames = c.Columns.Names
		}
		for i := range m.rows {
			c.Row(m.values[i*m.cols:(i+1)*m.cols], i)
		}
		return r.take(m)
	}
	return &diag.Error{File: f.Name, Where: "file", Found: fmt.Sprintf("%s by %s", c.Rows.Kind, c.Columns.Kind),
		Expected: "a series (ptseries, or dtseries with dlabel) or functional connectivity (pconn)"}
}

func (r *reader) take(m *matrix) error {
	if r.matrix != nil {
		return second(m.file, "series or matrix", r.matrix.file)
	}
	r.matrix = m
	return nil
}

// variables takes the array of a binary file.
func (r *reader) variables(f formats.File) error {
	r.arrays = true
	c, err := formats.Read([]formats.File{f})
	if err != nil {
		return err
	}
	var fit []*formats.Variable
	var names []string
	for _, v := range c.Variables {
		names = append(names, v.Name)
		large := len(v.Shape) == 2 && v.Shape[0] >= 2 && v.Shape[1] >= 2 && v.Form == formats.Dense
		if large && (r.hints.Variable == "" || r.hints.Variable == v.Name) {
			fit = append(fit, v)
		}
	}
	switch {
	case len(fit) == 0 && r.hints.Variable != "":
		return &diag.Error{File: f.Name, Where: "variable", Found: fmt.Sprintf("no matrix %q among %q", r.hints.Variable, names),
			Expected: "one of its matrices"}
	case len(fit) != 1:
		return &diag.Error{File: f.Name, Where: "variable", Found: fmt.Sprintf("%s of numbers among %q", matrices(len(fit)), names),
			Expected: "one; name the variable to take"}
	}
	v := fit[0]
	values, err := v.Values()
	if err != nil {
		return err
	}
	return r.take(&matrix{file: f.Name, rows: v.Shape[0], cols: v.Shape[1], values: values, variable: v.Name})
}

func matrices(n int) string {
	if n == 1 {
		return "1 matrix"
	}
	return fmt.Sprintf("%d matrices", n)
}

// text takes a table: of regions, of confounds, of region names alone, or of numbers.
func (r *reader) text(f formats.File) error {
	t, err := formats.ReadTable(f)
	if err != nil {
		return err
	}
	switch {
	case isAtlas(t):
		if r.in.Atlas != nil {
			return second(f.Name, "table of regions", r.in.Atlas.File)
		}
		r.in.Atlas, err = newAtlas(t)
		return err
	case isConfounds(f.Name, t.Header):
		if r.in.Confounds != nil {
			return second(f.Name, "table of confounds", r.in.Confounds.File)
		}
		r.in.Confounds, err = ReadConfounds(f)
		return err
	}
	if names := onlyNames(t); names != nil {
		if r.names != nil {
			return second(f.Name, "list of region names", r.named)
		}
		r.names, r.named = names, f.Name
		return nil
	}
	m, err := numbers(t)
	if err != nil {
		return err
	}
	return r.take(m)
}

// isConfounds tells by its name or its header whether a table holds confounds.
func isConfounds(name string, header []string) bool {
	for _, column := range []string{"trans_x", displacement, "white_matter"} {
		if slices.Contains(header, column) {
			return true
		}
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { // no emotion task
		return strings.Contains(w, "confound") || strings.Contains(w, "regressor") || strings.HasPrefix(w, "motion")
	})
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
			if _, err := strconv.ParseFloat(s, 64); err == nil {
				return nil
			}
			if k == 0 && len(rows) > 1 && slices.Contains(nameColumns, strings.ToLower(s)) {
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
		return nil, &diag.Error{File: r.dense.Name, Where: "file", Found: "a dense series alone",
			Expected: "a label file (.dlabel.nii) beside it, to average over regions"}
	case r.dense == nil && m == nil:
		return nil, &diag.Error{File: "", Where: "files", Found: "no series and no functional connectivity",
			Expected: "a series (.ptseries.nii, .csv, .tsv, .npy, .mat; or .dtseries.nii with .dlabel.nii) or a matrix of it (.pconn.nii)"}
	case r.dense != nil:
		s, notes, err := Parcellate(r.dense, r.labels, 0)
		if err != nil {
			return nil, err
		}
		in.Series, in.Notes, in.name = s, notes, s.Name
	default:
		in.name = m.file
		if r.labels != nil {
			in.Notes = append(in.Notes, r.labels.Name+" was not needed: the series has regions.")
		}
		if m.isFC() {
			in.FC = m.values
			if in.Regions = m.rowNames; in.Regions == nil {
				in.Regions = m.columnNames
			}
		} else if err := r.series(m); err != nil {
			return nil, err
		}
	}
	if in.Series != nil && r.hints.TR != 0 {
		in.Series.TR = r.hints.TR
	}
	if err := r.name(); err != nil {
		return nil, err
	}
	return in, r.match()
}

// name gives regions the names of a file of names.
func (r *reader) name() error {
	if r.names == nil {
		return nil
	}
	have, into := 0, &r.in.Regions
	if s := r.in.Series; s != nil {
		have, into = s.M(), &s.Regions
	} else {
		have = r.matrix.rows
	}
	switch {
	case *into != nil:
		r.in.Notes = append(r.in.Notes, r.named+" was not needed: the regions have names.")
	case len(r.names) != have:
		return &diag.Error{File: r.named, Where: "names", Found: fmt.Sprint(len(r.names)), Expected: fmt.Sprintf("%d, as many as there are regions", have)}
	default:
		*into = r.names
	}
	return nil
}

// match brings regions into the order of the table of regions.
func (r *reader) match() error {
	a := r.in.Atlas
	if a == nil {
		return nil
	}
	if s := r.in.Series; s != nil {
		sorted, err := s.Match(a.Names)
		if err == nil {
			r.in.Series = sorted
		}
		return err
	}
	// The same for both directions of a matrix.
	m := r.matrix.rows
	half := &Series{Name: r.in.name, Regions: r.in.Regions, Frames: m, Values: r.in.FC}
	for range 2 {
		sorted, err := half.Match(a.Names)
		if err != nil {
			return err
		}
		turned := make([]float64, m*m)
		for i := range m {
			for j := range m {
				turned[j*m+i] = sorted.Values[i*m+j]
			}
		}
		half.Values = turned
	}
	r.in.FC, r.in.Regions = half.Values, a.Names
	return nil
}
