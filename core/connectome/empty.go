package connectome

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem/core/figure"
)

// regions returns the names of the regions; nil when they have none.
func (in *Input) regions() []string {
	if in.Series != nil {
		return in.Series.Regions
	}
	return in.Regions
}

// M returns the number of regions.
func (in *Input) M() int {
	if in.Series != nil {
		return in.Series.M()
	}
	return int(math.Sqrt(float64(len(in.FC))) + 0.5)
}

// empty tells which regions have no data at all: no value, or none but 0; of connectivity, none with another region.
func (in *Input) empty() []bool {
	m := in.M()
	silent := make([]bool, m)
	for i := range m {
		var x []float64
		if in.Series != nil {
			x = in.Series.Row(i)
		} else {
			x = slices.Delete(slices.Clone(in.FC[i*m:(i+1)*m]), i, i+1)
		}
		silent[i] = !slices.ContainsFunc(x, func(v float64) bool { return !math.IsNaN(v) && v != 0 })
	}
	return silent
}

// leaveOut takes out the regions that have no data, and says so.
func (r *reader) leaveOut() {
	in := &r.in
	silent := in.empty()
	n := 0
	for _, is := range silent {
		if is {
			n++
		}
	}
	if n == 0 || len(silent)-n < 2 { // of nothing the check of the series says more
		return
	}
	if in.regions() == nil && in.Atlas != nil && len(in.Atlas.Names) == len(silent) {
		// The order is that of the table: names have to be given while the numbers agree.
		if in.Series != nil {
			in.Series.Regions = in.Atlas.Names
		} else {
			in.Regions = in.Atlas.Names
		}
	}
	var names, shown []string
	for i, is := range silent {
		if is {
			shown = append(shown, region(in.regions(), i))
			if in.regions() != nil {
				names = append(names, in.regions()[i])
			}
		}
	}
	in.drop(silent)
	in.Without = append(in.Without, names...)
	in.Notes = append(in.Notes, fmt.Sprintf("%s: %s without data left out: %s.", in.name, figure.Count(n, "region"), strings.Join(shown, ", ")))
}

// drop takes regions out.
func (in *Input) drop(out []bool) {
	m := len(out)
	var names []string
	for i, name := range in.regions() {
		if !out[i] {
			names = append(names, name)
		}
	}
	if s := in.Series; s != nil {
		kept := &Series{Name: s.Name, Regions: names, Frames: s.Frames, TR: s.TR}
		for i := range m {
			if !out[i] {
				kept.Values = append(kept.Values, s.Row(i)...)
			}
		}
		in.Series = kept
		return
	}
	var fc []float64
	for i := range m {
		for j := range m {
			if !out[i] && !out[j] {
				fc = append(fc, in.FC[i*m+j])
			}
		}
	}
	in.FC, in.Regions = fc, names
}

// without returns the table less the regions that were left out and are not there.
func (a *Atlas) without(names, have []string) *Atlas {
	out := map[string]bool{}
	for _, s := range names {
		out[plain(s)] = true
	}
	for _, s := range have {
		delete(out, plain(s))
	}
	if !slices.ContainsFunc(a.Names, func(s string) bool { return out[plain(s)] }) {
		return a
	}
	kept := &Atlas{File: a.File, Networks: a.Networks, Synthetic: a.Synthetic}
	for i, s := range a.Names {
		if out[plain(s)] {
			continue
		}
		kept.Names = append(kept.Names, s)
		if a.Network != nil {
			kept.Network = append(kept.Network, a.Network[i])
		}
		if a.Centroids != nil {
			kept.Centroids = append(kept.Centroids, a.Centroids[i])
		}
	}
	return kept
}
