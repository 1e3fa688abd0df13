package connectome

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
)

// wideRows is the beginning of a series as text.
func wideRows() string {
	row := strings.TrimSuffix(strings.Repeat("0.5,", 30), ",")
	return strings.Repeat(row+"\n", 12)
}

func TestFindScans(t *testing.T) {
	labels := make([]byte, 600)
	copy(labels, "\x1c\x02\x00\x00")
	binary.LittleEndian.PutUint32(labels[504:], 3007)
	label := formats.File{Name: "parcels.dlabel.nii", Data: labels}
	series := func(name string) formats.File { return file(name, wideRows()) }
	regions := file("regions.csv", "name,network,x,y,z\nA,Visual,1,2,3\n")
	for name, c := range map[string]struct {
		files   []formats.File
		scans   []collection.Scan
		shared  []string
		ignored []string
	}{
		"a table by path and by name": {
			[]formats.File{series("in/a.csv"), series("b.csv"), file("in/c.tsv", "trans_x\tb\n1\t2\n"), regions,
				file("scans.csv", "subject,condition,file,confounds\nx,rest,in/a.csv,c.tsv\ny,rest,data/b.csv,n/a\n")},
			[]collection.Scan{{Subject: "x", Condition: "rest", File: "in/a.csv", Confounds: "in/c.tsv"}, {Subject: "y", Condition: "rest", File: "b.csv"}},
			[]string{"regions.csv"}, nil},
		"names as of BIDS": {
			[]formats.File{series("sub-1_task-rest_bold.csv"), series("sub-2_task-rest_bold.csv"), label, file("README", "a text\nof lines\n"),
				file("sub-1_task-rest_bold.json", "{}"), file("sub-1_task-rest_events.tsv", "onset\tduration\n1\t2\n")},
			[]collection.Scan{{Subject: "1", Condition: "rest", File: "sub-1_task-rest_bold.csv"}, {Subject: "2", Condition: "rest", File: "sub-2_task-rest_bold.csv"}},
			[]string{"parcels.dlabel.nii"},
			[]string{"README", "sub-1_task-rest_bold.json", "sub-1_task-rest_events.tsv"}},
		"series alone": {
			[]formats.File{series("rest/s01.csv"), file("summary.csv", "subject,n\na,1\n"), series("rest/s02.csv")},
			[]collection.Scan{{Subject: "s01", Condition: "", File: "rest/s01.csv"}, {Subject: "s02", Condition: "", File: "rest/s02.csv"}},
			nil, []string{"summary.csv"}},
	} {
		found, err := FindScans(c.files, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(found.Scans, c.scans) || !slices.Equal(found.Shared, c.shared) || !slices.Equal(found.Ignored, c.ignored) {
			t.Errorf("%s: %+v", name, found)
		}
		if used := len(found.Files()) + len(found.Ignored); name != "a table by path and by name" && used != len(c.files) {
			t.Errorf("%s: %d files are used or ignored", name, used)
		}
	}
	for want, table := range map[string]string{
		`scans.csv: subject "x", condition "rest": found c.csv, which is not among the files`: "subject,condition,file\nx,rest,c.csv\n",
		`scans.csv: subject "x", condition "rest": found a.csv, which is not among the files`: "subject,condition,file\nx,rest,a.csv\n", // two have that name
		"scans.csv:2: found an empty field":                                                   "subject,condition,file\n,rest,c.csv\n",
	} {
		_, err := FindScans([]formats.File{series("1/a.csv"), series("2/a.csv"), file("scans.csv", table)}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	two := file("more.csv", "subject,condition,file\nx,rest,a\n")
	if _, err := FindScans([]formats.File{two, file("scans.csv", string(two.Data))}, nil); err == nil ||
		!strings.Contains(err.Error(), "a second table of scans beside more.csv") {
		t.Error(err)
	}
}

// Series that do not fit the table of regions are refused with both numbers, or with the
// names that are unknown.
func TestScansAgainstTheTableOfRegions(t *testing.T) {
	var table, names bytes.Buffer
	table.WriteString("name,network\n")
	for i := range 360 {
		fmt.Fprintf(&table, "R%d,Visual\n", i)
		fmt.Fprintf(&names, "R%d,", i+1)
	}
	regions := file("regions.csv", table.String())
	matrix := func(n int) string {
		var b strings.Builder
		for t := range 400 {
			for i := range n {
				fmt.Fprintf(&b, "%d,", (i*i+t*t*t+7*i*t)%101)
			}
			s := strings.TrimSuffix(b.String(), ",")
			b.Reset()
			b.WriteString(s + "\n")
		}
		return b.String()
	}
	_, err := Open([]formats.File{file("s.csv", matrix(361)), regions}, &Hints{Rows: "frames"})
	if err == nil || err.Error() != "s.csv: regions: found 361 without names, expected 360, as in the table of regions" {
		t.Error(err)
	}
	_, err = Open([]formats.File{file("s.csv", strings.TrimSuffix(names.String(), ",")+"\n"+matrix(360)), regions}, &Hints{Rows: "frames"})
	if err == nil || !strings.Contains(err.Error(), `unknown: "R360", missing: "R0"`) {
		t.Error(err)
	}
}

// For all scans of a cohort, regions without data are known from the beginning of the series.
func TestRegionsWithoutDataAreFound(t *testing.T) {
	text := func(out ...int) string {
		var b strings.Builder
		b.WriteString("R0,R1,R2,R3,R4,R5,R6,R7\n")
		for t := range 40 {
			for i := range 8 {
				if slices.Contains(out, i) {
					b.WriteString("n/a")
				} else {
					fmt.Fprintf(&b, "%.3f", float64((t*t*(i+3))%17)/7)
				}
				b.WriteString(map[bool]string{true: "\n", false: ","}[i == 7])
			}
		}
		return b.String()
	}
	part := file("sub-2_task-rest_bold.csv", text(5, 6))
	part.Size = int64(len(part.Data))
	part.Data = part.Data[:len(part.Data)/2]
	found, err := FindScans([]formats.File{file("sub-1_task-rest_bold.csv", text(2)), part, file("sub-3_task-rest_bold.csv", text())}, nil)
	if err != nil || len(found.Scans) != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
	if got := collection.Of(found.Scans).Without(); got != "R2\tR5\tR6" || found.Scans[2].Without != "" || found.Scans[1].Without != "R5\tR6" {
		t.Errorf("%q of %+v", got, found.Scans)
	}

	// A region that is silent at first only has data.
	header, rows, _ := strings.Cut(text(2, 3), "\n")
	_, other, _ := strings.Cut(text(2), "\n")
	long := header + "\n" + strings.Repeat(rows, 100) + other
	at := formats.File{Name: "sub-1_task-rest_bold.csv", At: strings.NewReader(long), Size: int64(len(long))}
	found, err = FindScans([]formats.File{at}, nil)
	if err != nil || len(long) < 2*firstFrames || found.Scans[0].Without != "R2" {
		t.Errorf("%+v, %v", found, err)
	}
}
