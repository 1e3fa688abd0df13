package study

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/cadem"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/synth/examples"
)

// A Source says where the data of an order come from that are not files.
type Source string

const (
	Drawn     Source = "drawn"
	Published Source = "published" // the very data behind the paper's numbers
	Synthetic Source = "synthetic" // what Drawn is called for a cohort
)

// A Search is a way to try settings.
type Search string

const (
	Random     Search = "random"  // settings that are drawn
	Halving    Search = "halving" // the same, trained for short before the better ones go on
	GridSearch Search = "grid"    // every combination of the values that an order lists
)

// usualTrials is the number of trials of each method, unless an order sets it.
const usualTrials = 30

// Foreseen fails where not all tasks of an order are known before any is run: halving goes on with what the first ones chose.
func (o *Order) Foreseen() error {
	if o.Search != Halving {
		return nil
	}
	return diag.Option("search", string(Halving), "random or grid where all tasks are laid down at once; cadem study tune alone halves")
}

// checkSearch validates how settings are searched, and fills in defaults.
func (o *Order) checkSearch(s *Study) error {
	if err := o.checkWidth(s); err != nil {
		return err
	}
	if s.Searches == nil {
		if o.Search != "" || o.Trials != 0 {
			return diag.Option("search", "search or trials for "+s.Name, "none: the experiment tries no settings")
		}
		return nil
	}
	if o.Search == "" {
		o.Search = s.Searches[0]
	}
	if !slices.Contains(s.Searches, o.Search) {
		var names []string
		for _, search := range s.Searches {
			names = append(names, string(search))
		}
		return diag.Option("search", fmt.Sprintf("%q for %s", o.Search, s.Name), "one of "+strings.Join(names, ", "))
	}
	if o.Trials == 0 && o.Search != GridSearch {
		o.Trials = usualTrials
	}
	if o.Trials != 0 && o.Trials < 2 || o.Trials > 1000 {
		return diag.Option("trials", fmt.Sprint(o.Trials), "a number from 2 to 1000")
	}
	return nil
}

// checkWidth checks the width that all methods are to have.
func (o *Order) checkWidth(s *Study) error {
	if o.Width == 0 {
		return nil
	}
	if s.Methods != Nodes {
		return diag.Option("width", fmt.Sprintf("%d for %s", o.Width, s.Name), "none: the experiment compares no methods that embed nodes")
	}
	if o.Width < 0 || o.Width > mostWidth {
		return diag.Option("width", fmt.Sprint(o.Width), fmt.Sprintf("a number from 1 to %d", mostWidth))
	}
	for _, name := range slices.Sorted(maps.Keys(o.Options)) {
		if name == "dim" || strings.HasSuffix(name, ".dim") {
			return diag.Option(name, "a size beside the width of all methods", "one of the two")
		}
	}
	return nil
}

// mostWidth is the most that every method with a size can have.
const mostWidth = 256

// An Order says which experiment to run, and how often.
type Order struct {
	Study string `json:"study"`
	// Seeds are the model seeds 0, 1, ... of every training, DataSeeds the seeds of the
	// data; 0 takes the study's usual numbers.
	Seeds     int `json:"seeds,omitempty"`
	DataSeeds int `json:"data_seeds,omitempty"`
	// EvalSeed draws folds, first cluster centres and pictures; nil takes the study's usual one.
	EvalSeed *uint64 `json:"eval_seed,omitempty"`
	// Preset of training, "" for released; or several, as [Order.presets] reads them.
	Preset string `json:"preset,omitempty"`
	// Methods to compare CaDeM with, by name and separated by commas, at a Level of their settings: "" for
	// none, "all" for all that fit, and their official settings. Where a method has none of the level, its usual ones
	// are taken.
	Methods string `json:"methods,omitempty"`
	Level   string `json:"level,omitempty"`
	// Links is the number of splits of links, to score how well trainings without the held-out ones predict them; 0: none. It is for a [Study.Linked].
	Links int `json:"links,omitempty"`
	// Predictions asks for what each fold trains on, tests, and finds. It is of a study that classifies.
	Predictions bool `json:"predictions,omitempty"`
	// Data says where they come from; "" for drawn.
	Data Source `json:"data,omitempty"`
	// Example names the data that are drawn, for a study of [Study.AnyExample].
	Example string `json:"example,omitempty"`
	// Files, with their sums, and the choice of their parts, for a study that needs data of one's own;
	// nil: a guess.
	Files  []run.FileSpec  `json:"files,omitempty"`
	Choice *formats.Choice `json:"choice,omitempty"`
	// Sets are the files of several multiplex graphs, each as Files and Choice name those of one.
	Sets []FileSet `json:"sets,omitempty"`
	// Cohort lists the scans, or the graphs, among the files, for a study of many.
	Cohort []collection.Scan `json:"cohort,omitempty"`
	// Left are recordings beside them that names leave out, for reports.
	Left []collection.Left `json:"left,omitempty"`
	// Search says how settings are tried, by a study that has [Study.Searches], Trials how many of each method. Width is that of all embeddings of a
	// method together, 0 for their own sizes.
	Search Search `json:"search,omitempty"`
	Trials int    `json:"trials,omitempty"`
	Width  int    `json:"width,omitempty"`
	// Options of data, training and evaluation that differ from the study's own.
	Options map[string]any `json:"options,omitempty"`
}

// most seeds of one kind: what a page can show and a person wait for.
const mostSeeds = 100

// Check validates an order and fills in what it leaves to the study.
func (o Order) Check(s *Study) (*Order, error) {
	if o.Preset == "" {
		o.Preset = cmp.Or(s.Preset, cadem.Presets[0])
	}
	presets, err := o.presets(s)
	if err != nil {
		return nil, err
	}
	o.Preset = strings.Join(presets, ",")
	for _, check := range []func(*Study) error{o.checkMethods, o.checkOwn, o.checkSearch, o.checkLinks, o.checkSets, o.checkData} {
		if err := check(s); err != nil {
			return nil, err
		}
	}
	seeds := s.Seeds
	if o.OfFiles() && s.FileSeeds > 0 {
		seeds = s.FileSeeds
	}
	if o.Data == Published && o.DataSeeds > 1 {
		return nil, diag.Option("data_seeds", fmt.Sprint(o.DataSeeds), "1 with published data: there is one instance")
	}
	for _, n := range []struct {
		name  string
		value *int
		usual int
	}{{"seeds", &o.Seeds, seeds}, {"data_seeds", &o.DataSeeds, s.DataSeeds}} {
		if *n.value < 0 || *n.value > mostSeeds {
			return nil, diag.Option(n.name, fmt.Sprint(*n.value), fmt.Sprintf("a number from 1 to %d", mostSeeds))
		}
		if *n.value == 0 {
			*n.value = n.usual
		}
	}
	if o.Study != "all" && s.Single && max(o.Seeds, o.DataSeeds) > 1 {
		return nil, diag.Option("seeds", fmt.Sprintf("%d of the model, %d of the data", max(o.Seeds, 1), max(o.DataSeeds, 1)), "1: "+s.Name+" shows one training")
	}
	if s.Looks && o.DataSeeds > 1 {
		return nil, diag.Option("data_seeds", fmt.Sprint(o.DataSeeds), "1: "+s.Name+" is about one data set")
	}
	if o.Data == Published || s.Single {
		o.DataSeeds = 1
	}
	if s.Single {
		o.Seeds = 1
	}
	return &o, nil
}

// checkLinks checks the number of splits of links.
func (o *Order) checkLinks(s *Study) error {
	switch {
	case o.Links < 0 || o.Links > mostSeeds:
		return diag.Option("links", fmt.Sprint(o.Links), fmt.Sprintf("a number of splits from 1 to %d", mostSeeds))
	case o.Links > 0 && !s.Linked && o.Study != "all":
		return diag.Option("links", fmt.Sprintf("%d for %s", o.Links, s.Name), "none: the experiment does not score held-out links")
	}
	return nil
}

// checkData checks where the data come from, and fills it in.
func (o *Order) checkData(s *Study) error {
	if s.Needs == NeedCohort && len(o.Files) == 0 {
		if o.Data != "" && o.Data != Drawn && o.Data != Synthetic || len(o.Cohort) > 0 {
			return diag.Option("data", found(o.Data), "synthetic, or the files of a cohort")
		}
		o.Data = Drawn
		return nil
	}
	drawn := s.AnyExample && o.Example != "" && !o.OfFiles()
	if !drawn && (s.Needs != NeedNothing || s.OfGraphs() && o.OfFiles()) {
		if o.Data != "" || !o.OfFiles() {
			expected := "files: " + s.Name + " is about data of one's own"
			if s.AnyExample {
				expected += ", or the name of an example"
			}
			return diag.Option("data", found(o.Data), expected)
		}
		for _, part := range o.about() {
			for _, f := range part.Files {
				if f.Sum == "" {
					return diag.Option("data", f.Name+" without the sum of its contents", "files with their sums")
				}
			}
		}
		if o.DataSeeds > 1 {
			return diag.Option("data_seeds", fmt.Sprint(o.DataSeeds), "1: files are not drawn")
		}
		o.DataSeeds = 1
		if s.CheckScans != nil {
			return o.checkScans(s)
		}
		return nil
	}
	if _, err := examples.Lookup(o.Example); s.AnyExample && err != nil {
		return diag.Option("data", fmt.Sprintf("%q", o.Example), "one of the examples "+strings.Join(examples.Names(), ", ")+", or files")
	}
	if o.OfFiles() || o.Choice != nil {
		return diag.Option("data", "files", "drawn or published: "+s.Name+" draws its data")
	}
	switch o.Data {
	case "":
		o.Data = cmp.Or(s.Data, Drawn)
	case Drawn, Published:
	default:
		return diag.Option("data", fmt.Sprintf("%q", o.Data), "drawn or published")
	}
	return nil
}

func found(data Source) string {
	if data == "" {
		return "no files"
	}
	return fmt.Sprintf("%q", data)
}

// checkScans reports whether the scans among the files of an order will do for a study.
func (o *Order) checkScans(s *Study) error {
	there := map[string]bool{}
	for _, f := range o.Files {
		there[f.Name] = true
	}
	for _, scan := range o.Cohort {
		for _, name := range collection.Names(scan.Runs()) {
			if !there[name] {
				return diag.At(name, 0, fmt.Sprintf("subject %q, condition %q", scan.Subject, scan.Condition), "no such file",
					"it among the files")
			}
		}
	}
	return s.CheckScans(o.Cohort)
}

// OfFiles reports whether the order is about files.
func (o *Order) OfFiles() bool { return len(o.Files)+len(o.Sets) > 0 }
