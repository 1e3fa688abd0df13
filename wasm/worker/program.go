package worker

import (
	"fmt"
	"maps"

	"cadem.example/core/base/pause"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
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
		"open":        {(*Worker).open, dataArgs{}, opened{}, replaces},
		"train":       {ofData((*Worker).train), trainArgs{}, reached{}, replaces},
		"resume":      {(*Worker).resume, trainArgs{}, reached{}, replaces},
		"control":     {ofRun((*Worker).control), controlArgs{}, reached{}, answered},
		"embeddings":  {ofRun((*Worker).embeddings), embeddingsArgs{}, present{}, answered},
		"frame":       {ofRun((*Worker).frame), none{}, frame{}, answered},
		"layers":      {ofData((*Worker).layers), none{}, linked{}, answered},
		"places":      {ofData((*Worker).places), none{}, none{}, waits},
		"communities": {ofData((*Worker).communities), communitiesArgs{}, grouped{}, waits},
		"clusters":    {ofRun((*Worker).clusters), clusterArgs{}, clustered{}, waits},
		"evaluate":    {ofRun((*Worker).evaluate), scoreArgs{}, scored{}, waits},
	})
}

// Files reads data sets of files, and writes files.
func Files(w *Worker) {
	w.read = (*Worker).readFiles
	writesFiles(w)
	w.add(map[string]request{"graphs": {(*Worker).graphs, dataArgs{}, nil, waits}})
}

func writesFiles(w *Worker) {
	// The memory of a WebAssembly program never shrinks: what reading and scoring drop is
	// collected early. Training allocates nothing in its steps.
	w.garbage = 40
	w.add(map[string]request{"export": {ofRun((*Worker).export), exportArgs{}, written{}, waits}})
}

// Imports looks into files before they are opened, and opens saved runs.
func Imports(w *Worker) {
	w.columns = columns
	w.add(map[string]request{
		"inspect":  {(*Worker).inspect, dataArgs{}, surveyedFiles{}, waits},
		"estimate": {(*Worker).estimate, estimateArgs{}, estimated{}, waits},
		"import":   {(*Worker).importRun, importRunArgs{}, imported{}, waits},
	})
}

// Questions answers what is asked of a trained model of CaDeM, and of its embeddings.
func Questions(w *Worker) {
	w.model = (*Worker).writeModel
	e := &explainer{Worker: w}
	w.add(map[string]request{
		"attention":     {ofEpoch((*Worker).attention), attentionArgs{}, attentions{}, waits},
		"axes":          {ofEpoch((*Worker).axes), axesArgs{}, plotted{}, waits},
		"groups":        {ofEpoch((*Worker).groups), clusterArgs{}, clustered{}, waits}, // as clusters, of an epoch
		"inputs":        {ofRun((*Worker).inputs), inputsArgs{}, none{}, waits},
		"interventions": {ofRun((*Worker).interventions), interventionsArgs{}, exchanged{}, waits},
		"leak":          {ofEpoch((*Worker).leak), scoreArgs{}, leaks{}, waits},
		"newcomers":     {ofRun(e.newcomers), newcomersArgs{}, applied{}, waits},
		"past":          {ofEpoch((*Worker).score), scoreArgs{}, scored{}, waits},
		"why":           {ofRun(e.why), whyArgs{}, explained{}, waits},
	})
}

// A Brain is what the worker asks of the packages about brains, which it does not know.
type Brain interface {
	// Regions marks a share of the regions, those with the largest values, and counts them by network, and beside them what other values
	// mark: nothing where a graph has no networks.
	Regions(g *multiplex.Graph, values, others []float64, share float64) (top []int, networks any, other []int)
	// Scans answers the request "scans", as wasm/PROTOCOL.md has it.
	Scans(files []formats.File, choose map[string]string) (any, error)
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
			"regions": {ofRun(a.regions), regionsArgs{}, marked{}, answered},
			"scans":   {a.scans, scansArgs{}, nil, answered},
			"surface": {a.surface, surfaceArgs{}, surfaced{}, answered},
		})
	}
}

// A Grapher makes a graph of every scan of a cohort, or of those that data draw.
type Grapher func(
	cohort []collection.Scan, data *run.DataSpec, files *run.Files, yield pause.Yield,
) ([]*multiplex.Graph, error)

// Subjects asks models of many brains about scans.
func Subjects(graphs Grapher) Part {
	return func(w *Worker) {
		w.add(map[string]request{"subjects": {graphs.subjects, subjectsArgs{}, reported{}, waits}})
	}
}

// Studies plans studies, does their tasks and writes their reports.
func Studies(w *Worker) {
	w.garbage = 40 // as where files are read
	w.add(map[string]request{
		"describe":   {(*Worker).describe, dataArgs{}, described{}, answered},
		"plan":       {(*Worker).plan, planArgs{}, planned{}, answered},
		"report":     {(*Worker).report, reportArgs{}, reported{}, answered},
		"study":      {(*Worker).study, studyArgs{}, ordered{}, answered},
		"task":       {(*Worker).task, taskArgs{}, measure.Result{}, waits},
		"taskgraphs": {(*Worker).taskGraphs, taskGraphsArgs{}, nil, waits},
		"work":       {(*Worker).amount, amountArgs{}, worked{}, waits},
	})
}

// Splits says that inputs may be trimmed and split: the program has package prepare.
func Splits(w *Worker) {
	w.add(map[string]request{"split": {(*Worker).idle, none{}, none{}, answered}})
}

// columns names the numbers that nodes have, and gives them.
func columns(d *dataset) (names []string, slabs []bridge.Slab) {
	names = make([]string, len(d.Graph.Columns))
	for i, c := range d.Graph.Columns {
		numbers := make([]float32, len(c.Of))
		for k, v := range c.Of {
			numbers[k] = float32(v)
		}
		names[i], slabs = c.Name, append(slabs, bridge.Float32s(fmt.Sprintf("numbers:%d", i), numbers))
	}
	return names, slabs
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
