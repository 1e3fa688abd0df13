package connectome

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/brain/imaging"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
)

func file(name, text string) formats.File { return formats.File{Name: name, Data: []byte(text)} }

// smooth returns series whose neighbouring frames resemble each other.
func smooth(m, n int) *Series {
	s := noise(m, n, 77)
	for i := range m {
		x := s.Row(i)
		for t := 1; t < n; t++ {
			x[t] += 0.8 * x[t-1]
		}
	}
	return s
}

// written returns a matrix as CSV, with row names and header if given.
func written(x []float64, rows, cols int, rowNames, header []string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if header != nil {
		w.Write(header)
	}
	for i := range rows {
		var record []string
		if rowNames != nil {
			record = append(record, rowNames[i])
		}
		for _, v := range x[i*cols : (i+1)*cols] {
			record = append(record, strconv.FormatFloat(v, 'g', -1, 64))
		}
		w.Write(record)
	}
	w.Flush()
	return b.String()
}

func turned(x []float64, rows, cols int) []float64 {
	y := make([]float64, len(x))
	for i := range rows {
		for j := range cols {
			y[j*rows+i] = x[i*cols+j]
		}
	}
	return y
}

func npyOf(t *testing.T, x []float64, rows, cols int) formats.File {
	var b bytes.Buffer
	if err := npy.Write(&b, &npy.Array{Shape: []int{rows, cols}, Data: x}); err != nil {
		t.Fatal(err)
	}
	return formats.File{Name: "x.npy", Data: b.Bytes()}
}

func TestOpenSeries(t *testing.T) {
	s := smooth(3, 40)
	names := []string{"L_V1", "R_V1", "L_4"}
	upright := turned(s.Values, 3, 40) // frames x regions
	counted := make([]float64, 0, 160)
	for k := range 40 {
		counted = append(append(counted, float64(k)), upright[3*k:3*k+3]...)
	}
	list := file("names.txt", strings.Join(names, "\n"))
	atlas := file("atlas.csv", "name,network,x,y,z\nR_V1,Visual,1,2,3\nL_V1,Visual,-1,2,3\nL_4,Somatomotor,-9,0,50\n")
	for what, c := range map[string]struct {
		files   []formats.File
		hints   Hints
		regions []string
	}{
		"frames x regions, header":       {[]formats.File{file("a.csv", written(upright, 40, 3, nil, names))}, Hints{}, names},
		"the same, rows counted":         {[]formats.File{file("a.csv", written(counted, 40, 4, nil, append([]string{""}, names...)))}, Hints{}, names},
		"regions x frames, named rows":   {[]formats.File{file("a.tsv", strings.ReplaceAll(written(s.Values, 3, 40, names, nil), ",", "\t"))}, Hints{}, names},
		"nothing but numbers":            {[]formats.File{file("a.csv", written(s.Values, 3, 40, nil, nil))}, Hints{}, nil},
		"turned":                         {[]formats.File{file("a.csv", written(upright, 40, 3, nil, nil))}, Hints{}, nil},
		"NPY":                            {[]formats.File{npyOf(t, s.Values, 3, 40)}, Hints{}, nil},
		"NPY, turned, with names beside": {[]formats.File{list, npyOf(t, upright, 40, 3)}, Hints{}, names},
		"told":                           {[]formats.File{npyOf(t, upright, 40, 3)}, Hints{Rows: "frames"}, nil},
	} {
		in, err := Open(c.files, &c.hints)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		g := in.Series
		if g == nil || g.M() != 3 || g.Frames != 40 || !slices.Equal(g.Values, s.Values) || !slices.Equal(g.Regions, c.regions) {
			t.Errorf("%s: %+v", what, in)
		}
	}
	// The table of regions settles their order.
	in, err := Open([]formats.File{atlas, file("a.csv", written(upright, 40, 3, nil, names))}, &Hints{TR: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(in.Series.Row(0), s.Row(1)) || in.Series.Regions[0] != "R_V1" || in.Series.TR != 2 ||
		in.Atlas.Networks[in.Atlas.Network[2]] != "Somatomotor" || in.Atlas.Centroids[2] != [3]float64{-9, 0, 50} {
		t.Errorf("%+v", in)
	}
	// Confounds are known by their columns or by their name.
	motion := strings.Repeat("1 2 3\n", 39) + "2 3 5\n"
	if in, err = Open([]formats.File{file("Movement_Regressors.txt", motion), npyOf(t, s.Values, 3, 40)}, nil); err != nil || in.Confounds == nil ||
		in.Series == nil {
		t.Errorf("%+v %v", in, err)
	}
}

func TestOpenFC(t *testing.T) {
	names := []string{"b", "a", "c"}
	fc := []float64{1, .25, -.5, .25, 1, .125, -.5, .125, 1}
	atlas := file("atlas.csv", "region,x,y,z\na,1,2,3\nb,1,2,3\nc,1,2,3\n")
	in, err := Open([]formats.File{file("fc.csv", written(fc, 3, 3, names, append([]string{""}, names...))), atlas}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := in.Compute(options())
	if err != nil || c.R(0, 1) != .25 || c.R(0, 2) != .125 || c.R(1, 2) != -.5 || c.Regions[0] != "a" || c.Skewness != nil {
		t.Errorf("%+v %v", c, err)
	}
}

func TestOpenRefused(t *testing.T) {
	s := noise(12, 15, 3)
	plain := npyOf(t, s.Values, 12, 15)
	named := func(n int) formats.File {
		var b strings.Builder
		b.WriteString("name,network\n")
		for i := range n {
			fmt.Fprintf(&b, "r%d,A\n", i)
		}
		return file("atlas.csv", b.String())
	}
	header := make([]string, 12)
	for i := range header {
		header[i] = fmt.Sprint("r", i)
	}
	table := file("a.csv", written(turned(s.Values, 12, 15), 15, 12, nil, header))
	header[3] = "q3"
	other := file("b.csv", written(turned(s.Values, 12, 15), 15, 12, nil, header))
	for want, files := range map[string][]formats.File{
		"files: found no series and no functional connectivity, expected a series (.ptseries.nii, .csv, .tsv, .npy, .mat; or .dtseries.nii with " +
			".dlabel.nii) or a matrix of it (.pconn.nii)": {named(4)},
		"x.npy: orientation: found a matrix of 12 x 15 without names, expected to be told whether its rows are regions or frames":           {plain},
		"b.csv: file: found a second series or matrix beside a.csv, expected one subject in one condition at a time":                        {table, other},
		`a.csv: regions: found 12 names against 11, unknown: "r11", expected the names of the table of regions, in any order`:               {table, named(11)},
		`b.csv: regions: found 12 names against 12, unknown: "q3", missing: "r3", expected the names of the table of regions, in any order`: {other, named(12)},
		"x.npy: regions: found 12 without names, " +
			"expected 13, as in the table of regions": {file("Confounds.tsv", strings.Repeat("1\n2\n", 6)), plain, named(13)},
		"x.xml: file: found XML, expected a series, functional connectivity, confounds or regions": {file("x.xml", "<x/>")},
		"files: found no series and no functional connectivity beside the surface s.surf.gii, expected a series (.ptseries.nii, .csv, .tsv, .npy, " +
			".mat; or .dtseries.nii with .dlabel.nii) or a matrix of it (.pconn.nii)": {file("s.surf.gii", "<GIFTI/>")},
		`a.csv:3: column 2: found "x", expected a number`: {file("a.csv",
			"a,b\n1,2\n3,x\n")},
		"a.csv:3: found 3 columns, expected 2 as in line 2":                                               {file("a.csv", "a,b\n1,2\n3,4,5\n")},
		"a.csv:2: found 3 columns, expected 2 as in the header":                                           {file("a.csv", "a,b\n1,2,3\n3,4,5\n")},
		`atlas.csv:4: region 3: found the name "r0" of region 1 in line 2 again, expected distinct names`: {file("atlas.csv", "name,network\nr0,A\nr1,A\nr0,B\n")},
		`atlas.csv:2: y: found "up", expected a finite number of mm`:                                      {file("atlas.csv", "name,x,y,z\nr0,1,up,2\n")},
		"n.txt: names: found 3, expected 2, as many as there are regions": {
			file("n.txt", "a\nb\nc\n"), file("fc.csv", "1 .5\n.5 1\n")},
	} {
		hints := &Hints{}
		if strings.Contains(want, "without names, expected 13") {
			hints.Rows = "regions"
		}
		if _, err := Open(files, hints); err == nil || err.Error() != want {
			t.Errorf("%v\nwant\n%s", err, want)
		}
	}
}

func TestRealFiles(t *testing.T) {
	npy, err := Open([]formats.File{shared(t, "hcp/rest/s01.npy")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if npy.Series.M() != 360 || npy.Series.Frames != 1195 ||
		!strings.Contains(npy.Notes[0], "360 regions x 1195 frames, because neighbouring frames of a region are more alike") {
		t.Errorf("%d x %d, %q", npy.Series.M(), npy.Series.Frames, npy.Notes)
	}
	cifti, err := Open([]formats.File{shared(t, "cifti/s01_rest.ptseries.nii"), shared(t, "hcp/atlas/glasser360_parcels.csv")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if cifti.Series.TR != 0.72 || cifti.Series.Regions[180] != "R_V1" || len(cifti.Atlas.Networks) != 7 {
		t.Errorf("TR %v, region 180 %s, %q", cifti.Series.TR, cifti.Series.Regions[180], cifti.Atlas.Networks)
	}
	o := options()
	o.Raw()
	a, err := npy.Compute(o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := cifti.Compute(o)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for k := range a.FC {
		worst = max(worst, math.Abs(a.FC[k]-b.FC[k]))
	}
	if !(worst <= 1e-6) {
		t.Errorf("the two files of one subject differ by %v", worst)
	}
	// The scalars beside are the moments of the same series.
	scalars, err := imaging.ReadCIFTI(shared(t, "cifti/s01_rest_skew_kurt.pscalar.nii"))
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, 2)
	for i := range 360 {
		scalars.Row(row, i)
		near(t, "skewness", a.Skewness[i], row[0], 1e-5)
		near(t, "kurtosis", a.Kurtosis[i], row[1], 1e-5)
	}
	// Another laboratory's subject: MATLAB, not denoised, 94 regions; TR is not in the file.
	mat, err := Open([]formats.File{shared(t, "hcp/aal2/n01_TC_rsfMRI_REST1_LR.mat")}, &Hints{TR: 0.72})
	if err != nil || mat.Series.M() != 94 || mat.Series.Frames != 1200 {
		t.Fatalf("%+v %v", mat, err)
	}
	if _, err := mat.Compute(options()); err != nil {
		t.Error(err)
	}
	// A group's matrix: Fisher's z, without negative values, regions named in a file of their own.
	group, err := Open([]formats.File{shared(t, "hcp/group/enigma_funcMatrix_ctx_glasser_360.csv"),
		shared(t, "hcp/group/enigma_funcLabels_ctx_glasser_360.csv"), shared(t, "hcp/atlas/glasser360_parcels.csv")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := group.Compute(options())
	if err != nil || g.Regions[180] != "R_V1" || len(g.Anti.Edges) != 0 || len(g.Notes) != 2 || len(g.Co.Edges) != 6462 {
		t.Errorf("%v %q", err, g.Notes)
	}
}

// In whole runs the signals show which way a series lies. In short windows Open finds the right one
// or asks; it is never wrong.
func TestOrientationOfRealSubjects(t *testing.T) {
	asked := 0
	for k := 1; k <= 18; k += 4 {
		a, err := npy.Read(shared(t, fmt.Sprintf("hcp/rest/s%02d.npy", k)))
		if err != nil {
			t.Fatal(err)
		}
		x := a.Float64s()
		for _, n := range []int{1195, 120} {
			window := make([]float64, 0, 360*n)
			for i := range 360 {
				window = append(window, x[i*1195:i*1195+n]...)
			}
			in, err := Open([]formats.File{npyOf(t, turned(window, 360, n), n, 360)}, nil)
			if n == 120 && err != nil {
				asked++
			} else if err != nil || in.Series.M() != 360 {
				t.Errorf("s%02d, %d frames: %v", k, n, err)
			}
		}
	}
	if asked > 1 {
		t.Errorf("asked for %d of 5 windows", asked)
	}
}

func TestParcellateRealFiles(t *testing.T) {
	dense, err := imaging.ReadCIFTI(shared(t, "cifti/Conte69.MyelinAndCorrThickness.32k_fs_LR.dtseries.nii"))
	if err != nil {
		t.Fatal(err)
	}
	labels, err := imaging.ReadCIFTI(shared(t, "cifti/Glasser_Validation210_32k_fs_LR.dlabel.nii"))
	if err != nil {
		t.Fatal(err)
	}
	s, _, notes, err := Parcellate(dense, labels, 0)
	if err != nil {
		t.Fatal(err)
	}
	if s.M() != 360 || s.Frames != 2 || s.Regions[0] != "R_V1_ROI" ||
		notes[0] != "59394 grayordinates of 60951 averaged over 360 regions of Glasser_Validation210_32k_fs_LR.dlabel.nii." {
		t.Errorf("%d x %d, %s, %q", s.M(), s.Frames, s.Regions[0], notes)
	}
	// The same, region by region, through a table of every vertex of both hemispheres.
	value := map[string][][]float64{}
	for _, m := range dense.Rows.Models {
		all := make([][]float64, m.Surface)
		for n, v := range m.Index {
			all[v] = make([]float64, 2)
			dense.Row(all[v], m.Offset+n)
		}
		value[m.Structure] = all
	}
	for i, name := range s.Regions {
		sum, n := [2]float64{}, 0.0
		for _, m := range labels.Rows.Models {
			for k, v := range m.Index {
				key := make([]float64, 1)
				labels.Row(key, m.Offset+k)
				if x := value[m.Structure][v]; x != nil && labels.Columns.Labels[0][int(key[0])] == name {
					sum[0] += x[0]
					sum[1] += x[1]
					n++
				}
			}
		}
		near(t, name, s.Row(i)[0], sum[0]/n, 1e-12)
		near(t, name, s.Row(i)[1], sum[1]/n, 1e-12)
	}
}
