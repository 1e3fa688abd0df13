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

// An Atlas is a table of regions: their names, positions and networks.
type Atlas struct {
	File      string
	Names     []string
	Networks  []string     // names, in order of first appearance; nil when there are none
	Network   []int        // of each region; -1 if it has none
	Centroids [][3]float64 // x (right), y (front), z (up) in mm; nil when they are not given
	Synthetic bool         // drawn, not anybody's
}

// Names of columns, in lower case, in order of preference.
var (
	nameColumns    = []string{"name", "region", "label", "roi", "parcel", "regionname", "roi name", "roi_name", "label_name"}
	networkColumns = []string{"yeo7_name", "network_name", "network", "yeo7", "yeo_7network", "cabnp_name", "network_label", "network_label_7network"}
	placeColumns   = [3][]string{{"x", "r", "x_mni", "mni_x", "centroid_x"},
		{"y", "a", "y_mni", "mni_y", "centroid_y"}, {"z", "s", "z_mni", "mni_z", "centroid_z"}}
)

// placesIn returns the columns of x, y and z; -1 for all unless all are there.
func placesIn(header []string) (at [3]int) {
	for d := range at {
		at[d] = column(header, placeColumns[d]...)
	}
	if slices.Contains(at[:], -1) {
		return [3]int{-1, -1, -1}
	}
	return at
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
	return namedNetworks(t, column)
}

func namedNetworks(t *formats.Table, column int) (list []string) {
	for _, row := range t.Rows {
		if column >= len(row.Fields) || networkOf(row.Fields[column]) == "" {
			return nil
		}
		list = append(list, networkOf(row.Fields[column]))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(list)))) < 2 {
		return nil // what all names have in common is not a network
	}
	return list
}

// column returns the first of some names in a header.
func column(header []string, names ...string) int {
	for _, name := range names {
		if k := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(h, name) }); k >= 0 {
			return k
		}
	}
	return -1
}

// isAtlas reports whether a table lists regions: it has a column of names, and one of networks
// or of places.
func isAtlas(t *formats.Table) bool {
	name := column(t.Header, nameColumns...)
	return name >= 0 && (column(t.Header, networkColumns...) >= 0 || column(t.Header, "x") >= 0 || placesIn(t.Header)[0] >= 0 ||
		networksOf(t, name) != nil)
}

// newAtlas reads a table of regions that [isAtlas] recognises: a column "name" (or "region",
// "label"), and optionally "network" (or "yeo7_name") and "x", "y", "z" in mm. The error is
// a [*diag.Error].
func newAtlas(t *formats.Table) (*Atlas, error) {
	a := &Atlas{File: t.File}
	name, network := column(t.Header, nameColumns...), column(t.Header, networkColumns...)
	place := placesIn(t.Header)
	places := place[0] >= 0
	var named []string
	if network < 0 && len(t.Rows) > 0 {
		named = namedNetworks(t, name)
	}
	var lines []int
	for i, row := range t.Rows {
		if len(row.Fields) != len(t.Header) {
			return nil, &diag.Error{File: t.File, Line: row.Line, Found: figure.Count(len(row.Fields), "column"),
				Expected: fmt.Sprintf("%d as in the header", len(t.Header))}
		}
		a.Names, lines = append(a.Names, row.Fields[name]), append(lines, row.Line)
		if network >= 0 || named != nil {
			k, s := -1, ""
			if named != nil {
				s = named[i]
			} else {
				s = row.Fields[network]
			}
			if !multiplex.IsMissing(s) && s != "0" {
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

// Annotate adds, to a graph whose nodes are the regions in this order, their positions and, as a
// label set, their networks. Facts missing from the table are left out.
func (a *Atlas) Annotate(g *multiplex.Graph) {
	if a.Networks != nil {
		g.Labels = append(g.Labels, multiplex.LabelSet{Name: NetworkLabels, Classes: a.Networks, Of: a.Network})
	}
	g.Places = a.Centroids
}
