package connectome

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/rng"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// waves are two regions with a wave in the band, one far above it, and a line: what the filter
// has to leave is known.
func waves(frames int) (s *Series, inBand [2][]float64) {
	const tr = 2
	s = &Series{Name: "waves", Frames: frames, TR: tr, Values: make([]float64, 2*frames)}
	for i := range 2 {
		inBand[i] = make([]float64, frames)
		for t := range frames {
			seconds := float64(t * tr)
			inBand[i][t] = math.Sin(2*math.Pi*0.03*seconds+float64(i)) +
				math.Sin(2*math.Pi*0.05*seconds)*float64(i)
			s.Values[i*frames+t] = inBand[i][t] + 0.5*math.Sin(2*math.Pi*0.21*seconds) +
				0.001*float64(t)
		}
	}
	return s, inBand
}

// textOf writes a series as a table with frames in rows; marked ones are kept, n/a, or left out.
func textOf(s *Series, marked []bool, how string) string {
	var b strings.Builder
	for i := range s.M() {
		fmt.Fprintf(&b, "%sregion %c", []string{"", ","}[min(i, 1)], 'a'+rune(i))
	}
	for t := range s.Frames {
		if marked[t] && how == "left out" {
			continue
		}
		b.WriteString("\n")
		for i := range s.M() {
			field := fmt.Sprintf("%.9f", s.Row(i)[t])
			if marked[t] && how == "n/a" {
				field = "n/a"
			}
			b.WriteString([]string{"", ","}[min(i, 1)] + field)
		}
	}
	return b.String() + "\n"
}

// Frames that are left out, whether the series has them, has nothing in them or lacks them, are
// filled in, filtered and dropped: what is left is what the filter leaves of the whole recording
// there, whatever the frames held. Over its splices it would be another.
func TestFilterOfCensoredFrames(t *testing.T) {
	const frames = 400
	for _, filter := range []string{"butterworth", "fft"} {
		for seed := range uint64(5) {
			s, inBand := waves(frames)
			o := options()
			o.Filter = filter
			whole, _, _, err := Clean(s, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			marked, flags := moved(s, seed)
			known := func(x []float64) (kept []float64) {
				for k, v := range x {
					if !marked[k] {
						kept = append(kept, v)
					}
				}
				ZScore(kept, 0)
				return kept
			}
			var first *Series
			for _, how := range []string{"kept", "n/a", "left out"} {
				files := []formats.File{file("series.csv", textOf(s, marked, how))}
				if how != "n/a" {
					files = append(files, file("sub-1_outliers.tsv", flags))
				}
				in, err := Open(files, &Hints{TR: 2, Rows: "frames"})
				if err != nil {
					t.Fatal(how, err)
				}
				x, _, steps, err := Clean(in.Series, in.Confounds, o)
				if err != nil || x.Frames != frames-count(marked) {
					t.Fatalf("%s: %d frames, %v", how, x.Frames, err)
				}
				if !strings.Contains(strings.Join(steps, "\n"),
					fmt.Sprintf("%d of %d frames left out", count(marked), frames)) {
					t.Errorf("%s: %q", how, steps)
				}
				if first == nil {
					first = x
				} else if !slices.Equal(first.Values, x.Values) {
					t.Errorf("%s, %s: another series than of the same frames that are marked",
						filter, how)
				}
				for i := range 2 {
					if r := product(known(inBand[i]), x.Row(i)); r < 0.98 {
						t.Errorf("%s, %s, seed %d: region %d correlates by %.3f with what it is "+
							"known to hold", filter, how, seed, i, r)
					}
				}
			}
			// Over its splices the filter leaves less of what is known: it takes what is apart in
			// time for neighbours.
			spliced, err := Open([]formats.File{file("series.csv", textOf(s, marked,
				"left out"))}, &Hints{TR: 2, Rows: "frames"})
			if err != nil {
				t.Fatal(err)
			}
			x, _, _, err := Clean(spliced.Series, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			want := known(whole.Row(0))
			ours, theirs := 1-product(want, first.Row(0)), 1-product(want, x.Row(0))
			if ours > 0.005 || theirs < 1.5*ours {
				t.Errorf("%s, seed %d: %.4f of what the filter leaves of the whole is lost, and "+
					"%.4f over splices", filter, seed, ours, theirs)
			}
		}
	}
}

// moved marks frames of a series, in which it is made worse, and writes their flags.
func moved(s *Series, seed uint64) (marked []bool, flags string) {
	frames, src := s.Frames, rng.New(seed, "censored")
	marked, flags = make([]bool, frames), "framewise_displacement\n"
	for range 12 { // of up to four frames
		for k, at := 0, 20+src.IntN(frames-44); k <= src.IntN(4); k++ {
			marked[at+k] = true
		}
	}
	for k, m := range marked {
		flags += []string{"0\n", "1\n"}[map[bool]int{true: 1}[m]]
		for i := range s.M() {
			if m {
				s.Values[i*frames+k] += 30 * src.Norm() // the head moved
			}
		}
	}
	return marked, flags
}

// product is the correlation of two series of mean 0 and deviation 1.
func product(x, y []float64) (r float64) {
	for k, v := range x {
		r += v * y[k] / float64(len(x))
	}
	return r
}

// Confounds and windows of a series that lacks frames are those of its frames.
func TestWindowsOfCensoredFrames(t *testing.T) {
	s, _ := waves(300)
	marked, flags := make([]bool, 300), &formats.Table{File: "flags.tsv"}
	for k := range marked {
		marked[k] = k >= 100 && k < 110
		flags.Rows = append(flags.Rows, formats.Row{Fields: []string{fmt.Sprint(marked[k])}})
	}
	in := &Input{Series: &Series{Name: "waves", TR: 2, Frames: 290},
		Confounds: &Confounds{Names: []string{"a"}, Frames: 290, Columns: [][]float64{nil}}}
	for i := range s.M() {
		for k, v := range s.Row(i) {
			if !marked[k] {
				in.Series.Values = append(in.Series.Values, v)
				if i == 0 {
					in.Confounds.Columns[0] = append(in.Confounds.Columns[0], float64(k))
				}
			}
		}
	}
	if err := in.mark(flags); err != nil {
		t.Fatal(err)
	}
	if c := in.Confounds; in.Series.Frames != 300 || c.Frames != 300 ||
		c.Columns[0][105] != 105 || c.Columns[0][299] != 299 {
		t.Errorf("%d frames, confounds %v", in.Series.Frames, c.Columns[0][98:112])
	}
	o := options()
	o.Outliers = "off" // they are not there, whatever is said of others
	x, _, _, err := Clean(in.Series.Window(60, 100), nil, o)
	if err != nil || x.Frames != 90 {
		t.Errorf("%+v, %v", x, err)
	}
}

// A table of 0 and 1 marks frames and says nothing in mm, and one in mm marks none.
func TestFlagsAreFlags(t *testing.T) {
	s, _ := waves(100)
	series := file("series.csv", textOf(s, make([]bool, 100), "kept"))
	rows := func(zero, one, title string) string {
		return title + "\n" + strings.Repeat(zero+"\n", 90) + strings.Repeat(one+"\n", 10)
	}
	for name, text := range map[string]string{"sub-1_outliers.tsv": rows("0", "1",
		"framewise_displacement"), "a.tsv": rows("0.0", "1.0", "framewise_displacement"),
		"outliers.csv": rows("False", "True", "scrubbed"), "outliers.txt": rows("0 0", "0 1",
			"motion_outlier00 motion_outlier01")} {
		in, err := Open([]formats.File{series, file(name, text)}, &Hints{TR: 2, Rows: "frames"})
		if err != nil {
			t.Fatal(name, err)
		}
		o := options()
		c, err := in.Compute(o)
		if err != nil || in.Confounds != nil || c.Quality.Motion != nil ||
			c.Quality.Frames != 90 || c.Quality.Recorded != 100 {
			t.Errorf("%s: %v, %+v", name, err, c.Quality)
		}
		if use := in.Uses[1].As; use != "table that marks 10 of 100 frames" {
			t.Errorf("%s: %s", name, use)
		}
	}
	in, err := Open([]formats.File{series, file("sub-1_motion.tsv", rows("0.01", "0.6",
		"framewise_displacement"))}, &Hints{TR: 2, Rows: "frames"})
	if err != nil || in.Confounds == nil || in.Series.Marked != nil {
		t.Errorf("displacement in mm: %+v, %v", in, err)
	}
	err = in.About(&collection.Run{Outliers: "o.tsv"}, map[string]formats.File{"o.tsv": file("o.tsv",
		rows("0.01", "0.6", "framewise_displacement"))})
	if err == nil || !strings.Contains(err.Error(),
		`o.tsv:2: framewise_displacement: found "0.01", expected 0, or 1 for a frame`) {
		t.Errorf("displacement among outliers: %v", err)
	}
	if _, err := Open([]formats.File{series, file("outliers.tsv", "outlier\n1\n0\n1\n")},
		&Hints{TR: 2, Rows: "frames"}); err == nil ||
		!strings.Contains(err.Error(), "outliers.tsv: frames: found 3, 2 of them marked, "+
			"expected 100") {
		t.Error(err)
	}
}

// moving is the motion of a head in that number of columns.
func moving(frames, columns int, sep string) string {
	src := rng.New(3, "moving")
	var b strings.Builder
	for range frames {
		for k := range columns {
			fmt.Fprintf(&b, "%s%.6f", []string{"", sep}[min(k, 1)], 0.1*src.Norm())
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Motion without a header beside a series of as many frames is known by its name or by its
// columns, and is regressed out as the same with a header is.
func TestMotionWithoutAHeader(t *testing.T) {
	const frames = 120
	src := rng.New(1, "series")
	s := &Series{Frames: frames, Values: make([]float64, 30*frames)}
	for k := range s.Values {
		s.Values[k] = src.Norm()
	}
	none := make([]bool, frames)
	series := file("series.csv", textOf(s, none, "kept"))
	named, err := Open([]formats.File{series, file("confounds.csv",
		"a,b,c,d,e,f\n"+moving(frames, 6, ","))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := options()
	o.Filter = "none"
	want, err := named.Compute(o)
	if err != nil {
		t.Fatal(err)
	}
	for name, columns := range map[string]int{"rp_sub01.txt": 6, "mc.par": 6, "run_mcf.par": 6,
		"dfile.r01.1D": 6, "sub01.txt": 6, "head.csv": 6, "head12.txt": 12, "friston.txt": 24} {
		sep := "  "
		if strings.HasSuffix(name, ".csv") {
			sep = ","
		}
		for _, files := range [][]formats.File{{series, file(name, moving(frames, columns,
			sep))}, {file(name, moving(frames, columns, sep)), series}} {
			in, err := OpenIfBrain(files, nil)
			if err != nil || in == nil || in.Confounds == nil || in.Series.M() != 30 ||
				len(in.Confounds.Columns) != columns {
				t.Fatalf("%s: %+v, %v", name, in, err)
			}
			c, err := in.Compute(o)
			if err != nil || columns == 6 && !slices.Equal(c.FC, want.FC) {
				t.Errorf("%s: another graph than with a header, %v", name, err)
			}
			if said := strings.Join(append(c.Steps, c.Notes...), "\n"); !strings.Contains(said,
				fmt.Sprintf("%d columns regressed out", columns)) {
				t.Errorf("%s: %s", name, said)
			}
		}
	}
	for _, header := range []string{"roll,pitch,yaw,dS,dL,dP", "X,Y,Z,RotX,RotY,RotZ",
		"trans_x,trans_y,trans_z,rot_x,rot_y,rot_z"} {
		in, err := Open([]formats.File{series, file("head.csv", header+"\n"+moving(frames, 6,
			","))}, nil)
		if err != nil || in.Confounds == nil {
			t.Errorf("%s: %v", header, err)
		}
	}
	// Another length, five columns, and names of regions are no motion.
	for _, text := range []string{moving(frames-1, 6, ","), moving(frames, 5, ","),
		"V1,V2,V3,V4,V5,V6\n" + moving(frames, 6, ",")} {
		if _, err := Open([]formats.File{series, file("other.csv", text)}, nil); err == nil ||
			!strings.Contains(err.Error(), "a second series or matrix") {
			t.Errorf("no motion: %v", err)
		}
	}
}

// Motion among series is no subject: it goes to the series whose name it has, or that is alone in
// its folder, and what cannot be told is said.
func TestMotionAmongSeries(t *testing.T) {
	src := rng.New(1, "series")
	s := &Series{Frames: 40, Values: make([]float64, 26*40)}
	for k := range s.Values {
		s.Values[k] = src.Norm()
	}
	series, motion := textOf(s, make([]bool, 40), "kept"), moving(40, 6, " ")
	for _, c := range []struct {
		series, motion string // with the number of a subject
		paired         bool
	}{
		{"s%d.csv", "rp_s%d.txt", true},
		{"all/s%d.csv", "all/head_s%d.txt", true},
		{"s%d/ts.csv", "s%[1]d/mc.par", true},
		{"series/s%d.csv", "motion/m%d.txt", false},
		{"sub-%d/sub-%[1]d_task-rest_timeseries.csv", "sub-%d/rp_sub-%[1]d_task-rest_bold.txt",
			true},
		{"sub-%d/sub-%[1]d_task-rest_bold.npy", "sub-%d/sub-%[1]d_task-rest_bold.par", true},
		{"sub-%d/sub-%[1]d_task-rest_timeseries.csv", "sub-%d/sub-%[1]d_task-rest_head.txt", true},
	} {
		var files []formats.File
		for n := range 12 {
			files = append(files, file(fmt.Sprintf(c.series, n+1), series),
				file(fmt.Sprintf(c.motion, n+1), motion))
		}
		found, err := FindScans(files, nil)
		if err != nil || len(found.Scans) != 12 {
			t.Fatalf("%s: %d scans, %v", c.motion, len(found.Scans), err)
		}
		for n := range found.Scans {
			s := &found.Scans[n]
			if at := slices.IndexFunc(files,
				func(f formats.File) bool { return f.Name == s.File }); c.paired &&
				s.Confounds != files[at+1].Name ||
				!c.paired && s.Confounds != "" {
				t.Errorf("%s with %q", s.File, s.Confounds)
			}
		}
		if told := strings.Contains(fmt.Sprint(found.Unused),
			"name it in a table"); told == c.paired {
			t.Errorf("%s: %v", c.motion, found.Unused)
		}
	}
}

// A recording has to last half a cycle of the band's lowest frequency, and up to a whole one it
// is said; windows of one that does, and what is not filtered, may be shorter.
func TestRecordingsHoldTheBand(t *testing.T) {
	open := func(frames int, tr float64) *Input {
		s, _ := waves(frames)
		in, err := Open([]formats.File{file("eeg.csv", textOf(s, make([]bool, frames),
			"kept"))}, &Hints{TR: tr, Rows: "frames"})
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	for _, c := range []struct {
		frames int
		tr     float64
		change func(*Options)
		want   string // of the error; "": none
		said   bool
	}{
		{1500, 0.001, nil, "eeg.csv: band: found a recording of 1.5 s (1500 frames of 0.001 s), " +
			"too short for half a cycle of 0.008 Hz, expected at least 62.5 s, better " +
			"125 s: leave the recording out, or choose filter=none, or a band from low=0.73 Hz " +
			"to a higher high", false},
		{40, 0.72, nil, "a recording of 28.8 s", false},
		{40, 0.72, func(o *Options) { o.Filter = "fft" }, "a recording of 28.8 s", false},
		{40, 0.72, func(o *Options) { o.Filter = "none" }, "", false},
		{40, 0.72, func(o *Options) { o.Low = 0.038 }, "", false},
		{1500, 0.001, func(o *Options) { o.Low, o.High = 0.73, 20 }, "", false},
		{49, 1.25, nil, "a recording of 61.2 s", false},
		{50, 1.25, nil, "", true},
		{99, 1.25, nil, "", true},
		{100, 1.25, nil, "", false},
		{200, 1.25, func(o *Options) { o.Crop = 60 }, "", true},
		{40, 0, func(o *Options) { o.Filter = "none" }, "", false},
	} {
		o := options()
		if c.change != nil {
			c.change(o)
		}
		found, err := open(c.frames, c.tr).Compute(o)
		if c.want == "" && err != nil || c.want != "" && (err == nil ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d frames of %v s: %v, expected %q", c.frames, c.tr, err, c.want)
		}
		if err == nil && strings.Contains(strings.Join(found.Notes, "\n"),
			"one cycle of the lowest frequency of the band") != c.said {
			t.Errorf("%d frames of %v s: %q", c.frames, c.tr, found.Notes)
		}
	}
	long, short := open(200, 1.25), open(40, 1.25)
	window := *long
	window.Series = long.Series.Window(100, 60)
	if _, err := window.Compute(options()); err != nil {
		t.Errorf("a window: %v", err)
	}
	long.More = []*Input{short}
	if _, err := long.Compute(options()); err == nil || !strings.Contains(err.Error(),
		"a recording of 50 s") {
		t.Errorf("a short run that is joined: %v", err)
	}
}
