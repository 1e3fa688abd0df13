package experiments

import (
	"fmt"
	"strings"

	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// Verdicts on a sentence.
const (
	holds     = "holds here"
	fails     = "does not hold here"
	undecided = "is not decided here"
	oneRun    = "is more than one run can tell"
)

// verdictOf is the verdict on a sentence that says that A is below B by every reader. It holds where each interval of 95 % lies below 0, and fails
// where one lies above a reduction that would be of consequence.
func verdictOf(pairs []*study.Pairing) string {
	const least = 0.02
	below, above := 0, 0
	for _, p := range pairs {
		switch {
		case p.Pairs < 2:
			return oneRun
		case p.High < 0:
			below++
		case p.Low > -least:
			above++
		}
	}
	switch {
	case above > 0:
		return fails
	case below == len(pairs):
		return holds
	}
	return undecided
}

// pairedLooks compares by column what is seen in trainings a after look i with what is seen in those of b, of the same seeds, after look k.
func pairedLooks(columns []int, a []*measure.Result, i int, b []*measure.Result, k int) (list []*study.Pairing) {
	for _, column := range columns {
		var x, y [][]float64
		for n := range a {
			x, y = append(x, []float64{at(a[n], i, column)}), append(y, []float64{at(b[n], k, column)})
		}
		list = append(list, study.PairFolds(x, y, 0))
	}
	return list
}

// layerClaim puts to the test that the layer is named from C less often in A than in B, by each of the readers.
func layerClaim(r *study.Report, says, on, a, b string, pairs []*study.Pairing) {
	var parts []string
	for k, p := range pairs {
		what := traced[readers[k]].short
		r.Test(p, on+": "+what, a, b)
		parts = append(parts, fmt.Sprintf("%s %s, %s", what, fixed(p.A), p.Beside(b)))
	}
	r.Claim(study.Claim{Says: says, Verdict: verdictOf(pairs), Because: fmt.Sprintf("%s, %s: %s", on, a, strings.Join(parts, "; "))})
}
