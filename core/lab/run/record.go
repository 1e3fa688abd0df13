package run

import (
	"cadem.example/core/base/precision"
	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// DataSpec says where a data set came from: an example with its options and seed, or files.
type DataSpec struct {
	Example  string          `json:"example,omitempty"`
	Options  map[string]any  `json:"options,omitempty"` // of the example, or of an [Opener] for files
	DataSeed uint64          `json:"data_seed,omitempty"`
	Files    []FileSpec      `json:"files,omitempty"`
	Choice   *formats.Choice `json:"choice,omitempty"` // what of the files makes the graph; nil: a guess
	Reader   int             `json:"reader,omitempty"` // [Reader], if files are read as now
	Scans    []Scan          `json:"scans,omitempty"`  // of a cohort, each a graph
}

// Reader is the number of how files are read: in what order nodes and layers come that no file lists. Records of runs
// from before it was written have 0 and keep their order; those that have 2 were scored in folds, whatever splits their files have,
// those that have 3 knew no places of nodes, those that have 4 took for features what may be labels, and joined matrices by place,
// whatever their names, and those that have 5 took numbers that are not whole for classes, and were scored by all nodes in each epoch, however
// many ([evaluate.Many]).
const Reader = 6

// Chosen is the choice of the graph's parts in the files, in the order in which the data were first read.
func (s *DataSpec) Chosen() *formats.Choice {
	if len(s.Files) == 0 || s.Reader >= Reader {
		return s.Choice
	}
	c := formats.Choice{}
	if s.Choice != nil {
		c = *s.Choice
	}
	c.Mention, c.Unplaced, c.Unasked, c.ByPlace = s.Reader < 2, s.Reader < 4, s.Reader < 5, s.Reader < 5
	c.Classed = true
	if s.Reader < 3 {
		c.Splits = []string{formats.NoSplits}
	}
	return &c
}

// A State is the state of a run.
type State string

const (
	Running   State = "running"
	Paused    State = "paused"
	Finished  State = "finished"
	Cancelled State = "cancelled" // given up for another run, or by the user
	Failed    State = "failed"
)

// Record describes a run of CaDeM or of another method, as the page keeps it.
type Record struct {
	Run        string         `json:"run"`
	Name       string         `json:"name"`
	Created    string         `json:"created"` // RFC 3339
	Updated    string         `json:"updated"`
	Data       DataSpec       `json:"data"`
	Options    map[string]any `json:"options"`    // of training
	Evaluation map[string]any `json:"evaluation"` // options
	Preset     string         `json:"preset"`
	// Method and Level are those of another method than CaDeM, whose options Options are.
	Method    string `json:"method,omitempty"`
	Level     string `json:"level,omitempty"`
	ModelSeed uint64 `json:"model_seed"`
	EvalSeed  uint64 `json:"eval_seed"`
	// Precision is 0 in records from before it was written.
	Precision  precision.Bits `json:"precision,omitempty"`
	State      State          `json:"state"`
	Progress   RecordProgress `json:"progress"`
	Changes    []cadem.Change `json:"changes"`
	Hash       string         `json:"hash"`
	RankS      int            `json:"rank_S"`
	Scores     any            `json:"scores"`
	ScoredStep int            `json:"scored_step"`
	FirstStep  int            `json:"first_step"`
	// LossColumns are the numbers a step of stored losses; 0 stands for [earlyColumns].
	LossColumns int     `json:"loss_columns,omitempty"`
	Summary     Summary `json:"summary"`
	Task        string  `json:"task"`
	Expect      string  `json:"expect"`
}

// Of names the method of the run: a preset of CaDeM, or another method at a level.
func (r *Record) Of(s *Settings) {
	if r.Preset = s.Level; !s.OfCaDeM() {
		r.Method, r.Level, r.Preset = s.Method.Name, s.Level, cadem.Presets[0]
	}
}

// earlyColumns is the number of terms of the loss, with the total, when records did not have it.
const earlyColumns = 4

// RecordProgress is the progress of a recorded run.
type RecordProgress struct {
	State  State              `json:"state"`
	Epoch  int                `json:"epoch"`
	Epochs int                `json:"epochs"`
	Step   int                `json:"step"`
	Steps  int                `json:"steps"`
	Losses map[string]float64 `json:"losses,omitempty"` // by the names of the terms
	RankS  int                `json:"rank_S"`
}

// A Scan is one series of a cohort, or a part of it: what becomes one graph.
type Scan struct {
	Name  string `json:"name"`
	Class int    `json:"class"` // the true one
	Group int    `json:"group"` // never trained on and tested at once
	// File and Confounds are among the files of the data.
	File      string `json:"file,omitempty"`
	Confounds string `json:"confounds,omitempty"`
	// Motion, Outliers, TR (in seconds), Modern, Untimed, Filtered and More are those of [collection.Scan].
	Motion   string           `json:"motion,omitempty"`
	Outliers string           `json:"outliers,omitempty"`
	TR       float64          `json:"tr,omitempty"` // in seconds
	Modern   bool             `json:"modern,omitempty"`
	Untimed  string           `json:"untimed,omitempty"`
	Filtered string           `json:"filtered,omitempty"`
	More     []collection.Run `json:"more,omitempty"`
	// Without names regions that another scan has no data of, with tabs between them.
	Without string `json:"without,omitempty"`
	// Subject and Condition are numbers of a synthetic cohort's.
	Subject   int `json:"subject,omitempty"`
	Condition int `json:"condition,omitempty"`
	// Frames of the series from From on, which counts from the end below 0; 0: all of it.
	From   int `json:"from,omitempty"`
	Frames int `json:"frames,omitempty"`
	// Of is the smallest length of a series whose windows from its start and from its end share no
	// frame.
	Of int `json:"of,omitempty"`
	// Weight is the weight of a scan among those of its subject and condition, and Covariates are numbers of the subject: for contrasts.
	Weight     float64   `json:"weight,omitempty"`
	Covariates []float64 `json:"covariates,omitempty"`
}

// Runs returns the runs that are joined, the first and more.
func (s *Scan) Runs() []collection.Run {
	first := collection.Run{File: s.File, Confounds: s.Confounds, Motion: s.Motion, Outliers: s.Outliers,
		TR: s.TR, Modern: s.Modern, Untimed: s.Untimed, Filtered: s.Filtered}
	return append([]collection.Run{first}, s.More...)
}

// OfCohort makes the scan of one of a cohort: its files and their description.
func (s Scan) OfCohort(c *collection.Scan) Scan {
	s.File, s.Confounds, s.Motion, s.Outliers = c.File, c.Confounds, c.Motion, c.Outliers
	s.TR, s.Modern, s.Untimed, s.Filtered, s.More = c.TR, c.Modern, c.Untimed, c.Filtered, c.More
	return s
}
