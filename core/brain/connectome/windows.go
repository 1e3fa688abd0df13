package connectome

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/figure"
	"cadem.example/core/formats"
)

// LeastWindow is the length in frames of the shortest window that is correlated: of independent frames Fisher's z has a standard
// error of 1/sqrt(30-3) = 0.19 there. mostWindows is how many there may be, each a layer.
const LeastWindow, mostWindows = 30, 64

// spans returns the first frame of each window of a series of some frames, tr seconds apart, and how many frames they have.
func (o *Options) spans(frames int, tr float64) (from []int, length int, err error) {
	bad := func(why, expected string) ([]int, int, error) {
		return nil, 0, diag.Option("windowed", strconv.Quote(o.Windows)+why, expected)
	}
	parts, unit := strings.Split(o.Windows, ":"), 1.0
	seconds := len(parts) == 2 && strings.HasSuffix(parts[0], "s") && strings.HasSuffix(parts[1], "s")
	if seconds {
		unit = tr
	}
	var n [2]int
	for k, text := range parts {
		if seconds {
			text = strings.TrimSuffix(text, "s")
		}
		v, ok := formats.Number(text)
		if !ok || len(parts) != 2 || !(v > 0 && v <= 1e6) || !seconds && v != math.Trunc(v) {
			return bad("", "a length and a step in frames, as 100:50, or in seconds, as 60s:30s")
		}
		if unit == 0 {
			return bad(" of a series that does not say how long a frame takes", "frames, as 100:50, or tr beside it")
		}
		n[k] = int(max(math.Round(v/unit), 1))
	}
	if length = n[0]; length < LeastWindow {
		return bad(fmt.Sprintf(", windows of %d frames", length), fmt.Sprintf("at least %d frames: of fewer correlations are little but chance", LeastWindow))
	}
	for t := 0; t+length <= frames; t += n[1] {
		from = append(from, t)
	}
	if len(from) < 2 || len(from) > mostWindows {
		return bad(fmt.Sprintf(", which makes %s of %d frames of %d", figure.Count(len(from), "window"), length, frames),
			fmt.Sprintf("from 2 to %d windows, each a layer", mostWindows))
	}
	return from, length, nil
}

// window makes layers of the windows of a cleaned series instead of those of all of it. The error is a [*diag.Error].
func (c *Connectome) window(x *Series, o *Options) error {
	from, length, err := o.spans(x.Frames, x.TR)
	if err != nil {
		return err
	}
	m := x.M()
	fc, strength := make([]float64, m*m), make([]float64, m*m)
	c.Layers = nil
	linked := 0
	for _, t := range from {
		w := x.Window(t, length)
		for i := range m {
			const rounding = 1e-12 // of values that have a deviation of 1 in all
			ZScore(w.Row(i), rounding)
		}
		Correlate(fc, w.Values, m, length)
		var signs [2]*Layer
		for k, name := range []string{"co-activation", "anti-activation"} {
			Strength(strength, fc, m, float64(1-2*k))
			signs[k] = NewLayer(fmt.Sprintf("%s %d-%d", name, t+1, t+length), strength, m, o)
		}
		for _, l := range o.chosen(signs[0], signs[1]) {
			c.Layers = append(c.Layers, l)
			linked += len(l.Added)
		}
	}
	c.step("windows: %d of %d frames, %d from one to the next; %d layers of them, thresholded as above, %d isolated nodes of which linked; features are those "+
		"of the whole series", len(from), length, from[1]-from[0], len(c.Layers), linked)
	c.lacking(o)
	if rest := x.Frames - from[len(from)-1] - length; rest > 0 {
		c.note("The last %s in no window.", figure.Count(rest, "frame")+figure.Plural(rest, " is", " are"))
	}
	if cycle := 1 / o.Low; o.Filter != "none" && x.TR > 0 && float64(length)*x.TR < cycle {
		c.note("Windows are shorter than %.0f s, the slowest cycle that the band-pass keeps: their correlations differ by chance "+
			"(Leonardi and Van De Ville 2015).", cycle)
	}
	return nil
}
