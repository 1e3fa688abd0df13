package e2e

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"cadem.example/scripts/e2e/drive"
)

// The series of a soak, in MB, in the order in which they are read.
var soaked = []string{"process of the page", "heap of its scripts", "Go, the run", "Go, storage", "stored"}

// sample reads them. The largest of several compute programs counts.
func (v *Visit) sample() []float64 {
	v.t.Helper()
	if err := v.CollectGarbage(); err != nil && !errors.Is(err, drive.ErrUnsupported) {
		v.t.Fatal(err)
	}
	u, err := v.Usage()
	v.must(err)
	var got struct{ Scripts, Compute, Storage, Stored float64 }
	v.Read(&got, "workers.memory")
	all := []float64{float64(u.Now), got.Scripts, got.Compute, got.Storage, got.Stored}
	for i := range all {
		all[i] /= 1e6
	}
	return all
}

// trend is the slope of a straight line through values, and half the width of its interval of 95 %. Neighbours that resemble
// each other count as less than one value each: by the correlation of what is left of them.
func trend(at, values []float64) (slope, half float64) {
	n := float64(len(at))
	from, slope := stat.LinearRegression(at, values, nil, false)
	left := make([]float64, len(at))
	squares, along := 0., 0.
	for i, x := range at {
		left[i] = values[i] - from - slope*x
		squares += left[i] * left[i]
		if i > 0 {
			along += left[i] * left[i-1]
		}
	}
	if squares < 1e-20 { // a level, except for rounding
		return slope, 0
	}
	alike := min(max(along/squares, 0), .95)
	free := n*(1-alike)/(1+alike) - 2
	if free < 1 {
		return slope, math.Inf(1)
	}
	spread := math.Sqrt(squares / free / (stat.Variance(at, nil) * (n - 1)))
	return slope, spread * distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(.975)
}

// TestTrend finds an existing slope, and none in values that wander about a level.
func TestTrend(t *testing.T) {
	rng := distuv.Normal{Sigma: 1}
	for _, c := range []struct{ slope, alike float64 }{{0, 0}, {2, 0}, {0, .8}} {
		within := 0
		const series = 200
		for range series {
			var at, values []float64
			drift := 0.
			for i := range 100 {
				drift = c.alike*drift + rng.Rand()
				at, values = append(at, float64(i)/50), append(values, 5+c.slope*float64(i)/50+drift)
			}
			if slope, half := trend(at, values); math.Abs(slope-c.slope) <= half {
				within++
			}
		}
		if within < series*85/100 {
			t.Errorf("slope %g, correlation %g: within the interval in %d of %d series", c.slope, c.alike, within, series)
		}
	}
	var at, values []float64
	for i := range 80 {
		at, values = append(at, .4+float64(i)/43), append(values, 13.631488)
	}
	if slope, half := trend(at, values); math.Abs(slope) > 1e-9 || half != 0 {
		t.Errorf("a level has the slope %g, to %g", slope, half)
	}
}

// TestSoak uses the page for as long as CADEM_SOAK says, and prints by how much an hour what it holds grows: it fails where that is more than
// 1 MB beyond doubt.
func TestSoak(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		if os.Getenv("CADEM_SOAK") == "" {
			t.Skip("it takes hours; make soak does it")
		}
		length, err := time.ParseDuration(os.Getenv("CADEM_SOAK"))
		if err != nil {
			t.Fatalf("CADEM_SOAK: %v", err)
		}
		if engine == "webkit" {
			t.Skip("its processes are not looked into")
		}
		s := NewKeptSite(t)
		s.Precede(s.Built.Worker, scriptOf("heaps"))
		var o drive.Options
		switch engine {
		case "chromium":
			o.Args = []string{"--enable-precise-memory-info"} // otherwise the heap size of scripts is updated every twenty minutes
		case "firefox":
			// Else it optimises a function of a program only once that has been called often, and keeps some 10 kB for it. That goes on
			// for hours, as the program has thousands, and memory grows though the page holds no more.
			o.Prefs = map[string]any{"javascript.options.wasm_lazy_tiering": false}
		}
		v := Open(t, engine, s, o, Small.Link())
		v.Until("lab.untouched")
		v.Until("storage.owned")
		v.Finish()
		v.Push("#export-run")
		const most = 6 // runs that are kept
		v.Read(nil, "soak.prepare", base64.StdEncoding.EncodeToString(download(t, v, "*-run.zip")), places, most, sweep()[:2])
		var hours []float64
		series := make([][]float64, len(soaked))
		began := time.Now()
		rounds := 0
		const stretch = time.Minute // after which the page is looked into
		for time.Since(began) < length {
			// Without pauses until a browser has made everything many times, and its caches have settled; then at a person's
			// pace, as in an hour of use.
			warm, look := time.Since(began) < length/5, 5*time.Second
			if warm {
				look = 0
			}
			v.Read(nil, "soak.begin", stretch.Milliseconds(), look.Milliseconds())
			time.Sleep(stretch)
			v.Read(&rounds, "soak.rounds")
			if all, _ := filepath.Glob(filepath.Join(v.Downloads(), "*")); len(all) == 0 {
				t.Fatal("nothing was exported")
			} else {
				for _, name := range all {
					v.must(os.Remove(name))
				}
			}
			if warm {
				continue
			}
			hours = append(hours, time.Since(began).Hours())
			for i, x := range v.sample() {
				series[i] = append(series[i], x)
			}
		}
		v.Check()
		if len(hours) < 8 {
			t.Fatalf("%d samples in %v are too few", len(hours), length)
		}
		var b strings.Builder
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "MB of\tfirst\tlast\tan hour\twith 95 % between")
		for i, name := range soaked {
			slope, half := trend(hours, series[i])
			fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%+.2f\t%+.2f and %+.2f\n", name, series[i][0], series[i][len(hours)-1], slope, slope-half, slope+half)
			if slope-half > 1 {
				t.Errorf("%s grows by %.2f MB an hour (%.2f at least)", name, slope, slope-half)
			}
		}
		w.Flush()
		t.Logf("%s, %v, %d rounds, %d samples\n%s", engine, length, rounds, len(hours), b.String())
	})
}
