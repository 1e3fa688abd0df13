// Package archive reads and writes saved runs: one zip file of a description and named blobs.
package archive

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/base/json"
	"cadem.example/core/internal/input"
	"cadem.example/core/internal/zip"
)

// ArchiveFormat is the format of the run archives that are written, and the newest
// that is read.
const Format = 1

// runMember is the member of an archive that describes the others.
const runMember = "run.json"

// An Archive is a saved run in one file: a JSON value that describes it and named
// blobs, such as "checkpoint.bin", arrays ("common.npy", a NumPy array) and the data
// files that were opened.
//
// The file is a zip archive. Its member run.json holds the format number, the size
// and CRC-32 of every blob, and Run:
//
//	{"format":1,"blobs":[{"name":"common.npy","size":3328,"crc32":2747493187}],"run":{...}}
type Archive struct {
	Run   json.RawMessage
	Blobs map[string][]byte
}

// A VersionError says that an archive was made by a newer version of the program.
type VersionError struct{ Format, Newest int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("made by a newer version: format %d, this one reads up to %d", e.Format, e.Newest)
}

type head struct {
	Format int             `json:"format"`
	Blobs  []blobHead      `json:"blobs"`
	Run    json.RawMessage `json:"run"`
}

type blobHead struct {
	Name string `json:"name"`
	Size int    `json:"size"`
	CRC  uint32 `json:"crc32"`
}

// Write writes a run archive. The same archive gives the same bytes: members
// are sorted by name and carry no time. The error is a [*diag.Error] for a description that is not JSON or
// a name that cannot stand, or that of w.
func Write(w io.Writer, a *Archive) error {
	bad := func(field, found, expected string) error {
		return &diag.Error{Where: field, Found: found, Expected: expected}
	}
	if !json.Valid(a.Run) {
		return bad(runMember, "a description of the run that is not JSON", "a JSON value")
	}
	head := head{Format: Format, Blobs: []blobHead{}, Run: json.RawMessage("0")}
	total := int64(len(a.Run))
	for _, name := range slices.Sorted(maps.Keys(a.Blobs)) {
		if !isBlobName(name) {
			return bad("blobs", "the name "+input.Quote(name), wantBlobName)
		}
		b := a.Blobs[name]
		total += int64(len(b))
		head.Blobs = append(head.Blobs, blobHead{name, len(b), crc32.ChecksumIEEE(b)})
	}
	if total > input.MaxArchive {
		return bad("", input.Size(total), "at most "+input.Size(input.MaxArchive)+" for a run archive")
	}
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	// Run is copied verbatim: Marshal would rewrite it.
	text = append(append(bytes.TrimSuffix(text, []byte("0}")), a.Run...), "}\n"...)
	if !json.Valid(text) {
		return bad(runMember, "a description of the run that is nested too deeply", "a JSON value")
	}
	z := zip.NewWriter(w)
	if err := addMember(z, runMember, text); err != nil {
		return err
	}
	for _, b := range head.Blobs {
		if err := addMember(z, b.Name, a.Blobs[b.Name]); err != nil {
			return err
		}
	}
	return z.Close()
}

func addMember(z *zip.Writer, name string, data []byte) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

const wantBlobName = `a relative path of printable characters without .. \ or :, other than run.json`

// isBlobName reports whether an archive may contain a name. It must be safe to unpack anywhere.
func isBlobName(name string) bool {
	unsafe := func(r rune) bool { return r == '\\' || r == ':' || !unicode.IsPrint(r) }
	return fs.ValidPath(name) && name != "." && name != runMember && len(name) <= 255 && !strings.ContainsFunc(name, unsafe)
}

// Is reports whether a file, not a Reader, is a run archive, sound or not, by the names
// of its members.
func Is(f *input.File) bool {
	at, n := input.Random(f)
	if !bytes.HasPrefix(f.Head(2), []byte("PK")) {
		return false
	}
	z, err := zip.NewReader(at, n)
	return err == nil && slices.ContainsFunc(z.File, func(m *zip.File) bool { return m.Name == runMember })
}

// Read reads a run archive and checks that it is complete and unaltered. The error is a
// [*VersionError] or a [*diag.Error] whose File is "".
func Read(data []byte) (*Archive, error) {
	return ReadAt(bytes.NewReader(data), int64(len(data)))
}

// ReadAt is [Read] of an archive of n bytes that is read in places, so that it
// need not be in memory beside what it unpacks to. Its errors are those of Read.
func ReadAt(at io.ReaderAt, n int64) (*Archive, error) {
	bad := func(field, found, expected string) (*Archive, error) {
		return nil, &diag.Error{Where: field, Found: found, Expected: expected}
	}
	if n == 0 {
		return bad("", "an empty file", "a run archive")
	}
	if n > input.MaxArchive {
		return bad("", input.Size(n), "at most "+input.Size(input.MaxArchive)+" for a run archive")
	}
	members, err := input.Unzip("", at, n, input.MaxArchive)
	if err != nil {
		return nil, err
	}
	blobs := map[string][]byte{}
	for _, m := range members {
		blobs[m.Name] = m.Data
	}
	text, ok := blobs[runMember]
	if !ok {
		return bad("", "an archive without "+runMember, "a run archive")
	}
	delete(blobs, runMember)
	var version struct {
		Format *int `json:"format"`
	}
	if err := json.Unmarshal(text, &version); err != nil || version.Format == nil || *version.Format < 1 {
		return bad(runMember, "no format number", fmt.Sprintf("a format number from 1 to %d", Format))
	}
	if *version.Format > Format {
		return nil, &VersionError{*version.Format, Format}
	}
	var head head
	if err := json.Unmarshal(text, &head); err != nil || head.Run == nil {
		return bad(runMember, "a description that is not of a run", "format, blobs and run")
	}
	listed := map[string]bool{}
	for _, b := range head.Blobs {
		got, ok := blobs[b.Name]
		switch {
		case !isBlobName(b.Name) || listed[b.Name]:
			return bad(runMember, "the blob name "+input.Quote(b.Name), wantBlobName+"; each once")
		case !ok:
			return bad(b.Name, "nothing", "the member that "+runMember+" lists")
		case len(got) != b.Size || crc32.ChecksumIEEE(got) != b.CRC:
			return bad(b.Name, "other content than "+runMember+" lists: the file was altered or damaged", figure.Count(b.Size, "byte")+" as they were written")
		}
		listed[b.Name] = true
	}
	for _, m := range members {
		if m.Name != runMember && !listed[m.Name] {
			return bad(m.Name, "a member that "+runMember+" does not list", "only those it lists")
		}
	}
	return &Archive{head.Run, blobs}, nil
}
