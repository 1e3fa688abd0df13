package worker

import (
	"fmt"

	"cadem/core/cadem"
	"cadem/core/formats"
	"cadem/core/formats/archive"
	"cadem/core/formats/export"
	"cadem/core/json"
	"cadem/core/property"
	"cadem/core/run"
	"cadem/wasm/bridge"
)

// export answers with a file of the present embeddings or of the whole run, the one that "cadem train -method" writes
// and goes on with.
func (w *MethodWorker) export(q *bridge.Request) error {
	var args struct {
		What   string          `json:"what"`
		Record json.RawMessage `json:"record"`
	}
	if err := q.Args(&args); err != nil {
		return err
	}
	m, _, list, err := w.present()
	if err != nil {
		return err
	}
	out := &file{w: w.Worker}
	base := baseName(w.data.Name) + "-" + m.Settings.Method.Name
	defer w.begin(nil)()
	var name, kind string
	switch args.What {
	case "run":
		name, kind = base+"-run.zip", "application/zip"
		var a *archive.Archive
		if a, err = w.archive(m, args.Record); err == nil {
			err = archive.Write(out, a)
		}
	default:
		var f *export.Format
		if f, err = export.Lookup(args.What); err == nil {
			name, kind = base+"-embeddings."+f.Name, f.MIME
			err = run.Export(out, f, w.data.Dataset, run.MethodTokens(m.Settings.Method, m.Embeddings(0))[1:], list[0], true)
		}
	}
	if err != nil {
		return err
	}
	q.Reply(map[string]any{"name": name, "type": kind}, bridge.Bytes("file", out.Bytes()))
	return nil
}

// archive makes the file of the run from what the page knows of it.
func (w *MethodWorker) archive(m *methodRun, page json.RawMessage) (*archive.Archive, error) {
	var known run.MethodRecord
	if len(page) > 0 {
		if err := json.Unmarshal(page, &known); err != nil {
			return nil, err
		}
	}
	s, now := m.Settings, m.Progress()
	record := &run.MethodRecord{Run: known.Run, Name: known.Name, Created: known.Created, Updated: known.Updated, Data: w.data.spec,
		Method: s.Method.Name, Level: s.Level, Options: property.Values(s.Options), Evaluation: property.Values(&s.Evaluation), ModelSeed: s.ModelSeed,
		EvalSeed: s.EvalSeed, Precision: cadem.Single, State: m.state, Step: now.Steps, Steps: now.Total, Hash: known.Hash, Scores: known.Scores,
		Summary: w.data.Summary()}
	if record.State != run.Finished {
		record.State = run.Paused
	}
	var files []formats.File
	for i, f := range w.data.files {
		data, err := f.Load()
		if err != nil {
			return nil, err
		}
		files = append(files, formats.File{Name: w.data.spec.Files[i].Name, Data: data})
	}
	return run.PackMethod(record, files, m.Losses, m.Checkpoint())
}

// readMethodRun reads a run of a method as the page keeps it: its record, and its arrays.
func readMethodRun(a *archive.Archive) (record map[string]any, slabs []bridge.Slab, err error) {
	u, err := run.UnpackMethod(a)
	if err != nil {
		return nil, nil, err
	}
	r := u.Record
	if r.Precision != cadem.Single {
		return nil, nil, fmt.Errorf("the run was computed in double precision; the page goes on with runs in single precision alone")
	}
	progress := map[string]any{"state": r.State, "epoch": r.Step, "epochs": r.Steps, "step": r.Step, "steps": r.Steps}
	record = map[string]any{"run": r.Run, "name": r.Name, "created": r.Created, "updated": r.Updated, "data": r.Data, "method": r.Method, "level": r.Level,
		"preset": cadem.Presets[0], "options": r.Options, "evaluation": r.Evaluation, "model_seed": r.ModelSeed, "eval_seed": r.EvalSeed, "state": r.State,
		"progress": progress, "changes": []any{}, "summary": r.Summary}
	if r.Hash != "" {
		record["hash"] = r.Hash
	}
	if r.Scores != nil {
		record["scores"], record["scored_step"] = r.Scores, r.Step
	}
	slabs = append(slabs, bridge.Bytes("checkpoint", u.Checkpoint))
	for i, f := range u.Files {
		slabs = append(slabs, bridge.Bytes(fmt.Sprintf("file:%d", i), f.Data))
	}
	// Totals after every step, beside a term that there is not: the page keeps two columns at least.
	if epochs := len(u.Losses); epochs > 0 && r.Step > 0 {
		var totals []float32
		for step := range r.Step {
			row := u.Losses[min(step*epochs/r.Step, epochs-1)]
			totals = append(totals, 0, float32(row[len(row)-1]))
		}
		record["loss_columns"], record["first_step"] = 2, 1
		slabs = append(slabs, bridge.Float32s("losses", totals, r.Step, 2))
	}
	return record, slabs, nil
}
