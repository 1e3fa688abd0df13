// Package collection lists many graphs, or recordings of which graphs are made, that lie in files of their own: each with
// its class and its group, and the files beside it.
package collection

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
)

// A Scan is one subject in one condition, and its files; or one graph of a collection, whose Subject is its group and
// whose Condition is its class.
type Scan struct {
	Subject   string `json:"subject"`
	Condition string `json:"condition"`
	File      string `json:"file"`                // of the series or of functional connectivity
	Confounds string `json:"confounds,omitempty"` // "" when there is none
	Graph     string `json:"graph,omitempty"`     // its name; "" for a scan
	// Without names regions of the series without data, as far as its beginning tells, with tabs between them.
	Without string `json:"without,omitempty"`
	// Regions is the number that the beginning of the file names; 0: not known.
	Regions int `json:"regions,omitempty"`
	// Motion is a table of the motion of a series that was cleaned before, Outliers one that marks frames to leave out, and TR
	// the value in files beside the series, in seconds; "" and 0 if there is none.
	Motion   string  `json:"motion,omitempty"`
	Outliers string  `json:"outliers,omitempty"`
	TR       float64 `json:"tr,omitempty"` // in seconds
	// Modern says that confounds pass the filter of the series, and that unsteady frames are left out, unless options say otherwise.
	// Scans that were found before there was a choice have none.
	Modern bool `json:"modern,omitempty"`
	// Untimed says what is wrong with the files that should say TR, and Filtered which of them says that the series was filtered
	// before; "" if there is none.
	Untimed  string `json:"untimed,omitempty"`
	Filtered string `json:"filtered,omitempty"`
	// More are the further runs that are joined to this one, and Part tells it from others of the subject in the condition.
	More []Run  `json:"more,omitempty"`
	Part string `json:"part,omitempty"`
	// Facts are the subject's entries in participants.tsv, by column.
	Facts map[string]string `json:"facts,omitempty"`
}

// Left are recordings of a subject that are not among the scans, for one reason.
type Left struct {
	Subject    string `json:"subject"`
	Recordings string `json:"recordings,omitempty"`
	Why        string `json:"why"`
}

// A Run is one recording with the files about it, as in [Scan].
type Run struct {
	File      string  `json:"file"`
	Confounds string  `json:"confounds,omitempty"`
	Motion    string  `json:"motion,omitempty"`
	Outliers  string  `json:"outliers,omitempty"`
	TR        float64 `json:"tr,omitempty"` // in seconds
	Modern    bool    `json:"modern,omitempty"`
	Untimed   string  `json:"untimed,omitempty"`
	Filtered  string  `json:"filtered,omitempty"`
}

// Runs returns the runs that are joined, the first and more.
func (s *Scan) Runs() []Run {
	return append([]Run{{s.File, s.Confounds, s.Motion, s.Outliers, s.TR, s.Modern, s.Untimed, s.Filtered}}, s.More...)
}

// Names are the files of some runs.
func Names(runs []Run) (names []string) {
	for _, r := range runs {
		for _, name := range []string{r.File, r.Confounds, r.Motion, r.Outliers} {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// Title names a scan for people.
func (s *Scan) Title() string {
	title := s.Subject + ", " + s.Condition
	if s.Part != "" {
		title += ", " + s.Part
	}
	return title
}

// A Cohort lists scans of many subjects in several conditions.
type Cohort struct {
	Scans      []Scan
	Subjects   []string // in order of first appearance
	Conditions []string // likewise: the classes

	subject, condition map[string]int // their places
}

// Of numbers the subjects and conditions of scans.
func Of(scans []Scan) *Cohort {
	c := &Cohort{Scans: scans, subject: map[string]int{}, condition: map[string]int{}}
	number := func(list *[]string, at map[string]int, name string) {
		if _, known := at[name]; !known {
			at[name], *list = len(*list), append(*list, name)
		}
	}
	for _, s := range scans {
		number(&c.Subjects, c.subject, s.Subject)
		number(&c.Conditions, c.condition, s.Condition)
	}
	return c
}

// AnyCohort checks what scans of many subjects need: no subject twice in a condition, unless names say which of its recordings each
// is, and no file twice. A subject may lack a condition. The error is a [*diag.Error]; file is for its message.
func AnyCohort(file string, scans []Scan) (*Cohort, error) {
	c := Of(scans)
	seen, files := map[[3]string]string{}, map[string]bool{}
	for _, s := range scans {
		where := fmt.Sprintf("subject %q, condition %q", s.Subject, s.Condition)
		key := [3]string{s.Subject, s.Condition, s.Part}
		if first, again := seen[key]; again {
			return nil, diag.At(file, 0, where, fmt.Sprintf("two files, %s and %s", first, s.File),
				"one; name further runs as conditions of their own, or leave them out")
		}
		if files[s.File] {
			return nil, diag.At(file, 0, where, "the file "+s.File+" a second time", "a file of its own")
		}
		seen[key], files[s.File] = s.File, true
	}
	return c, nil
}

// NewCohort checks what a cohort needs whose conditions are told: what [AnyCohort] does, and at least two conditions, each with at least two
// subjects, for folds hold out whole subjects. The error is a [*diag.Error]; file is for its message.
func NewCohort(file string, scans []Scan) (*Cohort, error) {
	c, err := AnyCohort(file, scans)
	if err != nil {
		return nil, err
	}
	one := func(subject string) string { return fmt.Sprintf("one subject, %q", subject) }
	return c.folds(file, "conditions", "condition", "subjects", one)
}

// folds returns a cohort that has two classes, each in two groups, by what these are called and how a single group is named.
func (c *Cohort) folds(file, classes, class, groups string, single func(string) string) (*Cohort, error) {
	if len(c.Conditions) < 2 {
		found := "none"
		if len(c.Conditions) > 0 {
			found = formats.List(c.Conditions, 3) + " alone"
		}
		return nil, diag.At(file, 0, classes, found, "at least 2 to tell apart")
	}
	first := map[string]string{}
	several := map[string]bool{}
	for _, s := range c.Scans {
		if _, known := first[s.Condition]; !known {
			first[s.Condition] = s.Subject
		}
		several[s.Condition] = several[s.Condition] || first[s.Condition] != s.Subject
	}
	for _, name := range c.Conditions {
		if !several[name] {
			return nil, diag.At(file, 0, fmt.Sprintf("%s %q", class, name), single(first[name]),
				"at least 2: folds hold out whole "+groups)
		}
	}
	return c, nil
}

// First returns the place of the first scan of a subject.
func (c *Cohort) First(subject string) int {
	return slices.IndexFunc(c.Scans, func(s Scan) bool { return s.Subject == subject })
}

// Groups returns for every scan the number of its condition and of its subject: classes and
// groups of the folds.
func (c *Cohort) Groups() (classes, subjects []int) {
	for _, s := range c.Scans {
		classes = append(classes, c.condition[s.Condition])
		subjects = append(subjects, c.subject[s.Subject])
	}
	return classes, subjects
}

// Without returns the regions that one scan or another has no data of, with tabs between them.
func (c *Cohort) Without() string {
	var all []string
	for _, s := range c.Scans {
		for name := range strings.SplitSeq(s.Without, "\t") {
			if name != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return strings.Join(all, "\t")
}

// AnyCollection checks what a collection of graphs needs: no graph or file twice. Subjects are its groups, Conditions its classes. The error
// is a [*diag.Error].
func AnyCollection(graphs []Scan) (*Cohort, error) {
	seen := map[[2]string]bool{}
	for _, s := range graphs {
		where := fmt.Sprintf("graph %q", s.Graph)
		for k, name := range [...]string{s.Graph, s.File} {
			key := [2]string{fmt.Sprint(k), name}
			if seen[key] {
				return nil, &diag.Error{Where: where, Found: name + " a second time", Expected: "each graph and each file once"}
			}
			seen[key] = true
		}
	}
	return Of(graphs), nil
}

// NewCollection checks what a collection needs whose classes are told: what [AnyCollection] does, and at least two classes, each in at least
// two groups, for folds hold out whole groups. The error is a [*diag.Error].
func NewCollection(graphs []Scan) (*Cohort, error) {
	c, err := AnyCollection(graphs)
	if err != nil {
		return nil, err
	}
	one := func(string) string { return "graphs of one group" }
	return c.folds("", "classes", "class", "groups", one)
}
