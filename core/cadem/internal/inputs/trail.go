package inputs

import (
	"cadem.example/core/cadem/evidence"
	"cadem.example/core/cadem/split"
	"cadem.example/core/multiplex"
)

// A Trail is how inputs came from graphs, for those who follow an embedding back to links and features.
type Trail struct {
	Sources  [][]split.Source // of every graph and layer; nil after a split by evidence
	Prepared []*split.Result  // one for each lot of graphs, with parts and, except for evidence, maps; nil: Z unchanged
	Evidence *evidence.Result // nil except for evidence
	Layers   []*evidence.Layer
	Made     bool     // X are features made of links, of nodes that have none
	Remarks  []string // on what it left out
}

// Retrace prepares graphs again, as [New] does and with the same errors, and keeps how.
func Retrace(graphs multiplex.Source, o Options) (*Trail, error) {
	t, prepared := &Trail{}, o.prepared(graphs.Graph(0), graphs.Len)
	t.Made, o.Maps = o.made(), true
	if o.Evidence {
		return t, preparer.Divide(t, graphs, &o)
	}
	for i := range graphs.Len {
		layers, err := o.layers(graphs.Graph(i), i)
		if err != nil {
			return nil, err
		}
		t.Sources = append(t.Sources, layers)
	}
	if !prepared {
		return t, nil
	}
	return t, o.lots(t.Sources, func(lot [][]split.Source) error {
		r, err := preparer.Split(lot, &o)
		t.Prepared = append(t.Prepared, r)
		return err
	})
}
