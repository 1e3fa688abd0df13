package text

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
)

// layered reads a link of Infomap's network of several layers: in *Multilayer "layer node layer node", in *Intra
// "layer node node" and in *Inter "layer node layer", each followed by a weight or not.
func (s *sectioned) layered() error {
	at := s.section.layers
	n, weight := 1+slices.Max(at), ""
	switch len(s.fields) {
	case n:
	case n + 1:
		weight = s.fields[n]
	default:
		said := make([]string, n)
		for k, word := range [...]string{"layer", "node", "layer", "node"} {
			said[at[k]] = word
		}
		return s.bad("columns", figure.Count(len(s.fields), "column"),
			fmt.Sprintf("%d or %d: %s weight", n, n+1, strings.Join(said, " ")))
	}
	from, to := s.fields[at[0]], s.fields[at[2]]
	for _, layer := range [...]string{from, to} {
		if !input.IsWhole(layer) {
			return s.bad("layer", input.Quote(layer), "the number of a layer")
		}
	}
	return s.edge(s.fields[at[1]], s.fields[at[3]], from, to, weight)
}
