package connectome

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
)

// Clean returns the series after crop, detrend, band-pass, regression and z-score, and a
// sentence for each step taken. Regions that do not change are 0 throughout; constant lists
// them. Confounds may be nil. Frames that are marked, by the series or by its confounds, are filled in for the filter and then
// left out. The error is a [*diag.Error].
func Clean(s *Series, confounds *Confounds, o *Options) (cleaned *Series, constant []int, steps []string, err error) {
	c := &cleaning{series: s, confounds: confounds, o: o}
	if err = c.run(); err == nil {
		return c.cleaned, c.constant, c.steps, nil
	}
	if e, ok := err.(*diag.Error); ok && e.File == "" {
		e.File = s.Name
	}
	return nil, nil, nil, err
}

// A cleaning is one use of [Clean].
type cleaning struct {
	series    *Series
	confounds *Confounds
	o         *Options

	from, n  int    // the frames that are used, before marked ones are left out
	marked   []bool // of them; nil: none
	filter   Filter
	cleaned  *Series
	constant []int
	steps    []string
}

func (c *cleaning) step(format string, values ...any) {
	c.steps = append(c.steps, fmt.Sprintf(format, values...))
}

func (c *cleaning) run() error {
	if err := c.length(); err != nil {
		return err
	}
	s, o := c.series, c.o
	if c.from == 0 && c.marked == nil {
		if err := s.Check(); err != nil {
			return err
		}
		c.cleaned = s.Crop(c.n)
	} else {
		c.cleaned = s.Window(c.from, c.n)
		for i := range c.cleaned.M() {
			interpolate(c.cleaned.Row(i), c.marked)
		}
		if err := c.cleaned.Check(); err != nil {
			return err
		}
	}
	if err := c.makeFilter(); err != nil {
		return err
	}
	names, columns, err := c.regressors()
	if err != nil {
		return err
	}
	c.say(names, columns)
	c.apply(columns, o)
	return nil
}

// length finds the frames that are used.
func (c *cleaning) length() error {
	s, o := c.series, c.o
	c.n = s.Frames
	if o.Crop > 0 {
		if c.n = o.Crop; c.n > s.Frames || c.n < LeastFrames {
			return &diag.Error{File: "", Where: "crop", Found: figure.Count(c.n, "frame"),
				Expected: fmt.Sprintf("%d to %d, the length of the series", LeastFrames, s.Frames)}
		}
		c.step("crop: the first %d of %d frames", c.n, s.Frames)
	}
	if f := c.confounds; f != nil && (o.regresses(f) || o.limits(f) != nil) && f.Frames != s.Frames {
		return diag.At(f.File, 0, "frames", fmt.Sprint(f.Frames),
			fmt.Sprintf("%d, as many as the series %s has", s.Frames, s.Name))
	}
	c.mark()
	left := c.n
	for _, m := range c.marked {
		if m {
			left--
		}
	}
	if least := o.Least; (c.marked != nil || c.from > 0) && left < least {
		return &diag.Error{Where: "frames", Found: fmt.Sprintf("%d of %d left after those that moved are left out", left, c.from+c.n),
			Expected: fmt.Sprintf("at least %d (the option frames_left): leave the recording out, or say what else is enough", least)}
	}
	return nil
}

// mark finds the frames that are left out: those before the scanner is steady, those that a table marks, and those that
// moved too far.
func (c *cleaning) mark() {
	s, o, f := c.series, c.o, c.confounds
	if f != nil && f.Modern && o.regresses(f) {
		if c.from = f.unsteady(c.n); c.from > 0 {
			c.step("steady state: the first %s left out, as the confounds mark them", figure.Count(c.from, "frame"))
		}
	}
	marked := make([]bool, c.n)
	var how []string
	mark := func(frames []bool, why string) {
		n := 0
		for t, m := range frames[:min(len(frames), c.n)] {
			if m {
				marked[t] = true
				n++
			}
		}
		if n > 0 {
			how = append(how, fmt.Sprintf("%d that %s", n, why))
		}
	}
	mark(s.gone, "the file lacks")
	if o.Outliers == "on" {
		mark(s.Marked, "a table of outliers marks")
	}
	if f != nil {
		for _, l := range o.limits(f) {
			beyond := 0
			for t, v := range f.Columns[l.column][:c.n] {
				if v > l.most {
					marked[t] = true
					beyond++
				}
			}
			how = append(how, fmt.Sprintf("%d with %s beyond %v", beyond, f.Names[l.column], l.most))
		}
	}
	marked = marked[c.from:]
	if n := count(marked); n > 0 {
		c.marked = marked
		c.step("scrubbing: %d of %d frames left out (%s); filled in along lines for the filter", n, c.n, strings.Join(how, ", "))
	} else if how != nil {
		c.step("scrubbing: no frame left out (%s)", strings.Join(how, ", "))
	}
	c.n -= c.from
}

func count(marked []bool) (n int) {
	for _, m := range marked {
		if m {
			n++
		}
	}
	return n
}

// interpolate fills marked frames in along the line between their neighbours, and before the first and after the last one that
// is not marked with its value.
func interpolate(x []float64, marked []bool) {
	last := -1
	for t := 0; t <= len(x); t++ {
		if t < len(x) && marked != nil && marked[t] {
			continue
		}
		if gap := t - last; gap > 1 {
			for u := last + 1; u < t && u < len(x); u++ {
				switch {
				case last < 0 && t == len(x):
					return // nothing is known
				case last < 0:
					x[u] = x[t]
				case t == len(x):
					x[u] = x[last]
				default:
					share := float64(u-last) / float64(gap)
					x[u] = x[last] + float64(share*(x[t]-x[last]))
				}
			}
		}
		last = t
	}
}

func (c *cleaning) makeFilter() (err error) {
	s, o := c.series, c.o
	switch o.Filter {
	case "butterworth":
		b, err := NewButterworth(o.Order, s.TR, o.Low, o.High)
		if err == nil {
			err = b.CheckLength(c.n)
		}
		if err != nil {
			return err
		}
		c.filter = b
	case "fft":
		f, err := NewFFT(c.n, s.TR, o.Low, o.High)
		if err != nil {
			return err
		}
		c.filter = f
	}
	return nil
}

// regressors returns the confounds to regress out of the frames that are left.
func (c *cleaning) regressors() (names []string, columns [][]float64, err error) {
	f, o := c.confounds, c.o
	if f == nil || !o.regresses(f) {
		return nil, nil, nil
	}
	names, picked := f.pick(o.Confounds, c.from, c.n)
	if strategy := strategies[o.Confounds]; strategy != nil && len(picked) == 0 {
		return nil, nil, diag.At(f.File, 0, "confounds", "no column of the strategy "+o.Confounds,
			"columns as fMRIPrep names them, or confounds=all")
	}
	left := c.n - count(c.marked)
	if len(picked)+LeastFrames > left {
		return nil, nil, diag.At(f.File, 0, "confounds", figure.Count(len(picked), "column"),
			fmt.Sprintf("at most %d for %d frames: with more nothing of the signal is left", left-LeastFrames, left))
	}
	for _, column := range picked {
		x := slices.Clone(column)
		interpolate(x, c.marked)
		if o.alike(f) {
			c.pass(x)
		}
		columns = append(columns, c.keep(x))
	}
	return names, columns, nil
}

// regresses reports whether confounds are regressed out.
func (o *Options) regresses(f *Confounds) bool { return o.Confounds != "off" && !f.MotionOnly }

// alike reports whether confounds pass the filter of the data.
func (o *Options) alike(f *Confounds) bool {
	return o.ConfoundFilter == "on" || o.ConfoundFilter != "off" && f.Modern
}

// pass takes a signal through what comes before the regression.
func (c *cleaning) pass(x []float64) {
	if c.o.Detrend == "on" {
		Detrend(x)
	}
	if c.filter != nil {
		c.filter.Apply(x)
	}
}

// keep moves the frames that are not left out to the front, and returns them.
func (c *cleaning) keep(x []float64) []float64 {
	if c.marked == nil {
		return x
	}
	n := 0
	for t, v := range x {
		if !c.marked[t] {
			x[n] = v
			n++
		}
	}
	return x[:n]
}

// say lists the steps.
func (c *cleaning) say(names []string, columns [][]float64) {
	o := c.o
	if o.Detrend == "on" {
		c.step("detrend: the least-squares line taken out")
	}
	switch o.Filter {
	case "butterworth":
		c.step("band-pass %v-%v Hz: Butterworth of order %d, forwards and backwards", o.Low, o.High, o.Order)
	case "fft":
		c.step("band-pass %v-%v Hz: the frequencies of the band, exactly", o.Low, o.High)
	}
	if len(columns) > 0 {
		text := fmt.Sprintf("confounds: a constant and %s regressed out (%s)", figure.Count(len(columns), "column"), strings.Join(names, ", "))
		if o.alike(c.confounds) && o.Filter != "none" {
			text += ", after the same band-pass as the data"
		} else if o.Filter != "none" {
			text += ", without the band-pass, as in the paper"
		}
		c.step("%s", text)
	}
	c.step("z-score: mean 0, standard deviation 1")
}

// apply cleans every region.
func (c *cleaning) apply(columns [][]float64, o *Options) {
	m, left := c.cleaned.M(), c.n-count(c.marked)
	regression := NewRegression(left, columns)
	values := c.cleaned.Values[:0]
	for i := range m {
		x := c.cleaned.Values[i*c.n : (i+1)*c.n]
		lo, hi := slices.Min(x), slices.Max(x)
		c.pass(x)
		x = c.keep(x)
		if len(columns) > 0 {
			regression.Apply(x)
		}
		// The rest of a constant, or of a line, is rounding.
		const rounding = 1e-12
		if lo == hi || !ZScore(x, rounding*max(math.Abs(lo), math.Abs(hi))) {
			clear(x)
			c.constant = append(c.constant, i)
		}
		values = append(values, x...) // never beyond where x began
	}
	c.cleaned.Values, c.cleaned.Frames = values, left
	c.cleaned.lines = nil
}

// Compute makes a connectome of a series, confounds being nil when there are none. The
// error is a [*diag.Error].
func Compute(s *Series, confounds *Confounds, o *Options) (*Connectome, error) {
	return join([]*Input{{Series: s, Confounds: confounds}}, o)
}

// join makes a connectome of several runs: each is cleaned by itself, and they are put one after the other.
func join(runs []*Input, o *Options) (*Connectome, error) {
	first := runs[0].Series
	var parts []*Series
	var constant []int
	c := &Connectome{Name: first.Name, Regions: first.Regions}
	moved := 0.0
	for k, in := range runs {
		if err := in.HoldsBand(o); err != nil {
			return nil, err
		}
		x, still, steps, err := Clean(in.Series, in.Confounds, o)
		if err != nil {
			return nil, err
		}
		if k == 0 {
			c.Steps = steps
		} else if x.M() != parts[0].M() {
			return nil, diag.At(in.Series.Name, 0, "regions", fmt.Sprint(x.M()),
				fmt.Sprintf("%d, as %s has", parts[0].M(), first.Name))
		}
		parts = append(parts, x)
		for _, i := range still {
			if !slices.Contains(constant, i) {
				constant = append(constant, i)
			}
		}
		used := float64(min(in.Series.Frames, cmp.Or(o.Crop, in.Series.Frames))) * in.Series.TR
		if o.Filter != "none" && in.name != "" && in.Series.recorded == 0 && used > 0 &&
			used < 1/o.Low {
			c.note("%s: %.3g s are shorter than %.4g s, one cycle of the lowest frequency of the "+
				"band: correlations are uncertain.", in.name, used, 1/o.Low)
		}
		q := &c.Quality
		q.Frames += x.Frames
		q.Seconds += float64(float64(x.Frames) * in.Series.TR)
		q.Recorded += min(in.Series.Frames, cmp.Or(o.Crop, in.Series.Frames))
		if in.Confounds != nil {
			n := min(in.Confounds.Frames, cmp.Or(o.Crop, in.Confounds.Frames))
			if mean, far := in.Confounds.motion(n); mean != nil {
				if q.Motion == nil {
					q.Motion, q.Moved = new(float64), new(float64)
				}
				*q.Motion += float64(float64(n) * *mean)
				*q.Moved += float64(float64(n) * *far)
				moved += float64(n)
			}
		}
	}
	x := parts[0]
	if len(parts) > 1 {
		slices.Sort(constant)
		x = concatenated(parts, constant)
		c.Steps = append(c.Steps, fmt.Sprintf("runs: %d, each cleaned by itself, one after the other", len(parts)))
	}
	q := &c.Quality
	if moved > 0 && len(parts) > 1 {
		*q.Motion, *q.Moved = *q.Motion/moved, *q.Moved/moved
	} else if moved > 0 { // unchanged to the last bit
		q.Motion, q.Moved = runs[0].Confounds.motion(min(runs[0].Confounds.Frames, cmp.Or(o.Crop, runs[0].Confounds.Frames)))
	}
	if q.Recorded == q.Frames {
		q.Recorded = 0
	}
	c.correlate(x, constant, o)
	if o.Windows == "" {
		return c, nil
	}
	if len(parts) > 1 {
		return nil, diag.Option("windowed", "windows of several runs that are joined", "those of one run")
	}
	return c, c.window(x, o)
}

// HoldsBand reports whether the recording of a file lasts half a cycle of the lowest frequency of
// the band; what is slower is a line, which detrending takes out. In a shorter one the filter
// leaves next to one wave of every region, so that all regions correlate. A window or a crop is
// as long as it was asked for, and an invented recording as its link says. The error is a
// [*diag.Error].
func (in *Input) HoldsBand(o *Options) error {
	s, cycle := in.Series, 1/o.Low
	n := max(s.Frames, s.recorded)
	seconds := float64(float64(n) * s.TR)
	if o.Filter == "none" || in.name == "" || s.TR == 0 || seconds >= cycle/2 {
		return nil
	}
	return diag.At(in.name, 0, "band", fmt.Sprintf("a recording of %.3g s "+
		"(%s of %v s), too short for half a cycle of %v Hz",
		seconds, figure.Count(n, "frame"), s.TR, o.Low),
		fmt.Sprintf("at least %.4g s, better %.4g s: leave the recording out, or "+
			"choose filter=none, or a band from low=%.2g Hz to a higher high",
			cycle/2, cycle, 1.1/seconds))
}

// concatenated puts cleaned runs one after the other; regions that are constant in one are so in all.
func concatenated(parts []*Series, constant []int) *Series {
	all := &Series{Name: parts[0].Name, Regions: parts[0].Regions, TR: parts[0].TR}
	for _, p := range parts {
		all.Frames += p.Frames
	}
	for i := range parts[0].M() {
		for _, p := range parts {
			x := p.Row(i)
			if slices.Contains(constant, i) {
				clear(x)
			}
			all.Values = append(all.Values, x...)
		}
	}
	return all
}

// correlate makes connectivity, moments and layers of what is cleaned.
func (c *Connectome) correlate(x *Series, constant []int, o *Options) {
	m, n := x.M(), x.Frames
	c.FC, c.Skewness, c.Kurtosis = make([]float64, m*m), make([]float64, m), make([]float64, m)
	Correlate(c.FC, x.Values, m, n)
	for i := range m {
		skewness, kurtosis := Moments(x.Row(i))
		if o.Moments == "unbiased" && !slices.Contains(constant, i) {
			skewness, kurtosis = Unbiased(n, skewness, kurtosis)
		}
		c.Skewness[i], c.Kurtosis[i] = skewness, kurtosis
	}
	c.step("FC: Pearson correlation")
	c.step("features: skewness and excess kurtosis, %s", o.Moments)
	c.Quality.Constant = len(constant)
	if len(constant) > 0 {
		names := make([]string, len(constant))
		for k, i := range constant {
			names[k] = region(c.Regions, i)
		}
		c.note("%s: does not change, and correlates with nothing.", some(names))
	}
	c.split(o)
}
