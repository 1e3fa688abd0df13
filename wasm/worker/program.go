package worker

import (
	"fmt"
	"maps"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/wasm/bridge"
)

// NewWhole returns a worker that does what one of [NewFirst] does, and reads and writes
// files, and has the experiments. Nothing else may refer to these: what a program does not
// link weighs nothing.
func NewWhole(in *bridge.Inbox, yield func()) *Worker {
	w := NewFirst(in, yield)
	w.read, w.columns = (*Worker).readFiles, columns
	// The memory of a WebAssembly program never shrinks: what reading and scoring drop is
	// collected early. Training allocates nothing in its steps.
	w.garbage = 40
	maps.Copy(w.requests, wholeRequests())
	return w
}

// columns names the numbers that nodes have, and gives them.
func columns(d *dataset, result map[string]any) (slabs []bridge.Slab) {
	names := make([]string, len(d.Graph.Columns))
	for i, c := range d.Graph.Columns {
		numbers := make([]float32, len(c.Of))
		for k, v := range c.Of {
			numbers[k] = float32(v)
		}
		names[i], slabs = c.Name, append(slabs, bridge.Float32s(fmt.Sprintf("numbers:%d", i), numbers))
	}
	result["numbers"] = names
	return slabs
}

// readFiles reads a data set of files, unless inspect has already done so.
func (w *Worker) readFiles(spec run.DataSpec, r *bridge.Request) (*dataset, error) {
	d := &dataset{spec: spec}
	var files []formats.File
	var err error
	if l := w.looked(&spec, r); l == nil {
		files, d.files, err = contents(spec, r)
	} else if d.files = l.slabs; l.content != nil {
		d.Dataset, err = run.OpenContent(l.content, spec.Chosen())
		return d, err
	} else {
		files = named(spec, l.slabs)
	}
	if err != nil {
		return nil, err
	}
	d.Dataset, err = run.OpenFiles(files, spec.Chosen(), spec.Options)
	return d, err
}
