package connectome

import (
	"bytes"
	"strconv"
	"strings"

	"cadem/core/formats"
)

// leastRegions is the number of columns and rows from which a table of numbers is taken for
// a series or functional connectivity. Edge lists and tables of labels are narrower.
const leastRegions = 20

// IsCIFTI tells whether a file begins as CIFTI-2 does, or the older kind that is refused.
func IsCIFTI(f formats.File) bool {
	for _, magic := range []string{"\x1c\x02\x00\x00", "\x00\x00\x02\x1c", "\x5c\x01\x00\x00", "\x00\x00\x01\x5c"} {
		if bytes.HasPrefix(f.Head(4), []byte(magic)) {
			return true
		}
	}
	return false
}

// Recognize tells from their beginnings whether files, none of them a Reader, look like those
// of one subject: one of them is CIFTI, or exactly one is a wide table or matrix of numbers,
// tables of confounds and of regions aside.
func Recognize(files []formats.File) bool {
	wide := 0
	for _, f := range files {
		if IsCIFTI(f) {
			return true
		}
		if !isConfounds(f.Name, nil) && (isWide(f.Head(1<<16)) || holdsOneMatrix(f)) {
			wide++
		}
	}
	return wide == 1
}

// Evident tells of files that [Recognize] takes for a subject's whether they can be nothing
// else: there is one alone, or CIFTI, or all but one are tables of regions and of confounds.
// Otherwise a wide table may be one of features beside edges.
func Evident(files []formats.File) bool {
	others := 0
	for _, f := range files {
		if IsCIFTI(f) {
			return true
		}
		if isConfounds(f.Name, nil) {
			continue
		}
		const most = 1 << 20 // of a table of regions
		if max(int64(len(f.Data)), f.Size) > most {
			others++
		} else if t, err := formats.ReadTable(f); err != nil || !isAtlas(t) && !isConfounds(f.Name, t.Header) {
			others++
		}
	}
	return others <= 1
}

// holdsOneMatrix tells whether a MAT file holds a single variable, a large matrix: a graph of
// several layers has more.
func holdsOneMatrix(f formats.File) bool {
	const most = 64 << 20 // a series is smaller
	if !bytes.HasPrefix(f.Head(6), []byte("MATLAB")) || max(int64(len(f.Data)), f.Size) > most {
		return false
	}
	c, err := formats.Read([]formats.File{f})
	if err != nil || len(c.Variables) != 1 {
		return false
	}
	v := c.Variables[0]
	return v.Form == formats.Dense && len(v.Shape) == 2 && min(v.Shape[0], v.Shape[1]) >= leastRegions
}

// isWide tells from its beginning whether a NumPy file holds a large matrix, or a text file a long
// row of which the second one has numbers only, but for a name in front.
func isWide(data []byte) bool {
	if bytes.HasPrefix(data, []byte("\x93NUMPY")) {
		_, shape, _ := bytes.Cut(data, []byte("'shape': ("))
		shape, _, _ = bytes.Cut(shape, []byte(")"))
		sizes := strings.Split(strings.TrimSuffix(string(shape), ","), ",")
		for _, s := range sizes {
			if n, err := strconv.Atoi(strings.TrimSpace(s)); err != nil || n < leastRegions {
				return false
			}
		}
		return len(sizes) == 2
	}
	first, rest, _ := strings.Cut(string(data), "\n")
	second, _, complete := strings.Cut(rest, "\n")
	if !complete || strings.IndexByte(first, 0) >= 0 {
		return false
	}
	fields := split(second)
	if len(split(first)) < leastRegions || len(fields) < leastRegions {
		return false
	}
	for _, s := range fields[1:] {
		if _, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err != nil && !missing(strings.TrimSpace(s)) {
			return false
		}
	}
	return true
}

// split cuts a line at the separator that tables have: tab, comma, semicolon or spaces.
func split(line string) []string {
	line = strings.TrimRight(line, "\r")
	for _, sep := range []string{"\t", ",", ";"} {
		if strings.Contains(line, sep) {
			return strings.Split(line, sep)
		}
	}
	return strings.Fields(line)
}
