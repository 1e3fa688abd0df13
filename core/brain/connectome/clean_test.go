package connectome

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// confounded is a series with confounds that have every frequency.
func confounded(frames int) (*Series, *Confounds) {
	s := noise(6, frames, 2)
	s.TR = 1
	c := &Confounds{File: "c.tsv", Frames: frames}
	more := noise(5, frames, 9)
	for k, name := range []string{"trans_x", "csf", "white_matter", "global_signal", "cosine00"} {
		c.Names, c.Columns = append(c.Names, name), append(c.Columns, more.Row(k))
	}
	for t := range frames {
		s.Row(0)[t] += 2 * c.Columns[0][t]
	}
	return s, c
}

// beyond is the share of the power of x above a frequency, by the sums that define it.
func beyond(x []float64, tr, hz float64) float64 {
	above, all := 0.0, 0.0
	for k := 1; k <= len(x)/2; k++ {
		re, im := 0.0, 0.0
		for t, v := range x {
			a := 2 * math.Pi * float64(k*t) / float64(len(x))
			re, im = re+v*math.Cos(a), im+v*math.Sin(a)
		}
		if p := re*re + im*im; float64(k)/(float64(len(x))*tr) > hz {
			above, all = above+p, all+p
		} else {
			all += p
		}
	}
	return above / all
}

// Regression on confounds that passed no filter brings frequencies back; on those that did it does not.
func TestConfoundsPassTheFilter(t *testing.T) {
	s, c := confounded(300)
	share := map[string]float64{}
	for _, how := range []string{"off", "on", "auto"} {
		o := options()
		o.ConfoundFilter = how
		x, _, steps, err := Clean(s, c, o)
		if err != nil {
			t.Fatal(err)
		}
		share[how] = beyond(x.Row(1), 1, .12)
		if text := strings.Join(steps, "\n"); strings.Contains(text, "as in the paper") == (how == "on") {
			t.Errorf("%s: %s", how, text)
		}
	}
	if share["on"] > 2e-3 || share["off"] < 8*share["on"] || share["auto"] != share["off"] {
		t.Errorf("power beyond the band: %v", share)
	}
	c.Modern = true
	x, _, _, err := Clean(s, c, options())
	if got := beyond(x.Row(1), 1, .12); err != nil || got != share["on"] {
		t.Errorf("of a folder of derivatives: %v, %v", got, err)
	}
}

// Frames that are left out have no part in the result, whatever they hold.
func TestScrubbing(t *testing.T) {
	s, c := confounded(200)
	fd, steady := make([]float64, 200), make([]float64, 200)
	fd[0], fd[50], fd[120], steady[1] = math.NaN(), .7, .9, 1
	c.Names, c.Columns = append(c.Names, displacement, "non_steady_state_outlier00"), append(c.Columns, fd, steady)
	c.Modern = true
	o := options()
	o.FD, o.Confounds = .5, "scrubbing"
	want, _, steps, err := Clean(s, c, o)
	if err != nil || want.Frames != 196 {
		t.Fatalf("%+v, %v", want, err)
	}
	text := strings.Join(steps, "\n")
	for _, sentence := range []string{"the first 2 frames left out", "scrubbing: 2 of 200 frames left out (2 with framewise_displacement beyond 0.5)",
		"4 columns regressed out (trans_x, csf, white_matter, cosine00)"} {
		if !strings.Contains(text, sentence) {
			t.Errorf("no %q in\n%s", sentence, text)
		}
	}
	other := *s
	other.Values = slices.Clone(s.Values)
	for i := range 6 {
		for _, frame := range []int{0, 1, 50, 120} {
			other.Row(i)[frame] = math.NaN()
		}
	}
	if got, _, _, err := Clean(&other, c, o); err != nil || !slices.Equal(got.Values, want.Values) {
		t.Errorf("frames that are left out count: %v", err)
	}
	marked := *s
	marked.Marked = make([]bool, 200)
	for k := range 160 {
		marked.Marked[k] = k >= 5
	}
	if _, _, _, err := Clean(&marked, nil, o); err == nil || !strings.Contains(err.Error(), "found 45 of 200 left") {
		t.Error(err)
	}
	c.Names[0] = "column 1"
	o.Confounds = "ica_aroma"
	c.Names[1], c.Names[2], c.Names[4] = "x", "y", "z"
	if _, _, _, err := Clean(s, c, o); err == nil || !strings.Contains(err.Error(), "no column of the strategy ica_aroma") {
		t.Error(err)
	}
}

// Joined runs have the mean of their correlations, weighted by length.
func TestJoinedRuns(t *testing.T) {
	a, b := noise(4, 100, 1), noise(4, 60, 2)
	o := options()
	o.Raw()
	one, err := Compute(a, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Compute(b, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	both, err := (&Input{Series: a, More: []*Input{{Series: b}}}).Compute(o)
	if err != nil || both.Quality.Frames != 160 {
		t.Fatalf("%+v, %v", both, err)
	}
	for k, r := range both.FC {
		near(t, fmt.Sprint("pair ", k), r, (100*one.FC[k]+60*two.FC[k])/160, 1e-9)
	}
}

// A ring of four regions and one more that hangs on it, by hand.
func TestRegionValues(t *testing.T) {
	c := &Connectome{FC: make([]float64, 25)}
	l := &Layer{Edges: [][2]int{{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, Added: [][2]int{{4, 0}}}
	c.FC[1], c.FC[5], c.FC[4], c.FC[20] = .5, .5, -.25, -.25
	for name, want := range map[string][]float64{"strength": {.5, .5, 0, 0, 0}, "degree": {3, 3, 2, 3, 1}, "clustering": {1. / 3, 2. / 3, 1, 2. / 3, 0},
		"participation": {4. / 9, 4. / 9, .5, 4. / 9, 0}} {
		got := RegionValues(name, c, l, 1, []int{0, 0, 1, 1, -1})
		for i := range want {
			if name == "participation" && i == 0 { // neighbours 1, 3 and 4, one in each network or in none
				want[i] = 2. / 3
			}
			near(t, fmt.Sprint(name, " ", i), got[i], want[i], 1e-12)
		}
	}
	near(t, "strength of the other sign", RegionValues("strength", c, l, -1, nil)[4], .25, 0)
}
