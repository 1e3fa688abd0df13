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
	for k := range s.loose {
		given[input.Name(path.Base(s.loose[k].name))] = s.loose[k]
	}
	base := func(field string) string {
		return input.Name(path.Base(strings.ReplaceAll(strings.Trim(field, "\" "), `\`, "/")))
	}
	for k := range s.loose {
		config := s.loose[k]
		first := newScanner(config.name, config.text, layout{separator: ';'})
		if !first.scan() {
			continue
		}
		fields := first.fields
		if len(fields) < 2 || given[base(fields[0])] == nil {
			continue
		}
		s.titles = map[string]string{}
		line := 0
		for row := range strings.Lines(config.text) {
			line++
			if input.IsComment(row) {
				continue
			}
			fields := strings.Split(strings.TrimSpace(row), ";")
			layer := given[base(fields[0])]
			if layer == nil || len(fields) < 2 {
				return diag.At(config.name, line, "layer", input.Quote(fields[0]),
					"the name of a file that was opened, too; the name of its layer")
			}
			title := strings.Trim(fields[1], "\" ")
			s.titles[layer.name] = title
			if s.listed == nil {
				s.listed = newDirectory("layer", config.name)
			}
			if _, again := s.listed.ids[input.Name(title)]; again {
				return diag.At(config.name, line, "layer", "a second layer "+input.Quote(title),
					"a name of its own for each")
			}
			s.listed.add(title, "")
			layer.kind, layer.edges = Edges, pairsOf(layer)
			if len(fields) > 2 && fields[2] != "" {
				if layout := given[base(fields[2])]; layout != nil {
					layout.kind = Nodes
				}
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
	f := &edgeFile{file: t.name, text: t.text, layout: layoutOf(t.text), given: true}
	s := newScanner(t.name, t.text, f.layout)
	if s.scan() {
		f.columns = noColumns(len(s.fields))
	}
	f.columns.source, f.columns.target = 0, 1
	if f.columns.n = max(f.columns.n, 2); f.columns.n > 2 {
		f.columns.weight = 2
	}
	return f
}
