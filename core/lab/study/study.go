package study

import (
	"slices"

	"cadem.example/core/formats/collection"
)

// A Study is an experiment of the paper as data.
type Study struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Shows and Learn say in a sentence each, before it is run, its subject and what its reader will know afterwards.
	Shows string `json:"shows"`
	Learn string `json:"learn"`
	// Text says in plain words what to look at, and the limits of the result.
	Text string `json:"text"`
	// Seeds and DataSeeds are the usual numbers.
	Seeds     int `json:"seeds"`
	DataSeeds int `json:"data_seeds"`
	// FileSeeds is the usual number of model seeds on files, where it is another one.
	FileSeeds int `json:"file_seeds,omitempty"`
	// Needs says what an order has to bring along, Takes what it may bring in place of drawn data.
	Needs Need `json:"needs"`
	Takes Need `json:"takes,omitempty"`
	// Data is where they come from unless an order says so; "": they are drawn.
	Data Source `json:"data,omitempty"`
	// AnyExample says that it may be about whichever example its order names, in place of files.
	AnyExample bool `json:"any_example,omitempty"`
	// AtOnce marks a study whose first task is so fast that its results appear before the others are run.
	AtOnce bool `json:"at_once,omitempty"`
	// Linked says that it can score the prediction of held-out links, for data without labels, too.
	Linked bool `json:"linked,omitempty"`
	// Also are other names for it in orders.
	Also []string `json:"also,omitempty"`
	// Classifies says that options of the classification are of consequence.
	Classifies bool `json:"classifies"`
	// Offers are options of the data to be asked for, by name.
	Offers []string `json:"offers,omitempty"`
	// Without are options of the classification that it cannot have, by name; "predictions" where its classifiers are not those of scores.
	Without []string `json:"without,omitempty"`

	// Methods says what methods beside CaDeM have to embed; "": it compares none.
	Methods Scope `json:"methods,omitempty"`

	Yields     []string                                   `json:"-"` // options of its own tasks that give way to those of an order
	Own        func() any                                 `json:"-"` // the options of its own measurement, to be asked for; nil: none
	Counts     string                                     `json:"-"` // the option for the number of drawn scans, which no task has
	Searches   []Search                                   `json:"-"` // how it tries settings of every method, which an order may list; nil: it tries none
	More       func(o *Order, results Results) []Task     `json:"-"` // the tasks that follow from results, those of Plan among them; nil: none
	Trains     bool                                       `json:"-"` // is about training itself: the closed form has no place in it
	Preset     string                                     `json:"-"` // the usual one, "" for released
	Looks      bool                                       `json:"-"` // looks at one data set without training, except for what its presets train
	Apart      bool                                       `json:"-"` // made of other experiments, or not the paper's, and so not among all of them
	Together   bool                                       `json:"-"` // takes all presets of an order at once
	Single     bool                                       `json:"-"` // shows one training: the first of each kind of seeds
	BySet      bool                                       `json:"-"` // plans and reports every data set of an order by itself
	CheckScans func([]collection.Scan) error              `json:"-"` // whether a cohort will do; nil for data of another kind
	Plan       func(o *Order) []Task                      `json:"-"`
	Assemble   func(o *Order, results Results, r *Report) `json:"-"` // adds rows, charts and findings of the results there are
}

// Studies are experiments in the order in which to show them.
type Studies []Study

// A Need says what data of one's own a study is about.
type Need string

const (
	NeedNothing Need = ""       // its data are drawn
	NeedGraph   Need = "graph"  // the files of one multiplex graph
	NeedCohort  Need = "cohort" // the scans of many subjects; without files they are drawn
	NeedGraphs  Need = "graphs" // the files of many multiplex graphs, which an order lists as it does scans
)

// Lookup returns the study of a name, nil if there is none.
func (all Studies) Lookup(name string) *Study {
	for _, s := range all {
		if s.Name == name || slices.Contains(s.Also, name) {
			return &s
		}
	}
	return nil
}
