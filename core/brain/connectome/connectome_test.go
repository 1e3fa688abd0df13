package connectome

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
)

func Example() {
	// Two regions that swing together, one against them, and one on its own.
	s := &Series{Name: "toy", Regions: []string{"L_V1", "R_V1", "L_4", "R_4"}, Frames: 60}
	for i := range 4 {
		for t := range 60 {
			v := math.Sin(float64(t) / 3)
			switch i {
			case 2:
				v = -v
			case 3:
				v = float64(t * t % 7)
			}
			s.Values = append(s.Values, v)
		}
	}
	o := options()
	o.Raw()
	o.Threshold, o.AbsoluteR = "absolute", 0.5
	c, err := Compute(s, nil, o)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f %.2f\n", c.R(0, 1), c.R(0, 2))
	fmt.Println(c.Co.Edges, c.Anti.Edges, c.Quality.CoIsolates)
	// Output:
	// 1.00 -1.00
	// [[0 1]] [[0 2] [1 2]] 2
}

func options() *Options {
	o := &Options{}
	property.Defaults(o)
	return o
}

// noise returns m independent series of n frames.
func noise(m, n int, seed uint64) *Series {
	src := rng.New(seed, "noise")
	s := &Series{Name: "noise", Frames: n, TR: 0.72, Values: make([]float64, m*n)}
	for k := range s.Values {
		s.Values[k] = src.Norm()
	}
	return s
}

// shared reads a file of the public data beside the repository.
func shared(t *testing.T, name string) formats.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../../shared/data", filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		t.Skip("the real data is not there: ../shared/data/" + name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return formats.File{Name: filepath.Base(name), Data: data}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The reference numbers of a real subject, which another program computed.
func TestRealSubject(t *testing.T) {
	type numbers struct {
		Skewness []float64 `json:"skew_first5"`
		Kurtosis []float64 `json:"excess_kurtosis_first5"`
		R01      float64   `json:"r_0_1"`
		R0180    float64   `json:"r_0_180"`
		R10200   float64   `json:"r_10_200"`
		Pairs    struct{ Pos, Neg, Mean float64 }
	}
	var want struct {
		TR              float64
		Raw, Bandpassed numbers
		Threshold       []struct {
			T            float64
			CoEdges      int `json:"co_edges"`
			AntiEdges    int `json:"anti_edges"`
			CoIsolated   int `json:"co_isolated"`
			AntiIsolated int `json:"anti_isolated"`
		}
	}
	if err := json.Unmarshal(shared(t, "hcp/rest/reference_s01.json").Data, &want); err != nil {
		t.Fatal(err)
	}
	in, err := Open([]formats.File{shared(t, "hcp/rest/s01.npy")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := in.Series
	s.TR = want.TR
	o := options()
	check := func(what string, o *Options, want *numbers) *Connectome {
		c, err := Compute(s, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Skewness {
			near(t, what+" skewness", c.Skewness[i], want.Skewness[i], 1e-9)
			near(t, what+" kurtosis", c.Kurtosis[i], want.Kurtosis[i], 1e-9)
		}
		near(t, what+" r(0,1)", c.R(0, 1), want.R01, 1e-9)
		near(t, what+" r(0,180)", c.R(0, 180), want.R0180, 1e-9)
		near(t, what+" r(10,200)", c.R(10, 200), want.R10200, 1e-9)
		near(t, what+" positive", c.Quality.Positive, want.Pairs.Pos, 1e-12)
		near(t, what+" negative", c.Quality.Negative, want.Pairs.Neg, 1e-12)
		sum := 0.0
		for i := range 360 {
			for j := range i {
				sum += c.R(i, j)
			}
		}
		near(t, what+" mean", sum/(360*359/2), want.Pairs.Mean, 1e-9)
		return c
	}
	c := check("bandpassed", o, &want.Bandpassed)
	if len(want.Threshold) != 5 {
		t.Fatalf("%d thresholds", len(want.Threshold))
	}
	strength := make([]float64, len(c.FC))
	for _, w := range want.Threshold {
		o.Threshold, o.AbsoluteR = "absolute", w.T
		Strength(strength, c.FC, 360, 1)
		co := NewLayer("co", strength, 360, o)
		Strength(strength, c.FC, 360, -1)
		anti := NewLayer("anti", strength, 360, o)
		got := [4]int{len(co.Edges), len(anti.Edges), len(co.Isolates), len(anti.Isolates)}
		if got != [4]int{w.CoEdges, w.AntiEdges, w.CoIsolated, w.AntiIsolated} {
			t.Errorf("|r| > %v: %v, want %+v", w.T, got, w)
		}
	}
	o.Raw()
	check("raw", o, &want.Raw)
}

func TestDetrendLeavesNoLine(t *testing.T) {
	s := noise(1, 101, 3)
	want := slices.Clone(s.Values)
	Detrend(want)
	for k := range s.Values {
		s.Values[k] += 1000 - 3*float64(k)
	}
	Detrend(s.Values)
	for k, v := range want {
		near(t, "detrended", s.Values[k], v, 1e-10)
	}
}

// gain returns how much of a sine of the given frequency a filter lets through, in the
// middle of a long series, and its shift.
func gain(f Filter, n int, tr, hz float64) (amplitude, shift float64) {
	x := make([]float64, n)
	for t := range x {
		x[t] = math.Sin(2 * math.Pi * hz * tr * float64(t))
	}
	f.Apply(x)
	var s, c, norm float64
	for t := n / 4; t < 3*n/4; t++ {
		a := 2 * math.Pi * hz * tr * float64(t)
		s += x[t] * math.Sin(a)
		c += x[t] * math.Cos(a)
		norm += math.Sin(a) * math.Sin(a)
	}
	return math.Hypot(s, c) / norm, math.Atan2(c, s)
}

func TestButterworthBand(t *testing.T) {
	const tr, low, high = 0.72, 0.008, 0.08
	for _, order := range []int{1, 2, 5, 8} {
		f, err := NewButterworth(order, tr, low, high)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Sections) != order || f.Pad != 3*(2*order+1) {
			t.Errorf("order %d: %d sections, extended by %d", order, len(f.Sections), f.Pad)
		}
		for _, a := range f.Sections {
			if !(math.Abs(a[1]) < 1 && math.Abs(a[0]) < 1+a[1]) {
				t.Errorf("order %d: the section %v is not stable", order, a)
			}
		}
		// Run twice, half of the power is left at both limits.
		for _, hz := range []float64{low, high} {
			a, shift := gain(f, 20000, tr, hz)
			near(t, fmt.Sprintf("order %d: gain at %v Hz", order, hz), a, 0.5, 5e-3)
			near(t, "shift", shift, 0, 2e-2)
		}
		// The square of the analogue filter's gain, at frequencies as the transform maps them.
		w := func(hz float64) float64 { return math.Tan(math.Pi * hz * tr) }
		for _, hz := range []float64{0.02, 0.05, 0.2} {
			x := (w(hz)*w(hz) - w(low)*w(high)) / (w(hz) * (w(high) - w(low)))
			a, _ := gain(f, 20000, tr, hz)
			near(t, fmt.Sprintf("order %d: gain at %v Hz", order, hz), a, 1/(1+math.Pow(x, float64(2*order))), 5e-3)
		}
	}
	// A band so wide that the poles of its middle section are real.
	f, err := NewButterworth(1, 1, 0.001, 0.45)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := gain(f, 20000, 1, 0.1)
	near(t, "wide band", a, 1, 1e-2)
}

func TestButterworthEnds(t *testing.T) {
	f, err := NewButterworth(5, 0.72, 0.008, 0.08)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 200)
	for k := range x {
		x[k] = 7
	}
	f.Apply(x)
	for _, v := range x {
		near(t, "a constant", v, 0, 1e-9)
	}
	if err := f.CheckLength(33); err == nil || err.Error() != "frames: found 33, expected more than 33: the filter extends a series by so many "+
		"at both ends; choose a lower order, another filter or none" {
		t.Error(err)
	}
	if err := f.CheckLength(34); err != nil {
		t.Error(err)
	}
}

func TestFFTKeepsItsBand(t *testing.T) {
	for _, n := range []int{240, 241} {
		f, err := NewFFT(n, 0.5, 0.1, 0.99)
		if err != nil {
			t.Fatal(err)
		}
		x := noise(1, n, 4).Values
		for hz, want := range map[float64]float64{0.05: 0, 0.1: 1, 0.5: 1, 0.975: 1} {
			k := math.Round(hz * 0.5 * float64(n)) // a whole number of periods
			if n == 240 {
				for tt := range x {
					x[tt] = math.Cos(2*math.Pi*k*float64(tt)/float64(n) + 1)
				}
				y := slices.Clone(x)
				f.Apply(y)
				for tt := range x {
					near(t, fmt.Sprint(hz, " Hz"), y[tt], want*x[tt], 1e-10)
				}
			}
		}
		y := noise(1, n, 5).Values
		f.Apply(y)
		z := slices.Clone(y)
		f.Apply(z)
		for tt := range y {
			near(t, "twice is once", z[tt], y[tt], 1e-10)
		}
	}
}

func TestRegressionIsOrthogonal(t *testing.T) {
	s := noise(5, 80, 9)
	confounds := [][]float64{s.Row(1), s.Row(2), s.Row(1), make([]float64, 80)}
	r := NewRegression(80, confounds)
	if r.Columns != 3 {
		t.Errorf("%d columns, want a constant and two: one confound comes twice, one is 0", r.Columns)
	}
	x := slices.Clone(s.Row(0))
	for k := range x {
		x[k] += 5*s.Row(1)[k] - 2*s.Row(2)[k] + 100
	}
	r.Apply(x)
	y := slices.Clone(s.Row(0))
	r.Apply(y)
	for k := range x {
		near(t, "residual", x[k], y[k], 1e-11)
	}
	for _, c := range append(confounds, slices.Repeat([]float64{1}, 80)) {
		sum := 0.0
		for k := range x {
			sum += x[k] * c[k]
		}
		near(t, "product with a confound", sum, 0, 1e-11)
	}
}

func TestCorrelate(t *testing.T) {
	for _, m := range []int{2, 5, 9} {
		s := noise(m, 50, uint64(m))
		raw := slices.Clone(s.Values)
		for i := range m {
			ZScore(s.Row(i), 0)
		}
		clear(s.Row(m - 1))
		fc := make([]float64, m*m)
		Correlate(fc, s.Values, m, 50)
		for i := range m {
			for j := range m {
				want := pearson(raw[i*50:(i+1)*50], raw[j*50:(j+1)*50])
				if i == m-1 || j == m-1 {
					want = 0
				}
				near(t, "r", fc[i*m+j], want, 1e-12)
			}
		}
	}
}

func pearson(x, y []float64) float64 {
	var sx, sy, sxx, syy, sxy float64
	for k := range x {
		sx, sy = sx+x[k], sy+y[k]
		sxx, syy, sxy = sxx+x[k]*x[k], syy+y[k]*y[k], sxy+x[k]*y[k]
	}
	n := float64(len(x))
	return (n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy))
}

func TestLayerThresholds(t *testing.T) {
	// Strengths of pairs 01 02 03 12 13 23.
	const m = 4
	w := make([]float64, m*m)
	for k, v := range []float64{.9, .5, .5, 0, .2, .5} {
		p := [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}[k]
		w[p[0]*m+p[1]], w[p[1]*m+p[0]] = v, v
	}
	for name, c := range map[string]struct {
		o        Options
		edges    [][2]int
		isolates []int
		added    [][2]int
	}{
		"absolute is strict":         {Options{Threshold: "absolute", AbsoluteR: .5}, [][2]int{{0, 1}}, []int{2, 3}, [][2]int{{2, 0}, {3, 0}}},
		"kept isolated":              {Options{Threshold: "absolute", AbsoluteR: .5, Isolates: "keep"}, [][2]int{{0, 1}}, []int{2, 3}, nil},
		"half, the first ties":       {Options{Threshold: "strongest", Keep: 50}, [][2]int{{0, 1}, {0, 2}, {0, 3}}, nil, nil},
		"all there are":              {Options{Threshold: "strongest", Keep: 100}, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}, nil, nil},
		"at least one":               {Options{Threshold: "strongest", Keep: .01}, [][2]int{{0, 1}}, []int{2, 3}, [][2]int{{2, 0}, {3, 0}}},
		"each node's best neighbour": {Options{Threshold: "node", Keep: 34}, [][2]int{{0, 1}, {0, 2}, {0, 3}}, nil, nil},
	} {
		l := NewLayer(name, w, m, &c.o)
		if !slices.Equal(l.Edges, c.edges) || !slices.Equal(l.Isolates, c.isolates) || !slices.Equal(l.Added, c.added) {
			t.Errorf("%s: %v %v %v", name, l.Edges, l.Isolates, l.Added)
		}
	}
	// A node without any neighbour stays alone; the link of two isolates is one edge.
	v := make([]float64, 9)
	v[1], v[3] = .1, .1
	l := NewLayer("", v, 3, &Options{Threshold: "absolute", AbsoluteR: .2})
	a, err := l.Adjacency(3)
	if err != nil || len(l.Isolates) != 3 || !slices.Equal(l.Added, [][2]int{{0, 1}, {1, 0}}) || a.NNZ() != 2 {
		t.Errorf("%+v %v", l, err)
	}
}

// Every oddity of a subject has a rule or a message.
func TestOddInput(t *testing.T) {
	with := func(edit func(s *Series, o *Options)) error {
		s, o := noise(6, 120, 2), options()
		edit(s, o)
		_, err := Compute(s, nil, o)
		return err
	}
	for want, edit := range map[string]func(s *Series, o *Options){
		"noise: region 3 (c), frame 6: found NaN, expected finite numbers (2 frames of 120 " +
			"hold others): cut such frames out, or fill them in, before": func(s *Series, o *Options) {
			s.Regions = []string{"a", "b", "c", "d", "e", "f"}
			s.Row(2)[5], s.Row(4)[7] = math.NaN(), math.Inf(1)
		},
		"noise: tr: found 0, expected seconds > 0: without the time between frames " +
			"there are no frequencies; give it, or choose no filter": func(s *Series, o *Options) { s.TR = 0 },
		"noise: region 2, frame 3: found 1e+200, " +
			"expected numbers up to 1e+100": func(s *Series, o *Options) { s.Row(1)[2] = 1e200 },
		"noise: tr: found -1, expected seconds > 0": func(s *Series, o *Options) { s.TR = -1 },
		"noise: frames: found 3, expected at least 10: " +
			"fewer say nothing about a correlation": func(s *Series, o *Options) { *s = *s.Crop(3) },
		"noise: frames: found 20, expected more than 33: the filter extends a series by so many " +
			"at both ends; choose a lower order, another filter or none": func(s *Series, o *Options) { *s = *s.Crop(20) },
		"noise: frames: found 10, expected enough for a frequency from 0.008 to 0.08 Hz": func(s *Series, o *Options) {
			*s = *s.Crop(10)
			o.Filter = "fft"
		},
		"noise: band: found an upper limit of 0.08 Hz, expected less than 0.05 Hz, half of the frames a second at a TR of 10 s": func(s *Series, o *Options) {
			s.TR = 10
		},
		"noise: band: found 0.1 to 0.08 Hz, expected a lower limit > 0 and an upper one above it": func(s *Series, o *Options) { o.Low = 0.1 },
		"noise: crop: found 121 frames, expected 10 to 120, the length of the series":             func(s *Series, o *Options) { o.Crop = 121 },
		"noise: region names: found 2, expected 6, one a region":                                  func(s *Series, o *Options) { s.Regions = []string{"a", "b"} },
		`noise: region 6: found the name "A_ROI" of region 1 again, expected distinct names`: func(s *Series, o *Options) {
			s.Regions = []string{"a", "b", "c", "d", "e", "A_ROI"}
		},
	} {
		err := with(edit)
		var e *diag.Error
		if !errors.As(err, &e) || err.Error() != want {
			t.Errorf("%v\nwant\n%s", err, want)
		}
	}
	s := noise(6, 120, 2)
	for k := range s.Row(3) {
		s.Row(3)[k] = 4.2
		s.Row(4)[k] = 1000 - float64(k)/7 // only a line
	}
	for _, filter := range []string{"butterworth", "fft", "none"} {
		o := options()
		o.Filter, o.Moments = filter, "unbiased"
		c, err := Compute(s, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		if c.Quality.Constant != 2 || c.Skewness[3] != 0 || c.Kurtosis[4] != 0 || c.R(3, 0) != 0 || c.R(4, 4) != 0 ||
			!strings.Contains(strings.Join(c.Notes, " "), `"region 4", "region 5": does not change`) {
			t.Errorf("%s: %+v %v %v", filter, c.Quality, c.Skewness, c.Notes)
		}
		for _, l := range []*Layer{c.Co, c.Anti} {
			if !slices.Contains(l.Isolates, 3) || slices.ContainsFunc(l.Added, func(p [2]int) bool { return p[0] == 3 || p[1] == 3 }) {
				t.Errorf("%s: %+v", filter, l)
			}
		}
	}
}

func TestAllPositive(t *testing.T) {
	const m = 5
	fc := make([]float64, m*m)
	for i := range m {
		for j := range m {
			fc[i*m+j] = 1 / (1 + math.Abs(float64(i-j)))
		}
	}
	c, err := FromFC("group", nil, fc, options())
	if err != nil {
		t.Fatal(err)
	}
	if c.Quality.Negative != 0 || len(c.Anti.Edges) != 0 ||
		!slices.Contains(c.Notes, "The anti-activation layer is empty: no negative pair is beyond the threshold.") {
		t.Errorf("%+v %v", c.Quality, c.Notes)
	}
	_, err = c.Graph()
	var e *diag.Error
	if !errors.As(err, &e) || e.Where != "anti-activation" {
		t.Errorf("a graph without a second layer: %v", err)
	}
	fc[1], fc[m] = -.2, -.2
	if c, err = FromFC("group", nil, fc, options()); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(c.Notes, "3 nodes: no negative pair at all, isolated in the anti-activation layer.") {
		t.Error(c.Notes)
	}
	g, err := c.Graph()
	if err != nil || g.N() != 2 || g.M() != m || !g.Layers[0].Features.IsIdentity() {
		t.Errorf("%v %v", g, err)
	}
	fc[2] = .9
	_, err = FromFC("group", nil, fc, options())
	if want := "group: region 3 and region 1: found 0.3333333333333333 and 0.9, expected the same value in both directions"; err == nil || err.Error() != want {
		t.Error(err)
	}
}

func TestMatch(t *testing.T) {
	s := noise(3, 20, 1)
	s.Regions = []string{"R_V1_ROI", "L_V1_ROI", "L_4_ROI"}
	to := func(names ...string) (*Series, error) {
		r := newReader(nil)
		r.in = Input{Series: s, name: s.Name, Atlas: &Atlas{Names: names}}
		err := r.match()
		return r.in.Series, err
	}
	g, err := to("L_V1", "l_4", "R_V1")
	if err != nil || g.Row(0)[3] != s.Row(1)[3] || g.Row(2)[0] != s.Row(0)[0] || g.Regions[1] != "l_4" {
		t.Errorf("%+v %v", g, err)
	}
	_, err = to("L_V1", "L_4", "R_V2")
	if want := `noise: regions: found 3 names against 3, unknown: "R_V1_ROI", missing: "R_V2", ` +
		`expected the names of the table of regions, in any order`; err == nil || err.Error() != want {
		t.Error(err)
	}
	s.Regions = nil
	_, err = to("L_V1", "L_4")
	if want := "noise: regions: found 3 without names, expected 2, as in the table of regions"; err == nil || err.Error() != want {
		t.Error(err)
	}
	if g, err = to("a", "b", "c"); err != nil || g.Regions[2] != "c" {
		t.Error(err)
	}
}

func TestConfounds(t *testing.T) {
	var b strings.Builder
	b.WriteString("csf\twhite_matter\tglobal_signal\tframewise_displacement\ttrans_x\ttrans_x_derivative1\tdvars\n")
	s := noise(4, 40, 6)
	for k := range 40 {
		fd, derivative, dvars := fmt.Sprint(k%4), fmt.Sprint(math.Sin(float64(k))), "1.5"
		if k == 0 {
			fd, derivative, dvars = "n/a", "n/a", "n/a"
		}
		if k == 9 {
			dvars = "n/a"
		}
		fmt.Fprintf(&b, "%v\t%v\t%v\t%s\t%v\t%s\t%s\n", s.Row(1)[k], k*k%11, k, fd, k%3, derivative, dvars)
	}
	c, err := confoundsOf(formats.File{Name: "c.tsv", Data: []byte(b.String())})
	if err != nil {
		t.Fatal(err)
	}
	names, columns := c.pick("auto", 0, 40)
	if !slices.Equal(names, []string{"csf", "white_matter", "trans_x", "trans_x_derivative1"}) {
		t.Error(names)
	}
	sum := 0.0
	for _, v := range columns[3][1:] {
		sum += v
	}
	near(t, "the missing first entry", columns[3][0], sum/39, 1e-12)
	names, _ = c.pick("all", 0, 40)
	if slices.Contains(names, "dvars") || slices.Contains(names, displacement) || !slices.Contains(names, "global_signal") {
		t.Error(names)
	}
	o := options()
	o.Raw()
	o.Confounds = "auto"
	r, err := Compute(s, c, o)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "motion", *r.Quality.Motion, 60.0/39, 1e-12)
	near(t, "moved", *r.Quality.Moved, 30.0/39, 1e-12)
	if r.Quality.Constant != 1 { // region 1 is the fluid
		t.Errorf("%+v", r.Quality)
	}
	c.Frames = 41
	if _, err := Compute(s, c, o); err == nil || err.Error() != "c.tsv: frames: found 41, expected 40, as many as the series noise has" {
		t.Error(err)
	}
	// Numbers without a header, and errors in such tables.
	rows := strings.Repeat("1 2 3\n", 20)
	if c, err = confoundsOf(formats.File{Name: "Movement_Regressors.txt", Data: []byte(rows)}); err != nil || len(c.Columns) != 3 || c.Frames != 20 {
		t.Error(err)
	}
	for text, want := range map[string]string{
		rows + "1 2\n":     "c.txt:21: found 2 columns, expected 3 as in line 1",
		rows + "1 2 x\n":   `c.txt:21: column 3: found "x", expected a finite number or n/a`,
		"1 2 3\n1 2 3\n":   "c.txt: frames: found 2, expected at least 10 rows of confounds",
		rows + "1 2 inf\n": `c.txt:21: column 3: found "inf", expected a finite number or n/a`,
	} {
		if _, err := confoundsOf(formats.File{Name: "c.txt", Data: []byte(text)}); err == nil || err.Error() != want {
			t.Errorf("%v\n%s", err, want)
		}
	}
}

// The same bits on every machine: what is computed from a seed has one hash.
func TestOneHash(t *testing.T) {
	h := sha256.New()
	add := func(x []float64) { binary.Write(h, binary.LittleEndian, x) }
	s := noise(7, 150, 11)
	confounds := &Confounds{Names: []string{"a", "b"}, Frames: 150, Columns: [][]float64{noise(1, 150, 12).Values, noise(1, 150, 13).Values}}
	for _, filter := range []string{"butterworth", "fft", "none"} {
		o := options()
		o.Filter = filter
		c, err := Compute(s, confounds, o)
		if err != nil {
			t.Fatal(err)
		}
		add(c.FC)
		add(c.Skewness)
		add(c.Kurtosis)
	}
	if got := hex.EncodeToString(h.Sum(nil)[:8]); got != "cd532b4b3fef9443" {
		t.Errorf("the hash is %s", got)
	}
}

func TestCropAndRepeat(t *testing.T) {
	s, o := noise(8, 200, 8), options()
	o.Crop = 100
	a, err := Compute(s, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Crop = 0
	b, err := Compute(s.Crop(100), nil, o)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a.FC, b.FC) || !reflect.DeepEqual(a.Anti, b.Anti) || a.Quality.Frames != 100 || a.Quality.Seconds != 72 ||
		a.Steps[0] != "crop: the first 100 of 200 frames" {
		t.Errorf("%+v %v", a.Quality, a.Steps)
	}
	g, err := a.Graph()
	if err != nil || g.F() != 2 || g.Layers[1].Features.Dense[3] != a.Kurtosis[1] {
		t.Error(err)
	}
}

func confoundsOf(f formats.File) (*Confounds, error) {
	t, err := formats.ReadTable(f)
	if err != nil {
		return nil, err
	}
	return newConfounds(t)
}

func TestAnnotate(t *testing.T) {
	table, err := formats.ReadTable(formats.File{Name: "regions.csv", Data: []byte("name,network,x,y,z\na,Visual,1,2,3\nb,none,4,5,6\nc,Limbic,7,8,9\n")})
	if err != nil {
		t.Fatal(err)
	}
	a, err := newAtlas(table)
	if err != nil {
		t.Fatal(err)
	}
	g := &multiplex.Graph{}
	a.Annotate(g)
	s := g.Labels[0]
	if s.Name != "network" || fmt.Sprint(s.Classes, s.Of) != "[Visual Limbic] [0 -1 1]" || fmt.Sprint(g.Places) != "[[1 2 3] [4 5 6] [7 8 9]]" {
		t.Errorf("%+v, places %v", s, g.Places)
	}
	a.Networks, a.Network = nil, nil
	g = &multiplex.Graph{}
	a.Annotate(g)
	if len(g.Labels) != 0 {
		t.Errorf("labels without networks: %+v", g.Labels)
	}
}
