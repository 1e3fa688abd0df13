package connectome

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/formats"
)

// Fewer columns and rows than leastRegions are a series only if they cannot be anything else; fewer than leastColumns are
// those of a list of edges, unless no column of them holds ids.
const leastRegions, leastColumns = 20, 6

// mostArrays is the size up to which a file of arrays is looked into: a series is smaller.
const mostArrays = 64 << 20

// beginning is how much of a text says what it is.
const beginning = 1 << 16

// IsCIFTI reports whether a file begins as CIFTI-2 does, or the older kind that is refused.
func IsCIFTI(f formats.File) bool {
	switch string(f.Head(4)) {
	case "\x1c\x02\x00\x00", "\x00\x00\x02\x1c", "\x5c\x01\x00\x00", "\x00\x00\x01\x5c":
		return true
	}
	return false
}

// isGIFTI reports whether a file begins as GIFTI does.
func isGIFTI(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, "\ufeff \t\r\n"), []byte("<")) && bytes.Contains(data[:min(len(data), 1<<10)], []byte("<GIFTI"))
}

// OpenIfBrain reads files, none of them a Reader, as [Open] does if they are those of one subject, and returns nil
// otherwise. They are if one of them is CIFTI, or if exactly one is a series or functional connectivity and the rest are
// tables of confounds and of regions, lists of names, and beside a series one matrix of structure, if something says that they are a
// brain's. A file that Open takes for a series only because it is asked to, and that may as well hold edges, labels or a layer, does
// not count.
func OpenIfBrain(files []formats.File, hints *Hints) (*Input, error) {
	return newReader(hints).ifBrain(files)
}

// Survey reads files as [OpenIfBrain] does. If it is not clear which way a series lies, it takes the likelier way
// instead of failing and sets Unclear. Files that no settings could make usable are refused.
func Survey(files []formats.File) (*Input, error) {
	r := newReader(nil)
	r.guess = true
	in, err := r.ifBrain(files)
	switch {
	case in == nil || err != nil:
	case in.Series != nil && !in.Unclear:
		err = in.Series.Check()
	case in.Regions != nil:
		_, err = index(in.name, in.Regions, nil)
	}
	if err != nil {
		return nil, err
	}
	return in, nil
}

func (r *reader) ifBrain(files []formats.File) (*Input, error) {
	for _, f := range files {
		if IsCIFTI(f) {
			return r.open(files)
		}
	}
	// Beginnings say it of most files, and large ones are not read in vain.
	var count [partOther + 1]int
	for _, f := range files {
		count[glance(f)]++
	}
	arrays, series, squares := count[partArrays], count[partNumbers], count[partSquare]
	switch {
	case count[partOther] > 0:
		return nil, nil
	case series+arrays >= 1 && series+arrays+squares == 2:
		return r.ifStructure(files)
	case squares > 0 || series+arrays > 1 || series+arrays == 0 && count[partMotion] != 1:
		return nil, nil
	}
	in, err := r.open(files)
	switch {
	case arrays > 0 && (r.matrix == nil || r.others || r.matrix.mayBeOther()): // what holds several is a graph of layers
		return nil, nil
	case arrays == 0 && r.matrix != nil && r.matrix.mayBeOther():
		return nil, nil
	}
	return in, err
}

// ifStructure reads a series with a matrix of structure, if files are that. Links beside features of as many nodes look alike, so
// that something has to speak of a brain; counts and what is called features are no signals.
func (r *reader) ifStructure(files []formats.File) (*Input, error) {
	if r.read(files) != nil || r.matrix == nil || r.others {
		return nil, nil // which the reader of graphs explains
	}
	if len(r.structures) == 0 && r.in.Confounds != nil && !r.matrix.mayBeOther() {
		return r.finish(files)
	}
	if len(r.structures) != 1 {
		return nil, nil
	}
	m, s := r.matrix, r.structures[0]
	named := m.rowNames != nil || m.columnNames != nil
	fits := m.rows == s.rows || m.cols == s.rows || named
	if m.rows == m.cols || m.mayBeOther() || m.isWhole() || !fits || !r.ofBrain(m, s) || strings.Contains(strings.ToLower(m.file+" "+m.variable), "feat") {
		return nil, nil
	}
	return r.finish(files)
}

// ofBrain reports whether more than the sizes of a table and of a matrix of links says that they are those of a brain: options, other
// files, or names in the two, among them a header that names what the matrix joins.
func (r *reader) ofBrain(m, s *matrix) bool {
	a := r.in.Atlas
	joined := s.rowNames
	if joined == nil {
		joined = s.columnNames
	}
	switch {
	case r.hints.OfBrain || m.tr > 0 || m.framesOfRows || nameFrames(m.rowNames) || nameFrames(m.columnNames) || known(m.columnNames, joined):
		return true
	case r.in.Confounds != nil || r.surfaces != nil || nameRegions(r.names):
		return true
	case a != nil && (a.Centroids != nil || a.Networks != nil || nameRegions(a.Names)):
		return true
	}
	for _, x := range []*matrix{m, s} {
		if isRecorded(x.file) || x.regionsOfRows && !slices.Contains(anyTitles, letters(x.title)) || nameRegions(x.rowNames) || nameRegions(x.columnNames) {
			return true
		}
	}
	return false
}

// kindOf says what a file is by its first bytes; any text holds numbers until it is read.
func kindOf(f formats.File) partKind {
	head := f.Head(1 << 10)
	switch {
	case IsCIFTI(f):
		return partCIFTI
	case isBinary(head):
		return partArrays
	case isGIFTI(head):
		return partSurface
	case bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("<")):
		return partOther
	}
	return partNumbers
}

// glance says what a file seems to be by its beginning. Of arrays it names those that may hold a series.
func glance(f formats.File) partKind {
	size := max(int64(len(f.Data)), f.Size)
	if bytes.HasPrefix(f.Head(2), []byte("\x1f\x8b")) && size <= mostArrays/4 {
		unpacked, err := formats.Unpacked(f)
		if err != nil {
			return partOther
		}
		f, size = unpacked, int64(len(unpacked.Data))
	}
	begins := func(magic string) bool { return string(f.Head(len(magic))) == magic }
	switch kind := kindOf(f); {
	case kind == partArrays && !(begins("\x93NUMPY") && isWideNPY(f.Head(beginning)) || size <= mostArrays && (begins("MATLAB") || begins("PK"))):
		return partOther
	case kind != partNumbers:
		return kind
	}
	p, m, whole := glimpse(f)
	if m != nil && !whole { // how many rows there are is not known
		m.rows = math.MaxInt32
	}
	switch {
	case p.kind != partNumbers:
		return p.kind
	case p.table == nil:
	case m == nil && isWide(p.table), m != nil && !m.mayBeOther():
		return partNumbers
	case m != nil && m.rows == m.cols && m.mayBeStructure():
		return partSquare
	}
	return partOther
}

// glimpse says from the beginning of a text what it is, with the matrix that it may hold, and whether that is all of it. It has no table
// where it cannot be read.
func glimpse(f formats.File) (p part, m *matrix, whole bool) {
	head := f.Head(beginning)
	// What comes with beginnings alone may not say how long it is.
	whole = len(head) < beginning && int64(len(head)) >= f.Size
	if !whole {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	p, err := parseText(formats.File{Name: f.Name, Data: head})
	if err == nil && p.kind == partNumbers {
		m, _ = numbers(p.table)
	}
	return p, m, whole
}

// mayBeSeries says from its beginning whether a file seems to hold a series or connectivity.
func mayBeSeries(f formats.File) bool {
	kind := glance(f)
	return kind == partNumbers || kind == partArrays && bytes.HasPrefix(f.Head(6), []byte("\x93NUMPY"))
}

// mayBeOther reports whether a matrix may as well be a list of edges, a table of labels or features, or a layer.
func (m *matrix) mayBeOther() bool {
	whole := m.isWhole()
	narrow := min(m.rows, m.cols)
	if m.rowNames != nil || m.columnNames != nil || m.numbered {
		narrow = m.cols
	}
	switch {
	case m.rows == m.cols && whole:
		return true
	case m.connectivity:
		return false
	case m.rows == m.cols && m.isConnectivity():
		return m.rows < 3
	case m.passed > 1 && !m.framesOfRows && (m.rowNames == nil || m.aboutOthers()): // both ends of links, say
		return true
	case narrow >= leastRegions:
		return m.hasEnds()
	case max(m.rows, m.cols) < LeastFrames || m.whole() != nil || m.aboutOthers() || m.grouped:
		return true
	case narrow >= leastColumns:
		return false
	}
	return narrow < 3 || m.words > 0
}

// aboutOthers reports whether names of rows are, it seems, neither those of frames nor of regions, but of persons or nodes.
func (m *matrix) aboutOthers() bool {
	if m.rowNames == nil || nameFrames(m.rowNames) || m.regionsOfRows || m.framesOfRows {
		return false
	}
	return !running(m.rowNames) || slices.Contains([]string{"id", "name", "user", "case"}, letters(m.title))
}

// hasEnds reports whether two columns of whole numbers have most of their values in common, as ends of links do, and most other columns
// hold fractions, as measurements do.
func (m *matrix) hasEnds() bool {
	ends := m.whole()
	if len(ends) < 2 || 2*len(ends) > m.cols {
		return false
	}
	var has [2]map[float64]bool
	for k := range has {
		has[k] = map[float64]bool{}
		for i := range len(m.values) / m.cols {
			has[k][m.values[i*m.cols+ends[k]]] = true
		}
	}
	both := 0
	for v := range has[0] {
		if has[1][v] {
			both++
		}
	}
	return both > 2 && 2*both > min(len(has[0]), len(has[1]))
}

// whole returns the columns of whole numbers alone, which may be ids or classes; those without data are none.
func (m *matrix) whole() (columns []int) {
	for j := range m.cols {
		whole, some := true, false
		for i := range len(m.values) / m.cols {
			v := m.values[i*m.cols+j]
			missing := math.IsNaN(v)
			whole, some = whole && (missing || v == math.Trunc(v)), some || !missing && v != 0
		}
		if whole && some {
			columns = append(columns, j)
		}
	}
	return columns
}

// isWideNPY reports whether a NumPy file holds a matrix of some size.
func isWideNPY(head []byte) bool {
	_, shape, _ := bytes.Cut(head, []byte("'shape': ("))
	shape, _, _ = bytes.Cut(shape, []byte(")"))
	sizes := strings.Split(strings.TrimSuffix(string(shape), ","), ",")
	for _, s := range sizes {
		if n, err := strconv.Atoi(strings.TrimSpace(s)); err != nil || n < leastColumns {
			return false
		}
	}
	return len(sizes) == 2
}

// isWide reports whether a table that is not a matrix of numbers begins like a large one.
func isWide(t *formats.Table) bool {
	if len(t.Rows) < 2 || len(t.Rows[0].Fields) < leastRegions {
		return false
	}
	fields := t.Rows[1].Fields
	for _, s := range fields[1:] {
		if isWord(s) {
			return false
		}
	}
	return len(fields) >= leastRegions
}
