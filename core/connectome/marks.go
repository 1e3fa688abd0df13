package connectome

import "strings"

// networkMarks are the places of known networks in the table of marks, a colour and a shape
// each, by names in lower case without anything between the words. The seven networks of
// Yeo and others (2011) come first, in their order, under the names that parcellations give
// them; then those that Ji and others (2019) add.
var networkMarks = map[string]int{
	"visual": 0, "vis": 0, "visualnetwork": 0,
	"somatomotor": 1, "sommot": 1, "smn": 1, "motor": 1,
	"dorsalattention": 2, "dorsattn": 2, "dan": 2,
	"ventralattention": 3, "salventattn": 3, "salienceventralattention": 3, "van": 3,
	"limbic":         4,
	"frontoparietal": 5, "frontoparietalcontrol": 5, "control": 5, "cont": 5, "fpn": 5,
	"default": 6, "defaultmode": 6, "defaultmodenetwork": 6, "dmn": 6,
	"cinguloopercular": 7, "language": 8, "auditory": 9, "posteriormultimodal": 10, "ventralmultimodal": 11, "orbitoaffective": 12, "visual2": 13,
	"visual1": 0,
}

// firstFree is the first place that no known network has.
const firstFree = 14

// Marks returns where in the table of marks each of some networks has its own: a network that
// is known by its name always has the same, whatever others there are; the rest, and a second
// one of the same place, follow in their order. All are different.
func Marks(networks []string) []int {
	marks, taken, next := make([]int, len(networks)), map[int]bool{}, firstFree
	for k, name := range networks {
		letters := strings.Map(func(r rune) rune {
			if strings.ContainsRune(" -_/.,()", r) {
				return -1
			}
			return r
		}, strings.ToLower(name))
		mark, known := networkMarks[letters]
		if !known || taken[mark] {
			mark = next
			next++
		}
		marks[k], taken[mark] = mark, true
	}
	return marks
}
