package measures

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/kernel"
	"cadem.example/core/base/pause"
	"cadem.example/core/base/property"
	"cadem.example/core/base/sorting"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/brain/stats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// ContrastOptions say what two conditions, or groups, are compared by, and how.
type ContrastOptions struct {
	First        string  `name:"first" label:"condition A" choices:"*" group:"layers" default:"" doc:"The first of the two conditions that are compared; when none is named, the first there is."`
	Second       string  `name:"second" label:"condition B" choices:"*" group:"layers" default:"" doc:"The second one."`
	Number       string  `name:"number" label:"along a number" choices:"*" default:"" group:"layers" doc:"A column of numbers in participants.tsv, age for instance, that regions and connections are tested to go along with, in place of two conditions: by regression, of the scans of condition A alone. Several scans of a subject are averaged."`
	Value        string  `name:"value" choices:"strength|degree|clustering|participation|skewness|kurtosis" default:"strength" group:"layers" doc:"What regions are compared by, in each layer where there are two: the sum of the connectivity of its sign, without any threshold; the number of links; how many of its neighbours are joined; how evenly links go to all networks; or a moment of its series."`
	Covariates   string  `name:"covariates" choices:"*" default:"" group:"layers" doc:"What is taken out, separated by commas: columns of numbers or of words in participants.tsv, and motion, the mean framewise displacement."`
	Permutations int     `name:"permutations" min:"19" max:"100000" default:"5000" group:"layers" doc:"Flips of signs, or shuffles of subjects; all of them where there are fewer."`
	Beyond       float64 `name:"beyond" label:"pairs beyond t" symbol:"t" min:"0" max:"100" default:"3" group:"layers" doc:"From which t on a pair of regions is part of a component, for the network-based statistic; 0 to leave pairs out."`
}

// Arrays of a contrast, for its report.
const (
	ArrayContrast  measure.ArrayName = "contrast"  // a row a value: difference, t, p, permuted, corrected, q, d, low, high, and the means of both
	ArrayTested    measure.ArrayName = "tested"    // degrees of freedom, rows of the first and second group, permutations, 1 if exact, regions
	ArrayComponent measure.ArrayName = "component" // a row a component: its direction, pairs, regions and p
	ArrayPairs     measure.ArrayName = "pairs"     // a row a pair of them: the component, the regions
	ArrayEdges     measure.ArrayName = "edges"     // a row a listed pair: regions, t, p, permuted, corrected, q, effect, both means, its component or 0
	ArrayExplained measure.ArrayName = "explained" // R2 of the groups or number on covariates
	ArrayCounts    measure.ArrayName = "counts"    // pairs, those with q and with corrected p below .05
	ArrayScans     measure.ArrayName = "scans"     // a row a scan: class, group, frames, frames before some were left out, motion; -1: not known
	ArrayMotion    measure.ArrayName = "motion"    // median |r| of pairs with motion over subjects, the share beyond .05, subjects
)

// MostWords is how many different words a column may have that is taken out as a covariate: sites, scanners, groups.
const MostWords = 20

// ContrastLayers are the layers whose regions have a value of a kind.
func ContrastLayers(value string) []string {
	if value == "skewness" || value == "kurtosis" {
		return []string{""}
	}
	return []string{"co-activation", "anti-activation"}
}

// A contrast collects the values of scans, a row for each subject.
type contrast struct {
	o          *ContrastOptions
	paired     bool
	apart      bool        // both conditions of a subject have a row, one after the other
	rows       map[int]int // of a group
	regions    int
	values     []float64 // rows x regions of every layer
	pairs      []float32 // rows x pairs of regions
	means      [2][]float64
	pairMeans  [2][]float64
	count      [2]float64
	covariates [][]float64
	inFirst    []bool
	motion     []float64
	moves      bool // motion is known of all
	names      []string
	quality    [][]float64
	source     *scanner
}

// opened reads the options of a measurement, and opens the scans that it is of.
func opened(w *measure.Work, o any) (*scanner, error) {
	property.Defaults(o)
	if err := w.Set(o); err != nil {
		return nil, err
	}
	return openScans(w.Data, w.Files)
}

// contrasted compares two conditions of the scans of the data.
func contrasted(w *measure.Work) error {
	o := &ContrastOptions{}
	source, err := opened(w, o)
	if err != nil {
		return err
	}
	c := &contrast{o: o, source: source}
	c.begin(w.Data.Scans)
	if err := c.fits(w.Data.Scans); err != nil {
		return err
	}
	if err := c.read(w); err != nil {
		return err
	}
	return c.test(w)
}

// part reports the progress of a part of the work, in thousandths.
func part(w *measure.Work, from, parts int) pause.Yield {
	return func(done, total int) error { return w.Yield.At(from+parts*done/total, 1000) }
}

// read takes all scans, in the first half of the work.
func (c *contrast) read(w *measure.Work) error {
	list := &measure.Items{}
	err := list.Read(w.Data.Scans, func() { c.begin(w.Data.Scans) }, c.take, part(w, 0, 500))
	w.Result.Notes = append(w.Result.Notes, c.source.notes...)
	return err
}

// fits refuses scans that are not of two conditions, or without the numbers that are to be taken out.
func (c *contrast) fits(scans []run.Scan) error {
	of := measure.Asked(c.o.CovariateNames()...)
	for k := range scans {
		switch s := &scans[k]; {
		case s.Class > 1:
			return diag.Option("first", fmt.Sprintf("%q and %q", c.o.First, c.o.Second), "two conditions of the scans, such as that of "+s.Name)
		case c.o.Number != "" && len(s.Covariates) == 0:
			return diag.Option("number", c.o.Number, "a column of numbers in participants.tsv, and covariates that are in it, too")
		case len(s.Covariates) < len(of):
			return diag.Option("covariates", strings.Join(of, ", "), "columns of participants.tsv, of numbers or of at most "+
				fmt.Sprint(MostWords)+" words, or motion")
		}
	}
	return nil
}

// begin allocates a row for each subject.
func (c *contrast) begin(scans []run.Scan) {
	*c = contrast{o: c.o, source: c.source, apart: c.apart, rows: map[int]int{}, moves: true}
	both := map[int]int{}
	for k := range scans {
		s := &scans[k]
		if _, ok := c.rows[s.Group]; !ok {
			c.rows[s.Group] = len(c.rows)
			c.inFirst = append(c.inFirst, s.Class == 0)
			for at, v := range s.Covariates {
				if at == len(c.covariates) {
					c.covariates = append(c.covariates, nil)
				}
				c.covariates[at] = append(c.covariates[at], v)
			}
		}
		both[s.Group] |= 1 << s.Class
		c.paired = c.paired || both[s.Group] == 3
	}
	c.motion = make([]float64, len(c.rows))
}

// take adds a scan to the row of its subject.
func (c *contrast) take(scan *run.Scan) error {
	of, err := c.source.connectome(scan)
	if err != nil {
		return err
	}
	m := of.M()
	if c.values == nil {
		c.regions, c.names = m, of.Regions
		n, rows := m*len(ContrastLayers(c.o.Value)), len(c.rows)
		if c.apart {
			rows *= 2
		}
		c.values, c.means = make([]float64, rows*n), [2][]float64{make([]float64, n), make([]float64, n)}
		if c.o.Beyond > 0 {
			c.pairs = make([]float32, rows*m*(m-1)/2)
			c.pairMeans = [2][]float64{make([]float64, m*(m-1)/2), make([]float64, m*(m-1)/2)}
		}
	}
	if m != c.regions {
		return diag.At(scan.Name, 0, "regions", fmt.Sprint(m),
			fmt.Sprintf("%d, as the scans before have", c.regions))
	}
	values, err := c.valuesOf(of)
	if err != nil {
		return err
	}
	at, weight := c.rows[scan.Group], scan.Weight
	if weight == 0 {
		weight = 1
	}
	c.count[scan.Class] += weight
	for i, v := range values {
		c.means[scan.Class][i] += float64(weight * v)
	}
	row := at
	switch {
	case c.apart:
		row = 2*at + scan.Class
	case c.paired && scan.Class == 1:
		weight = -weight
	}
	to := c.values[row*len(values):]
	for i, v := range values {
		to[i] += float64(weight * v)
	}
	if c.pairs != nil {
		to, mean := c.pairs[row*m*(m-1)/2:], c.pairMeans[scan.Class]
		k := 0
		for i := range m {
			for _, r := range of.FC[i*m+i+1 : (i+1)*m] {
				z := fisher(r)
				to[k] += float32(weight * z)
				mean[k] += float64(math.Abs(weight) * z)
				k++
			}
		}
	}
	q := &of.Quality
	if q.Motion != nil {
		c.motion[at] += float64(weight * *q.Motion)
	} else {
		c.moves = false
	}
	c.quality = append(c.quality, qualityOf(q, scan.Class, scan.Group))
	return nil
}

// qualityOf makes a row of [ArrayScans].
func qualityOf(q *connectome.Quality, class, group int) []float64 {
	motion := -1.0
	if q.Motion != nil {
		motion = *q.Motion
	}
	recorded := max(q.Recorded, q.Frames)
	return []float64{float64(class), float64(group), float64(q.Frames), float64(recorded), motion}
}

// fisher makes of a correlation what is spread alike wherever it is.
func fisher(r float64) float64 {
	const most = 0.9999999
	r = max(min(r, most), -most)
	return float64(kernel.Log((1+r)/(1-r)) / 2)
}

// valuesOf returns the value of every region, layer by layer.
func (c *contrast) valuesOf(of *connectome.Connectome) (list []float64, err error) {
	moments := map[string][]float64{"skewness": of.Skewness, "kurtosis": of.Kurtosis}
	if x, ok := moments[c.o.Value]; ok {
		if x == nil {
			return nil, diag.At(of.Name, 0, "file", "functional connectivity", "a series, for its moments")
		}
		return x, nil
	}
	var network []int
	if c.o.Value == "participation" {
		if a := c.source.atlas(); a != nil && len(a.Network) == of.M() {
			network = a.Network
		} else {
			return nil, diag.Option("value", "participation without networks of the regions", "a table of regions with a column of networks beside the series")
		}
	}
	for k, l := range []*connectome.Layer{of.Co, of.Anti} {
		list = append(list, connectome.RegionValues(c.o.Value, of, l, []float64{1, -1}[k], network)...)
	}
	return list, nil
}

// design is that of the rows.
func (c *contrast) design() (*stats.Design, error) {
	names := c.o.CovariateNames()
	d := &stats.Design{Covariates: c.covariates, Names: measure.Asked(names...)}
	switch {
	case c.o.Number != "":
		d.Number, d.Covariates = c.covariates[0], c.covariates[1:]
	case !c.paired:
		d.A = c.inFirst
	}
	if slices.Contains(names, measure.MotionCovariate) {
		if !c.moves {
			return nil, diag.Option("covariates", "motion, which is not known of every scan",
				"others, or tables of confounds or of motion beside all series")
		}
		d.Covariates = append(slices.Clone(d.Covariates), c.motion)
		d.Names = append(d.Names, measure.MotionCovariate)
	}
	return d, nil
}

// test tests what was collected, and adds it to the result.
func (c *contrast) test(w *measure.Work) error {
	d, err := c.design()
	if err != nil {
		return err
	}
	o := &stats.Options{Permutations: c.o.Permutations, Seed: w.Settings.EvalSeed}
	n := len(c.rows)
	found, err := stats.Test(c.values, d, o, n, part(w, 500, 100))
	if err != nil {
		return err
	}
	r := w.Result
	for i := range found.T {
		r.Row(ArrayContrast, []float64{found.Difference[i], found.T[i], found.P[i], found.Permuted[i], found.Corrected[i], found.Q[i], found.Effect[i],
			found.Low[i], found.High[i], c.mean(c.means, 0, i), c.mean(c.means, 1, i)})
	}
	exact := 0.0
	if found.Exact {
		exact = 1
	}
	r.Row(ArrayTested, []float64{float64(found.Freedom), float64(found.Rows[0]), float64(found.Rows[1]), float64(found.Permutations), exact, float64(c.regions)})
	if len(d.Covariates) > 0 && (d.A != nil || d.Number != nil) {
		r.Row(ArrayExplained, []float64{found.Explained})
	}
	for _, q := range c.quality {
		r.Row(ArrayScans, q)
	}
	if c.pairs != nil {
		if err := c.testPairs(w, d, o); err != nil {
			return err
		}
	}
	c.describe(r)
	return nil
}

// mean is that of a condition; 0 where there are no scans of it.
func (c *contrast) mean(sums [2][]float64, class, i int) float64 {
	return sums[class][i] / max(c.count[class], 1e-9)
}

// listed adds the pairs that a report names, the largest |t| first: those below .05, those of components, and some others.
func (c *contrast) listed(r *measure.Result, found *stats.Result) {
	const level, usual, most = .05, 20, 5000
	var ends [][2]int
	place := map[[2]int]int{}
	for i := range c.regions {
		for j := i + 1; j < c.regions; j++ {
			place[[2]int{i, j}] = len(ends)
			ends = append(ends, [2]int{i, j})
		}
	}
	component := map[int]int{}
	for k, one := range found.Components {
		for _, p := range one.Pairs {
			component[place[p]] = k + 1
		}
	}
	below := func(list []float64) (n float64) {
		for _, v := range list {
			if v < level {
				n++
			}
		}
		return n
	}
	r.Row(ArrayCounts, []float64{float64(len(ends)), below(found.Q), below(found.Corrected)})
	for n, e := range sorting.Descending(len(ends), func(i int) float64 { return math.Abs(found.T[i]) }) {
		if n < usual || n < most && (found.Q[e] < level || found.Corrected[e] < level || component[e] > 0) {
			r.Row(ArrayEdges, []float64{float64(ends[e][0]), float64(ends[e][1]), found.T[e], found.P[e], found.Permuted[e], found.Corrected[e], found.Q[e],
				found.Effect[e], c.mean(c.pairMeans, 0, e), c.mean(c.pairMeans, 1, e), float64(component[e])})
		}
	}
}

// describe adds the names, places and networks of regions.
func (c *contrast) describe(r *measure.Result) {
	r.Words = c.names
	if c.names == nil {
		for i := range c.regions {
			r.Words = append(r.Words, fmt.Sprintf("region %d", i+1))
		}
	}
	addRegions(r, c.source.atlas(), c.regions)
}

// testPairs tests connectivity itself.
func (c *contrast) testPairs(w *measure.Work, d *stats.Design, o *stats.Options) error {
	o.Nodes, o.Beyond = c.regions, c.o.Beyond
	n := len(c.rows)
	found, err := stats.Test(c.pairs, d, o, n, part(w, 600, 400))
	if err != nil {
		return err
	}
	for k, one := range found.Components {
		positive := -1.0
		if one.Positive {
			positive = 1
		}
		w.Result.Row(ArrayComponent, []float64{positive, float64(len(one.Pairs)), float64(len(one.Regions)), one.P})
		for _, p := range one.Pairs {
			w.Result.Row(ArrayPairs, []float64{float64(k), float64(p[0]), float64(p[1])})
		}
	}
	c.listed(w.Result, found)
	if c.moves && n > 3 {
		c.withMotion(w.Result)
	}
	return nil
}

// withMotion correlates every pair's connectivity with motion over subjects.
func (c *contrast) withMotion(r *measure.Result) {
	n := len(c.rows)
	width := len(c.pairs) / n
	size := make([]float64, 0, width)
	beyond := 0.0
	x, y := slices.Clone(c.motion), make([]float64, n)
	center(x)
	for e := range width {
		for i := range y {
			y[i] = float64(c.pairs[i*width+e])
		}
		center(y)
		xy, xx, yy := 0.0, 0.0, 0.0
		for i := range y {
			xy += float64(x[i] * y[i])
			xx += float64(x[i] * x[i])
			yy += float64(y[i] * y[i])
		}
		if xx == 0 || yy == 0 {
			continue
		}
		rho := min(math.Abs(xy)/math.Sqrt(float64(xx*yy)), 1)
		size = append(size, rho)
		if stats.ChanceOfCorrelation(rho, n) < 0.05 {
			beyond++
		}
	}
	if len(size) > 0 {
		slices.Sort(size)
		r.Row(ArrayMotion, []float64{size[len(size)/2], beyond / float64(len(size)), float64(n)})
	}
}

func center(x []float64) {
	mean := 0.0
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for i := range x {
		x[i] -= mean
	}
}

// atlas returns the table of regions of the scans; nil if there is none.
func (s *scanner) atlas() *connectome.Atlas {
	if s.cohort != nil {
		return s.cohort.Atlas
	}
	if s.input == nil {
		return nil
	}
	return s.input.Atlas
}

// addRegions adds the places of regions and their networks, whose names become words.
func addRegions(r *measure.Result, a *connectome.Atlas, m int) {
	if a == nil || len(a.Names) != m {
		return
	}
	if a.Centroids != nil {
		for _, p := range a.Centroids {
			r.Row("places", p[:])
		}
	}
	if a.Networks != nil {
		r.Integers("network", a.Network)
		r.Words = append(slices.Clone(r.Words), a.Networks...)
	}
}

// CovariateNames are the covariates.
func (o *ContrastOptions) CovariateNames() []string { return measure.CommaNames(o.Covariates) }
