package connectome

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
)

// Regions without data are left out by name, whatever kind of file holds them; frames are spoken of where frames lack values.
func TestRegionsWithoutData(t *testing.T) {
	s, names := short(24, 60), namesOf(24)
	x := turned(s.Values, 24, 60)
	text := written(x, 60, 24, nil, names)
	blank := func(word string, columns ...int) string {
		rows := strings.Split(strings.TrimSpace(text), "\n")
		for k := 1; k < len(rows); k++ {
			fields := strings.Split(rows[k], ",")
			for _, c := range columns {
				fields[c] = word
			}
			rows[k] = strings.Join(fields, ",")
		}
		return strings.Join(rows, "\n")
	}
	left := slices.Concat(names[:3], names[4:17], names[18:])
	want := slices.Concat(s.Values[:3*60], s.Values[4*60:17*60], s.Values[18*60:])
	for _, word := range []string{"n/a", "NaN", "", "0", "0.0"} {
		sameSeries(t, "the word "+word, []formats.File{file("ts.csv", blank(word, 3, 17))}, &Series{Frames: 60, Values: want}, left,
			fmt.Sprintf("2 regions without data left out: region 4 (%s), region 18 (%s).", names[3], names[17]))
	}
	table := "name,network\n"
	for _, name := range names {
		table += name + ",A\n"
	}
	in, err := Open([]formats.File{file("ts.csv", blank("n/a", 3, 17)), file("regions.csv", table)}, nil)
	if err != nil || !slices.Equal(in.Atlas.Names, left) || len(in.Atlas.Network) != 22 {
		t.Errorf("%+v, %v", in, err)
	}
	// Without names the table's order gives them.
	headless := blank("n/a", 3)
	in, err = Open([]formats.File{file("ts.csv", headless[strings.Index(headless, "\n")+1:]), file("regions.csv", table)}, nil)
	if err != nil || in.Series.M() != 23 || in.Series.Regions[3] != names[4] || !slices.Equal(in.Without, names[3:4]) || in.Atlas.Names[3] != names[4] {
		t.Errorf("%+v, %v", in, err)
	}

	// Connectivity.
	c, err := Compute(s, nil, &Options{Filter: "none", Detrend: "off", Threshold: "strongest", Keep: 10})
	if err != nil {
		t.Fatal(err)
	}
	for what, v := range map[string]float64{"NaN": math.NaN(), "0": 0} {
		fc := slices.Clone(c.FC)
		for i := range 24 {
			fc[7*24+i], fc[i*24+7] = v, v
		}
		for kind, f := range map[string]formats.File{
			"pconn": niftiOf("x.pconn.nii", "", parcelMap("0,1", names), 24, 24, fc),
			"CSV":   file("fc.csv", strings.ReplaceAll(written(fc, 24, 24, names, append([]string{""}, names...)), "NaN", "n/a")),
		} {
			in, err := Open([]formats.File{f}, nil)
			if err != nil || in.M() != 23 || in.Regions[7] != names[8] || in.FC[8*23+7] != c.FC[9*24+8] ||
				!strings.Contains(strings.Join(in.Notes, ""), "1 region without data left out: region 8 ("+names[7]+").") {
				t.Errorf("%s of %s: %+v, %v", kind, what, in, err)
			}
		}
	}

	// A frame that lacks values is a matter of frames, some frames of every region one of regions.
	rows := strings.Split(strings.TrimSpace(text), "\n")
	rows[9] = "n/a" + rows[9][strings.Index(rows[9], ","):]
	_, err = opened(strings.Join(rows, "\n"))
	if err == nil || !strings.Contains(err.Error(), "(1 frame of 60 hold others): cut such frames out") {
		t.Error(err)
	}
	for k := 1; k < len(rows); k++ {
		fields := strings.Split(rows[k], ",")
		fields[k%2] = "n/a"
		rows[k] = strings.Join(fields, ",")
	}
	_, err = opened(strings.Join(rows, "\n"))
	if err == nil || strings.Contains(err.Error(), "cut such frames out") || !strings.Contains(err.Error(), "2 regions of 24 hold others") {
		t.Error(err)
	}
}

// opened checks a series as computing does.
func opened(text string) (*Input, error) {
	in, err := Open([]formats.File{file("ts.csv", text)}, nil)
	if err == nil {
		err = in.Series.Check()
	}
	return in, err
}

// parcelMap describes parcels of one vertex each.
func parcelMap(to string, names []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<MatrixIndicesMap AppliesToMatrixDimension="%s" IndicesMapToDataType="CIFTI_INDEX_TYPE_PARCELS"><Surface `+
		`BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT" SurfaceNumberOfVertices="100"/>`, to)
	for v, name := range names {
		fmt.Fprintf(&b, `<Parcel Name="%s"><Vertices BrainStructure="CIFTI_STRUCTURE_CORTEX_LEFT">%d</Vertices></Parcel>`, name, v)
	}
	b.WriteString(`</MatrixIndicesMap>`)
	return b.String()
}

func TestNamesOfConfounds(t *testing.T) {
	for name, want := range map[string]bool{
		"sub-01_task-motion_space-MNI_atlas-A_timeseries.tsv":   false,
		"sub-01_task-regressors_bold.tsv":                       false,
		"sub-01_ses-motion_task-rest_desc-clean_timeseries.tsv": false,
		"a/sub-01_task-rest_desc-confounds_timeseries.tsv":      true,
		"sub-01_task-rest_desc-confounds_regressors.tsv":        true,
		"sub-01_task-rest_bold_confounds.tsv":                   true,
		"sub-01_task-rest_regressors.tsv":                       true,
		"sub-01_task-rest_motion.tsv":                           true,
		"sub-01_task-rest_desc-filtered_motion.tsv":             true,
		"motion24.csv":               true,
		"s01_motion.1D":              true,
		"motion_rest.csv":            false,
		"Movement_Regressors_dt.txt": true,
		"emotion.csv":                false,
		`study\sub-01\sub-01_task-motion_run-2_desc-denoised_bold.csv`: false,
	} {
		if got := confoundsByName(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	// A table of confounds by name alone is the series if there is no other.
	s, names := short(24, 60), namesOf(24)
	sameSeries(t, "alone", []formats.File{file("ts_confounds_removed.csv", lines(s, names, nothing, nothing))}, s, names, "")
}

// Confounds belong to the recording that all of their entities name.
func TestConfoundsOfARecording(t *testing.T) {
	series := []string{"sub-01/func/sub-01_ses-a_task-rest_acq-x_dir-AP_run-1_space-MNI_atlas-A_timeseries.tsv",
		"sub-02_task-rest_run-1_atlas-A_timeseries.tsv",
		"sub-03_task-rest_echo-1_part-mag_bold.tsv", "sub-04_task-rest_space-fsLR_seg-4S156Parcels_stat-mean_timeseries.tsv"}
	right := []string{"sub-01/func/sub-01_ses-a_task-rest_acq-x_dir-AP_run-1_desc-confounds_timeseries.tsv",
		"sub-02_task-rest_run-1_desc-confounds_timeseries.tsv",
		"sub-03_task-rest_desc-confounds_timeseries.tsv", ""}
	wrong := []string{"sub-01_ses-a_task-rest_acq-x_dir-AP_run-2_desc-confounds_timeseries.tsv",
		"sub-01_ses-b_task-rest_acq-x_dir-AP_run-1_desc-confounds_timeseries.tsv",
		"sub-01_ses-a_task-rest_acq-y_dir-AP_run-1_desc-confounds_timeseries.tsv",
		"sub-01_ses-a_task-rest_acq-x_dir-PA_run-1_desc-confounds_timeseries.tsv",
		"sub-02_task-rest_run-2_desc-confounds_timeseries.tsv", "sub-02_task-rest_desc-confounds_timeseries.tsv",
		"sub-04_task-rest_space-fsLR_seg-4S156Parcels_stat-pearsoncorrelation_relmat.tsv",
		"sub-04_task-rest_space-fsLR_seg-4S156Parcels_stat-coverage_bold.tsv", "sub-04_task-rest_stat-mean_timeseries.json"}
	// For a series that was cleaned before, they give the motion and the frames to leave out.
	known := []string{"sub-04_task-rest_motion.tsv", "sub-04_task-rest_outliers.tsv"}
	for _, names := range [][]string{slices.Concat(series, right[:3], known, wrong), slices.Concat(wrong, known, right[:3], series)} {
		found, err := FindScans(named(names), nil)
		if err != nil {
			t.Fatal(err)
		}
		scans, ignored := found.Scans, found.Ignored
		slices.Sort(ignored)
		if len(scans) != 4 || !slices.Equal(ignored, slices.Sorted(slices.Values(wrong))) {
			t.Errorf("%+v, ignored %q", scans, ignored)
			continue
		}
		for k, s := range scans {
			if s.File != series[k] || s.Confounds != right[k] || k == 3 && (s.Motion != known[0] || s.Outliers != known[1]) {
				t.Errorf("%+v, expected %s", s, right[k])
			}
		}
	}
}

// A file of 3dNetCorr, whatever matrices it holds beside CC and in whatever order.
func TestNetCC(t *testing.T) {
	c, err := Compute(short(8, 60), nil, &Options{Filter: "none", Threshold: "strongest", Keep: 10})
	if err != nil {
		t.Fatal(err)
	}
	names, numbers := namesOf(8), []string{"1", "2", "3", "4", "5", "6", "7", "12"}
	text := func(labels []string, matrices ...string) string {
		s := fmt.Sprintf("# 8  # Number of network ROIs\n# %d  # Number of netcc matrices\n", len(matrices))
		if labels != nil {
			s += "# WITH_ROI_LABELS\n   " + strings.Join(labels, " \t ") + "\n"
		}
		s += "   " + strings.Join(numbers, " \t ") + "\n"
		for _, name := range matrices {
			s += "# " + name + "\n"
			for i := range 8 {
				for j := range 8 {
					v := c.FC[i*8+j]
					if name == "FZ" {
						v = 4 * v
					}
					s += fmt.Sprintf("  %.6f\t", v)
				}
				s += "\n"
			}
		}
		return s
	}
	for what, given := range map[string]struct{ text, first string }{
		"CC and FZ": {text(names, "CC", "FZ"), names[0]}, "FZ first": {text(names, "FZ", "CC"), names[0]}, "numbers": {text(nil, "CC"), "ROI 1"},
		"line ends": {strings.ReplaceAll(text(names, "FZ", "CC"), "\n", "\r\n"), names[0]},
	} {
		in, err := OpenIfBrain([]formats.File{file("ROI_000.netcc", given.text)}, nil)
		if err != nil || in.M() != 8 || in.Regions[0] != given.first || !(math.Abs(in.FC[1]-c.FC[1]) < 1e-5) || !(math.Abs(in.FC[62]-c.FC[62]) < 1e-5) {
			t.Errorf("%s: %+v, %v", what, in, err)
		}
	}
	for want, bad := range map[string]string{
		`a.netcc: found 0 rows of the matrix CC among "FZ", expected 8`:                          text(names, "FZ"),
		"a.netcc:7: found line 1 of CC with 7 values, for 8 names, expected 8 lines of 8 values": strings.Replace(text(names, "CC"), "  1.000000\t", "", 1),
		`a.netcc:1: found "# many  # Number of network ROIs", expected the number of regions`:    strings.Replace(text(names, "CC"), "# 8", "# many", 1),
	} {
		if _, err := Open([]formats.File{file("a.netcc", bad)}, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// The two files of BrainNet Viewer are a table of regions and a matrix.
func TestBrainNet(t *testing.T) {
	c, err := Compute(short(8, 60), nil, &Options{Filter: "none", Threshold: "strongest", Keep: 10})
	if err != nil {
		t.Fatal(err)
	}
	edge := strings.ReplaceAll(written(c.FC, 8, 8, nil, nil), ",", "\t")
	for what, name := range map[string]func(i int) string{"names": func(i int) string { return fmt.Sprint("R_", i) },
		"no names": func(int) string { return "-" }} {
		node := "# my nodes\n"
		for i := range 8 {
			node += fmt.Sprintf("%d\t%d.5\t7\t%d\t1.0\t%s\n", i, -i, i%3, name(i))
		}
		first := map[string]string{"names": "R_0", "no names": "1"}[what]
		in, err := OpenIfBrain([]formats.File{file("net.node", node), file("net.edge", edge)}, nil)
		if err != nil || in == nil || in.M() != 8 || in.Regions[0] != first || in.Atlas.Centroids[3] != [3]float64{3, -3.5, 7} || in.FC[1] != c.FC[1] {
			t.Errorf("%s: %+v, %v", what, in, err)
		}
	}
}

// connMAT writes a file of results of CONN, elements of MATLAB's version 5.
func connMAT(z []float64, rows, cols int, names, names2 []string) []byte {
	le := binary.LittleEndian
	element := func(kind uint32, data []byte) []byte {
		e := append(le.AppendUint32(le.AppendUint32(nil, kind), uint32(len(data))), data...)
		return append(e, make([]byte, -len(e)&7)...)
	}
	matrix := func(name string, class uint32, rows, cols int, content []byte) []byte {
		flags := le.AppendUint32(le.AppendUint32(nil, class), 0)
		dims := le.AppendUint32(le.AppendUint32(nil, uint32(rows)), uint32(cols))
		return element(14, slices.Concat(element(6, flags), element(5, dims), element(1, []byte(name)), content))
	}
	double := func(name string, rows, cols int, x []float64) []byte {
		var b []byte
		for j := range cols {
			for i := range rows {
				b = le.AppendUint64(b, math.Float64bits(x[i*cols+j]))
			}
		}
		return matrix(name, 6, rows, cols, element(9, b))
	}
	words := func(name string, list []string) []byte {
		var b []byte
		for _, s := range list {
			var text []byte
			for _, c := range s {
				text = le.AppendUint16(text, uint16(c))
			}
			b = append(b, matrix("", 4, 1, len(s), element(4, text))...)
		}
		return matrix(name, 1, 1, len(list), b)
	}
	var xyz []byte
	for range cols {
		xyz = append(xyz, double("", 1, 3, []float64{1, 2, 3})...)
	}
	head := append([]byte("MATLAB 5.0 MAT-file"), bytes.Repeat([]byte(" "), 105)...)
	return slices.Concat(head, []byte{0, 1, 'I', 'M'}, double("Z", rows, cols, z), words("names", names), words("names2", names2),
		matrix("xyz", 1, 1, cols, xyz), double("DOF", 1, 1, []float64{100}))
}

func TestCONN(t *testing.T) {
	c, err := Compute(short(8, 60), nil, &Options{Filter: "none", Threshold: "strongest", Keep: 10})
	if err != nil {
		t.Fatal(err)
	}
	names := namesOf(8)
	z := slices.Clone(c.FC)
	var wide []float64 // targets that are not sources
	for i := range 8 {
		z[i*8+i] = math.NaN()
		wide = append(append(wide, z[i*8:i*8+8]...), 9, 8)
	}
	for what, data := range map[string][]byte{"square": connMAT(z, 8, 8, names, names),
		"more targets": connMAT(wide, 8, 10, names, append(slices.Clone(names), "Seed 1", "Seed 2"))} {
		in, err := OpenIfBrain([]formats.File{{Name: "resultsROI_Subject001_Condition001.mat", Data: data}}, nil)
		if err != nil || in == nil || in.M() != 8 || !slices.Equal(in.Regions, names) || in.FC[1] != c.FC[1] || in.FC[62] != c.FC[62] {
			t.Errorf("%s: %+v, %v", what, in, err)
		}
	}
}

// Files that are no series, or may be something else, are left to other readers, also beside a series.
func TestNoBrain(t *testing.T) {
	s := short(12, 60)
	series := file("features.csv", lines(s, namesOf(12), under("id", counter(0)), nothing))
	adjacency, weights := "", ""
	for i := range 30 {
		adjacency += strings.TrimSuffix(strings.Repeat("0,", i)+"1,"+strings.Repeat("0,", 29-i), ",") + "\n"
		weights += fmt.Sprintf("%d %d %.2f\n", i, (i*7+1)%30, 0.5+float64(i)/100)
	}
	words, labels, layers := "", "node,class\n", ""
	for i := range 40 {
		words += fmt.Sprintf("u%d v%d %.3f\n", i, i*i, 0.1+float64(i)/7)
		labels += fmt.Sprintf("%d,%d\n", i, i%3)
		layers += fmt.Sprintf("%d %d %d %.1f\n", 1+i%2, i, i+1, 0.5)
	}
	whole := ""
	for i := range 50 {
		whole += fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d\n", i*i%50, i%2, i%3, i%5, i%7, i%4, i%6)
	}
	places := "id,x,y\n"
	for i := range 40 {
		places += fmt.Sprintf("%d,%.3f,%.3f\n", i, math.Sin(float64(i)), math.Cos(float64(i)))
	}
	people := "subject,a,b,c,d,e,f,g\n"
	for i := range 30 {
		people += fmt.Sprintf("s%02d", i) + strings.Repeat(fmt.Sprintf(",%.3f", math.Sin(float64(i))), 7) + "\n"
	}
	for what, f := range map[string]formats.File{
		"a row for each person": file("summary.csv", people),
		"a weighted list":       file("a.txt", weights), "words": file("a.txt", words), "labels": file("labels.csv", labels), "layers": file("a.edges", layers),
		"an adjacency matrix": file("a.csv", adjacency), "whole numbers": file("attributes.csv", whole), "places": file("nodes.csv", places),
		"GraphML": file("a.graphml", "<?xml version='1.0'?><graphml/>"), "text": file("README", "A text of words.\nAnd more of them, here.\n"),
	} {
		for _, files := range [][]formats.File{{f}, {f, series}, {series, f}} {
			if in, err := OpenIfBrain(files, nil); in != nil || err != nil {
				t.Errorf("%s, %d files: %+v, %v", what, len(files), in, err)
			}
		}
	}
	// Few regions are a series where no column holds ids.
	few := short(3, 60)
	sameSeries(t, "three regions", []formats.File{file("ts.csv", lines(few, []string{"a", "b", "c"}, nothing, nothing))}, few, []string{"a", "b", "c"}, "")
	// A packed file has the same content.
	text := lines(s, namesOf(12), nothing, nothing)
	sameSeries(t, "gzip", []formats.File{{Name: "ts.tsv.gz", Data: packed(t, text)}}, s, namesOf(12), "")
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
