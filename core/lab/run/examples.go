package run

import (
	"cadem.example/core/base/property"
	"cadem.example/core/synth/examples"
)

// DefaultsOf returns the settings that an example is best trained with.
func DefaultsOf(name string) map[string]any {
	switch name {
	case CohortData:
		return examples.BrainDefaults
	case CollectionData:
		return OwnDefaults
	}
	if e, err := examples.Lookup(name); err == nil {
		return e.Defaults
	}
	return nil
}

// OpenExample draws an example; options are those of its generator by name, the rest being
// defaults.
func OpenExample(name string, options map[string]any, seed uint64) (*Dataset, error) {
	e, err := examples.Lookup(name)
	if err != nil {
		return nil, err
	}
	o := e.Options()
	if err := property.SetAll(options, o); err != nil {
		return nil, err
	}
	g, err := e.Generator.Draw(o, seed)
	if err != nil {
		return nil, err
	}
	return &Dataset{
		Name: name, Graph: g, Defaults: e.Defaults, Expect: e.Expect,
		Cluster: e.Task != examples.Classification, Classify: e.Task != examples.Clustering,
	}, nil
}

// CohortData is the example of a data set of scans that are drawn.
const CohortData = "cohort of scans"

// CollectionData is the Example of tasks on the graphs of a collection, which has none.
const CollectionData = "collection of graphs"
