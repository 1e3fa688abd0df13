package text

import (
	"path"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/internal/input"
)

// muxViz looks for a configuration of muxViz among the texts and takes it out: lines
// "file;name of the layer;layout file" that name other files. A layout
// file lists the nodes.
func (s *Set) muxViz() error {
	given := map[string]*textFile{}
	for _, t := range s.loose {
		given[input.Name(path.Base(t.name))] = t
	}
	base := func(field string) string {
		return input.Name(path.Base(strings.ReplaceAll(strings.Trim(field, "\" "), `\`, "/")))
	}
	for k, config := range s.loose {
		first := newScanner(config.name, config.text, layout{separator: ';'})
		if !first.scan() || len(first.fields) < 2 || given[base(first.fields[0])] == nil {
			continue
		}
		rows, err := readRows(newScanner(config.name, config.text, first.layout))
		if err != nil {
			return err
		}
		s.titles, s.listed = map[string]string{}, newDirectory("layer", config.name)
		for _, row := range rows {
			fields := row.Fields
			layer := given[base(fields[0])]
			if layer == nil || len(fields) < 2 {
				return diag.At(config.name, row.Line, "layer", input.Quote(fields[0]),
					"the name of a file that was opened, too; the name of its layer")
			}
			title := strings.Trim(fields[1], "\" ")
			s.titles[layer.name] = title
			if _, again := s.listed.ids[input.Name(title)]; again {
				return diag.At(config.name, row.Line, "layer", "a second layer "+input.Quote(title),
					"a name of its own for each")
			}
			s.listed.add(title, "")
			layer.kind, layer.edges = Edges, pairsOf(layer)
			if len(fields) > 2 && given[base(fields[2])] != nil {
				given[base(fields[2])].kind = Nodes
			}
		}
		s.Files[config.at].Kind = Layers
		s.loose = append(s.loose[:k:k], s.loose[k+1:]...)
		return nil
	}
	return nil
}

// pairsOf reads a file as muxViz does: node node, and perhaps a weight.
func pairsOf(t *textFile) *edgeFile {
	f, _ := newEdgeFile(t.name, t.text)
	f.given, f.columns = true, noColumns(max(len(f.head), 2))
	f.columns.source, f.columns.target = 0, 1
	if f.columns.n > 2 {
		f.columns.weight = 2
	}
	return f
}
