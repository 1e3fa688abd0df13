package connectome

import (
	"fmt"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats"
)

// sided splits the name of a region into its hemisphere, "l", "r" or "", and the rest, in letters and digits alone: L_V1_ROI and
// V1_L are the same, and so are ctx-lh-bankssts and L_bankssts, and 7Networks_LH_Vis_1 and LH_Vis_1.
func sided(name string) (side, rest string) {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-.", r) })
	for len(words) > 1 && slices.Contains([]string{"ctx", "7networks", "17networks"}, words[0]) {
		words = words[1:]
	}
	if n := len(words); n > 1 && words[n-1] == "roi" {
		words = words[:n-1]
	}
	if n := len(words); n > 1 {
		if side = hemisphereOf(words[0]); side != "" {
			words = words[1:]
		} else if side = hemisphereOf(words[n-1]); side != "" {
			words = words[:n-1]
		}
	}
	return side, strings.Join(words, "")
}

// hemisphereOf returns the hemisphere that a word names: "l", "r", or "".
func hemisphereOf(word string) string {
	switch word {
	case "l", "lh", "left":
		return "l"
	case "r", "rh", "right":
		return "r"
	}
	return ""
}

// loose is the form of a name that does not depend on where its hemisphere stands.
func loose(name string) string {
	side, rest := sided(name)
	return side + " " + rest
}

// numbered returns the numbers that names of one stem end in, such as 12 of ROI_012; nil for other names.
func numbered(names []string) (list []string) {
	first := strings.TrimRight(names[0], "0123456789")
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, first)
		if digits = strings.TrimLeft(digits, "0"); !ok || strings.Trim(digits, "0123456789") != "" || digits == "" {
			return nil
		}
		list = append(list, digits)
	}
	return list
}

// find returns the places of some names, each once, in another list by a form that distinguishes all of that list; nil if there are none.
func find(names, list []string, form func(string) string) (at []int) {
	of, used := make(map[string]int, len(list)), make([]bool, len(list))
	for i, s := range list {
		of[form(s)] = i
	}
	for _, s := range names {
		i, ok := of[form(s)]
		if !ok || used[i] || len(of) < len(list) {
			return nil
		}
		at, used[i] = append(at, i), true
	}
	return at
}

// places returns for each of some names the place of the region that the table calls so: in its column of names, in another one, by
// the number that the name ends in, or with its hemisphere written another way. Said says how, unless it is the plain name; the
// list is nil where the table lacks one of them.
func (a *Atlas) places(names []string) (at []int, said string) {
	columns := slices.Concat([]*formats.Column{{Title: a.title, Cells: a.Names}}, a.other)
	for k, c := range columns {
		if at = find(names, c.Cells, plain); at != nil && k > 0 {
			return at, fmt.Sprintf("Regions are named as in the column %q of %s.", c.Title, a.File)
		} else if at != nil {
			return at, ""
		}
	}
	if numbers := numbered(names); numbers != nil {
		for _, c := range columns {
			if at = find(numbers, c.Cells, plain); at != nil {
				return at, fmt.Sprintf("Regions are numbered as in the column %q of %s.", c.Title, a.File)
			}
		}
	}
	for _, c := range columns {
		if at = find(names, c.Cells, loose); at != nil {
			return at, fmt.Sprintf("Hemispheres are written otherwise in %s: %s is %s there.", a.File, names[0], c.Cells[at[0]])
		}
	}
	return nil, ""
}

// translate gives regions the names that the table of regions has for them.
func (r *reader) translate() error {
	in, a := &r.in, r.in.Atlas
	if a == nil {
		return nil
	}
	have := in.Names()
	if have == nil {
		have = r.matrix.counted
	}
	for k, b := range r.atlases { // tables of other regions, which may be the right ones
		if at, _ := a.places(have); have != nil && at == nil {
			if at, _ = b.places(have); at != nil {
				a, r.atlases[k], in.Atlas = b, a, b
			}
		}
	}
	for _, b := range r.atlases {
		in.Regional = append(in.Regional, fmt.Sprintf("%s says nothing of the regions that %s does not, or is about others: it was left out.", b.File, a.File))
	}
	var at []int
	said := ""
	if have != nil {
		if at, said = a.places(slices.Concat(have, in.Without)); at == nil {
			at, said = a.places(have)
		}
	}
	if in.Names() == nil && said == "" {
		return r.byOrder()
	}
	if said == "" {
		return nil
	}
	in.Regional = append(in.Regional, said)
	in.as = map[string]string{}
	names := make([]string, len(at))
	for k, i := range at {
		names[k] = a.Names[i]
		if k < len(have) {
			in.as[plain(have[k])] = names[k]
		}
	}
	in.rename(names[:len(have)])
	if len(at) > len(have) {
		in.Without = names[len(have):]
	}
	return nil
}

// byOrder says that regions without names are taken in the order of the table's rows; a table whose rows are not in the order of its
// numbers leaves open which that is.
func (r *reader) byOrder() error {
	a := r.in.Atlas
	for _, c := range a.other {
		if slices.Contains(idColumns, formats.Plain(c.Title)) && c.Whole() && c.Fall() > 0 {
			return diag.At(r.in.name, 0, "regions", fmt.Sprintf("no names, beside %s, whose rows are not in the order of its column %q", a.File, c.Title),
				"names, or rows of that table in the order of the regions")
		}
	}
	r.in.Regional = append(r.in.Regional, fmt.Sprintf("Regions without names were taken in the order of the rows of %s.", a.File))
	return nil
}

// add takes over what a further table of the same regions says and this one does not. It returns nil if that is nothing.
func (a *Atlas) add(b *Atlas) *Atlas {
	if a.all && !b.all {
		a, b = b, a
	}
	at, _ := b.places(a.Names)
	for k := 0; at == nil && k < len(a.other); k++ {
		at, _ = b.places(a.other[k].Cells)
	}
	more := a.Centroids == nil && b.Centroids != nil || a.Networks == nil && b.Networks != nil
	if at == nil || !more && !b.all {
		return nil
	}
	if a.Centroids == nil {
		a.Centroids = picked(b.Centroids, at)
	}
	if a.Networks == nil {
		a.Networks, a.Network = b.Networks, picked(b.Network, at)
	}
	a.other = append(a.other, &formats.Column{Title: "name", Cells: picked(b.Names, at)})
	a.notes = append(a.notes, b.notes...)
	return a
}

// parcellations are known by how all names begin or by the name of a region, in the form of [loose]; add says where the places of
// their regions stand.
var parcellations = []struct{ name, prefix, region, add string }{
	{"Schaefer and others", "7networks_", "", centroids},
	{"Schaefer and others", "17networks_", "", centroids},
	{"Schaefer and others, or of 4S", "lh_vis", "", centroids + ", or for 4S " + plainTable},
	{"Glasser and others", "", "l v1", "HCP-MMP1_UniqueRegionList.csv or " + plainTable},
	{"Destrieux and others", "", "l gandsfrontomargin", plainTable},
	{"Desikan, Killiany and others", "", "l bankssts", plainTable},
	{"the AAL", "", "l precentral", plainTable},
}

const (
	centroids  = "CBIG's table that ends in Centroid_RAS.csv"
	plainTable = "a table with the columns name, x, y and z in mm"
)

// nameRegions reports whether names seem to be those of regions of a brain: they tell networks, a known parcellation has them, or most
// say on which side they are, some on each.
func nameRegions(names []string) bool {
	if len(names) == 0 {
		return false
	}
	left, right := 0, 0
	for _, s := range names {
		switch side, _ := sided(s); side {
		case "l":
			left++
		case "r":
			right++
		}
	}
	return networksIn(names) != nil || WherePlacesAre(names) != "" || min(left, right) > 0 && 2*(left+right) > len(names)
}

// locate reads networks in the names of regions, and says where to find their places, where no table has them.
func (in *Input) locate() {
	have := in.Names()
	if len(have) == 0 || in.Atlas != nil && in.Atlas.Centroids != nil {
		return
	}
	if in.Atlas == nil {
		if networks := networksIn(have); networks != nil {
			in.Atlas = &Atlas{Names: have}
			in.Atlas.belong(networks)
			in.Regional = append(in.Regional, fmt.Sprintf("%d networks were read in the names of the regions, such as %s in %s.",
				len(in.Atlas.Networks), networks[0], have[0]))
		}
	}
	if text := WherePlacesAre(have); text != "" {
		in.Regional = append(in.Regional, text)
	}
}

// WherePlacesAre says which file has the places of regions, if some names are those of a parcellation that is known; otherwise it is "".
func WherePlacesAre(names []string) string {
	plainly := make([]string, len(names))
	for k, s := range names {
		plainly[k] = loose(s)
	}
	for _, p := range parcellations {
		if p.prefix != "" && strings.HasPrefix(strings.ToLower(names[0]), p.prefix) || slices.Contains(plainly, p.region) {
			return fmt.Sprintf("The regions seem to be those of %s. To see them in a brain, add %s.", p.name, p.add)
		}
	}
	return ""
}
