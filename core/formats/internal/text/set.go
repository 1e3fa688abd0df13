// Package text reads the text files of a multiplex graph: edge lists with layer, node and label
// files, GraphML, muxViz and multinet files, and tables.
package text

import (
	"fmt"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
	"cadem/core/multiplex"
)

// A Set is the text files that were opened together: edge lists and what belongs to them.
type Set struct {
	Files  []FileReport      // all that were opened, those of arrays among them
	names  map[Kind][]string // of the files of each kind
	texts  map[Kind][]string // what they hold
	titles map[string]string // of the layers that a configuration names, by file
	loose  []textFile        // text that is not sorted in yet
}

func NewSet() Set { return Set{names: map[Kind][]string{}, texts: map[Kind][]string{}} }

// HasEdges tells whether there are edge lists.
func (s *Set) HasEdges() bool { return len(s.names[Edges])+len(s.names[Layer]) > 0 }

// AddArrays notes a file of arrays.
func (s *Set) AddArrays(file string) { s.Files = append(s.Files, FileReport{file, Arrays}) }

// A textFile is a text and what it is by itself.
type textFile struct {
	name, text string
	kind       Kind
	err        error // why the kind is not known
	at         int   // among the files
	generated  bool  // the nodes of a GraphML file
}

// Read takes up a text file.
func (s *Set) Read(f *input.File) error {
	text, err := input.Text(f)
	if err != nil {
		return err
	}
	add := func(kind Kind, text string, err error) {
		s.loose = append(s.loose, textFile{f.Name, text, kind, err, len(s.Files), false})
	}
	switch {
	case isMPX(text):
		edges, nodes, err := readMPX(f.Name, text)
		if err != nil {
			return err
		}
		if strings.TrimSpace(nodes) != "" {
			add(Nodes, nodes, nil)
		}
		add(Edges, edges, nil)
	case isGraphML(text):
		g, err := readGraphML(f.Name, text)
		if err != nil {
			return err
		}
		edges, kind, nodes, err := g.texts()
		if err != nil {
			return err
		}
		if len(g.nodes) > 0 {
			s.addNodes(textFile{f.Name, nodes, Nodes, nil, len(s.Files), true})
		}
		add(kind, edges, nil)
	default:
		kind, err := kindOf(f.Name, text)
		add(kind, text, err)
	}
	s.Files = append(s.Files, FileReport{Name: f.Name})
	return nil
}

// addNodes takes up the nodes of a GraphML file. When each layer has a file of its own, the
// one with the most nodes stands for all.
func (s *Set) addNodes(t textFile) {
	for k := range s.loose {
		if old := &s.loose[k]; old.generated {
			if strings.Count(t.text, "\n") > strings.Count(old.text, "\n") {
				*old = t
			}
			return
		}
	}
	s.loose = append(s.loose, t)
}

// Sort decides what every text is, now that all files are known, and returns those that are tables of numbers. Lists of three columns
// are read as layer, node, node when there is one of them, and as node, node, weight, a
// layer each, when there are several.
func (s *Set) Sort() (tables []*variable.Variable, err error) {
	if err := s.muxViz(); err != nil {
		return nil, err
	}
	lists := 0
	for _, t := range s.loose {
		if t.kind == Edges {
			lists++
		}
	}
	for k := range s.loose {
		t := &s.loose[k]
		if t.kind == Edges && lists > 1 && isOneLayer(t.text) {
			t.kind = Layer
		}
	}
	for _, t := range s.loose {
		switch features := variable.SaysFeatures(&variable.Variable{Name: input.Stem(t.name)}); {
		case t.kind == "" && isOneLayer(t.text) && !features:
			t.kind = Layer
		case t.kind == "" || features && t.kind != Edges || (t.kind == Labels || t.kind == Nodes) && lists == 0 && !isHeaded(t.text):
			if v := numericTable(t.name, t.text); v != nil {
				t.kind = Arrays
				v.Limit(input.RoomFor(int64(len(t.text))))
				tables = append(tables, v)
			}
		}
		if t.kind == "" {
			return nil, t.err
		}
		s.Files[t.at].Kind = t.kind
		if t.kind != Arrays {
			s.names[t.kind], s.texts[t.kind] = append(s.names[t.kind], t.name), append(s.texts[t.kind], t.text)
		}
	}
	s.loose = nil
	return tables, nil
}

// Tables gives a graph made of matrices the names and labels of its node and label files.
// Their ids are row numbers, from 0 or from 1; where they are words, lines stand for rows in
// their order.
func (s *Set) Tables(g *multiplex.Graph, report *Report) error {
	m := g.M()
	for _, kind := range []Kind{Nodes, Labels} {
		for k, file := range s.names[kind] {
			text := s.texts[kind][k]
			t, err := readTable(file, text)
			if err != nil {
				return err
			}
			d := newDirectory("node", "the matrices")
			words, from := false, 1
			for _, r := range t.rows[1:] {
				words = words || !input.IsWhole(r.fields[0])
				if input.Canonical(r.fields[0]) == "0" {
					from = 0
				}
			}
			if words && len(t.rows)-1 != m {
				return &diag.Error{File: file, Found: figure.Count(len(t.rows)-1, "line") + " of nodes with names", Expected: fmt.Sprintf("%d, one a node", m)}
			}
			for i := range m {
				if words {
					d.add("", t.rows[i+1].fields[0])
				} else {
					d.add(strconv.Itoa(i+from), "")
				}
			}
			if words && g.Nodes == nil {
				for _, r := range t.rows[1:] {
					g.Nodes = append(g.Nodes, r.fields[0])
				}
			}
			a, err := readLabels(file, text, d)
			if err != nil {
				return err
			}
			if a.names != nil {
				g.Nodes = a.names
			}
			g.Labels, g.Columns = append(g.Labels, a.labels...), append(g.Columns, a.columns...)
			report.Notes = append(report.Notes, a.notes...)
		}
	}
	return nil
}
