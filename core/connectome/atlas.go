package connectome

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cadem/core/diag"
	"cadem/core/figure"
	"cadem/core/formats"
	"cadem/core/multiplex"
)

// An Atlas is a table of regions: their names, where they are and to which network they
// belong.
type Atlas struct {
	File      string
	Names     []string
	Networks  []string     // names, in order of first appearance; nil when there are none
	Network   []int        // of each region; -1 where it has none
	Centroids [][3]float64 // x (right), y (front), z (up) in mm; nil when they are not given
	Synthetic bool         // drawn, not anybody's
}

// Names of columns, in lower case, in order of preference.
var (
	nameColumns    = []string{"name", "region", "label", "roi", "parcel", "regionname"}
	networkColumns = []string{"yeo7_name", "network_name", "network", "yeo7", "yeo_7network", "cabnp_name"}
)

// column returns the first of some names in a header.
func column(header []string, names ...string) int {
	for _, name := range names {
		if k := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(h, name) }); k >= 0 {
			return k
		}
	}
	return -1
}

// isAtlas tells whether a table lists regions: it has a column of names, and one of networks
// or of places.
func isAtlas(t *formats.Table) bool {
	return column(t.Header, nameColumns...) >= 0 && (column(t.Header, networkColumns...) >= 0 || column(t.Header, "x") >= 0)
}

// newAtlas reads a table of regions that [isAtlas] takes for one: a column "name" (or "region",
// "label"), and where there are "network" (or "yeo7_name") and "x", "y", "z" in mm. The error is
// a [*diag.Error].
func newAtlas(t *formats.Table) (*Atlas, error) {
	a := &Atlas{File: t.File}
	name, network := column(t.Header, nameColumns...), column(t.Header, networkColumns...)
	place := [3]int{column(t.Header, "x"), column(t.Header, "y"), column(t.Header, "z")}
	places := place[0] >= 0 && place[1] >= 0 && place[2] >= 0
	var lines []int
	for _, row := range t.Rows {
		if len(row.Fields) != len(t.Header) {
			return nil, &diag.Error{File: t.File, Line: row.Line, Found: figure.Count(len(row.Fields), "column"),
				Expected: fmt.Sprintf("%d as in the header", len(t.Header))}
		}
		a.Names, lines = append(a.Names, row.Fields[name]), append(lines, row.Line)
		if network >= 0 {
			k := -1
			if s := row.Fields[network]; !multiplex.IsMissing(s) && s != "0" {
				if k = slices.Index(a.Networks, s); k < 0 {
					k = len(a.Networks)
					a.Networks = append(a.Networks, s)
				}
			}
			a.Network = append(a.Network, k)
		}
		if places {
			var p [3]float64
			for d, k := range place {
				v, ok := formats.Number(row.Fields[k])
				if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, &diag.Error{File: t.File, Line: row.Line, Where: t.Header[k], Found: strconv.Quote(row.Fields[k]),
						Expected: "a finite number of mm"}
				}
				p[d] = v
			}
			a.Centroids = append(a.Centroids, p)
		}
	}
	if len(a.Names) < 2 {
		return nil, &diag.Error{File: t.File, Where: "regions", Found: fmt.Sprint(len(a.Names)), Expected: "at least 2"}
	}
	if _, err := index(t.File, a.Names, lines); err != nil {
		return nil, err
	}
	return a, nil
}

// NetworkLabels is the name of the label set that [Atlas.Annotate] adds.
const NetworkLabels = "network"

// Annotate tells a graph whose nodes are the regions, in this order, where they lie and, as a
// label set, to which networks they belong. What the table does not say is left out.
func (a *Atlas) Annotate(g *multiplex.Graph) {
	if a.Networks != nil {
		g.Labels = append(g.Labels, multiplex.LabelSet{Name: NetworkLabels, Classes: a.Networks, Of: a.Network})
	}
	g.Places = a.Centroids
}
