package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"cadem/scripts/e2e/drive"
)

// A realSet is one of the paper's data sets as its files lie beside the repository.
type realSet struct {
	files  []string
	unused []string // what the dialog would take for a layer
	target string
	limit  time.Duration // on two cores that do nothing else
}

var realSets = map[string]realSet{
	"ACM":      {[]string{"acm/ACM3025.mat"}, []string{"PMP", "PTP"}, "label", 120 * time.Second},
	"IMDB":     {[]string{"imdb/mdm.npz", "imdb/mam.npz", "imdb/feature.npz", "imdb/labels.npy"}, nil, "labels", 120 * time.Second},
	"Freebase": {[]string{"freebase/mam.npz", "freebase/mdm.npz", "freebase/mwm.npz", "freebase/labels.npy"}, nil, "labels", 240 * time.Second},
}

// TestRealData opens data sets of the paper, trains them with the published settings, scores
// them, and makes table VI of them; the scores lie within the bands that were measured with
// the authors' program. It takes minutes, so that it runs only on the sets that CADEM_REAL
// names, as in CADEM_REAL=ACM,IMDB,Freebase; it prints times and memory (resident, with what the browser's processes share), and with
// CADEM_REAL_LIMITS=1 also holds them to the limits.
func TestRealData(t *testing.T) {
	names := os.Getenv("CADEM_REAL")
	if names == "" {
		t.Skip("real data take minutes: name the sets in CADEM_REAL, as in CADEM_REAL=ACM,IMDB,Freebase")
	}
	for _, name := range strings.Split(names, ",") {
		set, ok := realSets[name]
		if !ok {
			t.Fatalf("CADEM_REAL: found %q, expected ACM, IMDB or Freebase", name)
		}
		t.Run(name, func(t *testing.T) { Each(t, func(t *testing.T, engine string) { set.run(t, engine, name) }) })
	}
}

func (set *realSet) run(t *testing.T, engine, name string) {
	shared := filepath.Join(root(t), "..", "shared")
	var files []string
	for _, f := range set.files {
		path := filepath.Join(shared, "data", f)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("the data of %s are not there: %v", name, err)
		}
		files = append(files, path)
	}
	v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
	v.Until(untouch)
	until := func(expr string) {
		t.Helper()
		v.must(v.Wait(expr, 20*time.Minute))
	}
	var worked time.Duration // before what is measured
	usage := func() drive.Usage {
		t.Helper()
		u, err := v.Usage()
		v.must(err)
		return u
	}
	most := v.watchMemory()
	held := func(what string, began time.Time) {
		t.Helper()
		took, u := time.Since(began), usage()
		u.Most = most()
		t.Logf("%s, %s: %.1f s, of processors %.1f s; the page's process holds %d MB, at most %d so far", name, what, took.Seconds(), (u.CPU - worked).Seconds(),
			u.Now>>20, u.Most>>20)
		if os.Getenv("CADEM_REAL_LIMITS") != "" && (took > set.limit || u.Most > 600<<20) {
			t.Errorf("%s: found %.1f s and %d MB, expected at most %s and 600 MB", what, took.Seconds(), u.Most>>20, set.limit)
		}
	}

	began := time.Now()
	worked = usage().CPU
	v.Give("#open-files", files...)
	until(asked)
	for _, part := range set.unused {
		v.use(part, "")
	}
	v.Push("#import-open")
	until(gone + " && " + untouch)
	held("opened", began)
	v.Want("#data-summary", "features of "+name+" in the paper")
	v.Push("#play")
	until(`cadem.state().phase === 'finished'`)
	held("opened and trained", began)
	until(finished)
	held("opened, trained and scored on the page", began)

	began, worked = time.Now(), usage().CPU
	v.Push("[data-study=table6] .primary")
	until("document.querySelector('[data-study=table6] .report table')")
	held("table VI", began)
	var lines [][]string
	v.Read(&lines, "return [...document.querySelectorAll('[data-study=table6] .report tr')].map(r => [...r.cells].map(c => c.textContent))")
	for _, line := range lines {
		t.Log(strings.Join(line, " | "))
	}
	var findings []string
	v.Read(&findings, "return [...document.querySelectorAll('[data-study=table6] .report li')].map(l => l.textContent)")
	t.Log(strings.Join(findings, "\n"))
	bands := measuredBands(t, filepath.Join(shared, "golden", "published", "measured.json"), name)
	for _, metric := range []string{"macro", "micro"} {
		at := cells(t, lines, set.target, metric+"_f1", "")
		for _, c := range []struct {
			of    string
			found float64
		}{{"trained combined", at("combined", "here")}, {"untrained combined", at("combined", "untrained")}, {"trained S", at("common", "here")},
			{"untrained S", at("common", "untrained")}} {
			b := bands[c.of+" "+metric]
			t.Logf("%s %s-F1: %.3f, measured from %.3f to %.3f", c.of, metric, c.found, b[0], b[1])
			if !(c.found >= b[0] && c.found <= b[1]) {
				t.Errorf("%s %s-F1: found %.3f, expected %.3f to %.3f", c.of, metric, c.found, b[0], b[1])
			}
		}
	}
	v.Check()
}

// cells returns a function that looks a figure of CaDeM up in the lines of a report.
func cells(t *testing.T, lines [][]string, target, metric, variant string) func(embedding, column string) float64 {
	place := map[string]int{}
	for k, title := range lines[0] {
		place[title] = k
	}
	return func(embedding, column string) float64 {
		for _, l := range lines[1:] {
			if l[place["method"]] == "CaDeM" && l[place["embedding"]] == embedding && l[place["target"]] == target && l[place["metric"]] == metric &&
				l[place["variant"]] == variant {
				x, err := strconv.ParseFloat(l[place[column]], 64)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
		}
		t.Fatalf("no row of %s, %s, %s", embedding, target, metric)
		return 0
	}
}

// measuredBands returns, for scores of a data set, where those of the authors' program lay:
// from the lowest of its trainings to the highest, and two of the largest deviations between
// folds further on both sides.
func measuredBands(t *testing.T, path, name string) map[string][2]float64 {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the measured scores are not there: %v", err)
	}
	var measured struct {
		Real struct {
			Runs []struct {
				Set    string
				Scores map[string]struct {
					Macro, Micro float64
					MacroSD      float64 `json:"macro_sd"`
					MicroSD      float64 `json:"micro_sd"`
				}
			}
		}
	}
	if err := json.Unmarshal(data, &measured); err != nil {
		t.Fatal(err)
	}
	low, high, spread := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, r := range measured.Real.Runs {
		if r.Set != strings.ToLower(name) {
			continue
		}
		for of, s := range r.Scores {
			for metric, x := range map[string][2]float64{"macro": {s.Macro, s.MacroSD}, "micro": {s.Micro, s.MicroSD}} {
				key := fmt.Sprintf("%s %s", of, metric)
				if _, ok := low[key]; !ok {
					low[key], high[key] = math.Inf(1), math.Inf(-1)
				}
				low[key], high[key], spread[key] = min(low[key], x[0]), max(high[key], x[0]), max(spread[key], x[1])
			}
		}
	}
	bands := map[string][2]float64{}
	for key := range low {
		bands[key] = [2]float64{low[key] - 2*spread[key], high[key] + 2*spread[key]}
	}
	return bands
}
