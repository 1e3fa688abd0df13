package measures

import (
	"fmt"
	"slices"

	"cadem.example/core/base/diag"
	"cadem.example/core/brain/stats"
	"cadem.example/core/lab/study/measure"
)

// RetestOptions say which two recordings of every subject are compared, and by what.
type RetestOptions struct {
	First        string `name:"first" label:"condition A" choices:"*" group:"layers" default:"" doc:"The first of the two conditions that are compared; when none is named, the first there is."`
	Second       string `name:"second" label:"condition B" choices:"*" group:"layers" default:"" doc:"The second one."`
	Value        string `name:"value" choices:"strength|degree|clustering|participation|skewness|kurtosis" default:"strength" group:"layers" doc:"Of which value of every region the table says how well it is measured."`
	Permutations int    `name:"permutations" min:"19" max:"100000" default:"5000" group:"layers" doc:"Shuffles of the subjects."`
}

// Arrays of a retest, for its report.
const (
	ArrayAgain measure.ArrayName = "again" // a row a value: ICC, low, high, and the means of both times
	ArrayFound measure.ArrayName = "found" // right of the second among the first, the other way round, p of both, own and other correlation, subjects, regions
	ArrayPair  measure.ArrayName = "pair"  // of the ICC of all pairs of regions: quartiles
)

// retested compares two recordings of every subject.
func retested(w *measure.Work) error {
	o := &RetestOptions{}
	source, err := opened(w, o)
	if err != nil {
		return err
	}
	c := &contrast{o: &ContrastOptions{First: o.First, Second: o.Second, Value: o.Value, Beyond: 1}, source: source, apart: true}
	c.begin(w.Data.Scans)
	if err := c.fits(w.Data.Scans); err != nil {
		return err
	}
	n := len(c.rows)
	if !c.paired || n < 2 {
		return &diag.Error{Where: "subjects", Found: fmt.Sprintf("%d with two recordings", n), Expected: "at least 2, each with one in both conditions"}
	}
	if err := c.read(w); err != nil {
		return err
	}
	width, twice := len(c.values)/(2*n), make([]float64, 2*n)
	for i := range width {
		for k := range twice {
			twice[k] = c.values[k*width+i]
		}
		a := stats.Agree(twice, 2)
		w.Result.Row(ArrayAgain, []float64{a.ICC, a.Low, a.High, c.means[0][i] / c.count[0], c.means[1][i] / c.count[1]})
	}
	width = len(c.pairs) / (2 * n)
	first, second, all := make([]float32, n*width), make([]float32, n*width), make([]float64, width)
	for i := range n {
		copy(first[i*width:], c.pairs[2*i*width:(2*i+1)*width])
		copy(second[i*width:], c.pairs[(2*i+1)*width:(2*i+2)*width])
	}
	for p := range all {
		for i := range n {
			twice[2*i], twice[2*i+1] = float64(first[i*width+p]), float64(second[i*width+p])
		}
		all[p] = stats.ICC(twice, 2)
	}
	w.Result.Row(ArrayPair, quartiles(all))
	f, err := stats.Identify(first, second, n, o.Permutations, w.Settings.EvalSeed, part(w, 500, 500))
	if err != nil {
		return err
	}
	right := f.Right()
	w.Result.Row(ArrayFound, []float64{float64(right[0]), float64(right[1]), f.P[0], f.P[1], f.Own, f.Others, float64(n), float64(c.regions)})
	for _, q := range c.quality {
		w.Result.Row(ArrayScans, q)
	}
	c.describe(w.Result)
	return nil
}

// quartiles are the lower quartile, the median and the upper quartile.
func quartiles(list []float64) []float64 {
	slices.Sort(list)
	at := func(q float64) float64 { return list[int(q*float64(len(list)-1))] }
	return []float64{at(0.25), at(0.5), at(0.75)}
}
