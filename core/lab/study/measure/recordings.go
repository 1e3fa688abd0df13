package measure

import (
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/lab/run"
	"cadem.example/core/multiplex"
)

// Recordings make graphs of the scans of a data set ([run.DataSpec.Scans]), of files or of a cohort that is drawn.
type Recordings struct {
	// Steps and Drawn are the options of the data: of how graphs are made of recordings, and of the cohort that is drawn, by default.
	Steps func() []property.Property
	Drawn func() any
	// Check reports whether the options of data fit.
	Check func(*run.DataSpec) error
	Open  func(*run.DataSpec, *run.Files) (Source, error)
	// Dataset makes the data set of the last of some scans, which has to be like those before it.
	Dataset func(*run.DataSpec, *run.Files) (*run.Dataset, error)
}

// A Source gives the graphs of scans, or of a collection, one after the other.
type Source interface {
	// Graph makes the graph of a scan; its errors are those of the files, and of options that do not fit them.
	Graph(*run.Scan) (*multiplex.Graph, error)
	Said() []string // of those that it gave, in sentences
}

var unread = &diag.Error{Where: "scans", Found: "scans for a program without a reader of them", Expected: "graphs"}

// OfScans makes graphs of scans in this program. The main packages set it.
var OfScans = &Recordings{
	Steps:   func() []property.Property { return nil },
	Drawn:   func() any { return &struct{}{} },
	Check:   func(*run.DataSpec) error { return unread },
	Open:    func(*run.DataSpec, *run.Files) (Source, error) { return nil, unread },
	Dataset: func(*run.DataSpec, *run.Files) (*run.Dataset, error) { return nil, unread },
}

// HasStep reports whether an option is one of how graphs are made of recordings.
func (r *Recordings) HasStep(name string) bool {
	return slices.ContainsFunc(r.Steps(), func(p property.Property) bool { return p.Name == name })
}

// Has reports whether an option is one of how scans are drawn or made graphs of.
func (r *Recordings) Has(name string) bool { return r.HasStep(name) || property.Has(r.Drawn(), name) }

// openGraphs opens the graphs of scans, or those of a collection.
func (m *Spec) openGraphs(spec *run.DataSpec, files *run.Files) (Source, error) {
	if m.OfCollection() {
		return openCollection(spec, files), nil
	}
	return OfScans.Open(spec, files)
}
