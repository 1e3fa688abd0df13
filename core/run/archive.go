package run

import (
	"bytes"
	"fmt"

	"cadem/core/cadem"
	"cadem/core/diag"
	"cadem/core/formats"
	"cadem/core/formats/archive"
	"cadem/core/formats/npy"
	"cadem/core/json"
)

// A StoredRun is the description in a run archive, whoever wrote it: the record, and
// where the arrays and bytes that belong to it are.
type StoredRun struct {
	Record json.RawMessage `json:"record"`
	Slabs  []StoredSlab    `json:"slabs"`
}

// A StoredSlab names a blob of the archive. Blobs of numbers are NPY files, those of bytes
// (type u8) stand as they are.
type StoredSlab struct {
	Name  string `json:"name"`
	Type  string `json:"type"` // f32, f64, i32 or u8
	Shape []int  `json:"shape"`
	Blob  string `json:"blob"`
}

// Pack puts a run in one file that the page can import: record, data files,
// checkpoint, losses of every step and the embeddings.
func Pack(record *Record, files []formats.File, r *Result, checkpoint []byte) (*archive.Archive, error) {
	a := &archive.Archive{Blobs: map[string][]byte{}}
	var s StoredRun
	var err error
	described := *record
	described.LossColumns = len(cadem.Terms)
	if s.Record, err = json.Marshal(&described); err != nil {
		return nil, err
	}
	add := func(name, kind, blob string, shape []int, data []byte) {
		a.Blobs[blob] = data
		if name != "" {
			s.Slabs = append(s.Slabs, StoredSlab{name, kind, shape, blob})
		}
	}
	packed := func(x *npy.Array) []byte {
		var b bytes.Buffer
		if e := npy.Write(&b, x); e != nil {
			err = e
		}
		return b.Bytes()
	}
	add("checkpoint", "u8", "checkpoint.bin", []int{len(checkpoint)}, checkpoint)
	for i, f := range files {
		add(fmt.Sprintf("file:%d", i), "u8", fmt.Sprintf("data/%d", i), []int{len(f.Data)}, f.Data)
	}
	losses := make([]float32, 0, len(cadem.Terms)*len(r.Losses))
	for _, l := range r.Losses {
		for _, x := range l.Columns() {
			losses = append(losses, float32(x))
		}
	}
	shape := []int{len(r.Losses), len(cadem.Terms)}
	add("losses", "f32", "losses.npy", shape, packed(&npy.Array{Shape: shape, Data: losses}))
	for _, e := range Tokens(r.Trained)[1:] {
		raw := e.Tokens[0].RawMatrix()
		add("", "", "embeddings/"+e.Name+".npy", nil, packed(&npy.Array{Shape: []int{raw.Rows, raw.Cols}, Data: raw.Data}))
	}
	if err != nil {
		return nil, err
	}
	a.Run, err = json.Marshal(s)
	return a, err
}

// An Unpacked run is what an archive held.
type Unpacked struct {
	Record     *Record
	Files      []formats.File // of its data
	Checkpoint *cadem.Checkpoint
	Stored     []byte         // the checkpoint, as it was packed
	Losses     []cadem.Losses // of the steps from Record.FirstStep on to the checkpoint
}

// Unpack takes apart what [Pack] or the page put together. Errors are a [*diag.Error] or a
// [*cadem.ErrCheckpoint].
func Unpack(a *archive.Archive) (*Unpacked, error) {
	bad := func(found, expected string) (*Unpacked, error) {
		return nil, &diag.Error{Where: "run.json", Found: found, Expected: expected}
	}
	var s StoredRun
	u := &Unpacked{Record: &Record{}}
	if json.Unmarshal(a.Run, &s) != nil {
		return bad("an archive of something else", "the description of a run")
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	if json.Unmarshal(s.Record, u.Record) != nil {
		return bad("a record of other types", "the record of a run")
	}
	blobs := map[string][]byte{}
	for _, slab := range s.Slabs {
		blobs[slab.Name] = a.Blobs[slab.Blob]
	}
	for i, f := range u.Record.Data.Files {
		data := blobs[fmt.Sprintf("file:%d", i)]
		if int64(len(data)) != f.Size {
			return bad(fmt.Sprintf("%d bytes of the data file %s", len(data), f.Name), fmt.Sprint(f.Size))
		}
		u.Files = append(u.Files, formats.File{Name: f.Name, Data: data})
	}
	var err error
	u.Stored = blobs["checkpoint"]
	if u.Checkpoint, err = cadem.OpenCheckpoint(bytes.NewReader(u.Stored)); err != nil {
		return nil, err
	}
	if len(blobs["losses"]) > 0 {
		numbers, err := npy.Read(formats.File{Name: "losses", Data: blobs["losses"]})
		if err != nil {
			return nil, err
		}
		columns := u.Record.LossColumns
		if columns == 0 {
			columns = earlyColumns
		}
		for x := numbers.Float64s(); len(x) >= columns; x = x[columns:] {
			u.Losses = append(u.Losses, cadem.LossesOf(x[:columns]))
		}
	}
	// The page keeps losses and checkpoint one after the other.
	first, taken := max(u.Record.FirstStep, 1), u.Checkpoint.Step
	if n := taken - first + 1; n >= 0 && n <= len(u.Losses) {
		u.Record.FirstStep, u.Losses = first, u.Losses[:n]
	} else {
		u.Record.FirstStep, u.Losses = taken+1, nil
	}
	return u, nil
}
