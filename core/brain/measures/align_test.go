package measures

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// cohortOf writes series of some regions, a file for each list of names; a name that ends in "!" has no data in it.
func cohortOf(lists ...[]string) (files []formats.File, scans []run.Scan) {
	for k, names := range lists {
		var b strings.Builder
		plain := make([]string, len(names))
		for i, name := range names {
			plain[i] = strings.TrimSuffix(name, "!")
		}
		b.WriteString(strings.Join(plain, ",") + "\n")
		for t := range 60 {
			var fields []string
			for i, name := range names {
				seed := 0
				for _, c := range plain[i] {
					seed = seed*31 + int(c)
				}
				x := float64(t)
				v := math.Sin(x/5+float64(seed%3)) + math.Sin(x*x*float64(1+seed%17)+float64(k))
				if fields = append(fields, fmt.Sprintf("%.5f", v)); strings.HasSuffix(name, "!") {
					fields[i] = "n/a"
				}
			}
			b.WriteString(strings.Join(fields, ",") + "\n")
		}
		name := fmt.Sprintf("s%d.csv", k+1)
		files = append(files, formats.File{Name: name, Data: []byte(b.String())})
		scans = append(scans, run.Scan{Name: fmt.Sprint("subject ", k+1), File: name, Class: k % 2, Group: k})
	}
	return files, scans
}

func preparedOf(lists ...[]string) (*measure.Result, error) {
	files, scans := cohortOf(lists...)
	specs, contents := run.InMemory(files)
	r := &measure.Result{}
	return r, prepareScans(r, &run.DataSpec{Files: specs, Scans: scans}, &run.Settings{}, contents, func(int, int) error { return nil })
}

// Regions of scans are matched by name, whatever their order, and a region without data in one scan is left out of all.
func TestRegionsOfACohort(t *testing.T) {
	names := []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"}
	turned := []string{"R5", "R8", "R2", "R1", "R3", "R7", "R6", "R4"}
	want, err := preparedOf(names, names, names)
	if err != nil {
		t.Fatal(err)
	}
	got, err := preparedOf(names, turned, names)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []measure.ArrayName{"z", "moments", "fc", "regions", "class"} {
		if !slices.Equal(got.Array(key).Data, want.Array(key).Data) {
			t.Errorf("%s depends on the order of regions in a file", key)
		}
	}
	fewer := slices.Concat(names[:2], names[3:6], names[7:])
	if want, err = preparedOf(fewer, fewer, fewer); err != nil {
		t.Fatal(err)
	}
	without := slices.Clone(names)
	without[2], without[6] = "R3!", "R7!"
	if got, err = preparedOf(names, turned, without); err != nil {
		t.Fatal(err)
	}
	for _, key := range []measure.ArrayName{"z", "moments", "fc", "regions", "class", "group"} {
		if a, b := got.Array(key), want.Array(key); !slices.Equal(a.Data, b.Data) || !slices.Equal(a.Shape, b.Shape) {
			t.Errorf("%s differs from that of scans without R3 and R7: %v, %v", key, a.Shape, b.Shape)
		}
	}
	if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "s3.csv: without data, and left out of all scans: R3, R7.") {
		t.Errorf("%q", got.Notes)
	}
	// Such regions are left out of the results of other tasks, too.
	files, scans := cohortOf(names, turned)
	for k := range scans {
		scans[k].Without = "R7\tR3"
	}
	specs, contents := run.InMemory(files)
	got = &measure.Result{}
	err = prepareScans(got, &run.DataSpec{Files: specs, Scans: scans}, &run.Settings{}, contents, func(int, int) error { return nil })
	if err != nil || got.Array("regions").Data[0] != want.Array("regions").Data[0] ||
		!slices.Contains(got.Notes, "Without data in a scan, and left out of all: R7, R3.") {
		t.Errorf("%q, %v", got.Notes, err)
	}
	other := slices.Clone(turned)
	other[3] = "Q1"
	_, err = preparedOf(names, other)
	if want := `subject 2: s2.csv: regions: found no region "R1" ("R5" in its place), expected the regions of s1.csv, in any order`; err == nil ||
		err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	_, err = preparedOf(names, append(slices.Clone(turned), "R9"))
	if err == nil || !strings.Contains(err.Error(), `s2.csv: regions: found the region "R9", which s1.csv lacks`) {
		t.Error(err)
	}
}
