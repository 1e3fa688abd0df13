package evaluate

// F1 compares predicted with true classes. Macro is the mean of 2TP/(2TP+FP+FN) over
// the classes that occur in either; micro pools the counts and, with one class an item,
// is the share of correct predictions. Both are 0 without items.
func F1(truth, predicted []int) (macro, micro float64) {
	ErrShape.Unless(len(truth) == len(predicted))
	k := max(classes(truth), classes(predicted))
	hits, either := make([]float64, k), make([]float64, k) // TP and 2TP+FP+FN
	correct := 0.0
	for i, c := range truth {
		if c == predicted[i] {
			hits[c]++
			correct++
		}
		either[c]++
		either[predicted[i]]++
	}
	present := 0.0
	for c := range k {
		if either[c] > 0 {
			macro += 2 * hits[c] / either[c]
			present++
		}
	}
	if present == 0 {
		return 0, 0
	}
	return macro / present, correct / float64(len(truth))
}

// MacroF1 returns the first of [F1].
func MacroF1(truth, predicted []int) float64 {
	macro, _ := F1(truth, predicted)
	return macro
}

// MicroF1 returns the second of [F1].
func MicroF1(truth, predicted []int) float64 {
	_, micro := F1(truth, predicted)
	return micro
}
