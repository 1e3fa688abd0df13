package study

import (
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/property"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/synth/examples"
)

// A Task is the unit of work of a study, natively and in a pool of workers: one training and its measurements, or the
// work of its [Kind]. Its result depends on its fields alone, never on where it runs or on other tasks.
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
	// Width is the width of all embeddings of a method together, as [run.Settings.Fit] has it; 0: that of the settings.
	Width int `json:"width,omitempty"`
	// Lenient makes of labels that are to be scored, and are not there, a result that says so, and no error: others of its order do without. It is no
	// part of what is computed.
	Lenient bool `json:"lenient,omitempty"`
	// Clock returns the time in seconds since an arbitrary moment, for measuring how long trainings take. It may be nil.
	Clock func() float64 `json:"-"`

	stored func(key string) (*measure.Result, error) // gives Inputs one at a time; nil: they are all there
	rest   *resting                                  // of a training that can stop and go on
}

// A Kind is the kind of a task's work.
type Kind int

// Kinds of tasks.
const (
	Train       Kind = iota // trains CaDeM and measures the training
	TrainMethod             // the same with a method that CaDeM is compared with, in another program of the page
	Look                    // measures a graph without any training
	Prepare                 // prepares scans or graphs for tasks to come
	Compare                 // measures results of other tasks together
)

// Kind says what the task does.
func (t *Task) Kind() Kind {
	switch {
	case len(t.Needs) > 0:
		return Compare
	case t.Method != "":
		return TrainMethod
	case len(t.Data.Scans) > 0 && (len(t.Measure) == 0 || t.Measure[0].Kind != measure.Regions):
		return Prepare
	case len(t.Measure) > 0 && t.Measure[0].OfGraph():
		return Look
	}
	return Train
}

// Run does what the task says. Files gives the contents of those that the data name; nil where
// they name none. Yield, which may be nil, is called after every few milliseconds of work with what is
// done of a total; its error ends the task and is returned.
func (t *Task) Run(files *run.Files, yield pause.Yield) (*measure.Result, error) {
	stopped := false
	defer func() {
		if stopped {
			t.rest.stop()
		}
	}()
	share := func(from, to int) pause.Yield { // thousandths of the task
		return func(done, of int) error {
			err := yield.At(from+(to-from)*done/max(of, 1), Thousand)
			stopped = stopped || err != nil
			return err
		}
	}
	switch all := share(0, Thousand); t.Kind() {
	case Compare:
		return t.compare(all)
	case Look:
		return t.look(files, all)
	case Prepare:
		return t.prepared(files, all)
	case TrainMethod:
		o, err := t.Open(files, share(0, Thousand/3))
		if err != nil {
			return nil, err
		}
		return t.RunMethod(t.Key(), o, share(Thousand/3, Thousand))
	}
	return t.run(files, share)
}

// run trains CaDeM and measures it.
func (t *Task) run(files *run.Files, share func(from, to int) pause.Yield) (*measure.Result, error) {
	d, s, err := t.open(files)
	if err != nil {
		return nil, err
	}
	for i := range t.Measure {
		if err := t.Measure[i].Check(d); err != nil {
			return t.unlabelled(t.result(t.Key(), d), err)
		}
	}
	to, measures := Thousand, len(t.Measure)
	if measures > 0 {
		to /= 2
	}
	found := &measure.Training{}
	if t.watched() {
		found.Posterior = measure.NewPosterior(s)
		for i := range t.Measure {
			if t.Measure[i].Kind == measure.Trace {
				found.Posterior.Trace(d, t.Measure[i].Targets)
			}
		}
	}
	r := t.result(t.Key(), d)
	if !measure.Trains(t.Measure) {
		to = 0
	} else if err := t.trained(r, d, s, found, share(0, to)); err != nil {
		return nil, err
	}
	for i := range t.Measure {
		from := to + (Thousand-to)*i/measures
		if err := t.Measure[i].Run(r, d, s, found, share(from, to+(Thousand-to)*(i+1)/measures)); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// unlabelled makes a result of labels that are not there, where others of the order do without; it returns other errors.
func (t *Task) unlabelled(r *measure.Result, err error) (*measure.Result, error) {
	if t.Lenient && err == error(measure.NoLabels) {
		err = r.Refuse(err)
	}
	return whole(r, err)
}

// trained trains, and notes in a result what came of it.
func (t *Task) trained(r *measure.Result, d *run.Dataset, s *run.Settings, found *measure.Training, yield pause.Yield) error {
	began := t.now()
	var err error
	if found.Result, err = t.train(d, s, found, yield); err != nil {
		return err
	}
	r.Seconds = t.now() - began
	r.Hash, r.Steps, r.EarlyStopped, r.Parameters = found.Hash, found.Passes(), found.Progress.EarlyStopped, found.Parameters
	r.First, r.Last, r.Notes = found.Progress.First, found.Progress.Losses, append(slices.Clone(d.Notes), found.Notes...)
	if found.Trained != nil {
		r.RankS = found.Trained.Rank
	}
	r.Wide(s, found.Scored)
	return nil
}

// look measures a graph that nothing is trained on.
func (t *Task) look(files *run.Files, yield pause.Yield) (*measure.Result, error) {
	d, s, err := t.open(files)
	if err != nil {
		return nil, err
	}
	r, began := t.result(t.Key(), d), t.now()
	for i := range t.Measure {
		if err := t.Measure[i].Look(r, d, s, func(done, of int) error {
			return yield.At(Thousand*i+Thousand*done/max(of, 1), Thousand*len(t.Measure))
		}); err != nil {
			return nil, err
		}
	}
	r.Seconds, r.Notes = t.now()-began, d.Notes
	return r, nil
}

// prepared prepares scans or graphs. Under the name of a method that an interface of core/baseline has, it would be linked with
// the methods.
func (t *Task) prepared(files *run.Files, yield pause.Yield) (*measure.Result, error) {
	m, s, err := t.ofScans()
	if err != nil {
		return nil, err
	}
	r := &measure.Result{Key: t.Key(), Name: t.Name}
	return whole(r, m.Prepare(r, &t.Data, s, files, yield))
}

// train trains as the settings say.
func (t *Task) train(d *run.Dataset, s *run.Settings, found *measure.Training, yield pause.Yield) (
	*run.Result, error) {
	drawn := slices.ContainsFunc(t.Measure, func(m measure.Spec) bool { return m.Kind == measure.Tables })
	return t.rest.train(d, s, run.Watch{
		Preparing: func(int, int) error { return yield(0, 1) }, // its share of a training is not known
		Within:    yield,
		Each: func(r *run.Run) error {
			c := r.Trainer()
			if found.Posterior != nil && c != nil {
				found.Posterior.Watch(c)
			}
			if drawn {
				found.Trainer = c
			}
			return nil
		},
	})
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
func (t *Task) compare(yield pause.Yield) (*measure.Result, error) {
	measure.ErrNeeds.Unless(t.stored != nil || len(t.Inputs) == len(t.Needs))
	s, err := t.Settings(t.defaults())
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
	measure.ErrNeeds.Unless(err != nil || in != nil && in.Key == n.Needs[i])
	return in, err
}

// open reads or draws the data and makes the settings.
func (t *Task) open(files *run.Files) (*run.Dataset, *run.Settings, error) {
	open := files.Open
	if len(t.Data.Scans) > 0 {
		open = func(spec *run.DataSpec) (*run.Dataset, error) { return measure.OfScans.Dataset(spec, files) }
	}
	d, err := open(&t.Data)
	if err != nil {
		return nil, nil, err
	}
	s, err := t.settingsOf(d)
	return d, s, err
}

// settingsOf returns the settings of the task for a data set.
func (t *Task) settingsOf(d *run.Dataset) (*run.Settings, error) {
	s, err := t.Settings(d.Defaults)
	if err == nil {
		err = s.Fit(t.Width, len(d.Graph.Layers))
	}
	return s, err
}

// defaults are the settings that the data are best trained with, as far as that is known before any are read.
func (t *Task) defaults() map[string]any {
	switch {
	case t.Data.Example != "":
		return run.DefaultsOf(t.Data.Example)
	case len(t.Data.Scans) > 0 && !t.ofCollection():
		return examples.BrainDefaults
	}
	return run.OwnDefaults
}

// ofCollection reports whether the scans of the data are the graphs of a collection.
func (t *Task) ofCollection() bool { return len(t.Measure) > 0 && t.Measure[0].OfCollection() }

// ofScans returns what is measured of scans, or of the graphs of a collection, and the settings.
func (t *Task) ofScans() (*measure.Spec, *run.Settings, error) {
	if len(t.Measure) == 0 {
		return nil, nil, diag.Option("measure", "none", "what to measure of the scans")
	}
	s, err := t.Settings(t.defaults())
	return &t.Measure[0], s, err
}

// Check reports whether the options of the data, and the settings of the task, fit together, as far as that is known before any data are read. The error is a
// [*diag.Error].
func (t *Task) Check() error {
	g, err := examples.Lookup(t.Data.Example)
	if err == nil {
		err = property.SetAll(t.Data.Options, g.Options())
	} else {
		err = measure.OfScans.Check(&t.Data)
	}
	if err == nil {
		_, err = t.Settings(t.defaults())
	}
	return err
}

// Usual are the settings of the task, as far as they are known before any data are read.
func (t *Task) Usual() (*run.Settings, error) { return t.Settings(t.defaults()) }

// Settings returns the settings of the task for data with such defaults.
func (t *Task) Settings(defaults map[string]any) (*run.Settings, error) {
	d := &run.Dataset{Defaults: defaults}
	var s *run.Settings
	var err error
	switch {
	case t.Kind() == TrainMethod:
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
