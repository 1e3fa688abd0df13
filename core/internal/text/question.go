package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/internal/input"
)

// A Question asks about an ambiguity in files.
type Question struct {
	File     string     `json:"file"`
	Header   []string   `json:"header,omitempty"`
	Roles    []string   `json:"roles"` // what each column is taken for: source, target, layer, weight, or "-"
	Rows     [][]string `json:"rows"`  // how the list begins
	Readings []Reading  `json:"readings"`
	Why      string     `json:"why"` // in words
}

// choicesOf returns the parts of a choice of columns. Each is about the lists of its width, or about those with a header; a last one
// that is ? asks about the others whatever is known of them.
func choicesOf(choice string) (parts []string, asks bool) {
	choice, asks = strings.CutSuffix(";"+choice, ";?")
	if choice = strings.TrimPrefix(choice, ";"); choice != "" {
		parts = strings.Split(choice, ";")
	}
	return parts, asks
}

// suits reports whether a part of a choice of columns is about a list.
func (f *edgeFile) suits(choice string) bool {
	if strings.Contains(choice, "=") {
		return !f.matrix && f.header != nil
	}
	n := strings.Count(choice, ",") + 1
	return !f.matrix && (f.columns.n == n || f.columns.n+f.layout.empty == n)
}

// arrange settles the columns of all lists, and asks where they can be read in two ways.
func (s *Set) arrange(choice string, mention bool) ([]*edgeFile, error) {
	var lists []*edgeFile
	parts, _ := choicesOf(choice)
	used := make([]bool, len(parts))
	for _, f := range s.edges {
		c := *f
		lists = append(lists, &c)
		if mention && c.likely {
			c.columns.layer, c.columns.channels, c.likely = -1, "", false
		}
		if early := earlyColumns(f.columns.n, len(s.edges)); mention && choice == "" && f.header == nil && !f.given && early != "" {
			c.columns, _ = chosenColumns(early, nil, f.columns)
			c.given = true
			continue
		}
		for i, part := range parts {
			if !f.suits(part) {
				continue
			}
			columns, err := chosenColumns(part, f.header, f.columns)
			if err != nil {
				return nil, err
			}
			c.columns, c.given, used[i] = columns, true, true
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, diag.Option("columns", parts[i], fmt.Sprintf("one name for each of the %s of %s", figure.Count(s.edges[0].columns.n, "column"), s.firstEdges()))
	}
	tell := func(f *edgeFile) (said string) { // a choice for lists of another width stays
		for k, r := range f.readings[:min(len(f.readings), 1+btoi(f.resolved))] {
			columns := r.Columns
			if f.header != nil && f.columns.n > 5 {
				columns = f.byName(columns)
			}
			if k > 0 {
				said += " or "
			}
			said += option(strings.TrimPrefix(choice+";"+columns, ";"))
		}
		return said
	}
	for _, f := range lists {
		switch {
		case !f.unclear():
		case f.strange:
			return nil, unknownTitles(f.file, f.first, f.header, tell(f))
		default:
			return nil, diag.At(f.file, 0, "columns", fmt.Sprintf("%d that can be read as %s or as %s", f.columns.n, &f.readings[0], &f.readings[1]),
				"to be told which: "+tell(f))
		}
	}
	return lists, nil
}

// byName writes columns by their titles, unless these hold what divides a choice.
func (f *edgeFile) byName(columns string) string {
	var named []string
	for k, role := range strings.Split(columns, ",") {
		if strings.ContainsAny(f.head[k], ",;=") {
			return columns
		}
		if role != leftColumn && role != timeColumn {
			named = append(named, role+"="+f.head[k])
		}
	}
	return strings.Join(named, ",")
}

// earlyColumns are the columns that programs before 2027 took for granted, so that runs that were kept then still open: in a list
// alone the layer comes first; of several lists each is a layer.
func earlyColumns(n, lists int) string {
	switch {
	case n == 3 && lists > 1:
		return "source,target,weight"
	case n >= 2 && n <= 4:
		return layouts[n][0]
	}
	return ""
}

// Question returns the ambiguity of a list's columns under a choice of columns that is not about it: they can be read in two
// ways, or the graph has a single layer, which another reading may change. Nil: none.
func (s *Set) Question(choice string) *Question {
	ask := func(f *edgeFile, why string) *Question {
		q := &Question{File: f.file, Header: f.header, Roles: f.roles(), Readings: append([]Reading{}, f.readings...), Why: why, Rows: [][]string{}}
		scan := f.scanner()
		for len(q.Rows) < 5 && scan.scan() {
			q.Rows = append(q.Rows, scan.clone())
		}
		return q
	}
	parts, asks := choicesOf(choice)
	for _, f := range s.edges {
		open := f.likely || f.resolved || f.header == nil && f.columns.n > 2 || slices.Contains(f.roles(), leftColumn)
		switch {
		case slices.ContainsFunc(parts, f.suits):
		case !f.unclear() && asks && open && !f.matrix:
			return ask(f, "Its columns were taken as their titles and their contents have it.")
		case !f.unclear():
		case f.strange:
			return ask(f, "The titles of the columns of this list are not known. If its first line is a link, write titles above it.")
		default:
			return ask(f, "The columns of this list can be read in two ways.")
		}
	}
	if choice == "" && len(s.edges) == 1 && s.edges[0].isOneLayer() && !s.edges[0].matrix && s.edges[0].columns.n > 2 {
		why := "No column of this list is known to say the layer of a link."
		if offers := s.edges[0].offers(); offers != "" && s.edges[0].header != nil { // as a refusal says it
			offers, _, _ = strings.Cut(offers, ": -columns") // of which the page knows nothing
			why += " " + strings.ToUpper(offers[:1]) + offers[1:] + "."
		}
		return ask(s.edges[0], why)
	}
	return nil
}

// roles says what each column is taken for.
func (f *edgeFile) roles() []string {
	return f.rolesOf(f.columns)
}

func (f *edgeFile) rolesOf(c columns) []string {
	roles := slices.Repeat([]string{leftColumn}, c.n)
	names := [...]string{sourceColumn, targetColumn, layerColumn, layerColumn, weightColumn, timeColumn}
	for k, at := range [...]int{c.source, c.target, c.layer, c.other, c.weight, c.time} {
		if at >= 0 {
			roles[at] = names[k]
		}
	}
	for _, at := range c.channels {
		roles[at] = weightColumn
	}
	return roles
}

// said says how the columns of a list were read: those of a list without a header, and those that are left
// out.
func (f *edgeFile) said(several bool) string {
	if f.matrix {
		return f.file + " was read as a matrix with the names of its nodes above and beside."
	}
	roles, bare := f.roles(), f.header == nil || f.counter
	taken := ""
	if bare || f.resolved || f.likely {
		var of []string
		for c, role := range roles {
			switch {
			case slices.Contains(f.about, c):
			case bare:
				of = append(of, fmt.Sprintf("%d as %s", c+1, strings.Replace(role, leftColumn, "nothing", 1)))
			case role == layerColumn && f.likely:
				of = append(of, fmt.Sprintf("%d %q as layer: %s", c+1, f.header[c], figure.Count(f.evidence(true).filled(c), "value")))
			case role == weightColumn && f.columns.channels != "":
				of = append(of, fmt.Sprintf("%d %q as a layer", c+1, f.header[c]))
			case role != leftColumn:
				of = append(of, fmt.Sprintf("%d %q as %s", c+1, f.header[c], role))
			}
		}
		name := f.file
		if several && bare {
			name = fmt.Sprintf("Lists of %d columns", f.columns.n)
		}
		taken = fmt.Sprintf("%s: columns were taken %s.", name, strings.Join(of, ", "))
	}
	if bare {
		if f.columns.n < 3 {
			taken = ""
		}
		switch {
		case f.counter:
			taken += " " + countsNote(f.file, f.first)
		case f.layout.separator != ' ' && counts(f.head):
			taken += fmt.Sprintf(" %s: line %d, %s, was read as a link; if it numbers the columns, as pandas writes it, say %s.", f.file, f.first,
				strings.Join(f.head, ","), option(f.byName(strings.Join(roles, ","))))
		}
		return strings.TrimSpace(taken)
	}
	var left []string
	for c, title := range f.header {
		if (roles[c] == leftColumn || roles[c] == timeColumn) && !slices.Contains(f.about, c) {
			left = append(left, cmp.Or(title, "the first one, without a title"))
		}
	}
	var notes sentences
	if taken != "" {
		notes = append(notes, taken)
	}
	if f.strange {
		notes.add("%s: line %d was taken for titles and is no link: %s.",
			f.file, f.first, input.Some(f.header))
	}
	if f.relation != "" {
		notes.add("%s: %s of edges was taken as their layer.", f.file, f.relation)
	}
	if left != nil {
		note := fmt.Sprintf("%s: %s not used: %s", f.file, figure.Plural(len(left), "a column is", "columns are"), strings.Join(left, ", "))
		if title := f.mayWeigh(roles); title != "" {
			note += fmt.Sprintf("; %s takes one as weights", option("weight="+title))
		}
		notes = append(notes, note+".")
	}
	return strings.Join(notes, " ")
}
