package run

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/formats/npy"
)

// A StoredRun is the description in a run archive, whoever wrote it: the record, and the positions
// of its arrays and bytes.
type StoredRun struct {
	Record json.RawMessage `json:"record"`
	Slabs  []StoredSlab    `json:"slabs"`
}

// A StoredSlab names a blob of the archive. Blobs of numbers are NPY files, those of bytes (type
// u8) are stored raw.
type StoredSlab struct {
	Name  string `json:"name"`
	Type  string `json:"type"` // f32, f64, i32 or u8
	Shape []int  `json:"shape"`
	Blob  string `json:"blob"`
}

// Contents accompany the record of a run.
type Contents struct {
	Files      []formats.File // of its data
	Checkpoint []byte
	// Losses has a row for every step of CaDeM, from Record.FirstStep on, and for every epoch of another method.
	Losses [][]float64
}

// Pack puts a run in one file that the page can import: record, data files, checkpoint, losses and, for other programs, embeddings
// of one token each.
func Pack(record *Record, c *Contents, embeddings []evaluate.Embedding) (*archive.Archive, error) {
	a := &archive.Archive{Blobs: map[string][]byte{}}
	var s StoredRun
	var err error
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
	add("checkpoint", "u8", "checkpoint.bin", []int{len(c.Checkpoint)}, c.Checkpoint)
	for i, f := range c.Files {
		add(fmt.Sprintf("file:%d", i), "u8", fmt.Sprintf("data/%d", i), []int{len(f.Data)}, f.Data)
	}
	described := *record
	rows := c.Losses
	if record.Method != "" {
		if len(rows) > 0 {
			epochs := []int{len(rows), len(rows[0])}
			add(OfEpochs, "f64", "epochs.npy", epochs, packed(&npy.Array{Shape: epochs, Data: slices.Concat(rows...)}))
		}
		rows = Totals(rows, record.Progress.Step)
		described.FirstStep = 1
	}
	if len(rows) > 0 {
		shape := []int{len(rows), len(rows[0])}
		described.LossColumns = shape[1]
		losses := make([]float32, 0, shape[0]*shape[1])
		for _, row := range rows {
			for _, x := range row {
				losses = append(losses, float32(x))
			}
		}
		add("losses", "f32", "losses.npy", shape, packed(&npy.Array{Shape: shape, Data: losses}))
	}
	for _, e := range embeddings {
		raw := e.Tokens[0].RawMatrix()
		add("", "", "embeddings/"+e.Name+".npy", nil, packed(&npy.Array{Shape: []int{raw.Rows, raw.Cols}, Data: raw.Data}))
	}
	if err == nil {
		s.Record, err = json.Marshal(&described)
	}
	if err != nil {
		return nil, err
	}
	a.Run, err = json.Marshal(s)
	return a, err
}

// OfEpochs names the array of the losses of a method after every epoch.
const OfEpochs = "epochs"

// Totals returns the total after each step, in the last of two columns, from the losses of every epoch: the page draws steps, and
// keeps two columns at least.
func Totals(epochs [][]float64, steps int) [][]float64 {
	const most = 1 << 20
	if len(epochs) == 0 || steps > most {
		return nil
	}
	var list [][]float64
	for step := range steps {
		row := epochs[min(step*len(epochs)/steps, len(epochs)-1)]
		list = append(list, []float64{0, row[len(row)-1]})
	}
	return list
}

// An Unpacked run is the content of an archive.
type Unpacked struct {
	Record *Record
	Contents
	Of *cadem.Checkpoint // what the checkpoint of a run of CaDeM holds
}

// ReadStored reads the description in a run archive; those of methods other than CaDeM were of another kind before 2027. The error
// is a [*diag.Error].
//
// Recordings that a run file was written without are taken from those beside it, by name and size.
func ReadStored(a *archive.Archive, beside ...formats.File) (*StoredRun, error) {
	s := &StoredRun{}
	var record map[string]any
	if json.Unmarshal(a.Run, s) != nil || json.Unmarshal(s.Record, &record) != nil || record["data"] == nil {
		return nil, &diag.Error{Where: "run.json", Found: "an archive of something else", Expected: "the description of a run"}
	}
	if record["method"] == nil || s.Slabs != nil {
		return s, s.complete(a, beside)
	}
	add := func(name, kind, blob string) {
		s.Slabs = append(s.Slabs, StoredSlab{Name: name, Type: kind, Shape: []int{len(a.Blobs[blob])}, Blob: blob})
	}
	add("checkpoint", "u8", "checkpoint.bin")
	data, _ := record["data"].(map[string]any)
	files, _ := data["files"].([]any)
	for i := range files {
		add(fmt.Sprintf("file:%d", i), "u8", fmt.Sprintf("data/%d", i))
	}
	progress := map[string]any{"state": record["state"], "epoch": record["step"], "epochs": record["steps"], "step": record["step"], "steps": record["steps"]}
	if a.Blobs["losses.npy"] != nil {
		add(OfEpochs, "f64", "losses.npy")
	}
	record["progress"], record["preset"], record["scored_step"] = progress, cadem.Presets[0], record["step"]
	delete(record, "step")
	delete(record, "steps")
	var err error
	s.Record, err = json.Marshal(record)
	return s, err
}

// complete puts the recordings of a brain's run into its archive.
func (s *StoredRun) complete(a *archive.Archive, beside []formats.File) error {
	var r struct {
		Data    DataSpec `json:"data"`
		Summary struct {
			Subject json.RawMessage `json:"subject"`
		} `json:"summary"`
	}
	if json.Unmarshal(s.Record, &r) != nil || r.Summary.Subject == nil {
		return nil // the check says what is wrong
	}
	var missing []string
	for i, f := range r.Data.Files {
		name := fmt.Sprintf("file:%d", i)
		if slices.ContainsFunc(s.Slabs, func(s StoredSlab) bool { return s.Name == name }) {
			continue
		}
		k := slices.IndexFunc(beside, func(b formats.File) bool {
			return path.Base(b.Name) == path.Base(f.Name) && max(b.Size, int64(len(b.Data))) == f.Size
		})
		if k < 0 {
			missing = append(missing, f.Name)
			continue
		}
		if err := beside[k].Load(); err != nil {
			return err
		}
		blob := fmt.Sprintf("data/%d", i)
		a.Blobs[blob] = beside[k].Data
		s.Slabs = append(s.Slabs, StoredSlab{name, "u8", []int{len(beside[k].Data)}, blob})
	}
	if missing != nil {
		return &diag.Error{Where: "recordings", Found: "none of " + formats.List(missing, 3) + ", as the run file was written without them",
			Expected: "them together with the run file, unchanged: choose all of these files, or name them as -data"}
	}
	return nil
}

// Unpack takes apart what [Pack] or the page put together, with files as in [ReadStored]. Errors are a [*diag.Error] or a
// [*cadem.ErrCheckpoint].
func Unpack(a *archive.Archive, beside ...formats.File) (*Unpacked, error) {
	bad := func(found, expected string) (*Unpacked, error) {
		return nil, &diag.Error{Where: "run.json", Found: found, Expected: expected}
	}
	s, err := ReadStored(a, beside...)
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	u := &Unpacked{Record: &Record{}}
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
	u.Checkpoint = blobs["checkpoint"]
	name := "losses"
	if u.Record.Method != "" {
		name = OfEpochs
	}
	if len(blobs[name]) > 0 {
		numbers, err := npy.Read(formats.File{Name: name, Data: blobs[name]})
		if err != nil {
			return nil, err
		}
		columns := u.Record.LossColumns
		if u.Record.Method != "" {
			if columns = 0; len(numbers.Shape) == 2 {
				columns = numbers.Shape[1]
			}
			if columns == 0 {
				return bad(fmt.Sprintf("losses of shape %v", numbers.Shape), "a row for each epoch")
			}
		} else if columns == 0 {
			columns = earlyColumns
		}
		for x := numbers.Float64s(); len(x) >= columns; x = x[columns:] {
			row := x[:columns]
			if u.Record.Method == "" { // older ones have fewer terms
				now := cadem.LossesOf(row).Columns()
				row = now[:]
			}
			u.Losses = append(u.Losses, row)
		}
	}
	if u.Record.Method != "" {
		return u, nil
	}
	if u.Of, err = cadem.OpenCheckpoint(bytes.NewReader(u.Checkpoint)); err != nil {
		return nil, err
	}
	// The page keeps losses and checkpoint one after the other.
	first, taken := max(u.Record.FirstStep, 1), u.Of.Step
	if n := taken - first + 1; n >= 0 && n <= len(u.Losses) {
		u.Record.FirstStep, u.Losses = first, u.Losses[:n]
	} else {
		u.Record.FirstStep, u.Losses = taken+1, nil
	}
	return u, nil
}

// Settings returns the settings of the run, for its data.
func (r *Record) Settings(d *Dataset) (s *Settings, err error) {
	if r.Method != "" {
		s, err = MethodSettings(r.Method, r.Level, d)
	} else {
		s, err = NewSettings(r.Preset, d)
	}
	if err != nil {
		return nil, err
	}
	// What the data recommend is not what a run was made with that knows nothing of the option yet.
	before := map[string]any{"score": "all"}
	if s.OfCaDeM() {
		before["features"] = "identity"
	}
	for _, options := range []map[string]any{before, r.Options, r.Evaluation} {
		if err := s.SetAll(options); err != nil {
			return nil, err
		}
	}
	s.ModelSeed, s.EvalSeed = r.ModelSeed, r.EvalSeed
	return s, s.Check()
}
