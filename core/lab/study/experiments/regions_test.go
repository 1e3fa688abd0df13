package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/precision"
	"cadem.example/core/brain/braintest"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/measure"
)

// Every condition and layer has a picture, and the networks' counts add up to the tenth of
// the regions, trained, untrained and without a model.
func TestRegions(t *testing.T) {
	o := study.Order{Study: "regions", Options: map[string]any{"subjects": 2, "regions": 60, "frames": 80, "epochs": 2}}
	r := carriedOut(t, o)
	if len(r.Charts) != 6 || len(r.Findings) != 6 || len(r.Rows) != 6*7 || r.Missing != 0 || r.Tasks != 6 {
		t.Fatalf("%d charts, %d findings, %d rows", len(r.Charts), len(r.Findings), len(r.Rows))
	}
	sums := map[string][4]float64{}
	for _, row := range r.Rows {
		s := sums[row.Dataset+row.Variant]
		for k, v := range []*float64{row.Ours, row.Untrained, row.Trivial, row.Chance} {
			s[k] += *v
		}
		sums[row.Dataset+row.Variant] = s
		if *row.P < 0 || *row.P > 1 {
			t.Errorf("p %v", *row.P)
		}
	}
	for name, s := range sums {
		if s[0] != 6 || s[1] != 6 || s[2] != 6 || s[3] < 5.999 || s[3] > 6.001 {
			t.Errorf("%s: %v, expected 6 regions of 60 each", name, s)
		}
	}
	svg := r.Charts[0].SVG()
	for _, want := range []string{"rest (synthetic), co-activation", "Somatomotor", "The 6 of 60 regions", ">R<", ">A<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}

	// The mean over subjects is that of their lengths.
	tasks, err := All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	one, err := tasks[0].Run(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	trained, untrained := one.Array("length_1"), one.Array("untrained:length_1")
	if len(trained.Data) != 60 || fmt.Sprint(trained.Data) == fmt.Sprint(untrained.Data) || one.Words[0] != "co-activation" || one.Words[2] != "Visual" {
		t.Errorf("%d lengths, words %q", len(trained.Data), one.Words)
	}

	var refused *diag.Error
	if _, err := All().Plan(study.Order{Study: "regions", Options: map[string]any{"subjects": 1}}); !errors.As(err, &refused) || refused.Where != "subjects" {
		t.Errorf("one subject, fewer than are drawn: %v", err)
	}
	o.Data = "published"
	if _, err := All().Plan(o); !errors.As(err, &refused) || refused.Where != "data" {
		t.Errorf("published: %v", err)
	}
	bare := study.Task{Data: run.DataSpec{Example: "syn1", Options: map[string]any{"nodes": 30}}, Preset: "released", Options: map[string]any{"epochs": 1},
		Measure: []measure.Spec{{Kind: measure.Regions}}}
	if _, err := bare.Run(nil, nil); !errors.As(err, &refused) {
		t.Errorf("data without places: %v", err)
	}
}

// The text of the example: with another condition other networks come to the fore, and with another
// subject as well.
func TestNetworksOfTheBrainExample(t *testing.T) {
	seen := map[string]string{}
	for _, o := range []map[string]any{{}, {"condition": "emotion"}, {"condition": "working memory"}, {"subject": 2}} {
		d, err := run.OpenExample("cohort", o, run.UsualSeeds.Data)
		if err != nil {
			t.Fatal(err)
		}
		s, err := run.NewSettings("released", d)
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.Train(d, s, precision.Single, run.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Trained.Rank != 4 {
			t.Errorf("%v: rank of S %d, of two features in two layers", o, r.Trained.Rank)
		}
		networks := d.Graph.Labels[0]
		leading := ""
		for _, x := range r.Trained.Private {
			counts := connectome.CountNetworks(networks.Of, len(networks.Classes), connectome.Top(run.Lengths(x), 0.1))
			first := slices.MaxFunc(counts, func(a, b connectome.NetworkCount) int { return a.Count - b.Count })
			if float64(first.Count) <= first.Expected || first.P > 0.05 {
				t.Errorf("%v: no network comes to the fore: %+v", o, first)
			}
			leading += networks.Classes[slices.Index(counts, first)] + ", "
		}
		if other, ok := seen[leading]; ok {
			t.Errorf("%v: %s as with %s", o, leading, other)
		}
		seen[leading] = fmt.Sprint(o)
	}
}

// Scans of one's own, one panel a condition.
func TestRegionsOfFiles(t *testing.T) {
	series, regions, _ := braintest.Subject(t)
	other := formats.File{Name: "t.csv", Data: []byte(strings.Replace(string(series.Data), ".1", ".9", 900))}
	specs, files := run.InMemory([]formats.File{series, regions, other})
	o := study.Order{Study: "regions", Files: specs, Options: map[string]any{"epochs": 1, "keep": 20}, Cohort: []collection.Scan{
		{Subject: "one", Condition: "rest", File: "s.csv"}, {Subject: "two", Condition: "rest", File: "t.csv"}, {Subject: "one", Condition: "task", File: "t.csv"},
	}}
	tasks, _, reports := reported(t, o, files)
	if r := reports[0]; len(r.Charts) != 4 || r.Charts[2].Title != "task, co-activation" || !strings.Contains(r.Charts[0].Text, "2 trainings") ||
		r.Charts[2].SVG() == r.Charts[0].SVG() {
		t.Errorf("%d charts, %q", len(r.Charts), r.Findings)
	}
	// Without a table of regions there is nothing to draw on.
	if n := len(tasks[0].Data.Files); n != 2 {
		t.Errorf("%d files of a scan, expected it and the table of regions", n)
	}
	bare := tasks[0]
	bare.Data.Files = bare.Data.Files[:1]
	var refused *diag.Error
	if _, err := bare.Run(files, nil); !errors.As(err, &refused) || !strings.Contains(err.Error(), "a table of regions") {
		t.Errorf("%v", err)
	}
}

// rewriter returns the rows of a table, and what writes it with changed rows.
func rewriter(series formats.File) (table [][]string,
	written func(name string, change func(i int, row []string) []string) formats.File) {
	for line := range strings.Lines(string(series.Data)) {
		table = append(table, strings.Split(strings.TrimSpace(line), ","))
	}
	return table, func(name string, change func(i int, row []string) []string) formats.File {
		var b strings.Builder
		for i, row := range table {
			row = slices.Clone(row)
			for k, field := range row {
				v, err := strconv.ParseFloat(field, 64)
				if err == nil && strings.Contains(name, "task") {
					row[k] = fmt.Sprint(2 * v) // which makes no other graph
				}
			}
			b.WriteString(strings.Join(change(i, row), ",") + "\n")
		}
		return formats.File{Name: name, Data: []byte(b.String())}
	}
}

// Scans that lack a region, by its column or by every value in it, are joined to the others by
// name, without it; that is said before anything is trained. Two conditions of one brain give the
// same picture, whatever the order of columns.
func TestRegionsThatAScanLacks(t *testing.T) {
	series, regions, _ := braintest.Subject(t)
	table, written := rewriter(series)
	files := []formats.File{regions,
		written("a_rest.csv", func(_ int, row []string) []string { return row }),
		written("b_rest.csv", func(_ int, row []string) []string {
			return append(row[:7],
				row[8:]...)
		}),
		written("a_task.csv", func(i int, row []string) []string {
			if i > 0 {
				row[3] = "n/a"
			}
			return row
		}),
		written("b_task.csv", func(_ int, row []string) []string {
			slices.Reverse(row)
			return row
		}),
		{Name: "scans.csv",
			Data: []byte("subject,condition,file\na,rest,a_rest.csv\nb,rest,b_rest.csv\na,task,a_task.csv\nb,task,b_task.csv\n")},
	}
	found, err := connectome.FindScans(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	lacked := table[0][7] + "\t" + table[0][3]
	if c := (&collection.Cohort{Scans: found.Scans}); c.Without() != lacked ||
		!strings.Contains(strings.Join(found.Said, "\n"),
			fmt.Sprintf("Not in every file, and left out of all: 1 region, %q", table[0][7])) {
		t.Fatalf("without %q, said %q", c.Without(), found.Said)
	}
	specs, contents := run.InMemory(files[:5])
	o := study.Order{Study: "regions", Files: specs, Cohort: found.Scans,
		Options: map[string]any{"epochs": 1, "keep": 20}}
	tasks, results, reports := reported(t, o, contents)
	for i := range tasks {
		if n := len(results[tasks[i].Key()].Array("network").Data); n != 58 {
			t.Errorf("%s: %d regions", tasks[i].Name, n)
		}
	}
	r := reports[0]
	if said := strings.Join(r.Findings, "\n"); len(r.Charts) != 4 || strings.Contains(said,
		"not drawn") ||
		!strings.Contains(said, "left out of all: "+strings.ReplaceAll(lacked, "\t", ", ")) {
		t.Errorf("%d charts, %s", len(r.Charts), said)
	}
	if fmt.Sprint(r.Charts[0].Series) != fmt.Sprint(r.Charts[2].Series) {
		t.Error("one brain, two pictures")
	}
	o.Study, o.Options = "contrast", map[string]any{"permutations": 19, "beyond": 0}
	if _, _, reports := reported(t, o,
		contents); !strings.Contains(strings.Join(reports[0].Findings, "\n"),
		" of 116 values of regions differ") {
		t.Errorf("contrast: %q", reports[0].Findings)
	}
	// Files of other regions are not made alike.
	files[2] = written("b_rest.csv", func(i int, row []string) []string {
		for k := range row {
			if i == 0 && k > 20 {
				row[k] = "other " + row[k]
			}
		}
		return row
	})
	if found, err = connectome.FindScans(files, nil); err != nil ||
		strings.Contains(strings.Join(found.Said, "\n"), "left out of all") {
		t.Errorf("other regions: %v, %q", err, found.Said)
	}
}

// describedScans are two series of one subject's regions, and tables of marked frames and of motion.
func describedScans(t *testing.T) []formats.File {
	t.Helper()
	series, regions, _ := braintest.Subject(t)
	text := string(series.Data)
	other := strings.Replace(text, ".1", ".9", 900)
	frames := strings.Count(text, "\n") - 1
	outliers := "outlier\n" + strings.Repeat("1\n", 6) + strings.Repeat("0\n", frames-6)
	var motion strings.Builder
	motion.WriteString("framewise_displacement\n")
	for i := range frames {
		fmt.Fprintf(&motion, "%v\n", float64(i%9)/6)
	}
	return []formats.File{series, regions, {Name: "t.csv", Data: []byte(other)},
		{Name: "outliers.tsv", Data: []byte(outliers)},
		{Name: "motion.tsv", Data: []byte(motion.String())}}
}

// What a folder says of scans counts here as in other studies: the time between frames, further
// runs, marked frames and motion; the last scan's graph is that of all of them together. Scans of
// which some are band-passed and others are not are refused before any is trained.
func TestRegionsOfDescribedScans(t *testing.T) {
	specs, files := run.InMemory(describedScans(t))
	order := func(scans ...collection.Scan) study.Order {
		for k := range scans {
			scans[k].Subject, scans[k].Condition = fmt.Sprint("s", k), "rest"
		}
		last := scans[len(scans)-1]
		own := slices.Clone(specs[:3])
		for _, f := range specs[3:] {
			if f.Name == last.Outliers || f.Name == last.Motion {
				own = append(own, f)
			}
		}
		return study.Order{Study: "regions", Files: own, Cohort: scans,
			Options: map[string]any{"epochs": 1, "keep": 20, "high": 0.2, "low": 0.02, "order": 1,
				"fd": 1.2, "frames_left": 10}}
	}
	lengths := func(o study.Order, k int) string {
		t.Helper()
		tasks, err := All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tasks[k].Run(files, nil)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r.Array("untrained:length_1").Data)
	}
	first, bare := collection.Scan{File: "t.csv"}, collection.Scan{File: "s.csv"}
	plain, timed := lengths(order(first, bare), 1), bare
	first.TR, timed.TR = 2, 2
	seen := map[string]string{plain: "nothing"}
	joined, marked, moved := timed, timed, timed
	joined.More = []collection.Run{{File: "t.csv", TR: 2}}
	marked.Outliers, moved.Motion = "outliers.tsv", "motion.tsv"
	for name, s := range map[string]collection.Scan{"time": timed, "runs": joined,
		"outliers": marked, "motion": moved} {
		got := lengths(order(first, s), 1)
		if same, ok := seen[got]; ok {
			t.Errorf("%s: as with %s", name, same)
		}
		seen[got] = name
	}
	o := order(first, timed)
	o.Options["tr"] = 2
	if with := lengths(order(first, timed), 1); with != lengths(o, 1) {
		t.Error("a time that a file says is not that of the option")
	}
	// What a table of scans says alone keeps the tasks of before, and so their keys.
	tasks, err := All().Plan(order(collection.Scan{File: "t.csv"}, bare))
	if err != nil || tasks[1].Data.Scans != nil || len(tasks[1].Data.Files) == 0 {
		t.Errorf("%+v, %v", tasks, err)
	}
	filtered, untimed := timed, bare
	filtered.Filtered, untimed.Untimed = "s.json: HighpassFilter", "s.json: RepetitionTime: found -1"
	for want, o := range map[string]study.Order{
		"s.csv: band-pass: found a recording that is band-passed, beside t.csv": order(
			collection.Scan{File: "t.csv"}, timed),
		"no time between frames (s.json: RepetitionTime: found -1), beside t.csv": order(first,
			untimed),
		"filtered before (s.json: HighpassFilter), beside t.csv": order(first, filtered),
	} {
		tasks, err := All().Plan(o)
		if err == nil {
			_, err = (&study.Scheduler{Files: files}).Run(tasks)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
