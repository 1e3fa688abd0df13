package study

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"cadem/core/connectome"
	"cadem/core/formats"
	"cadem/core/formats/npy"
	"cadem/core/synth"
)

// recording makes the files of a subject of so many frames, with a table of confounds of as many rows
// as are given, none for 0.
func recording(t *testing.T, frames, rows int) (*DataSpec, []formats.File) {
	t.Helper()
	c, err := synth.NewCohort(&synth.CohortOptions{Subjects: 2, Regions: 60, Frames: frames, TR: 0.72, Smoothness: 0.6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Series(0, 0)
	var series bytes.Buffer
	if err := npy.Write(&series, &npy.Array{Shape: []int{s.M(), frames}, Data: s.Values}); err != nil {
		t.Fatal(err)
	}
	files := []formats.File{{Name: "s.npy", Data: series.Bytes()}}
	spec := &DataSpec{Options: map[string]any{"tr": 0.72}, Scans: []Scan{{File: "s.npy", Confounds: "confounds.tsv"}}}
	if rows > 0 {
		table := "trans_x\tframewise_displacement\n"
		for i := range rows {
			table += fmt.Sprintf("%d\t%d\n", i*i%7, i/windowFrames)
		}
		files = append(files, formats.File{Name: "confounds.tsv", Data: []byte(table)})
	}
	return spec, files
}

// Windows of a recording that is too short to keep those of its start from those of its end are
// refused: one half would be tested on frames of the other.
func TestWindowsOfShortRecordings(t *testing.T) {
	own := identify()
	full, err := (Order{Study: "identify", Options: map[string]any{"subjects": 2}}).check(&own)
	if err != nil {
		t.Fatal(err)
	}
	const least = (firstWindows + lastWindows) * windowFrames
	scans := full.planIdentify(0).scans
	for frames, ok := range map[int]bool{least: true, least - 1: false, 6 * windowFrames: false} {
		spec, files := recording(t, frames, 0)
		source, err := newScanner(spec, files)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []Scan{scans[0], scans[firstWindows]} {
			s.File, s.Subject = "s.npy", 0
			_, err := source.connectome(&s)
			if want := fmt.Sprintf("frames: found %d, expected at least %d", frames, least); ok != (err == nil) || !ok && !strings.Contains(err.Error(), want) {
				t.Errorf("%d frames, %s: %v", frames, s.Name, err)
			}
		}
	}
}

// The rows of a table of confounds go with the frames of a window.
func TestWindowsOfConfounds(t *testing.T) {
	window := Scan{Name: "w", File: "s.npy", Confounds: "confounds.tsv", From: -2 * windowFrames, Frames: windowFrames}
	quality := func(rows int) (*connectome.Connectome, error) {
		spec, files := recording(t, 4*windowFrames, rows)
		source, err := newScanner(spec, files)
		if err != nil {
			t.Fatal(err)
		}
		return source.connectome(&window)
	}
	c, err := quality(4 * windowFrames)
	if err != nil {
		t.Fatal(err)
	}
	if c.Quality.Motion == nil || *c.Quality.Motion != 2 {
		t.Errorf("the third window moves by %v", c.Quality.Motion)
	}
	if _, err := quality(3 * windowFrames); err == nil || !strings.HasPrefix(err.Error(), "confounds.tsv: frames: found 360, expected 480") {
		t.Error(err)
	}
}

// The order's options reach the plan whole, and what no task of scans takes is refused.
func TestPlannedOptionsOfScans(t *testing.T) {
	if _, err := Plan(Order{Study: "table5", Options: map[string]any{"subjects": 2, "propagation": "kipf"}}); err != nil {
		t.Error(err)
	}
	// The halves of recordings are no groups to hold one out of.
	if _, err := Plan(Order{Study: "identify", Options: map[string]any{"nested_select": "on"}}); err == nil || !strings.Contains(err.Error(), "identify cannot have") {
		t.Error(err)
	}
	// Files are drawn by nobody.
	for _, study := range []string{"table5", "identify", "regions"} {
		o := Order{Study: study}
		for i := range 4 {
			name := fmt.Sprintf("%d.npy", i)
			o.Files = append(o.Files, FileSpec{name, 1, name})
			o.Cohort = append(o.Cohort, connectome.Scan{File: name, Subject: name, Condition: fmt.Sprint("c", i%2)})
		}
		for name, ok := range map[string]bool{"subjects": false, "effect": false, "tr": true, "keep": true} {
			o.Options = map[string]any{name: 5}
			if _, err := Plan(o); (err == nil) != ok || !ok && !strings.Contains(err.Error(), "synthetic cohort beside files") {
				t.Errorf("%s, %s: %v", study, name, err)
			}
		}
	}
	for _, name := range []string{"gamma", "kmeans_runs", "perplexity"} {
		if _, err := Plan(Order{Study: "table5", Options: map[string]any{name: 1}}); err == nil || !strings.Contains(err.Error(), "does not use") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
