package inputs

import (
	"fmt"
	"slices"

	"cadem.example/core/cadem/evidence"
	"cadem.example/core/cadem/split"
)

// Shares is what the layers of the first graph share, or those of all graphs where they were
// split together.
type Shares struct {
	Agreement []float64 `json:"agreement"` // of every direction, falling
	Chance    float64   `json:"chance"`    // independent layers stay below it
	Least     float64   `json:"least"`     // what a shared direction exceeds: the option, or chance
	Shared    int       `json:"shared"`    // directions
	Ranks     []int     `json:"ranks"`     // directions that each layer keeps
	Edges     []float64 `json:"edges"`     // the noise edge of each, in units of its largest singular value; 0: none
	// Featureless says that nodes have no features: what stands above noise is then a matter of their edges.
	Featureless bool `json:"featureless"`
	// Evidence is the split by evidence, in place of agreement and edges.
	Evidence *evidence.Found `json:"evidence,omitempty"`
	Words    []string        `json:"words,omitempty"` // that, in sentences
}

// Shares returns nil for inputs that are not split.
func (in *Preparation) Shares() *Shares {
	if !in.split {
		return nil
	}
	r := in.Prepared[0]
	s := &Shares{Agreement: r.Agreement, Chance: r.Chance, Least: max(in.least, r.Chance), Shared: r.Shared, Ranks: r.Ranks(), Featureless: r.Featureless}
	if in.evidence != nil {
		s.Agreement, s.Least, s.Evidence, s.Words = []float64{}, 0, in.evidence, in.Notes()
	}
	for _, l := range r.Layers {
		s.Edges = append(s.Edges, l.Edge)
	}
	return s
}

// Shared returns how many directions the common inputs of a graph have at most, of d columns of
// embeddings.
func (in *Preparation) Shared(graph, d int) int {
	if !in.split {
		return d
	}
	return in.Prepared[min(graph, len(in.Prepared)-1)].Shared
}

// Notes say what trimming and splitting found.
func (in *Preparation) Notes() (notes []string) {
	if in.Prepared == nil {
		return in.remarks
	}
	if in.evidence != nil {
		return slices.Concat(in.remarks, in.evidence.Notes(in.names))
	}
	r := in.Prepared[0]
	notes = split.Notes(r.Ranks(), r.Layers[0].Target != nil, r.Featureless, r.Rows[len(r.Rows)-1])
	if in.split {
		what := fmt.Sprintf("the layers share %d directions", r.Shared)
		if r.Shared == 0 {
			what = "the layers share nothing: the consensus is 0"
		}
		if len(r.Agreement) > 0 {
			what += fmt.Sprintf("; the largest agreement is %.2f, and shared is what exceeds %.2f", r.Agreement[0], max(in.least, r.Chance))
		}
		notes = append(notes, what)
	}
	return notes
}
