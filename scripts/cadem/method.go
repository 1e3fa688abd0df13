package main

import (
	"strings"

	"cadem.example/core/train"
	"cadem.example/scripts/cadem/console"
)

// methods lists all methods.
func (p *program) methods(args []string) error {
	f := p.flags("methods", "", "List CaDeM and the methods that it is compared with, for \"cadem train -method NAME\".")
	asJSON := f.Bool("json", false, "print one JSON object")
	if err := f.nothing(args); err != nil {
		return err
	}
	type row struct {
		Name   string       `json:"name"`
		Family train.Family `json:"family"`
		Fusion train.Fusion `json:"fusion"`
		Levels []string     `json:"levels"`
		Needs  []train.Need `json:"needs"`
	}
	var rows []row
	table := [][]string{{"name", "family", "fusion", "levels", "needs", ""}}
	for _, m := range train.Methods() {
		r := row{m.Name, m.Family, m.Fusion, nil, append([]train.Need{}, m.Needs...)}
		var needs []string
		for _, l := range m.Levels {
			r.Levels = append(r.Levels, l.Name)
		}
		for _, n := range m.Needs {
			needs = append(needs, string(n))
		}
		rows = append(rows, r)
		table = append(table, []string{m.Name, string(m.Family), string(m.Fusion), strings.Join(r.Levels, ", "), strings.Join(needs, ", "), m.Doc})
	}
	return p.answer(*asJSON, map[string]any{"methods": rows}, func() string { return console.Table(table) })
}
