package connectome

import (
	"fmt"
	"slices"
	"strings"

	"cadem/core/diag"
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
}

// A Cohort lists scans of many subjects in several conditions.
type Cohort struct {
	Scans      []Scan
	Subjects   []string // in order of first appearance
	Conditions []string // likewise: the classes

	subject, condition map[string]int // their places
}

// newCohort numbers subjects and conditions.
func newCohort(scans []Scan) *Cohort {
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

// NewCohort checks what a cohort needs: at least two conditions, each with at least two
// subjects, for folds hold out whole subjects; no subject twice in a condition, and no file
// twice. A subject may lack a condition. The error is a [*diag.Error]; file is for its message.
func NewCohort(file string, scans []Scan) (*Cohort, error) {
	c := newCohort(scans)
	seen, files, of := map[[2]string]string{}, map[string]bool{}, map[string][]string{}
	for _, s := range scans {
		where := fmt.Sprintf("subject %q, condition %q", s.Subject, s.Condition)
		if first, again := seen[[2]string{s.Subject, s.Condition}]; again {
			return nil, &diag.Error{File: file, Where: where, Found: fmt.Sprintf("two files, %s and %s", first, s.File),
				Expected: "one; name further runs as conditions of their own, or leave them out"}
		}
		if files[s.File] {
			return nil, &diag.Error{File: file, Where: where, Found: "the file " + s.File + " a second time", Expected: "a file of its own"}
		}
		seen[[2]string{s.Subject, s.Condition}], files[s.File] = s.File, true
		of[s.Condition] = append(of[s.Condition], s.Subject)
	}
	if len(c.Conditions) < 2 {
		return nil, &diag.Error{File: file, Where: "conditions", Found: alone(c.Conditions), Expected: "at least 2 to tell apart"}
	}
	for _, condition := range c.Conditions {
		if subjects := of[condition]; len(subjects) < 2 {
			return nil, &diag.Error{File: file, Where: fmt.Sprintf("condition %q", condition), Found: fmt.Sprintf("one subject, %q", subjects[0]),
				Expected: "at least 2: folds hold out whole subjects"}
		}
	}
	return c, nil
}

// alone lists what should be at least two.
func alone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return some(names) + " alone"
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
