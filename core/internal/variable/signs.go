package variable

import "cadem.example/core/internal/input"

// SignNames are what the names of the two layers of a matrix with entries below 0 end in.
var SignNames = [2]string{" (positive)", " (negative)"}

// Signs returns the two layers that a square matrix with entries below 0 may be: its positive entries, and the size of its
// negative ones, without the diagonal; nil for other variables. One that has no entries is not among them.
func (v *Variable) Signs() (parts []*Variable) {
	if v.Form == Links || !v.IsSquare() || v.Rows() < 2 || SaysLabels(v) || SaysFeatures(v) || SaysSplit(v) {
		return nil
	}
	if _, _, _, ok := v.negative(); !ok {
		return nil
	}
	for k, sign := range [2]float64{1, -1} {
		part := *v
		part.Name, part.Sign = v.Name+SignNames[k], int(sign)
		part.Note = v.Name + " holds numbers below 0: " + part.Name + " has those of one sign, by their size and without the diagonal."
		part.each = func(yield func(i, j int, x float64)) {
			v.each(func(i, j int, x float64) {
				if i != j && !(sign*x < 0) {
					yield(i, j, sign*x)
				}
			})
		}
		some := false
		part.each(func(int, int, float64) { some = true })
		if some && v.Rows() <= input.MaxNodes {
			parts = append(parts, &part)
		}
	}
	return parts
}
