package linalg

// Centre subtracts from x (rows of d numbers) the means of its columns.
func Centre(x []float64, d int) { CentreColumns(x, d, 0, d, nil) }

// CentreColumns subtracts from columns from to to-1 of x (rows of d numbers) their means, which it puts into
// mean, if that is not nil. Sums go down the rows, one row after the other.
func CentreColumns(x []float64, d, from, to int, mean []float64) {
	if from < 0 || from > to || to > d || d > 0 && len(x)%d != 0 || mean != nil && len(mean) != to-from {
		panic(ErrShape)
	}
	var held [8]float64 // of as many columns at once, so that rows are read as they lie
	for ; from < to; from += len(held) {
		of := held[:min(len(held), to-from)]
		clear(of)
		for i := from; i < len(x); i += d {
			for k, v := range x[i:][:len(of)] {
				of[k] += v
			}
		}
		for k := range of {
			of[k] /= float64(len(x) / d)
		}
		for i := from; i < len(x); i += d {
			row := x[i:][:len(of)]
			for k, v := range of {
				row[k] -= v
			}
		}
		if mean != nil {
			mean = mean[copy(mean, of):]
		}
	}
}
