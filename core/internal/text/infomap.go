package text

import (
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
)

// layered reads a link of Infomap's network of several layers: in *Multilayer "layer node layer node", in *Intra
// "layer node node" and in *Inter "layer node layer", each followed by a weight or not.
func (s *sectioned) layered() error {
	layout, expected := []int{0, 1, 2, 3}, "4 or 5: layer node layer node weight" // the layer, node, layer and node
	switch s.section {
	case "intra":
		layout, expected = []int{0, 1, 0, 2}, "3 or 4: layer node node weight"
	case "inter":
		layout, expected = []int{0, 1, 2, 1}, "3 or 4: layer node layer weight"
	case "":
		return s.bad("section", input.Quote(s.fields[0]), wantSections)
	}
	n, weight := 3, ""
	if layout[3] == 3 {
		n = 4
	}
	switch len(s.fields) {
	case n:
	case n + 1:
		weight = s.fields[n]
	default:
		return s.bad("columns", figure.Count(len(s.fields), "column"), expected)
	}
	from, to := s.fields[layout[0]], s.fields[layout[2]]
	for _, layer := range [...]string{from, to} {
		if !input.IsWhole(layer) {
			return s.bad("layer", input.Quote(layer), "the number of a layer")
		}
	}
	return s.edge(s.fields[layout[1]], s.fields[layout[3]], from, to, weight)
}
