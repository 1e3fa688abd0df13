package run

import (
	"bytes"
	"fmt"

	"cadem/core/baseline"
	"cadem/core/cadem"
	"cadem/core/diag"
	"cadem/core/evaluate"
	"cadem/core/formats"
	"cadem/core/formats/archive"
	"cadem/core/formats/npy"
	"cadem/core/json"
	"cadem/core/property"
	"cadem/core/schema"
)

// A MethodRecord describes a run of a method other than CaDeM, as the command line keeps it.
type MethodRecord struct {
	Run        string           `json:"run"`
	Name       string           `json:"name"`
	Created    string           `json:"created"` // RFC 3339
	Updated    string           `json:"updated"`
	Data       DataSpec         `json:"data"`
	Method     string           `json:"method"`
	Level      string           `json:"level"`
	Options    map[string]any   `json:"options"`    // of the method
	Evaluation map[string]any   `json:"evaluation"` // options
	ModelSeed  uint64           `json:"model_seed"`
	EvalSeed   uint64           `json:"eval_seed"`
	Precision  cadem.Precision  `json:"precision"`
	State      State            `json:"state"`
	Step       int              `json:"step"`
	Steps      int              `json:"steps"`
	Hash       string           `json:"hash,omitempty"`
	Scores     []evaluate.Score `json:"scores,omitempty"`
	Summary    Summary          `json:"summary"`
}

var methodSchema = schema.Object(schema.Fields{
	{"run", schema.ID}, {"name", schema.Text(1, longest)}, {"created", schema.Moment}, {"updated", schema.Moment}, {"data", dataSchema},
	{"method", schema.Text(1, longest)}, {"level", schema.OneOf(baseline.Official, baseline.Lite)}, {"options", options}, {"evaluation", options},
	{"model_seed", aSeed}, {"eval_seed", aSeed}, {"precision", schema.Number(float64(cadem.Single), float64(cadem.Double), true)},
	{"state", schema.OneOf(Running, Paused, Finished)},
	{"step", aCount}, {"steps", aCount}, {"summary", summarySchema},
})

// record returns the description of the run in an archive, nil where it is none.
func record(a *archive.Archive) map[string]any {
	var s struct {
		Record map[string]any `json:"record"`
	}
	if json.Unmarshal(a.Run, &s) != nil {
		return nil
	}
	return s.Record
}

// OfMethod tells whether an archive holds a run of a method other than CaDeM.
func OfMethod(a *archive.Archive) bool { return record(a)["method"] != nil }

// PackMethod puts a run of a method in one file: record, data files, a checkpoint and the losses of every epoch.
func PackMethod(record *MethodRecord, files []formats.File, losses [][]float64, checkpoint []byte) (*archive.Archive, error) {
	a := &archive.Archive{Blobs: map[string][]byte{"checkpoint.bin": checkpoint}}
	for i, f := range files {
		a.Blobs[fmt.Sprintf("data/%d", i)] = f.Data
	}
	if len(losses) > 0 {
		x := &npy.Array{Shape: []int{len(losses), len(losses[0])}}
		var data []float64
		for _, row := range losses {
			data = append(data, row...)
		}
		x.Data = data
		var b bytes.Buffer
		if err := npy.Write(&b, x); err != nil {
			return nil, err
		}
		a.Blobs["losses.npy"] = b.Bytes()
	}
	var err error
	a.Run, err = json.Marshal(map[string]any{"record": record})
	return a, err
}

// An UnpackedMethod is what an archive held of a run of a method.
type UnpackedMethod struct {
	Record     *MethodRecord
	Files      []formats.File // of its data
	Checkpoint []byte
	Losses     [][]float64
}

// UnpackMethod takes apart what [PackMethod] put together. The error is a [*diag.Error].
func UnpackMethod(a *archive.Archive) (*UnpackedMethod, error) {
	if err := methodSchema("run.json: record", any(record(a))); err != nil {
		return nil, err
	}
	var s struct {
		Record *MethodRecord `json:"record"`
	}
	bad := func(found, expected string) (*UnpackedMethod, error) {
		return nil, &diag.Error{Where: "run.json", Found: found, Expected: expected}
	}
	if json.Unmarshal(a.Run, &s) != nil {
		return bad("a record of other types", "the record of a run")
	}
	u := &UnpackedMethod{Record: s.Record, Checkpoint: a.Blobs["checkpoint.bin"]}
	for i, f := range s.Record.Data.Files {
		data := a.Blobs[fmt.Sprintf("data/%d", i)]
		if int64(len(data)) != f.Size {
			return bad(fmt.Sprintf("%d bytes of the data file %s", len(data), f.Name), fmt.Sprint(f.Size))
		}
		u.Files = append(u.Files, formats.File{Name: f.Name, Data: data})
	}
	if packed := a.Blobs["losses.npy"]; packed != nil {
		x, err := npy.Read(formats.File{Name: "losses", Data: packed})
		if err != nil {
			return nil, err
		}
		if len(x.Shape) != 2 || x.Shape[1] == 0 {
			return bad(fmt.Sprintf("losses of shape %v", x.Shape), "a row for each epoch")
		}
		for values, width := x.Float64s(), x.Shape[1]; len(values) >= width; values = values[width:] {
			u.Losses = append(u.Losses, values[:width])
		}
	}
	return u, nil
}

// Settings are those of the run, for its data.
func (r *MethodRecord) Settings(d *Dataset) (*MethodSettings, error) {
	s, err := NewMethodSettings(r.Method, r.Level, d)
	if err != nil {
		return nil, err
	}
	for _, options := range []map[string]any{r.Options, r.Evaluation} {
		for name, value := range options {
			if err := s.Set(name, property.Text(value)); err != nil {
				return nil, err
			}
		}
	}
	s.ModelSeed, s.EvalSeed = r.ModelSeed, r.EvalSeed
	return s, nil
}
