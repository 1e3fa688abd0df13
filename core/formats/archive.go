package formats

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"

	"cadem/core/json"
)

// ArchiveFormat is the format of the run archives that are written, and the newest
// that is read.
const ArchiveFormat = 1

// runMember is the member of an archive that describes the others.
const runMember = "run.json"

// An Archive is a saved run in one file: a JSON value that describes it and named
// blobs, such as "checkpoint.bin", arrays ("common.npy", see [WriteNPY]) and the data
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

type archiveHead struct {
	Format int             `json:"format"`
	Blobs  []blobHead      `json:"blobs"`
	Run    json.RawMessage `json:"run"`
}

type blobHead struct {
	Name string `json:"name"`
	Size int    `json:"size"`
	CRC  uint32 `json:"crc32"`
}

// WriteArchive writes a run archive. The same archive gives the same bytes: members
// are sorted by name and carry no time.
func WriteArchive(w io.Writer, a *Archive) error {
	bad := func(field, found, expected string) error { return &Error{"", 0, field, found, expected} }
	if !json.Valid(a.Run) {
		return bad(runMember, "a description of the run that is not JSON", "a JSON value")
	}
	head := archiveHead{Format: ArchiveFormat, Blobs: []blobHead{}, Run: json.RawMessage("0")}
	total := int64(len(a.Run))
	for _, name := range slices.Sorted(maps.Keys(a.Blobs)) {
		if !isBlobName(name) {
			return bad("blobs", "the name "+quote(name), wantBlobName)
		}
		b := a.Blobs[name]
		total += int64(len(b))
		head.Blobs = append(head.Blobs, blobHead{name, len(b), crc32.ChecksumIEEE(b)})
	}
	if total > MaxArchive {
		return bad("", size(total), "at most "+size(MaxArchive)+" for a run archive")
	}
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	// Run goes in as it is: Marshal would rewrite it.
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

// isBlobName tells whether a name may stand in an archive. It must be safe to unpack
// anywhere.
func isBlobName(name string) bool {
	unsafe := func(r rune) bool { return r == '\\' || r == ':' || !unicode.IsPrint(r) }
	return fs.ValidPath(name) && name != "." && name != runMember && len(name) <= 255 && !strings.ContainsFunc(name, unsafe)
}

// IsArchive tells whether a file, not a Reader, is a run archive, sound or not, by the names
// of its members.
func IsArchive(f *File) bool {
	at, n := randomOf(f)
	if !bytes.HasPrefix(f.Head(2), []byte("PK")) {
		return false
	}
	z, err := zip.NewReader(at, n)
	return err == nil && slices.ContainsFunc(z.File, func(m *zip.File) bool { return m.Name == runMember })
}

// ReadArchive reads a run archive and checks that all of it is there as it was
// written. The error is a [*VersionError] or an [*Error] whose File is "".
func ReadArchive(data []byte) (*Archive, error) {
	return ReadArchiveAt(bytes.NewReader(data), int64(len(data)))
}

// ReadArchiveAt is [ReadArchive] of an archive of n bytes that is read in places, so that it
// need not be in memory beside what it unpacks to.
func ReadArchiveAt(at io.ReaderAt, n int64) (*Archive, error) {
	bad := func(field, found, expected string) (*Archive, error) {
		return nil, &Error{"", 0, field, found, expected}
	}
	if n == 0 {
		return bad("", "an empty file", "a run archive")
	}
	if n > MaxArchive {
		return bad("", size(n), "at most "+size(MaxArchive)+" for a run archive")
	}
	members, err := unzip("", at, n, MaxArchive)
	if err != nil {
		return nil, err
	}
	blobs := map[string][]byte{}
	for _, m := range members {
		blobs[m.name] = m.data
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
		return bad(runMember, "no format number", fmt.Sprintf("a format number from 1 to %d", ArchiveFormat))
	}
	if *version.Format > ArchiveFormat {
		return nil, &VersionError{*version.Format, ArchiveFormat}
	}
	var head archiveHead
	if err := json.Unmarshal(text, &head); err != nil || head.Run == nil {
		return bad(runMember, "a description that is not of a run", "format, blobs and run")
	}
	listed := map[string]bool{}
	for _, b := range head.Blobs {
		got, ok := blobs[b.Name]
		switch {
		case !isBlobName(b.Name) || listed[b.Name]:
			return bad(runMember, "the blob name "+quote(b.Name), wantBlobName+"; each once")
		case !ok:
			return bad(b.Name, "nothing", "the member that "+runMember+" lists")
		case len(got) != b.Size || crc32.ChecksumIEEE(got) != b.CRC:
			return bad(b.Name, "other content than "+runMember+" lists: the file was altered or damaged", count(b.Size, "byte")+" as they were written")
		}
		listed[b.Name] = true
	}
	for _, m := range members {
		if m.name != runMember && !listed[m.name] {
			return bad(m.name, "a member that "+runMember+" does not list", "only those it lists")
		}
	}
	return &Archive{head.Run, blobs}, nil
}
