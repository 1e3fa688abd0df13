package text

import (
	"fmt"
	"strconv"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats/internal/input"
	"cadem/core/formats/internal/variable"
	"cadem/core/multiplex"
)

// Tables gives a graph made of matrices, which name no nodes, the names and labels of its node and label files. A node
// file lists the nodes in the order of the rows, or by number. Otherwise the ids of tables, those of
// variables among them, are the numbers of rows, from 0 or from 1.
func (s *Set) Tables(g *multiplex.Graph, report *Report, keyed []*variable.Variable) error {
	m := g.M()
	d := newDirectory("node", "the matrices")
	s.nodes, s.ordered = d, false
	if t := s.tables[Nodes]; t != nil {
		listed, a, err := readNodes(t[0], t[0].generated)
		if err != nil {
			return err
		}
		if listed.n != m {
			return &diag.Error{File: t[0].name, Found: figure.Count(listed.n, "node"), Expected: fmt.Sprintf("%d, as the matrices have", m)}
		}
		order := make([]int, m)
		from, numbered := listed.numbered()
		for i := range order {
			order[i] = i
			if numbered {
				order[i] = listed.ids[strconv.Itoa(i+from)]
			}
		}
		a.reorder(order)
		d.file, d.inFile, s.ordered = t[0].name, true, true
		for _, i := range order {
			id, name := listed.keys[i], ""
			for n, at := range listed.names {
				if at == i {
					name = n
				}
			}
			d.add(id, name)
		}
		g.Nodes, g.Labels, g.Columns = a.names, append(g.Labels, a.labels...), append(g.Columns, a.columns...)
		report.Notes = append(report.Notes, a.notes...)
		return s.labels(g, report, d, len(listed.names) > 0)
	}
	from, err := s.countFrom(m, keyed, report)
	if err != nil {
		return err
	}
	for i := range m {
		d.add(strconv.Itoa(i+from), "")
	}
	return s.labels(g, report, d, false)
}

// countFrom tells whether the ids of tables count m rows from 0 or from 1.
func (s *Set) countFrom(m int, keyed []*variable.Variable, report *Report) (int, error) {
	zero, last, file := "", "", ""
	look := func(name string, ids []string) error {
		file = name
		for _, id := range ids {
			n := shortNumber(id)
			switch {
			case n < 0 || n > m:
				return &diag.Error{File: name, Where: "node", Found: input.Quote(id) + " beside matrices, which name no nodes",
					Expected: fmt.Sprintf("the number of a row, from 0 to %d or from 1 to %d; or a node file that lists the nodes in the order of the rows "+
						"(nodeID, one a line)", m-1, m)}
			case n == 0:
				zero = name
			case n == m:
				last = name
			}
		}
		return nil
	}
	for _, t := range s.tables[Labels] {
		table, err := readTable(t)
		if err != nil {
			return 0, err
		}
		if err := table.titles(func(string) bool { return false }); err != nil {
			return 0, err
		}
		var ids []string
		for _, r := range table.Rows {
			ids = append(ids, r.Fields[0])
		}
		if err := look(t.name, ids); err != nil {
			return 0, err
		}
	}
	for _, v := range keyed {
		if v.Keys.Sure {
			if err := look(v.File(), v.Keys.IDs); err != nil {
				return 0, err
			}
		}
	}
	switch {
	case file == "":
		return 0, nil
	case zero != "" && last != "":
		return 0, &diag.Error{File: last, Where: "node", Found: fmt.Sprintf("node %d beside node 0 of %s", m, zero),
			Expected: fmt.Sprintf("ids from 0 to %d or from 1 to %d", m-1, m)}
	case zero == "" && last == "":
		return 0, &diag.Error{File: file, Where: "node", Found: fmt.Sprintf("neither 0 nor %d among the ids", m),
			Expected: "one of them: otherwise it is not known whether ids count rows from 0 or from 1; a node file (nodeID, one a line) says it, too"}
	case zero != "":
		report.Note("Ids of %s count the rows of the matrices from 0.", zero)
		return 0, nil
	}
	report.Note("Ids of %s count the rows of the matrices from 1.", last)
	return 1, nil
}
