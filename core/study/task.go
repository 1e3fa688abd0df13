package study

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strconv"

	"cadem/core/baseline/extent"
	"cadem/core/cadem"
	"cadem/core/json"
	"cadem/core/property"
	"cadem/core/run"
	"cadem/core/study/measure"
	"cadem/core/synth/examples"
)

// A Task is one training and what is measured on it: the unit of work of a study, natively
// and in a pool of workers. What it returns depends on its fields alone, never on where or
// beside what it runs.
type Task struct {
	Name      string         `json:"name"` // for people; no part of what is computed
	Data      run.DataSpec   `json:"data"`
	Preset    string         `json:"preset"`            // one of [Presets], or "" with a method
	Method    string         `json:"method,omitempty"`  // in place of CaDeM
	Level     string         `json:"level,omitempty"`   // of its settings
	Options   map[string]any `json:"options,omitempty"` // of training and evaluation, where they differ from the preset and the data's own
	ModelSeed uint64         `json:"model_seed"`
	EvalSeed  uint64         `json:"eval_seed"`
	Measure   []measure.Spec `json:"measure,omitempty"` // none: the training alone
	// Needs are the keys of tasks that come before. A task with needs trains nothing: it
	// measures Inputs, their results in the same order, which whoever runs it puts there.
	Needs  []string          `json:"needs,omitempty"`
	Inputs []*measure.Result `json:"inputs,omitempty"`
	// Clock tells seconds, from any moment on, to whoever wants to know how long a training takes; nil: no one does.
	Clock func() float64 `json:"-"`

	stored func(key string) (*measure.Result, error) // gives Inputs one at a time; nil: they are all there
	pause  *pause                                    // of a training that can stop and go on
}

// resultsVersion changes whenever the same task gives other results than before, so that
// stored ones are not taken for new.
const resultsVersion = 8

// Key names what the task computes: equal keys, equal results. Files are told apart by their
// sums.
func (t *Task) Key() string {
	c := *t
	c.Name, c.Inputs, c.Clock = "", nil, nil
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
		const most = 1 << 40 // more than any machine holds, so that no sum overflows
		total, largest := int64(0), int64(0)
		for _, f := range t.Data.Files {
			size := min(max(f.Size, 0), most)
			total, largest = min(total+size, most), max(largest, size)
		}
		if len(t.Data.Scans) > 0 && !slices.ContainsFunc(t.Measure, func(m measure.Spec) bool { return m.Kind == measure.CombinedGraphs }) {
			return program + total + 30*largest // one scan after the other is worked on, and its graph is small
		}
		return program + 30*total
	}
	size := map[string]any{}
	if g, err := examples.Lookup(t.Data.Example); err == nil {
		size = property.Values(g.Options())
	}
	maps.Copy(size, t.Data.Options)
	number := func(name string, usual int64) int64 {
		if v, err := strconv.ParseFloat(property.Text(size[name]), 64); err == nil && v >= 0 && v <= math.MaxInt32 {
			return int64(v)
		}
		return usual
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
			nodes, scans := int64(0), int64(1)
			switch a.Name {
			case "moments": // one row a scan, two numbers a node
				nodes, scans = n/2, int64(a.Shape[0])
			case "features": // of a collection: a row for a node of a layer
				nodes = int64(a.Shape[0])
			}
			for _, m := range t.Measure {
				switch m.Kind {
				case measure.Shared:
					total += node * nodes
				case measure.Alone: // one scan after the other
					total += node * nodes / max(scans, 1)
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
func (t *Task) Run(files *run.Files, each func(*cadem.Trainer), yield func(done, total int) error) (*measure.Result, error) {
	stopped := false
	defer func() {
		if stopped {
			t.pause.stop()
		}
	}()
	const total = 1000 // thousandths of the task
	from, to := 0, total
	part := func(done, of int) error {
		if yield == nil {
			return nil
		}
		err := yield(from+(to-from)*done/max(of, 1), total)
		stopped = stopped || err != nil
		return err
	}
	if len(t.Needs) > 0 {
		return t.compare(part)
	}
	if t.Method != "" {
		if !extent.All {
			return nil, errElsewhere
		}
		return t.RunMethod(t.Key(), files, part)
	}
	if len(t.Data.Scans) > 0 {
		s, kind, err := t.scanSettings()
		if err != nil {
			return nil, err
		}
		prepare := measure.PrepareScans
		if kind == measure.Collected {
			prepare = measure.PrepareGraphs
		}
		r := &measure.Result{Key: t.Key(), Name: t.Name}
		return r, prepare(r, &t.Data, s, files, part)
	}
	d, s, err := t.open(files)
	if err != nil {
		return nil, err
	}
	for i := range t.Measure {
		if err := t.Measure[i].Check(d); err != nil {
			return nil, err
		}
	}
	if len(t.Measure) > 0 {
		to = total / 2
	}
	found := &measure.Training{}
	if t.watched() {
		found.Posterior = measure.NewPosterior(s)
	}
	r := t.result(t.Key(), d)
	began := t.now()
	if found.Result, err = t.train(d, s, found, each, part); err != nil {
		return nil, err
	}
	r.Seconds = t.now() - began
	r.Hash, r.Steps, r.EarlyStopped, r.Parameters = found.Hash, found.Progress.Step, found.Progress.EarlyStopped, found.Parameters
	r.First, r.Last, r.Notes = found.Progress.First, found.Progress.Losses, append(slices.Clone(d.Notes), found.Notes...)
	if found.Trained != nil {
		r.RankS = found.Trained.Rank
	}
	for i := range t.Measure {
		from, to = to, total-(total/2)*(len(t.Measure)-1-i)/len(t.Measure)
		if err := t.Measure[i].Run(r, d, s, found, part); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// errElsewhere is of tasks that a program of the page plans for another one.
var errElsewhere = errors.New("study: another program trains this method")

// train trains as the settings say.
func (t *Task) train(d *run.Dataset, s *run.Settings, found *measure.Training, each func(*cadem.Trainer), yield func(done, total int) error) (
	*run.Result, error) {
	if s.Method != nil {
		r, err := run.TrainMethod(d, s, cadem.Single, yield)
		if err != nil {
			return nil, err
		}
		return r.AsCaDeM(), nil
	}
	watch := run.Watch{
		Preparing: func(int, int) error { return yield(0, 1) }, // its share of a training is not known
		Each: func(t *cadem.Trainer) error {
			if found.Posterior != nil {
				found.Posterior.Watch(t)
			}
			if each != nil {
				each(t)
			}
			p := t.Progress()
			return yield(p.Step, p.Steps)
		},
	}
	return t.pause.train(d, s, watch)
}

// Reported returns what reports need of a result of the task: without the arrays that only later tasks read. It is r
// where that is all.
func (t *Task) Reported(r *measure.Result) *measure.Result {
	for i := range t.Measure {
		r = t.Measure[i].Reported(r)
	}
	return r
}

// compare measures results of other tasks together.
func (t *Task) compare(yield func(done, total int) error) (*measure.Result, error) {
	if t.stored == nil && len(t.Inputs) != len(t.Needs) {
		panic(measure.ErrNeeds)
	}
	s, err := t.Settings(run.DefaultsOf(t.Data.Example))
	if err != nil {
		return nil, err
	}
	r, began := &measure.Result{Key: t.Key(), Name: t.Name}, t.now()
	for i := range t.Measure {
		if err := t.Measure[i].Compare(r, needed{t}, s, yield); err != nil {
			return nil, err
		}
	}
	if r.Steps > 0 { // it trains
		r.Seconds = t.now() - began
	}
	return r, nil
}

// needed are the results that a task needs.
type needed struct{ *Task }

func (n needed) Len() int { return len(n.Needs) }

func (n needed) At(i int) (in *measure.Result, err error) {
	if n.stored != nil {
		in, err = n.stored(n.Needs[i])
	} else {
		in = n.Inputs[i]
	}
	if err == nil && (in == nil || in.Key != n.Needs[i]) {
		panic(measure.ErrNeeds)
	}
	return in, err
}

// open reads or draws the data and makes the settings.
func (t *Task) open(files *run.Files) (*run.Dataset, *run.Settings, error) {
	d, err := files.Open(&t.Data)
	if err != nil {
		return nil, nil, err
	}
	s, err := t.Settings(d.Defaults)
	return d, s, err
}

// Settings are those of the task for data with such defaults.
func (t *Task) Settings(defaults map[string]any) (*run.Settings, error) {
	d := &run.Dataset{Defaults: defaults}
	var s *run.Settings
	var err error
	switch {
	case t.Method != "":
		if s, err = run.MethodSettings(t.Method, t.Level, d); err == nil {
			err = s.SetAll(t.Options)
		}
	case t.Preset == Closed:
		s, err = closedSettings(d, t.Options)
	default:
		if s, err = run.NewSettings(t.Preset, d); err == nil {
			err = s.SetAll(t.Options)
		}
	}
	if err != nil {
		return nil, err
	}
	s.ModelSeed, s.EvalSeed = t.ModelSeed, t.EvalSeed
	return s, s.Check()
}
