package measures

import (
	"fmt"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/pause"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
	"cadem.example/core/multiplex"
)

// Many are the graphs of subjects.
type Many struct {
	Graphs  []*multiplex.Graph
	Classes []string // none where they are not asked for, or all graphs have the same
	Class   []int    // of each graph, if there are classes
	Group   []int    // of each graph: those of one are of one subject
}

// Drawn lists the scans of synthetic subjects, one of each condition.
func Drawn(subjects int) (scans []run.Scan) {
	for subject := range subjects {
		for k, name := range cohort.Conditions {
			scans = append(scans, run.Scan{Name: fmt.Sprintf("synthetic subject %d, %s", subject+1, name), Class: k, Group: subject, Subject: subject, Condition: k})
		}
	}
	return scans
}

// ReadMany makes a graph of every scan of a cohort, or reads those of a collection, among the files of the data; without a cohort the data draw
// one. If classes is true, they are read, too, with as many scans of each as folds need. Yield may be nil. The error is a [*diag.Error] unless it is yield's.
func ReadMany(scans []collection.Scan, data *run.DataSpec, classes bool, files *run.Files, yield pause.Yield) (*Many, error) {
	m, spec, ofGraphs, err := &Many{}, *data, false, error(nil)
	if spec.Example == run.CohortData {
		_, drawn, err := ScanOptions(&spec)
		if err != nil {
			return nil, err
		}
		m.Classes = cohort.Conditions
		spec.Scans = append(spec.Scans, Drawn(drawn.Subjects)...)
	} else {
		if len(scans) == 0 {
			return nil, &diag.Error{Where: "files", Found: "no subject", Expected: "a table, or a folder, of scans or of graphs"}
		}
		ofGraphs = scans[0].Graph != ""
		c, err := anyOf(scans, ofGraphs)
		if err == nil && classes && len(c.Conditions) > 1 {
			m.Classes = c.Conditions
			err = folded(scans, ofGraphs)
		}
		if err != nil {
			return nil, err
		}
		class, group := c.Groups()
		for i := range scans {
			s := &scans[i]
			scan := run.Scan{Name: s.Graph, Class: class[i], Group: group[i], File: s.File}
			if !ofGraphs {
				scan = run.Scan{Name: titled(s), Class: class[i], Group: group[i], Without: s.Without}.OfCohort(s)
			}
			spec.Scans = append(spec.Scans, scan)
		}
	}
	of := &measure.Spec{Kind: measure.Combined}
	if ofGraphs {
		of.Kind = measure.CombinedGraphs
	}
	m.Graphs, _, err = of.Graphs(&spec, files, yield)
	for i := range spec.Scans {
		if m.Group = append(m.Group, spec.Scans[i].Group); m.Classes != nil {
			m.Class = append(m.Class, spec.Scans[i].Class)
		}
	}
	return m, err
}

func anyOf(scans []collection.Scan, ofGraphs bool) (*collection.Cohort, error) {
	if ofGraphs {
		return collection.AnyCollection(scans)
	}
	return collection.AnyCohort("", scans)
}

// folded refuses scans, or graphs, whose classes have too few items for the folds.
func folded(scans []collection.Scan, ofGraphs bool) (err error) {
	if ofGraphs {
		_, err = collection.NewCollection(scans)
	} else {
		_, err = collection.NewCohort("", scans)
	}
	return err
}

// titled names a scan, which may be of no condition.
func titled(s *collection.Scan) string {
	c := *s
	if c.Condition == "" {
		c.Subject, c.Condition = "", c.Subject
	}
	return strings.TrimPrefix(c.Title(), ", ")
}
