package connectome

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
)

// What holds other recordings of its subject, by its name and by its length or rows, is neither joined to them nor compared with
// them, and the file is named; what only has no run in its name is a recording as others.
func TestRecordingsThatHoldOthers(t *testing.T) {
	frames := func(from, n int) (rows []string) {
		for k := range n {
			rows = append(rows, fmt.Sprintf("%.5f\t%.5f\t%.5f", 1.1+float64(from+k), 2.2*float64(from+k+1), 3.3/float64(from+k+1)))
		}
		return rows
	}
	text := func(rows []string) string { return "A\tB\tC\n" + strings.Join(rows, "\n") + "\n" }
	one, two, three := frames(1000, 60), frames(2000, 40), frames(3000, 50)
	both := slices.Concat(one, two)
	censored := slices.DeleteFunc(slices.Clone(both), func(s string) bool { return slices.Index(both, s)%8 == 0 })
	const run1, run2, all = "task-rest_run-1_seg-X_timeseries.tsv", "task-rest_run-2_seg-X_timeseries.tsv", "task-rest_seg-X_timeseries.tsv"
	const joined, spliced = "task-rest_run-concat_seg-X_timeseries.tsv", "task-rest_seg-X_desc-concat_timeseries.tsv"
	const ap, pa = "task-rest_dir-AP_seg-X_timeseries.tsv", "task-rest_dir-PA_seg-X_timeseries.tsv"
	const run3, run12 = "task-rest_run-3_seg-X_timeseries.tsv", "task-rest_run-1and2_seg-X_timeseries.tsv"
	for name, c := range map[string]struct {
		files  map[string][]string // rows by the ends of names
		choose map[string]string
		left   string // out
		used   int
	}{
		"without a run": {map[string][]string{run1: one, run2: two, all: both}, nil, all, 2},
		"three runs":    {map[string][]string{run1: one, run2: two, run3: three, all: slices.Concat(both, three)}, nil, all, 3},
		"censored":      {map[string][]string{run1: one, run2: two, all: censored}, nil, all, 2},
		"other numbers": {map[string][]string{run1: one, run2: two, all: frames(5000, 100)}, nil, all, 2},
		"concat":        {map[string][]string{run1: one, run2: two, joined: both}, nil, joined, 2},
		"desc-concat":   {map[string][]string{run1: one, run2: two, spliced: both}, nil, spliced, 2},
		"1and2":         {map[string][]string{run1: one, run2: two, run12: both}, nil, run12, 2},
		"directions":    {map[string][]string{ap: one, pa: two, all: both}, nil, all, 2},
		"sessions": {map[string][]string{"ses-1_" + all: one, "ses-2_" + all: two, all: both},
			map[string]string{"condition": "task", "sessions": "join"}, all, 2},
		"apart":              {map[string][]string{run1: one, run2: two, all: both}, map[string]string{"runs": "apart"}, all, 2},
		"by run":             {map[string][]string{run1: one, run2: two, all: both}, map[string]string{"condition": "run"}, all, 2},
		"the whole, asked":   {map[string][]string{run1: one, run2: two, all: both}, map[string]string{"runs": "none"}, "", 1},
		"another recording":  {map[string][]string{run1: one, run2: two, all: frames(5000, 60)}, nil, "", 3},
		"a longer recording": {map[string][]string{run1: one, run2: two, all: frames(5000, 66)}, nil, "", 3},
		"the first of two":   {map[string][]string{run2: two, all: one}, nil, "", 2},
	} {
		var files []formats.File
		for _, subject := range []string{"sub-1", "sub-2"} {
			for end, rows := range c.files {
				files = append(files, file(subject+"_"+end, text(rows)))
			}
		}
		found, err := FindScans(files, c.choose)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		left, used := []string{}, 0
		for _, u := range found.Unused {
			if strings.HasPrefix(u.Why, "it holds the recordings beside it") {
				left = append(left, u.Files...)
			}
		}
		for k := range found.Scans {
			used += len(found.Scans[k].Runs())
		}
		var want []string
		if c.left != "" {
			want = []string{"sub-1_" + c.left, "sub-2_" + c.left}
		}
		slices.Sort(left)
		if !slices.Equal(left, want) || used != 2*c.used {
			t.Errorf("%s: %q left out, %d recordings used", name, left, used)
		}
	}
}

// Connectivity of several runs cannot be joined: that of all runs is taken where it is asked for.
func TestConnectivityOfAllRuns(t *testing.T) {
	const end = "_seg-X_stat-pearsoncorrelation_relmat.tsv"
	matrix := "A\tB\tC\n1\t.5\t.2\n.5\t1\t-.3\n.2\t-.3\t1\n"
	var files []formats.File
	for _, part := range []string{"_run-1", "_run-2", ""} {
		files = append(files, file("sub-1_task-rest"+part+end, matrix))
	}
	found, err := FindScans(files, map[string]string{"runs": "none"})
	if err != nil || len(found.Files()) != 1 || found.Scans[0].File != "sub-1_task-rest"+end {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err = FindScans(files, map[string]string{"condition": "run"}); err != nil || len(found.Scans) != 2 ||
		slices.Contains(found.Files(), "sub-1_task-rest"+end) {
		t.Errorf("%+v, %v", found, err)
	}
	in, err := Open([]formats.File{file("fc.tsv", matrix)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultSettings().Steps
	in.More = []*Input{in}
	if _, err := in.Compute(&o); err == nil || !strings.HasPrefix(err.Error(), "runs: found connectivity of several runs") {
		t.Error(err)
	}
}
