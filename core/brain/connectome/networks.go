package connectome

import (
	"cmp"
	"math"
	"strings"

	"cadem.example/core/base/sorting"
	"cadem.example/core/evaluate"
)

// Top returns the share (0 to 1) of regions with the largest values, at least one, largest
// first; of equal values the first region comes first. This is how the paper chooses the
// regions that it draws: a tenth, by the magnitude of their private embedding.
func Top(values []float64, share float64) []int {
	order := sorting.Order(len(values), func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	n := int(math.Round(float64(share * float64(len(values)))))
	return order[:min(max(n, 1), len(order))]
}

// A NetworkCount says how many of some chosen regions lie in a network.
type NetworkCount struct {
	Count    int     `json:"count"`    // of the chosen regions
	Size     int     `json:"size"`     // regions of the network
	Expected float64 `json:"expected"` // Count, had as many regions been chosen by chance
	P        float64 `json:"p"`        // chance of Count or more of them, one-sided, for this network alone
	// Corrected is P after Holm's correction for the number of networks that have regions: the
	// smallest level of error over all of them at which this one is significant.
	Corrected float64 `json:"corrected"`
	Beyond    bool    `json:"beyond"` // Corrected is below 0.05
}

// CountNetworks counts chosen regions, each listed once, by network: network holds that of
// every region, from 0 to networks-1, or -1. Chance is a draw without replacement among all
// regions, the hypergeometric distribution.
func CountNetworks(network []int, networks int, chosen []int) []NetworkCount {
	counts := make([]NetworkCount, networks)
	for _, k := range network {
		if k >= 0 {
			counts[k].Size++
		}
	}
	for _, i := range chosen {
		if k := network[i]; k >= 0 {
			counts[k].Count++
		}
	}
	for k := range counts {
		c := &counts[k]
		if len(network) > 0 {
			c.Expected = float64(c.Size) * float64(len(chosen)) / float64(len(network))
		}
		c.P = atLeast(c.Count, len(network), c.Size, len(chosen))
	}
	correct(counts)
	return counts
}

// correct fills in Corrected and Beyond. Networks without regions are no tests.
func correct(counts []NetworkCount) {
	var tests []int
	var p []float64
	for k := range counts {
		if counts[k].Corrected = 1; counts[k].Size > 0 {
			tests, p = append(tests, k), append(p, counts[k].P)
		}
	}
	for i, corrected := range evaluate.Holm(p) {
		c := &counts[tests[i]]
		c.Corrected, c.Beyond = corrected, corrected < evaluate.Level
	}
}

// atLeast returns the chance that n draws without replacement from all, marked of them marked, hit
// count or more of the marked.
func atLeast(count, all, marked, n int) float64 {
	low, high := max(0, n+marked-all), min(n, marked)
	if count <= low {
		return 1
	}
	// ratio is P(k+1) / P(k).
	ratio := func(k int) float64 {
		return float64(marked-k) * float64(n-k) / (float64(k+1) * float64(all-marked-n+k+1))
	}
	// The distribution rises to its mode and falls from there: in units of the mode's chance nothing
	// overflows, and underflow to 0 is negligible.
	mode := min(max(low, int(float64(n+1)*float64(marked+1)/float64(all+2))), high)
	total, tail := 0.0, 0.0
	add := func(k int, p float64) {
		total += p
		if k >= count {
			tail += p
		}
	}
	p := 1.0
	for k := mode; k >= low; k-- {
		add(k, p)
		if k > low {
			p /= ratio(k - 1)
		}
	}
	p = 1.0
	for k := mode; k < high; k++ {
		p = float64(p * ratio(k))
		add(k+1, p)
	}
	return tail / total
}

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
