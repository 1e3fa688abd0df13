package worker

import (
	"slices"

	"cadem/core/formats/archive"
	"cadem/core/formats/export"
	"cadem/core/formats/npy"
	"cadem/core/json"
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
	m, names, list, err := w.present()
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
		given := q.Slabs
		if n := len(m.Losses); n > 0 { // unknown of a run that went on from a checkpoint
			_, data := npy.Encode(slices.Concat(m.Losses...))
			given = append(given, bridge.Slab{Name: run.OfEpochs, Type: bridge.Float64, Shape: []int{n, len(m.Losses[0])}, Data: data})
		}
		var a *archive.Archive
		if a, err = w.archive(args.Record, m.Checkpoint(), given, names, list); err == nil {
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
