package connectome_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
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
		data, err := os.ReadFile("../../../../shared/data/" + name)
		if err != nil {
			t.Log("the real data is not there: ../shared/data/" + name)
			continue
		}
		if got := isBrain([]formats.File{{Name: name, Data: data}}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A list of links with measurements, as interactions of genes, or passengers between airports by month, is no series of a brain,
// however many columns of numbers it has. A series with one column of words, or with times, is one.
func TestLinksWithMeasurementsAreNoSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 68))
	write := func(sep string, head []string, columns, rows int, begin func(row int) []string, number func() string) string {
		var b strings.Builder
		if head != nil {
			for k := range columns {
				head = append(head, fmt.Sprint("m", k+1))
			}
			b.WriteString(strings.Join(head, sep) + "\n")
		}
		for k := range rows {
			fields := begin(k)
			for range columns {
				fields = append(fields, number())
			}
			b.WriteString(strings.Join(fields, sep) + "\n")
		}
		return b.String()
	}
	fraction := func() string { return fmt.Sprintf("%.3f", r.Float64()) }
	count := func() string { return fmt.Sprint(r.IntN(9000)) }
	genes := []string{"TP53", "MYC", "EGFR", "KRAS", "PTEN", "AKT1", "RB1", "ATM", "MDM2"}
	words := func(int) []string { return []string{genes[r.IntN(9)], genes[r.IntN(9)]} }
	carriers := func(int) []string { return []string{"2025", genes[r.IntN(9)], "AA", genes[r.IntN(9)]} }
	ids := func(int) []string { return []string{fmt.Sprint(10100 + r.IntN(9)), fmt.Sprint(10100 + r.IntN(9))} }
	for _, sep := range []string{",", "\t", ";"} {
		for columns := 4; columns < 40; columns += 3 {
			for what, text := range map[string]string{
				"scores of interactions":              write(sep, []string{"node1", "node2"}, columns, 40, words, fraction),
				"scores below titles of another kind": write(sep, []string{"protein A", "protein B"}, columns, 40, words, fraction),
				"scores without a header":             write(sep, nil, columns, 40, words, fraction),
				"counts by month":                     write(sep, []string{"YEAR", "ORIGIN", "CARRIER", "DEST"}, columns, 60, carriers, count),
				"shares by month":                     write(sep, []string{"YEAR", "ORIGIN", "CARRIER", "DEST"}, columns, 60, carriers, fraction),
				"shares between airports by number":   write(sep, []string{"ORIGIN_ID", "DEST_ID"}, columns, 60, ids, fraction),
			} {
				if isBrain([]formats.File{{Name: "table.tsv", Data: []byte(text)}}) {
					t.Errorf("%s, %d columns, %q: taken for a brain's:\n%.200s", what, columns, sep, text)
				}
			}
		}
		trial := func(row int) []string { return []string{[]string{"rest", "task"}[row/9%2]} }
		timed := func(row int) []string {
			return []string{fmt.Sprint(float64(row) * 0.72), []string{"a", "b"}[row/9%2], []string{"x", "y"}[row/5%2]}
		}
		for what, text := range map[string]string{
			"a condition beside": write(sep, []string{"trial_type"}, 30, 60, trial, fraction),
			"times and words":    write(sep, []string{"time", "stimulus", "answer"}, 30, 60, timed, fraction),
		} {
			if !isBrain([]formats.File{{Name: "series.tsv", Data: []byte(text)}}) {
				t.Errorf("%s, %q: not taken for a series:\n%.200s", what, sep, text)
			}
		}
	}
}
