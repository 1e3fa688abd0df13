package measure

import (
	"slices"
	"strings"
	"testing"

	"cadem/core/connectome"
	"cadem/core/run"
)

// All scans of an order are band-passed or none is: else a condition could be told by that. What differs is refused with both files.
func TestOneBandPass(t *testing.T) {
	names := []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"}
	const bad = "x_bold.json: RepetitionTime: found -1"
	for _, c := range []struct {
		first, second connectome.Run // the time and the filter
		options       map[string]any
		note          string // that all have
		refused       string
	}{
		{connectome.Run{TR: 2}, connectome.Run{TR: 2}, nil, "", ""},
		{connectome.Run{}, connectome.Run{}, nil, NoBandPass, ""},
		{connectome.Run{TR: 2}, connectome.Run{Untimed: bad}, nil, "",
			"s2.csv: band-pass: found a recording that has no time between frames (" + bad + "), beside s1.csv, which is band-passed, expected the same"},
		{connectome.Run{}, connectome.Run{TR: 2}, nil, "", "s2.csv: band-pass: found a recording that is band-passed, beside s1.csv, which has no time"},
		{connectome.Run{TR: 2}, connectome.Run{Untimed: bad}, map[string]any{"tr": 2}, "", ""},
		{connectome.Run{TR: 2}, connectome.Run{Untimed: bad}, map[string]any{"filter": "none"}, "", ""},
		{connectome.Run{TR: 2, Filtered: "a.json: Bandpass"}, connectome.Run{Filtered: "b.json: Bandpass"}, nil, Filtered, ""},
		{connectome.Run{TR: 2, Filtered: "a.json: Bandpass"}, connectome.Run{TR: 2}, nil, "",
			"s2.csv: band-pass: found a recording that is band-passed, beside s1.csv, which was filtered before (a.json: Bandpass)"},
		{connectome.Run{TR: 2, Filtered: "a.json: Bandpass"}, connectome.Run{TR: 2}, map[string]any{"filter_again": "on"}, "", ""},
		{connectome.Run{TR: 2, Filtered: "a.json: Bandpass"}, connectome.Run{TR: 2}, map[string]any{"filter": "none"}, "", ""},
	} {
		for _, joined := range []bool{false, true} {
			files, scans := cohortOf(names, names)
			for k, r := range []connectome.Run{c.first, c.second} {
				scans[k].TR, scans[k].Untimed, scans[k].Filtered = r.TR, r.Untimed, r.Filtered
			}
			if joined { // runs of one scan
				scans[0].More = scans[1].Runs()
				scans = scans[:1]
			}
			specs, contents := run.InMemory(files)
			spec := &run.DataSpec{Files: specs, Scans: scans, Options: map[string]any{"order": 1, "high": 0.1, "low": 0.02}}
			for name, v := range c.options {
				spec.Options[name] = v
			}
			r := &Result{}
			err := prepareScans(r, spec, &run.Settings{}, contents, func(int, int) error { return nil })
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%+v: %v, expected %s", c, err, c.refused)
				}
				continue
			}
			if err != nil || c.note != "" != slices.Contains(r.Notes, c.note) {
				t.Errorf("%+v: %v, notes %q", c, err, r.Notes)
			}
		}
	}
	// Scans that other tasks prepared.
	of := func(tr float64, name string) *Result {
		files, scans := cohortOf(names, names)
		scans[0].TR, scans[1].TR = tr, tr
		specs, contents := run.InMemory(files)
		r := &Result{Name: name}
		if err := prepareScans(r, &run.DataSpec{Files: specs, Scans: scans}, &run.Settings{}, contents, func(int, int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, two := range [][2]float64{{2, 0}, {0, 2}} {
		if _, err := scannedOf(Held{of(two[0], "a"), of(two[1], "b")}); err == nil || !strings.HasPrefix(err.Error(), "b: band-pass: ") {
			t.Error(err)
		}
	}
	for _, tr := range []float64{0, 2} {
		if _, err := scannedOf(Held{of(tr, "a"), of(tr, "b")}); err != nil {
			t.Error(err)
		}
	}
}
