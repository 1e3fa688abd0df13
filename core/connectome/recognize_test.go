package connectome_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"cadem/core/connectome"
	"cadem/core/formats"
	"cadem/core/formats/npy"
)

func table(rows, columns int, sep string) string {
	var b strings.Builder
	for range rows {
		b.WriteString(strings.Repeat("0.5"+sep, columns-1) + "1\n")
	}
	return b.String()
}

// isBrain reports whether files are taken for those of one subject.
func isBrain(files []formats.File) bool {
	in, err := connectome.OpenIfBrain(files, &connectome.Hints{Rows: "frames"})
	return in != nil || err != nil
}

func TestRecognize(t *testing.T) {
	npy := func(shape ...int) string {
		n := 1
		for _, k := range shape {
			n *= k
		}
		a := &npy.Array{Shape: shape, Data: make([]float64, n)}
		for k, x := range a.Data.([]float64) {
			a.Data.([]float64)[k] = x + math.Sin(float64(k))
		}
		var b bytes.Buffer
		if err := npy.Write(&b, a); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	names := make([]string, 30)
	for i := range names {
		names[i] = fmt.Sprint("R", i)
	}
	header := strings.Join(names, ",") + "\n"
	type file struct{ name, data string }
	for _, c := range []struct {
		what  string
		files []file
		want  bool
	}{
		{"CIFTI", []file{{"s.ptseries.nii", "\x1c\x02\x00\x00n+2"}}, true},
		{"CIFTI-1, to be refused by name", []file{{"s.nii", "\x5c\x01\x00\x00"}}, true},
		{"a series", []file{{"s.csv", table(100, 30, ",")}}, true},
		{"a series with names", []file{{"s.csv", header + table(100, 30, ",")}}, true},
		{"a series by spaces", []file{{"s.txt", table(100, 30, " ")}}, true},
		{"a series and confounds", []file{{"s.tsv", table(100, 30, "\t")}, {"x_confounds.tsv", table(100, 40, "\t")}, {"regions.csv", "name,network\na,b\n"}}, true},
		{"a series of an emotion task", []file{{"sub-01_task-emotion_bold.csv", table(100, 30, ",")}}, true},
		{"a series and motion", []file{{"s.csv", table(100, 30, ",")}, {"motion24.csv", table(100, 24, ",")}}, true},
		{"two matrices", []file{{"a.csv", table(30, 30, ",")}, {"b.csv", table(30, 30, ",")}}, false},
		{"an edge list", []file{{"g.edges", table(100, 4, " ")}}, false},
		{"a wide table of words", []file{{"w.csv", header + header + header}}, false},
		{"NumPy, two axes", []file{{"a.npy", npy(1200, 40)}}, true},
		{"NumPy, two axes, one short", []file{{"a.npy", npy(1200, 3)}}, false},
		{"NumPy, one axis", []file{{"a.npy", npy(1200)}}, false},
		{"NumPy, layers", []file{{"a.npy", npy(30, 40, 40)}}, false},
		{"nothing", nil, false},
		{"an empty file", []file{{"a", ""}}, false},
	} {
		var files []formats.File
		for _, f := range c.files {
			files = append(files, formats.File{Name: f.name, Data: []byte(f.data)})
		}
		if got := isBrain(files); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// Only beside files that are not those of a brain can a wide table be something else.
func TestEvident(t *testing.T) {
	wide := formats.File{Name: "s.csv", Data: []byte(table(100, 30, ","))}
	regions := formats.File{Name: "regions.csv", Data: []byte("name,network\na,b\nc,d\n")}
	confounds := formats.File{Name: "c.tsv", Data: []byte("trans_x\ttrans_y\n1\t2\n")}
	edges := formats.File{Name: "a.edges", Data: []byte("1 1 2 1\n1 2 3 1\n")}
	for _, c := range []struct {
		files []formats.File
		want  bool
	}{
		{[]formats.File{wide}, true}, {[]formats.File{wide, regions, confounds}, true}, {[]formats.File{wide, edges}, false},
		{[]formats.File{{Name: "s.nii", Data: []byte("\x1c\x02\x00\x00")}, edges, wide}, true},
	} {
		if got := isBrain(c.files); got != c.want {
			t.Errorf("%d files, the last %s: %v", len(c.files), c.files[len(c.files)-1].Name, got)
		}
	}
}

// A MAT file with one matrix is a series or functional connectivity, one with several is not.
func TestRecognizeMAT(t *testing.T) {
	for name, want := range map[string]bool{"hcp/aal2/n01_TC_rsfMRI_REST1_LR.mat": true, "hcp/group/cab_np_meanFCMatSorted.mat": true, "acm/ACM3025.mat": false} {
		data, err := os.ReadFile("../../../shared/data/" + name)
		if err != nil {
			t.Log("the real data is not there: ../shared/data/" + name)
			continue
		}
		if got := isBrain([]formats.File{{Name: name, Data: data}}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
