package measures

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
)

// someFrames are the frames of a window.
const someFrames = 120

// recording makes the files of a subject of that number of frames, with a table of confounds of the
// given number of rows, none for 0.
func recording(t *testing.T, frames, rows int) (*run.DataSpec, *run.Files) {
	t.Helper()
	c, err := cohort.New(&cohort.Options{Subjects: 2, Regions: 60, Frames: frames, TR: 0.72, Smoothness: 0.6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Series(0, 0)
	var series bytes.Buffer
	if err := npy.Write(&series, &npy.Array{Shape: []int{s.M(), frames}, Data: s.Values}); err != nil {
		t.Fatal(err)
	}
	files := []formats.File{{Name: "s.npy", Data: series.Bytes()}}
	spec := &run.DataSpec{Options: map[string]any{"tr": 0.72}, Scans: []run.Scan{{File: "s.npy", Confounds: "confounds.tsv"}}}
	if rows > 0 {
		table := "trans_x\tframewise_displacement\n"
		for i := range rows {
			table += fmt.Sprintf("%d\t%d\n", i*i%7, i/someFrames)
		}
		files = append(files, formats.File{Name: "confounds.tsv", Data: []byte(table)})
	}
	var contents *run.Files
	spec.Files, contents = run.InMemory(files)
	return spec, contents
}

// Windows of a recording that is too short to keep those of its start from those of its end are
// refused: one half would be tested on frames of the other.
func TestWindowsOfShortRecordings(t *testing.T) {
	const least = 9 * someFrames
	windows := []run.Scan{
		{Name: "first", File: "s.npy", Frames: someFrames, Of: least},
		{Name: "sixth", File: "s.npy", Group: 1, From: -4 * someFrames, Frames: someFrames, Of: least},
	}
	for frames, ok := range map[int]bool{least: true, least - 1: false, 6 * someFrames: false} {
		spec, files := recording(t, frames, 0)
		source, err := openScans(spec, files)
		if err != nil {
			t.Fatal(err)
		}
		for i := range windows {
			_, err := source.connectome(&windows[i])
			if want := fmt.Sprintf("frames: found %d, expected at least %d", frames, least); ok != (err == nil) || !ok && !strings.Contains(err.Error(), want) {
				t.Errorf("%d frames, %s: %v", frames, windows[i].Name, err)
			}
		}
	}
}

// The rows of a table of confounds go with the frames of a window.
func TestWindowsOfConfounds(t *testing.T) {
	window := run.Scan{Name: "w", File: "s.npy", Confounds: "confounds.tsv", From: -2 * someFrames, Frames: someFrames}
	quality := func(rows int) (*connectome.Connectome, error) {
		spec, files := recording(t, 4*someFrames, rows)
		source, err := openScans(spec, files)
		if err != nil {
			t.Fatal(err)
		}
		return source.connectome(&window)
	}
	c, err := quality(4 * someFrames)
	if err != nil {
		t.Fatal(err)
	}
	if c.Quality.Motion == nil || *c.Quality.Motion != 2 {
		t.Errorf("the third window moves by %v", c.Quality.Motion)
	}
	if _, err := quality(3 * someFrames); err == nil || !strings.HasPrefix(err.Error(), "confounds.tsv: frames: found 360, expected 480") {
		t.Error(err)
	}
}
