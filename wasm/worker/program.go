package worker

import (
	"fmt"
	"maps"

	"cadem.example/core/base/pause"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
	"cadem.example/wasm/bridge"
)

// A Part adds requests to a worker. A main package passes those of its program to [New]; nothing else refers to what answers them, so that
// the linker leaves the others out.
type Part func(*Worker)

func (w *Worker) add(requests map[string]request) { maps.Copy(w.requests, requests) }

// Runs opens data sets and trains on them, one at a time.
func Runs(w *Worker) {
	w.add(map[string]request{
		"open":        {(*Worker).open, replaces},
		"train":       {(*Worker).train, replaces},
		"resume":      {(*Worker).resume, replaces},
		"control":     {ofRun((*Worker).control), answered},
		"embeddings":  {ofRun((*Worker).embeddings), answered},
		"frame":       {ofRun((*Worker).frame), answered},
		"layers":      {(*Worker).layers, answered},
		"places":      {(*Worker).places, waits},
		"communities": {(*Worker).communities, waits},
		"clusters":    {ofRun((*Worker).clusters), waits},
		"evaluate":    {ofRun((*Worker).evaluate), waits},
	})
}

// Files reads data sets of files, and writes files.
func Files(w *Worker) {
	w.read = (*Worker).readFiles
	writesFiles(w)
	w.add(map[string]request{"graphs": {(*Worker).graphs, waits}})
}

func writesFiles(w *Worker) {
	// The memory of a WebAssembly program never shrinks: what reading and scoring drop is
	// collected early. Training allocates nothing in its steps.
	w.garbage = 40
	w.add(map[string]request{"export": {ofRun((*Worker).export), waits}})
}

// Imports looks into files before they are opened, and opens saved runs.
func Imports(w *Worker) {
	w.columns = columns
	w.add(map[string]request{
		"inspect":  {(*Worker).inspect, waits},
		"estimate": {(*Worker).estimate, waits},
		"import":   {(*Worker).importRun, waits},
	})
}

// Questions answers what is asked of a trained model of CaDeM, and of its embeddings.
func Questions(w *Worker) {
	w.model = (*Worker).writeModel
	e := &explainer{Worker: w}
	w.add(map[string]request{
		"attention":     {ofEpoch((*Worker).attention), waits},
		"axes":          {ofEpoch((*Worker).axes), waits},
		"groups":        {ofEpoch((*Worker).groups), waits}, // as clusters, of an epoch
		"inputs":        {ofRun((*Worker).inputs), waits},
		"interventions": {ofRun((*Worker).interventions), waits},
		"leak":          {ofEpoch((*Worker).leak), waits},
		"newcomers":     {ofRun(e.newcomers), waits},
		"past":          {ofEpoch((*Worker).score), waits},
		"why":           {ofRun(e.why), waits},
	})
}

// A Brain is what the worker asks of the packages about brains, which it does not know.
type Brain interface {
	// Regions marks a share of the regions, those with the largest values, and counts them by network, and beside them what other values
	// mark: nothing where a graph has no networks.
	Regions(g *multiplex.Graph, values, others []float64, share float64) (top []int, networks any, other []int)
	// Scans answers the request "scans", as wasm/PROTOCOL.md has it.
	Scans(files []formats.File, choose map[string]string) (map[string]any, error)
	// Surface reads the vertices of a surface of the cortex in mm, its triangles, and the region of each vertex: one of as many, which may have
	// names.
	Surface(files []formats.File, names []string, regions int) (vertices []float32, triangles, region []int, notes []string, err error)
}

// brains answers about them. No field of Worker refers to it, so that the linker leaves it out.
type brains struct {
	*Worker
	brain Brain
}

// Brains knows regions, their surface, and scans.
func Brains(b Brain) Part {
	return func(w *Worker) {
		a := &brains{w, b}
		w.add(map[string]request{
			"regions": {ofRun(a.regions), answered},
			"scans":   {a.scans, answered},
			"surface": {a.surface, answered},
		})
	}
}

// A Grapher makes a graph of every scan of a cohort, or of those that data draw.
type Grapher func(
	cohort []collection.Scan, data *run.DataSpec, files *run.Files, yield pause.Yield,
) ([]*multiplex.Graph, error)

// Subjects asks models of many brains about scans.
func Subjects(graphs Grapher) Part {
	return func(w *Worker) { w.add(map[string]request{"subjects": {graphs.subjects, waits}}) }
}

// Studies plans studies, does their tasks and writes their reports.
func Studies(w *Worker) {
	w.garbage = 40 // as where files are read
	w.add(map[string]request{
		"describe":   {(*Worker).describe, answered},
		"plan":       {(*Worker).plan, answered},
		"report":     {(*Worker).report, answered},
		"study":      {(*Worker).study, answered},
		"task":       {(*Worker).task, waits},
		"taskgraphs": {(*Worker).taskGraphs, waits},
		"work":       {(*Worker).amount, waits},
	})
}

// Splits says that inputs may be trimmed and split: the program has package prepare.
func Splits(w *Worker) { w.add(map[string]request{"split": {(*Worker).idle, answered}}) }

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
