package measures

import (
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// All scans of an order are band-passed or none is: else a condition could be told by that. What differs is refused with both files.
func TestOneBandPass(t *testing.T) {
	names := []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"}
	const bad = "x_bold.json: RepetitionTime: found -1"
	for _, c := range []struct {
		first, second collection.Run // the time and the filter
		options       map[string]any
		note          string // that all have
		refused       string
	}{
		{collection.Run{TR: 2}, collection.Run{TR: 2}, nil, "", ""},
		{collection.Run{}, collection.Run{}, nil, measure.NoBandPass, ""},
		{collection.Run{TR: 2}, collection.Run{Untimed: bad}, nil, "",
			"s2.csv: band-pass: found a recording that has no time between frames (" + bad + "), beside s1.csv, which is band-passed, expected the same"},
		{collection.Run{}, collection.Run{TR: 2}, nil, "", "s2.csv: band-pass: found a recording that is band-passed, beside s1.csv, which has no time"},
		{collection.Run{TR: 2}, collection.Run{Untimed: bad}, map[string]any{"tr": 2}, "", ""},
		{collection.Run{TR: 2}, collection.Run{Untimed: bad}, map[string]any{"filter": "none"}, "", ""},
		{collection.Run{TR: 2, Filtered: "a.json: Bandpass"}, collection.Run{Filtered: "b.json: Bandpass"}, nil, measure.Filtered, ""},
		{collection.Run{TR: 2, Filtered: "a.json: Bandpass"}, collection.Run{TR: 2}, nil, "",
			"s2.csv: band-pass: found a recording that is band-passed, beside s1.csv, which was filtered before (a.json: Bandpass)"},
		{collection.Run{TR: 2, Filtered: "a.json: Bandpass"}, collection.Run{TR: 2}, map[string]any{"filter_again": "on"}, "", ""},
		{collection.Run{TR: 2, Filtered: "a.json: Bandpass"}, collection.Run{TR: 2}, map[string]any{"filter": "none"}, "", ""},
	} {
		for _, joined := range []bool{false, true} {
			files, scans := cohortOf(names, names)
			for k, r := range []collection.Run{c.first, c.second} {
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
			r := &measure.Result{}
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
	of := func(tr float64, name string) *measure.Result {
		files, scans := cohortOf(names, names)
		scans[0].TR, scans[1].TR = tr, tr
		specs, contents := run.InMemory(files)
		r := &measure.Result{Name: name}
		if err := prepareScans(r, &run.DataSpec{Files: specs, Scans: scans}, &run.Settings{}, contents, func(int, int) error { return nil }); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, two := range [][2]float64{{2, 0}, {0, 2}, {0, 0}, {2, 2}} {
		s := &run.Settings{}
		property.Defaults(&s.Evaluation)
		err := (&measure.Spec{Kind: measure.Baselines}).Compare(&measure.Result{}, measure.Held{of(two[0], "a"), of(two[1], "b")}, s,
			func(int, int) error { return nil })
		if refused := err != nil && strings.HasPrefix(err.Error(), "b: band-pass: "); refused != (two[0] != two[1]) {
			t.Errorf("%v: %v", two, err)
		}
	}
}

// A recording that holds another one of its subject is refused by its frames, whatever it is called; of other subjects, or in
// windows of one file, it is not.
func TestRecordingsHeldByOthers(t *testing.T) {
	names := []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"}
	turned := []string{"R5", "R8", "R2", "R1", "R3", "R7", "R6", "R4"}
	prepare := func(change func(files [][]byte, scans []run.Scan) []run.Scan, lists ...[]string) error {
		files, scans := cohortOf(lists...)
		var data [][]byte
		for k := range files {
			data, scans[k].TR, scans[k].Group = append(data, files[k].Data), 2, 0
		}
		scans = change(data, scans)
		for k := range files {
			files[k].Data = data[k]
		}
		specs, contents := run.InMemory(files)
		spec := &run.DataSpec{Files: specs, Scans: scans, Options: map[string]any{"filter": "none"}}
		return prepareScans(&measure.Result{}, spec, &run.Settings{}, contents, func(int, int) error { return nil })
	}
	rows := func(data []byte) string { _, rest, _ := strings.Cut(string(data), "\n"); return rest }
	whole := func(files [][]byte, scans []run.Scan) []run.Scan { // the third file holds the first two
		files[2] = []byte(string(files[0]) + rows(files[1]))
		return scans
	}
	for name, c := range map[string]struct {
		change func(files [][]byte, scans []run.Scan) []run.Scan
		want   string
	}{
		"three recordings": {func(_ [][]byte, scans []run.Scan) []run.Scan { return scans }, ""},
		"the whole":        {whole, "s3.csv: frames: found 60 that s1.csv has, too"},
		"the whole first": {func(files [][]byte, scans []run.Scan) []run.Scan {
			slices.Reverse(whole(files, scans))
			return scans
		}, "s2.csv: frames: found 60 that s3.csv has, too"},
		"joined": {func(files [][]byte, scans []run.Scan) []run.Scan {
			whole(files, scans)
			scans[0].More = append(scans[1].Runs(), scans[2].Runs()...)
			return scans[:1]
		}, "s3.csv: frames: found 60 that s1.csv has, too"},
		"of another subject": {func(files [][]byte, scans []run.Scan) []run.Scan {
			scans[2].Group = 1
			return whole(files, scans)
		}, ""},
		"windows": {func(_ [][]byte, scans []run.Scan) []run.Scan {
			first, again := scans[0], scans[0]
			first.Frames, again.Frames = 40, 40
			again.From = 10
			return []run.Scan{first, scans[1], scans[2], again}
		}, ""},
	} {
		if err := prepare(c.change, names, names, names); (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
	}
	// The order of regions is no difference.
	err := prepare(func(files [][]byte, scans []run.Scan) []run.Scan {
		lines := strings.Split(strings.TrimSpace(string(files[0])), "\n")
		for k, line := range lines {
			f, g := strings.Split(line, ","), make([]string, len(names))
			for i, name := range turned {
				g[i] = f[slices.Index(names, name)]
			}
			lines[k] = strings.Join(g, ",")
		}
		files[1] = []byte(strings.Join(lines, "\n"))
		return scans
	}, names, names)
	if err == nil || !strings.Contains(err.Error(), "found 60 that s1.csv has, too") {
		t.Error(err)
	}
}
