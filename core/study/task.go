package study

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"cadem/core/cadem"
	"cadem/core/evaluate"
	"cadem/core/json"
	"cadem/core/property"
	"cadem/core/synth"
)

// A Task is one training and what is measured on it: the unit of work of a study, natively
// and in a pool of workers. What it returns depends on its fields alone, never on where or
// beside what it runs.
type Task struct {
	Name      string         `json:"name"` // for people; no part of what is computed
	Data      DataSpec       `json:"data"`
	Preset    string         `json:"preset"`            // released or printed
	Options   map[string]any `json:"options,omitempty"` // of training and evaluation, where they differ from the preset and the data's own
	ModelSeed uint64         `json:"model_seed"`
	EvalSeed  uint64         `json:"eval_seed"`
	Measure   []Measure      `json:"measure,omitempty"` // none: the training alone
	// Needs are the keys of tasks that come before. A task with needs trains nothing: it
	// measures Inputs, their results in the same order, which whoever runs it puts there.
	Needs  []string      `json:"needs,omitempty"`
	Inputs []*TaskResult `json:"inputs,omitempty"`
}

// A Measure is something to find out about a training.
type Measure struct {
	// Kind of a training is "scores": the table of scores on the labels of the data;
	// "losses": the terms of the loss after every outer epoch; "ceiling": what Syn1 allows at
	// best; "classes": scores of classification, of controls, too; "features": what a linear
	// probe reads without any encoder; "maps": clusters of data in the plane; "pool": the
	// means over the nodes; "regions": how long the private embedding of every node is;
	// "posterior": what pooled embeddings tell of their layer, over the training.
	// Kind of results of others is "graphs": scores of many pooled graphs, or "tsne":
	// pictures of them; of prepared scans ("scans") it is "shared" and "alone": trainings, and
	// "baselines": scores without any; of such trainings "conditions": their scores.
	Kind string `json:"kind"`
	// Embeddings and Targets to score, by name; none: all.
	Embeddings []string `json:"embeddings,omitempty"`
	Targets    []string `json:"targets,omitempty"`
	// Trivial is "propagated" to score the propagated features beside, "" for nothing.
	Trivial string `json:"trivial,omitempty"`
	// Options of the measure, by name, where they differ from the defaults: those of
	// [project.TSNEOptions].
	Options map[string]string `json:"options,omitempty"`
}

// A TaskResult is what a task found.
type TaskResult struct {
	Key          string           `json:"key"`
	Name         string           `json:"name"`
	Hash         string           `json:"hash"` // of the embeddings
	Steps        int              `json:"steps"`
	EarlyStopped bool             `json:"early_stopped,omitempty"`
	RankS        int              `json:"rank_S"`
	First        cadem.Losses     `json:"first_losses"`
	Last         cadem.Losses     `json:"losses"`
	Scores       []evaluate.Score `json:"scores,omitempty"`
	Arrays       []NamedArray     `json:"arrays,omitempty"`
	Words        []string         `json:"words,omitempty"` // names of what arrays tell by number
	Notes        []string         `json:"notes,omitempty"`
	Summary      *Summary         `json:"summary,omitempty"` // of data of one's own
}

// A NamedArray is a small array among the results of a task, row by row.
type NamedArray struct {
	Name  string    `json:"name"`
	Shape []int     `json:"shape"`
	Data  []float64 `json:"data"`
}

// Error is a misuse of this package. It is panicked, or returned where it ends a run.
type Error struct{ string }

func (e Error) Error() string { return e.string }

// ErrNeeds is panicked when a task is run without the results it needs.
var ErrNeeds = Error{"study: the inputs are not what the task needs"}

// resultsVersion changes whenever the same task gives other results than before, so that
// stored ones are not taken for new.
const resultsVersion = 8

// Key names what the task computes: equal keys, equal results. Files are told apart by their
// sums.
func (t *Task) Key() string {
	c := *t
	c.Name, c.Inputs = "", nil
	c.Options, c.Data.Options = asText(t.Options), asText(t.Data.Options)
	text, err := json.Marshal(&c) // maps in order of their keys
	if err != nil {
		panic(err) // numbers and strings only
	}
	h := fnv.New128a()
	h.Write(text)
	return fmt.Sprintf("%d-%x", resultsVersion, h.Sum(nil))
}

// asText makes values equal that an option reads as the same.
func asText(options map[string]any) map[string]any {
	m := map[string]any{}
	for name, v := range options {
		m[name] = property.Text(v)
	}
	return m
}

// Bytes estimates, before anything is read or drawn, what memory the task needs at its
// peak, so that a pool can tell how many fit beside each other.
func (t *Task) Bytes() int64 {
	const program = 40 << 20 // the program and its garbage
	if len(t.Needs) > 0 {
		return program + t.bytesOfInputs()
	}
	if t.Data.Example == "" {
		total, largest := int64(0), int64(0)
		for _, f := range t.Data.Files {
			total, largest = total+f.Size, max(largest, f.Size)
		}
		if len(t.Data.Scans) > 0 {
			return program + total + 30*largest // one scan after the other is worked on
		}
		return program + 30*total
	}
	size := map[string]any{}
	if g, err := synth.Lookup(t.Data.Example); err == nil {
		size = property.Values(g.Options())
	}
	maps.Copy(size, t.Data.Options)
	number := func(name string, usual int64) int64 {
		n := usual
		if v, ok := size[name]; ok {
			fmt.Sscan(property.Text(v), &n)
		}
		return n
	}
	m, n := number("nodes", 100), number("layers", 3)
	const hidden = 256 * 4 * 3 * 2 * 2 // two encoders with two moments each, and a copy
	return program + n*m*(12*m+hidden)
}

// bytesOfInputs estimates what a task needs beside the program that measures results of others:
// their arrays as they come, as numbers and once more where they are put together; and to train
// on scans, what [cadem.New] keeps of each node.
func (t *Task) bytesOfInputs() int64 {
	const number, node = 3 * 8, 512
	total := int64(0)
	for _, in := range t.Inputs {
		if in == nil {
			continue
		}
		for _, a := range in.Arrays {
			n := int64(1)
			for _, d := range a.Shape {
				n *= int64(d)
			}
			total += number * n
			if a.Name != "moments" { // one row a scan, two numbers a node
				continue
			}
			for _, m := range t.Measure {
				switch m.Kind {
				case "shared":
					total += node * n / 2
				case "alone": // one scan after the other
					total += node * int64(a.Shape[1]) / 2
				}
			}
		}
	}
	return total
}

// Run trains and measures. Files gives the contents of those that the data name; nil where
// they name none. Each, which may be nil, is given the training after each of its steps, to lend
// encoders of it or to take them back. Yield, which may be nil, is called after every few
// milliseconds of work with what is done of a total; its error ends the task and is returned.
func (t *Task) Run(files *Files, each func(*cadem.Trainer), yield func(done, total int) error) (*TaskResult, error) {
	const total = 1000 // thousandths of the task
	from, to := 0, total
	part := func(done, of int) error {
		if yield == nil {
			return nil
		}
		return yield(from+(to-from)*done/max(of, 1), total)
	}
	if len(t.Needs) > 0 {
		return t.compare(part)
	}
	if len(t.Data.Scans) > 0 {
		r := &TaskResult{Key: t.Key(), Name: t.Name}
		return r, t.prepareScans(r, files, part)
	}
	d, s, err := t.open(files)
	if err != nil {
		return nil, err
	}
	for i := range t.Measure {
		if err := t.Measure[i].check(d); err != nil {
			return nil, err
		}
	}
	if len(t.Measure) > 0 {
		to = total / 2
	}
	found := &training{}
	if slices.ContainsFunc(t.Measure, func(m Measure) bool { return m.Kind == "posterior" }) {
		found.posterior = newPosterior(s)
	}
	found.Result, err = Train(d, s, cadem.Single, func(run *cadem.Trainer) error {
		if found.posterior != nil {
			found.posterior.watch(run)
		}
		if each != nil {
			each(run)
		}
		p := run.Progress()
		return part(p.Step, p.Steps)
	})
	if err != nil {
		return nil, err
	}
	r := &TaskResult{Key: t.Key(), Name: t.Name, Hash: found.Hash, Steps: found.Progress.Step, EarlyStopped: found.Progress.EarlyStopped,
		RankS: found.Trained.Rank, First: found.Progress.First, Last: found.Progress.Losses, Notes: append(slices.Clone(d.Notes), found.Notes...)}
	if t.Data.Example == "" {
		summary := d.Summary()
		r.Summary = &summary
	}
	for i := range t.Measure {
		from, to = to, total-(total/2)*(len(t.Measure)-1-i)/len(t.Measure)
		if err := t.Measure[i].run(r, d, s, found, part); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// A training is a finished one with what was seen on its way.
type training struct {
	*Result
	posterior *posterior // nil unless asked for
}

// compare measures results of other tasks together.
func (t *Task) compare(yield func(done, total int) error) (*TaskResult, error) {
	if len(t.Inputs) != len(t.Needs) {
		panic(ErrNeeds)
	}
	for i, in := range t.Inputs {
		if in == nil || in.Key != t.Needs[i] {
			panic(ErrNeeds)
		}
	}
	s, err := t.settings(defaultsOf(t.Data.Example))
	if err != nil {
		return nil, err
	}
	r := &TaskResult{Key: t.Key(), Name: t.Name}
	for i := range t.Measure {
		if err := t.Measure[i].compare(r, t, s, yield); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// open reads or draws the data and makes the settings.
func (t *Task) open(files *Files) (*Dataset, *Settings, error) {
	d, err := files.open(&t.Data)
	if err != nil {
		return nil, nil, err
	}
	s, err := t.settings(d.Defaults)
	return d, s, err
}

// settings are those of the task for data with such defaults.
func (t *Task) settings(defaults map[string]any) (*Settings, error) {
	s, err := NewSettings(t.Preset, &Dataset{Defaults: defaults})
	if err != nil {
		return nil, err
	}
	if err := s.SetAll(t.Options); err != nil {
		return nil, err
	}
	s.ModelSeed, s.EvalSeed = t.ModelSeed, t.EvalSeed
	return s, s.Check()
}
