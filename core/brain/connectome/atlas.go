package connectome

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
)

// An Atlas is a table of regions: their names, positions and networks.
type Atlas struct {
	File      string
	Names     []string
	Networks  []string     // names, in order of first appearance; nil when there are none
	Network   []int        // of each region; -1 if it has none
	Centroids [][3]float64 // x (right), y (front), z (up) in mm; nil when they are not given
	Synthetic bool         // drawn, not anybody's

	title string            // of the column of names
	other []*formats.Column // further columns that tell regions apart
	all   bool              // it only lists names, and may list more than the data have
	notes []string          // what reading did
}

// Names of columns, in the form of [formats.Plain], in order of preference. Numbers tell regions apart, too.
var (
	nameColumns    = []string{"name", "regionname", "region", "label", "roiname", "roi", "parcelname", "parcel", "labelname", "area", "parcelid"}
	idColumns      = []string{"parcelid", "index", "roilabel", "id", "labelid", "regionid", "regionindex", "no", "number", "key", "value", "label"}
	networkColumns = []string{"yeo7name", "networkname", "network", "yeo7", "yeo7network", "cabnpname", "networklabel", "networklabel7network",
		"community", "cortex"}
	placeColumns = [3][]string{{"x", "r", "xmni", "mnix", "centroidx", "xcog"}, {"y", "a", "ymni", "mniy", "centroidy", "ycog"},
		{"z", "s", "zmni", "mniz", "centroidz", "zcog"}}
	triples = []string{"centroidmni", "mni", "centroid", "coordinates", "mnicoordinates", "xyz"} // x, y and z in one column
)

// placesIn returns the columns of x, y and z, or that of all three; nil unless they are there.
func placesIn(header []string) (at []int) {
	for _, names := range placeColumns {
		if k := column(header, names...); k >= 0 {
			at = append(at, k)
		}
	}
	if len(at) == len(placeColumns) {
		return at
	}
	if k := column(header, triples...); k >= 0 {
		return []int{k}
	}
	return nil
}

// networkOf returns the network that a name such as 7Networks_LH_Vis_1 or RH_DorsAttn_Post_2 begins with, as the parcellations
// of Schaefer and others have it; "" for other names.
func networkOf(name string) string {
	words := strings.Split(name, "_")
	if strings.HasSuffix(words[0], "Networks") {
		words = words[1:]
	}
	if len(words) > 2 && (words[0] == "LH" || words[0] == "RH") {
		return words[1]
	}
	return ""
}

// networksOf returns the networks of all names; nil unless every name tells, in a table that has little but names: others with such
// names hold series or connectivity.
func networksOf(t *formats.Table, column int) (list []string) {
	const most = 3 // columns
	if len(t.Header) > most {
		return nil
	}
	return networksIn(t.Column(column))
}

// networksIn returns the networks that all names begin with; nil unless there are at least two.
func networksIn(names []string) (list []string) {
	for _, s := range names {
		if networkOf(s) == "" {
			return nil
		}
		list = append(list, networkOf(s))
	}
	if !slices.ContainsFunc(list, func(s string) bool { return s != list[0] }) {
		return nil // what all names have in common is not a network
	}
	return list
}

// column returns the first of some names in a header.
func column(header []string, names ...string) int {
	for _, name := range names {
		if k := slices.IndexFunc(header, func(h string) bool { return formats.Plain(h) == formats.Plain(name) }); k >= 0 {
			return k
		}
	}
	return -1
}

// isAtlas reports whether a table lists regions: it has a column of names, and one of networks
// or of places; or nothing but numbers and names.
func isAtlas(t *formats.Table) bool {
	name := column(t.Header, nameColumns...)
	return name >= 0 && (column(t.Header, networkColumns...) >= 0 || column(t.Header, "x") >= 0 || placesIn(t.Header) != nil ||
		networksOf(t, name) != nil || onlyLists(t))
}

// onlyLists reports whether a table holds nothing but a number and a word for each region.
func onlyLists(t *formats.Table) bool {
	name, id := column(t.Header, nameColumns...), column(t.Header, idColumns...)
	if len(t.Header) != 2 || name < 0 || id < 0 || id == name || len(t.Rows) < 2 {
		return false
	}
	columns, err := t.Columns()
	return err == nil && columns[name].Words == len(t.Rows) && columns[id].Whole()
}

// distinct reports whether each region has another value in a column.
func distinct(t *formats.Table, column int) bool {
	seen := map[string]bool{}
	for _, f := range t.Column(column) {
		if seen[plain(f)] || multiplex.IsMissing(f) {
			return false
		}
		seen[plain(f)] = true
	}
	return len(seen) > 0
}

// isBackground reports whether a list calls so what is no region.
func isBackground(name string) bool {
	name = formats.Plain(name)
	return name == "" || name == "unknown" || name == "background" || strings.HasSuffix(name, "medialwall")
}

// newAtlas reads a table of regions that [isAtlas] recognises: a column of names, and optionally one of networks and those of
// x, y and z in mm, by their titles. The error is a [*diag.Error].
func newAtlas(t *formats.Table) (*Atlas, error) {
	a, name := &Atlas{File: t.File, all: onlyLists(t)}, -1
	for _, n := range nameColumns { // the first that distinguishes all regions
		k := column(t.Header, n)
		if k >= 0 && (name < 0 || !distinct(t, name) && distinct(t, k)) {
			name = k
		}
	}
	if a.all {
		seen := map[string]bool{}
		t.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r formats.Row) bool {
			key := plain(r.Fields[name])
			again := seen[key] || isBackground(key)
			seen[key] = true
			return again
		})
	}
	columns, err := t.Columns()
	if err != nil {
		return nil, err
	}
	a.title, a.Names = t.Header[name], columns[name].Cells
	var lines []int
	for _, row := range t.Rows {
		lines = append(lines, row.Line)
	}
	if _, err := index(t.File, a.Names, lines); err != nil {
		return nil, err
	}
	for k, c := range columns {
		ids := c.Whole() && slices.Contains(idColumns, formats.Plain(c.Title))
		if k != name && (ids || c.Words == len(c.Cells)) && distinct(t, k) {
			a.other = append(a.other, c)
		}
	}
	a.readNetworks(t.Header, columns, name)
	if err := a.readPlaces(t, columns); err != nil {
		return nil, err
	}
	if len(a.Names) < 2 {
		return nil, diag.At(t.File, 0, "regions", fmt.Sprint(len(a.Names)), "at least 2")
	}
	return a, nil
}

// readNetworks finds the networks in a column of a table, or else in the names.
func (a *Atlas) readNetworks(header []string, columns []*formats.Column, name int) {
	list := networksIn(columns[name].Cells)
	if k := column(header, networkColumns...); k >= 0 {
		list = columns[k].Cells
		if formats.Plain(columns[k].Title) == "cortex" {
			a.notes = append(a.notes, fmt.Sprintf("%s: its column %q groups the regions where others have networks.", a.File, columns[k].Title))
		}
	}
	a.belong(list)
}

// belong sets the networks, a name for each region; what is missing is none.
func (a *Atlas) belong(list []string) {
	for _, s := range list {
		k := -1
		if !multiplex.IsMissing(s) && s != "0" {
			if k = slices.Index(a.Networks, s); k < 0 {
				k = len(a.Networks)
				a.Networks = append(a.Networks, s)
			}
		}
		a.Network = append(a.Network, k)
	}
}

// readPlaces finds where regions lie in columns of a table.
func (a *Atlas) readPlaces(t *formats.Table, columns []*formats.Column) error {
	at := placesIn(t.Header)
	if at == nil {
		return nil
	}
	voxels := formats.Plain(t.Header[at[0]]) == "xcog"
	for i, row := range t.Rows {
		var p []float64
		for _, k := range at {
			p = append(p, columns[k].Values[i])
		}
		expected := "a finite number of mm"
		if len(at) == 1 {
			expected = "three of them: x, y and z"
			apart := func(r rune) bool { return strings.ContainsRune(" ,;()[]", r) }
			p = formats.Values(strings.FieldsFunc(row.Fields[at[0]], apart))
		}
		wrong := slices.IndexFunc(p, isNoNumber)
		if len(p) != 3 {
			wrong = 0
		}
		if wrong >= 0 {
			k := at[min(wrong, len(at)-1)]
			return diag.At(t.File, row.Line, t.Header[k], strconv.Quote(row.Fields[k]), expected)
		}
		a.Centroids, voxels = append(a.Centroids, [3]float64(p)), voxels && slices.Min(p) >= 0
	}
	if voxels { // millimetres would be negative on one side
		for i, p := range a.Centroids {
			a.Centroids[i] = [3]float64{90 - p[0], p[1] - 126, p[2] - 72}
		}
		a.notes = append(a.notes, t.File+": its centres are voxels of the MNI grid of 1 mm, which counts from the right; they were turned into mm.")
	}
	return nil
}

// NetworkLabels is the name of the label set that [Atlas.Annotate] adds.
const NetworkLabels = "network"

// Annotate adds, to a graph whose nodes are the regions in this order, their positions and, as a
// label set, their networks. Facts missing from the table are left out.
func (a *Atlas) Annotate(g *multiplex.Graph) {
	if a.Networks != nil {
		g.Labels = append(g.Labels, multiplex.LabelSet{Name: NetworkLabels, Classes: a.Networks, Of: a.Network})
		if a.Centroids != nil {
			g.Labels[len(g.Labels)-1].Marks = Marks(a.Networks)
		}
	}
	g.Places = a.Centroids
}
