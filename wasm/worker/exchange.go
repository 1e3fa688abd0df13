package worker

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/formats/export"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// A file is built in memory; while it grows requests are let in.
type file struct {
	bytes.Buffer
	w *Worker
}

func (f *file) Write(p []byte) (int, error) {
	if err := f.w.breathe(); err != nil {
		return 0, err
	}
	return f.Buffer.Write(p)
}

// written names a file that comes along.
type written struct {
	Name string `json:"name,omitempty"`
	Type string `json:"type,omitempty"`
}

// exportArgs are the arguments of export.
type exportArgs struct {
	What   string          `json:"what"`
	Record json.RawMessage `json:"record"`
	Bare   bool            `json:"bare"` // without the files of the data
}

// export answers with a file of the current embeddings or of the whole run, the one that "cadem train" writes and goes on with.
func (w *Worker) export(q *bridge.Request, r *training, given any) error {
	args := given.(*exportArgs)
	names, all, err := r.present()
	if err != nil {
		return err
	}
	out := &file{w: w}
	base := baseName(w.data.Name)
	if !r.Settings.OfCaDeM() {
		base += "-" + r.Settings.Method.Name
	}
	defer w.begin(r)()
	var name, kind string
	switch args.What {
	case "run":
		name, kind = base+"-run.zip", "application/zip"
		given := q.Slabs
		if n := len(r.Losses); n > 0 && r.Trainer() == nil { // unknown of a run that went on from a checkpoint
			_, data := npy.Encode(slices.Concat(r.Losses...))
			given = append(given, bridge.Slab{Name: run.OfEpochs, Type: bridge.Float64, Shape: []int{n, len(r.Losses[0])}, Data: data})
		}
		var a *archive.Archive
		if a, err = w.archive(args.Record, args.Bare, r.Checkpoint(), given, names, all); err == nil {
			err = archive.Write(out, a)
		}
	case "model":
		if w.model == nil {
			err = &diag.Error{Where: "model", Found: "the method " + r.Settings.Method.Name, Expected: "CaDeM, whose encoders embed new nodes, or pooled"}
		} else {
			name, kind = base+"-model.npz", "application/zip"
			err = w.model(w, out, r)
		}
	default:
		var f *export.Format
		if f, err = export.Lookup(args.What); err == nil {
			name, kind = base+"-embeddings."+f.Name, f.MIME
			trained, _ := r.Tokens(r.Embeddings(0))
			list, axes := trained[1:], all[0]
			if t := r.Trainer(); t != nil {
				e := t.Embeddings(0)
				list, axes = run.WithCommon(list, e), run.Axes(e)
				if a := w.attended; a != nil && a.of == r && a.step == t.Progress().Step {
					list = append(list, *a.list)
				}
			}
			err = run.Export(out, f, w.data.Dataset, list, axes, true)
		}
	}
	if err != nil {
		return err
	}
	return q.Reply(written{name, kind}, bridge.Bytes("file", out.Bytes()))
}

// writeModel writes the model of the current weights.
func (w *Worker) writeModel(out io.Writer, r *training) error {
	of, err := w.modelOf(r)
	if err != nil {
		return err
	}
	m, err := run.Leaving(of, w.data.Dataset, r.Settings, nil)
	if err != nil {
		return err
	}
	return m.Write(out)
}

// baseName makes the name of a data set fit for a file name.
func baseName(s string) string {
	s = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, s), "-")
	if s == "" {
		return "cadem"
	}
	return s[:min(len(s), 60)]
}

// archive collects all parts of a run, in the layout of [run.StoredRun]: the record and slabs of
// the page, the checkpoint, the data files as opened, and the embeddings for other programs.
func (w *Worker) archive(record json.RawMessage, bare bool, checkpoint []byte, given []bridge.Slab, names []string,
	embeddings []*mat.Dense) (*archive.Archive, error) {
	if len(record) == 0 {
		record = json.RawMessage("{}")
	}
	stored := run.StoredRun{Record: record}
	a := &archive.Archive{Blobs: map[string][]byte{}}
	have := map[string]bool{}
	add := func(blob string, s bridge.Slab) error {
		if have[s.Name] {
			return nil
		}
		have[s.Name] = true
		if s.Type != bridge.Byte {
			var b bytes.Buffer
			blob += ".npy"
			if err := npy.Write(&b, array(s)); err != nil {
				return err
			}
			s.Data = b.Bytes()
		}
		a.Blobs[blob] = s.Data
		stored.Slabs = append(stored.Slabs, run.StoredSlab{Name: s.Name, Type: s.Type, Shape: s.Shape, Blob: blob})
		return nil
	}
	if err := add("checkpoint.bin", bridge.Bytes("checkpoint", checkpoint)); err != nil {
		return nil, err
	}
	for i, f := range w.data.files {
		if bare {
			break
		}
		data, err := f.Load()
		if err != nil {
			return nil, err
		}
		f.Data, f.Blob = data, nil
		if err := add(fmt.Sprintf("data/%d-%s", i, baseName(w.data.spec.Files[i].Name)), f); err != nil {
			return nil, err
		}
	}
	for i, s := range given {
		if err := add(fmt.Sprintf("page/%d-%s", i, baseName(s.Name)), s); err != nil {
			return nil, err
		}
	}
	for i, name := range names {
		var b bytes.Buffer
		if err := npy.Write(&b, array(matrixSlab(name, embeddings[i]))); err != nil {
			return nil, err
		}
		a.Blobs["embeddings/"+name+".npy"] = b.Bytes()
	}
	var err error
	a.Run, err = json.Marshal(stored)
	return a, err
}

// imported is the record of a run, whose arrays come along.
type imported struct {
	Record any `json:"record"`
}

// importRunArgs are the arguments of importRun.
type importRunArgs struct {
	Name string       `json:"name"`
	Data run.DataSpec `json:"data"`
}

// importRun reads an exported run and answers with its record and slabs.
func (w *Worker) importRun(q *bridge.Request, given any) error {
	args := given.(*importRunArgs)
	s := q.Slab("file")
	if s == nil {
		return bridge.Errorf("bad-data", "There is no file to import.")
	}
	var file io.ReaderAt = bytes.NewReader(s.Data)
	n := int64(len(s.Data))
	if s.Blob != nil {
		file, n = s.Blob, s.Blob.Size()
	}
	var beside []formats.File
	if len(args.Data.Files) > 0 {
		var err error
		if beside, _, err = contents(args.Data, q); err != nil {
			return err
		}
	}
	record, slabs, err := readRun(file, n, beside)
	if err != nil {
		e := *coded(err)
		e.File = args.Name
		e.Message = args.Name + ": " + e.Message
		return &e
	}
	return q.Reply(imported{record}, slabs...)
}

// readRun returns the record of a run and its arrays.
func readRun(file io.ReaderAt, n int64, beside []formats.File) (record any, slabs []bridge.Slab, err error) {
	a, err := archive.ReadAt(file, n)
	if err != nil {
		return nil, nil, err
	}
	stored, slabs, err := readStored(a, beside)
	if err != nil {
		return nil, nil, err
	}
	return stored.Record, slabs, nil
}

func readStored(a *archive.Archive, beside []formats.File) (*run.StoredRun, []bridge.Slab, error) {
	damaged := func(found string) error {
		return &diag.Error{Where: "run.json", Found: found, Expected: "the description of a run as this page exports it"}
	}
	stored, err := run.ReadStored(a, beside...)
	if err != nil {
		return nil, nil, err
	}
	var slabs []bridge.Slab
	for i, s := range stored.Slabs {
		blob, ok := a.Blobs[s.Blob]
		if !ok {
			return nil, nil, damaged(fmt.Sprintf("no member %q", s.Blob))
		}
		slab := bridge.Slab{Name: s.Name, Type: s.Type, Shape: []int{len(blob)}, Data: blob}
		if s.Type != bridge.Byte {
			numbers, err := npy.Read(formats.File{Name: s.Blob, Data: blob})
			if err != nil {
				return nil, nil, err
			}
			if slab, ok = slabOf(s.Name, numbers); !ok || slab.Type != s.Type {
				return nil, nil, damaged(fmt.Sprintf("numbers of another type than %s in %q", s.Type, s.Blob))
			}
		}
		stored.Slabs[i].Shape = slab.Shape // the real one, whatever was claimed
		slabs = append(slabs, slab)
	}
	if err := stored.Check(); err != nil {
		return nil, nil, err
	}
	var record run.Record
	if json.Unmarshal(stored.Record, &record) != nil {
		return nil, nil, damaged("a record of other types")
	}
	if record.Precision == precision.Double {
		return nil, nil, &diag.Error{Where: "precision", Found: "64", Expected: "32: the page trains in single precision"}
	}
	for _, s := range slabs {
		switch {
		case s.Name == "checkpoint" && record.Method == "":
			_, err = cadem.OpenCheckpoint(s.Contents())
		case s.Name == run.OfEpochs && record.Method != "":
			slabs, err = withTotals(stored, slabs, &s, record.Progress.Step)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return stored, slabs, nil
}

// withTotals adds what the page draws of a method to a file that has the losses of its epochs alone, as those from before 2027.
func withTotals(stored *run.StoredRun, slabs []bridge.Slab, epochs *bridge.Slab, steps int) ([]bridge.Slab, error) {
	if slices.ContainsFunc(slabs, func(s bridge.Slab) bool { return s.Name == "losses" }) || len(epochs.Shape) != 2 {
		return slabs, nil
	}
	var rows [][]float64
	for x, n := npy.Decode("<f8", epochs.Data).([]float64), epochs.Shape[1]; n > 0 && len(x) >= n; x = x[n:] {
		rows = append(rows, x[:n])
	}
	var totals []float32
	for _, row := range run.Totals(rows, steps) {
		totals = append(totals, float32(row[0]), float32(row[1]))
	}
	if totals == nil {
		return slabs, nil
	}
	record := map[string]any{}
	err := json.Unmarshal(stored.Record, &record)
	record["loss_columns"], record["first_step"] = 2, 1
	if err == nil {
		stored.Record, err = json.Marshal(record)
	}
	return append(slabs, bridge.Float32s("losses", totals, len(totals)/2, 2)), err
}

// dtypes are the types of slabs of numbers, with NumPy's names for them.
var dtypes = [...]struct{ slab, array string }{{bridge.Float32, "<f4"}, {bridge.Float64, "<f8"}, {bridge.Int32, "<i4"}}

// array returns a slab of numbers as an array to write.
func array(s bridge.Slab) *npy.Array {
	a := &npy.Array{Shape: s.Shape}
	for _, d := range dtypes {
		if d.slab == s.Type {
			a.Data = npy.Decode(d.array, s.Data)
		}
	}
	return a
}

// slabOf is the way back from array; it returns false for types that slabs do not have.
func slabOf(name string, a *npy.Array) (bridge.Slab, bool) {
	dtype, data := npy.Encode(a.Data)
	for _, d := range dtypes {
		if d.array == dtype {
			return bridge.Slab{Name: name, Type: d.slab, Shape: a.Shape, Data: data}, true
		}
	}
	return bridge.Slab{}, false
}
