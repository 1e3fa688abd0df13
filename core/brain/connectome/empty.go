package connectome

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/formats"
)

// Names returns the names of the regions; nil when they have none.
func (in *Input) Names() []string {
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

// empty says which regions have no data at all: no value, or none but 0; of connectivity, none with another region in
// either direction.
func (in *Input) empty() []bool {
	m := in.M()
	silent := slices.Repeat([]bool{true}, m)
	for i := range m {
		if in.Series != nil {
			silent[i] = !slices.ContainsFunc(in.Series.Row(i), holds)
			continue
		}
		for j, v := range in.FC[i*m : (i+1)*m] {
			if i != j && holds(v) {
				silent[i], silent[j] = false, false
			}
		}
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
	if in.Names() == nil && in.Atlas != nil && len(in.Atlas.Names) == len(silent) {
		// The order is that of the table: names have to be given while the numbers agree.
		in.rename(in.Atlas.Names)
	}
	var names, shown []string
	for i, is := range silent {
		if is {
			shown = append(shown, region(in.Names(), i))
			if in.Names() != nil {
				names = append(names, in.Names()[i])
			}
		}
	}
	in.drop(silent)
	in.Without = append(in.Without, names...)
	in.note("%s: %s without data left out: %s.", in.name, figure.Count(n, "region"), strings.Join(shown, ", "))
}

// firstFrames is how much of a table has the names of some hundred regions and a few frames.
const firstFrames = 1 << 15

// regionsOf returns the names of the regions of a series or of connectivity, as far as they are
// known, and of those that have no data: in all of the file, or in its beginning where it is long
// or no more of it is there.
func regionsOf(f formats.File) (names, without []string) {
	size := max(int64(len(f.Data)), f.Size)
	all := int64(len(f.Data)) >= f.Size || f.At != nil && size < mostTable
	switch {
	case IsCIFTI(f):
		if !all {
			return nil, nil
		}
	case !isRecorded(f.Name) && glance(f) != partNumbers:
		return nil, nil
	case size > firstFrames || !all:
		// A region with data in the first frames has some; of regions without names there is nothing to tell.
		head := f.Head(firstFrames)
		if !all {
			head = f.Head(beginning)
		}
		r, err := guessed(formats.File{Name: f.Name, Data: head[:bytes.LastIndexByte(head, '\n')+1]})
		inColumns := err == nil && r.matrix != nil && r.matrix.rowNames == nil
		if inColumns {
			names = slices.Concat(r.in.Names(), r.in.Without)
		}
		if !all || inColumns && len(r.in.Without) == 0 {
			return names, r.in.Without
		}
	}
	if int64(len(f.Data)) < f.Size {
		f.Data = nil
	}
	r, err := guessed(f)
	if err == nil && r.in.Names() != nil {
		names = slices.Concat(r.in.Names(), r.in.Without)
	}
	return names, r.in.Without
}

// join leaves out of all scans the regions that the file of one lacks by its names, where most of
// them are in every file: what is named alike is compared. names are those of the regions of each
// scan; nil: not known.
func (f *Found) join(names [][]string) {
	in, files, most := map[string]int{}, 0, 0
	var all []string // each once, as the first file writes it
	for _, list := range names {
		if list != nil {
			files++
		}
		most = max(most, len(list))
		for _, s := range list {
			if in[plain(s)]++; in[plain(s)] == 1 {
				all = append(all, s)
			}
		}
	}
	lacking := slices.DeleteFunc(all, func(s string) bool { return in[plain(s)] == files })
	if len(lacking) == 0 || 2*(len(in)-len(lacking)) <= most {
		return
	}
	for k, list := range names {
		out := strings.Split(f.Scans[k].Without, "\t")
		for _, s := range lacking {
			is := func(t string) bool { return plain(t) == plain(s) }
			if list != nil && !slices.ContainsFunc(list, is) && !slices.ContainsFunc(out, is) {
				out = append(out, s)
			}
		}
		f.Scans[k].Without = strings.TrimPrefix(strings.Join(out, "\t"), "\t")
	}
	f.Said = append(f.Said, fmt.Sprintf("Not in every file, and left out of all: %s. Regions are "+
		"joined by name.",
		figure.Count(len(lacking), "region")+", "+some(lacking)))
}

// guessed reads a file, the likelier way where it is not clear which way it lies. Of one that cannot be read no region is without data.
func guessed(f formats.File) (*reader, error) {
	r := newReader(nil)
	r.guess = true
	if _, err := r.open([]formats.File{f}); err != nil {
		r.in.Without = nil
		return r, err
	}
	return r, nil
}

// LeaveOut takes out the regions of some names, where they are there.
func (in *Input) LeaveOut(names []string) {
	if len(names) == 0 || in.Names() == nil {
		return
	}
	names = slices.Clone(names)
	for k, s := range names {
		if known, ok := in.as[plain(s)]; ok {
			names[k] = known
		}
	}
	of, out := plainly(names), make([]bool, in.M())
	for i, s := range in.Names() {
		out[i] = of[plain(s)]
	}
	if !slices.Contains(out, true) {
		return
	}
	in.drop(out)
	if in.Atlas != nil {
		in.Atlas = in.Atlas.without(names, in.Names())
	}
}

// Align brings the regions into the order of those of another file by their names; without names their order stands. The
// error is a [*diag.Error]: it names both files and the first difference.
func (in *Input) Align(regions []string, file string) error {
	have := in.Names()
	bad := func(found, expected string) error {
		return diag.At(in.name, 0, "regions", found, expected)
	}
	switch {
	case have == nil || regions == nil:
		if (have == nil) != (regions == nil) {
			return bad("names of regions in one of this file and "+file, "them in both, or in none")
		}
		return nil
	case slices.Equal(have, regions):
		return nil
	}
	at, err := index(in.name, have, nil)
	if err != nil {
		return err
	}
	of, err := index(file, regions, nil)
	if err != nil {
		return err
	}
	without := func(all []string, of map[string]int) int { // the first that others lack
		return slices.IndexFunc(all, func(s string) bool { _, ok := of[plain(s)]; return !ok })
	}
	if k := without(regions, at); k >= 0 {
		found := fmt.Sprintf("no region %q", regions[k])
		if k < len(have) {
			found += fmt.Sprintf(" (%q in its place)", have[k])
		}
		return bad(found, "the regions of "+file+", in any order")
	}
	if k := without(have, of); k >= 0 {
		return bad(fmt.Sprintf("the region %q, which %s lacks", have[k], file), "the regions of "+file+", in any order")
	}
	in.pick(find(regions, have, plain), regions)
	return nil
}

// pick takes some regions in an order, with their names.
func (in *Input) pick(order []int, names []string) {
	m := in.M()
	for k := range in.Structures {
		s := &in.Structures[k]
		s.Values = among(s.Values, m, order)
	}
	if in.Series != nil {
		in.Series = in.Series.pick(order, names)
		return
	}
	in.FC, in.Regions = among(in.FC, m, order), names
}

// among returns some rows of an m x m matrix and the same columns, in an order.
func among(x []float64, m int, order []int) []float64 {
	y := make([]float64, 0, len(order)*len(order))
	for _, i := range order {
		for _, j := range order {
			y = append(y, x[i*m+j])
		}
	}
	return y
}

// drop takes regions out.
func (in *Input) drop(out []bool) {
	var order []int
	for i, is := range out {
		if !is {
			order = append(order, i)
		}
	}
	in.pick(order, picked(in.Names(), order))
}

// without returns the table less the regions that were left out and are not there.
func (a *Atlas) without(names, have []string) *Atlas {
	out, there := plainly(names), plainly(have)
	var kept []int
	for i, s := range a.Names {
		if !out[plain(s)] || there[plain(s)] {
			kept = append(kept, i)
		}
	}
	if len(kept) == len(a.Names) {
		return a
	}
	return &Atlas{File: a.File, Networks: a.Networks, Synthetic: a.Synthetic,
		Names: picked(a.Names, kept), Network: picked(a.Network, kept), Centroids: picked(a.Centroids, kept)}
}
