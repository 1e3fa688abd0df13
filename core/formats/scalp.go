package formats

import (
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/kernel"
	"cadem.example/core/multiplex"
)

// scalpRows are the rows of electrodes from the nasion to the inion, a tenth of the way each, and those half-way to the next. Over the
// temples T stands for C.
const scalpRows = "N NFP FP AFP AF AFF F FFC FC FCC C CCP CP CPP P PPO PO POO O OI I"

// renamed are names that are no row and column, each before the one that is.
const renamed = "T3 T7 T4 T8 T5 P7 T6 P8 A1 T9 A2 T10 M1 TP9 M2 TP10"

// electrode returns where an electrode of the 10-20, 10-10 or 10-05 system (Oostenveld and Praamstra 2001) lies, as seen from above
// with the nose up, at the distance from the vertex along the head; 1 is the way to the forehead.
func electrode(name string) (x, y float64, ok bool) {
	name = strings.ToUpper(strings.Trim(name, ". "))
	name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "EEG "), "EEG"), "-REF")
	if list := strings.Fields(renamed); slices.Index(list, name) >= 0 && slices.Index(list, name)%2 == 0 {
		name = list[slices.Index(list, name)+1]
	}
	end := strings.IndexAny(name, "Z0123456789")
	if end < 1 {
		return 0, 0, false
	}
	column, half := 0, name[len(name)-1] == 'H'
	row := float64(float64(slices.Index(strings.Fields(scalpRows), strings.ReplaceAll(name[:end], "T", "C"))) / 2)
	switch digits := strings.TrimSuffix(name[end:], "H"); {
	case row < 0, digits == "Z" && half:
		return 0, 0, false
	case digits == "10":
		column = 10
	case len(digits) == 1 && digits[0] != '0' && digits[0] != 'Z':
		column = int(digits[0] - '0')
	case digits != "Z":
		return 0, 0, false
	}
	// The row runs through its electrode on the midline and those above the ears, which are a tenth of the half circle from row to row.
	edge, part := float64(min(max(row, 1), 9)*math.Pi/10), float64((column+1)/2)
	if half {
		part -= 0.5
	}
	out, middle := max(1, math.Abs(5-row)/4), float64((5-row)/4)
	if row > 1 && row < 9 {
		part /= 4
	}
	x, y = part*out*kernel.Sin(edge), middle+float64(part*part*(float64(out*kernel.Cos(edge))-middle))
	if column%2 == 1 {
		x = -x
	}
	return x, y, true
}

// scalp returns the places of nodes in the plane, if all names are those of electrodes.
func scalp(names []string) []multiplex.Column {
	across, up := multiplex.Column{Name: "x"}, multiplex.Column{Name: "y"}
	for _, name := range names {
		x, y, ok := electrode(name)
		if !ok {
			return nil
		}
		across.Of, up.Of = append(across.Of, x), append(up.Of, y)
	}
	if len(names) < 4 {
		return nil
	}
	return []multiplex.Column{across, up}
}
