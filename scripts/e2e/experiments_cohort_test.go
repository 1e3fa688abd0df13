package e2e

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"cadem.example/core/brain/braintest"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/formats/collection"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/scripts/e2e/drive"
)

// report runs an order natively.
func report(t *testing.T, o study.Order, files *run.Files) *study.Report {
	t.Helper()
	tasks, err := experiments.All().Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	results, err := (&study.Scheduler{Files: files}).Run(tasks)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := experiments.All().Assemble(o, results)
	if err != nil {
		t.Fatal(err)
	}
	return reports[0]
}

// lines reads every figure of a report as the page shows it, in the fold that it opens.
func (v *Visit) lines(name string) (shown [][]string) {
	v.t.Helper()
	v.Read(&shown, "experiments.everyFigure", name)
	return shown
}

// sameGrids fails the test unless the page shows the tables of a report in the paper's shape: in every cell what was found, then what stands beside it.
func (v *Visit) sameGrids(name string, r *study.Report) {
	v.t.Helper()
	var shown, want [][]string
	v.Read(&shown, "experiments.grid", name)
	for _, g := range r.Grids() {
		want = append(want, append([]string{""}, g.Columns...))
		for _, l := range g.Rows {
			row := []string{l.Name}
			for _, c := range l.Cells {
				row = append(row, strings.Join(append([]string{cmp.Or(c.Here, "–")}, c.Beside...), "; "))
			}
			want = append(want, row)
		}
	}
	if !reflect.DeepEqual(shown, want) {
		v.t.Errorf("the page shows %q in the paper's shape, natively it is %q", shown, want)
	}
}

// TestCohort classifies the conditions of a synthetic cohort and of files, which it finds as
// the core does natively, and sends nothing anywhere meanwhile.
func TestCohort(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewKeptSite(t)
		v := Open(t, engine, s, drive.Options{}, "")
		v.Until("storage.owned && experiments.card", "table5")
		// Everything that the page needs is here: two workers with the whole program.
		v.Read(nil, "experiments.trainTwo")
		v.Until("page.offline") // nor does the service worker fetch more
		s.Requests()

		for _, f := range [][2]string{{"subjects", "6"}, {"effect", "2"}} {
			v.Enter("[data-study=table5] [name="+f[0]+"]", f[1])
		}
		v.Want("[data-study=table5]", "the synthetic cohort", "subjects 6")
		v.Push("[data-study=table5] .primary")
		v.Until("experiments.reported", "table5")
		want := report(t, study.Order{Study: "table5", Options: map[string]any{"subjects": 6, "effect": 2}}, nil)
		if shown := v.lines("table5"); !reflect.DeepEqual(shown, want.Lines(3)) {
			t.Errorf("the page shows %q, natively it is %q", shown, want.Lines(3))
		}
		v.sameGrids("table5", want)
		v.Want("[data-study=table5]", want.Findings[0], "tasks done", "Scans (18)")
		v.Read(nil, "hand.open", "[data-study=table5] .report details[data-title=Scans]")
		v.Until("see.count", "[data-study=table5] .report details[data-title=Scans] tr", 19)
		Axe(t, v.Browser)

		o, files, paths := writeCohort(t)
		v.Give("[data-study=table5] input[type=file]", paths...)
		v.Until("experiments.says", "table5", "12 files of 6 subjects")
		v.Enter("[data-study=table5] [name=tr]", "0.72")
		v.Push("[data-study=table5] .primary")
		v.Until("experiments.reported && experiments.settled", "table5")
		want = report(t, o, files)
		if shown := v.lines("table5"); !reflect.DeepEqual(shown, want.Lines(3)) {
			t.Errorf("of files the page shows %q, natively it is %q", shown, want.Lines(3))
		}
		v.Want("[data-study=table5] .report", "own cohort", "from 90 to 120 frames", "crop=90")
		for _, name := range s.Requests() {
			if name == "sw.js" {
				continue // the browser looks by itself whether there is a new version
			}
			t.Errorf("while it opened files and trained the page asked for %s", name)
		}

		// A file that the table names and that is not there is missed by its name.
		v.Give("[data-study=table5] input[type=file]", paths[1:]...)
		v.Until("experiments.problem", "table5", "not among the files")
		v.Want("[data-study=table5] .problem", `subject "0", condition "rest"`, filepath.Base(paths[0]))
		v.Want("[data-study=table5]", "12 files of 6 subjects")

		// One of these files by itself is a subject's brain. Its views come from the site; nothing goes there.
		v.Give("#open-files", paths[0])
		v.Until("importing.open")
		v.Enter("#ask-tr", "0.72")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Push("#play")
		v.Until("lab.ended && storage.settled") // there are no labels to score
		for _, name := range s.Requests() {
			if _, own := s.Files[name]; !own {
				t.Errorf("while it opened a subject and trained the page asked for %q, which is no file of the site", name)
			}
		}
		v.Check()
	})
}

// writeCohort writes the scans of six subjects in two conditions of unequal length, with a
// table, which comes last.
func writeCohort(t *testing.T) (study.Order, *run.Files, []string) {
	t.Helper()
	dir := t.TempDir()
	c, err := cohort.New(&cohort.Options{Subjects: 6, Regions: 60, Frames: 120, TR: 0.72, Effect: 1, Smoothness: 0.6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := study.Order{Study: "table5", Options: map[string]any{"tr": 0.72}}
	var files []formats.File
	var paths []string
	table := "subject,condition,file\n"
	write := func(name string, data []byte) {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[len(paths)-1], data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for subject := range 6 {
		for k, condition := range []string{"rest", "emotion"} {
			s := c.Series(subject, k).Crop(120 - 30*k)
			var b bytes.Buffer
			if err := npy.Write(&b, &npy.Array{Shape: []int{s.M(), s.Frames}, Data: s.Values}); err != nil {
				t.Fatal(err)
			}
			scan := collection.Scan{Subject: fmt.Sprint(subject), Condition: condition, File: fmt.Sprintf("%d_%s.npy", subject, condition)}
			o.Cohort = append(o.Cohort, scan)
			files = append(files, formats.File{Name: scan.File, Data: b.Bytes()})
			table += fmt.Sprintf("%d,%s,%s\n", subject, condition, scan.File)
			write(scan.File, b.Bytes())
		}
	}
	write("scans.csv", []byte(table))
	var contents *run.Files
	o.Files, contents = run.InMemory(files)
	return o, contents, paths
}

// derivatives writes a folder of an invented cohort and returns its path.
func derivatives(t *testing.T, subjects, regions, frames int) string {
	t.Helper()
	c, err := cohort.New(&cohort.Options{Subjects: subjects, Regions: regions, Frames: frames, TR: 0.72, Effect: 1, Smoothness: 0.6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "derivatives")
	if err := c.BIDS(func(name, text string) error {
		path := filepath.Join(folder, filepath.FromSlash(name))
		return cmp.Or(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600))
	}); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestFolderIsOneCohort opens a folder of derivatives: every experiment on scans is about it, and two conditions are compared to the table and pictures.
func TestFolderIsOneCohort(t *testing.T) {
	folder := derivatives(t, 6, 60, 150)
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-folder", folder)
		v.Until("experiments.says", "contrast", "18 files of 6 subjects")
		for _, name := range []string{"table5", "identify", "regions", "retest", "targets"} {
			v.Want("[data-study="+name+"]", "18 files of 6 subjects", "Not used: ")
		}
		// An answer to what names leave open counts for all.
		choose := func(condition string) {
			v.Read(nil, "hand.choose", "[data-study=contrast] [name=condition]", condition)
		}
		choose("group")
		v.Until("experiments.offers", "retest", "control,patient")
		choose("task")
		v.Until("experiments.offers", "retest", "emotion,rest,workingmemory")
		for _, f := range [][2]string{{"first", "rest"}, {"second", "emotion"}, {"value", "degree"}, {"covariates", "motion"}, {"permutations", "99"}} {
			v.Enter("[data-study=contrast] ["+"name="+f[0]+"]", f[1])
		}
		v.Want("[data-study=contrast]", "condition A", "least frames left")
		v.Push("[data-study=contrast] .primary")
		v.Until("see.least", "[data-study=contrast] .report :is(svg, img)", 4)
		v.Want("[data-study=contrast] .report", "rest against emotion: 6 subjects in both conditions, pair by pair, degree of every region",
			"Taken out (Freedman and Lane): motion",
			"Regions, the largest t first (120)")
		v.Until("see.there", `[data-study=contrast] .report img[alt^="rest - emotion, co-activation"]`)
		v.opensElsewhere("contrast", 120)
		v.chosenFolder()
		v.Check()
	})
}

// opensElsewhere saves the table of an experiment, with that many values, and its first picture, and reads them as other programs do.
func (v *Visit) opensElsewhere(name string, values int) {
	v.t.Helper()
	saved := func(label, pattern string) []byte {
		v.Read(nil, "hand.press", "[data-study="+name+"] .report button", label)
		return download(v.t, v, pattern)
	}
	if rows, err := csv.NewReader(bytes.NewReader(saved("Table, CSV", "*.csv"))).ReadAll(); err != nil || len(rows) != 1+values || rows[0][0] != "region" {
		v.t.Errorf("the table as CSV: %d rows, %v", len(rows), err)
	}
	if text := string(saved("Table, LaTeX", "*.tex")); strings.Count(text, "\\begin{tabular}") != strings.Count(text, "\\end{tabular}") ||
		strings.Count(text, `\\`) < values || strings.Count(text, "{") != strings.Count(text, "}") {
		v.t.Errorf("the table as LaTeX: %.300s", text)
	}
	d := xml.NewDecoder(bytes.NewReader(saved("SVG", "*.svg")))
	for root := ""; ; {
		token, err := d.Token()
		if begin, ok := token.(xml.StartElement); ok && root == "" {
			root = begin.Name.Local
		}
		if err == io.EOF && root == "svg" {
			break
		}
		if err != nil {
			v.t.Fatalf("the picture as SVG: %s, %v", root, err)
		}
	}
	picture, err := png.Decode(bytes.NewReader(saved("PNG", "*.png")))
	if err != nil || picture.Bounds().Dx() < 400 {
		v.t.Errorf("the picture as PNG: %v", err)
	}
}

// chosenFolder opens a folder that leaves every choice there is, answers them, and compares what is chosen.
func (v *Visit) chosenFolder() {
	v.t.Helper()
	v.Give("#open-folder", folderOf(v.t, braintest.Derivatives(v.t)))
	v.Until("see.there", "[data-study=contrast] [name=atlas]")
	v.Want("[data-study=contrast]", "Without emotion: 2; the rest of them is used.", "JSON files")
	for _, c := range [][2]string{{"atlas", "Gordon"}, {"sessions", "2"}, {"runs", "2"}} {
		v.Read(nil, "hand.choose", "[data-study=contrast] [name="+c[0]+"]", c[1])
		v.Until("see.chosen && see.value", "[data-study=contrast] [name="+c[0]+"]", "[data-study=contrast] [name="+c[0]+"]", c[1])
	}
	for _, f := range [][2]string{{"first", "rest"}, {"second", "emotion"}, {"value", ""}, {"covariates", ""}, {"permutations", "19"}, {"beyond", "0"}} {
		v.Enter("[data-study=contrast] [name="+f[0]+"]", f[1])
	}
	v.Push("[data-study=contrast] .primary")
	v.Until("experiments.reports", "contrast", "5 subjects in both conditions")
	v.Want("[data-study=contrast] .report", "Left out: 2 (one of the conditions alone)", " of 80 values of regions differ")
}

// TestContrastOfACohort compares two conditions of 150 subjects with 5,000 permutations of regions and of networks, and logs how long it
// takes, for how long the page is blocked and how much memory it takes; with CADEM_COHORT=1, as it is minutes of work.
func TestContrastOfACohort(t *testing.T) {
	if os.Getenv("CADEM_COHORT") == "" {
		t.Skip("minutes of work: it runs where CADEM_COHORT is set")
	}
	Alone(t, func(t *testing.T, engine string) {
		folder := derivatives(t, 150, 360, 120)
		v := OpenReady(t, engine, Small.Link())
		began := time.Now()
		v.Give("#open-folder", folder)
		if err := v.Await(time.Minute, "experiments.says", "contrast", "450 files of 150 subjects"); err != nil {
			t.Fatal(v.Text("[data-study=contrast]"))
		}
		t.Logf("from the folder to the cohort: %.1f s", time.Since(began).Seconds())
		for _, f := range [][2]string{{"first", "rest"}, {"second", "emotion"}, {"permutations", "5000"}} {
			v.Enter("[data-study=contrast] [name="+f[0]+"]", f[1])
		}
		v.Read(nil, "page.watchLongTasks")
		most := v.watchMemory()
		began = time.Now()
		v.Push("[data-study=contrast] .primary")
		v.Until("see.least", "[data-study=contrast] .report svg, [data-study=contrast] .report img", 4)
		var blocked []float64
		v.Read(&blocked, "page.longTasks")
		t.Logf("from the press of Run to the report: %.1f s; tasks of the page of 50 ms or more: %v ms; at most %d MB", time.Since(began).Seconds(),
			blocked, most()/1e6)
		t.Log(v.Text("[data-study=contrast] .report ul"))
		v.Check()
	})
}

// TestCohortOfThePaper trains and scores 450 graphs of 360 regions in two workers and logs how
// long it takes; with CADEM_COHORT=1, as it is minutes of work.
func TestCohortOfThePaper(t *testing.T) {
	if os.Getenv("CADEM_COHORT") == "" {
		t.Skip("minutes of work: it runs where CADEM_COHORT is set")
	}
	Alone(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("storage.owned && experiments.card", "table5")
		v.Enter(".orders [name=workers]", "2")
		began := time.Now()
		v.Push("[data-study=table5] .primary")
		for minutes := 0; ; minutes++ {
			err := v.Await(time.Minute, "experiments.reported", "table5")
			if err == nil {
				break
			}
			t.Log(v.Text("[data-study=table5] [role=status]"))
			if minutes == 10 {
				t.Fatal(err)
			}
		}
		t.Logf("from the press of Run to the report: %.1f s", time.Since(began).Seconds())
		t.Log(v.Text("[data-study=table5] .report ul"))
		v.Check()
	})
}

// writeCollection writes the files of a collection, and returns where they are. They lie in one folder: files that are
// chosen come without any.
func writeCollection(t *testing.T, list []formats.File) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for i, f := range list {
		list[i].Name = strings.ReplaceAll(f.Name, "/", "-")
		if i == len(list)-1 { // the table
			list[i].Data = bytes.ReplaceAll(f.Data, []byte("/"), []byte("-"))
		}
		paths = append(paths, filepath.Join(dir, list[i].Name))
		if err := os.WriteFile(paths[i], list[i].Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// TestCollection opens a table of graphs and its files at Data, and classifies them as the core does natively, by CaDeM and by methods
// beside it.
func TestCollection(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		list := runtest.Collection(t)
		paths := writeCollection(t, list)
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("storage.owned && experiments.card", "collection")
		v.Want("[data-study=collection]", "a table with the columns graph, class, file")
		v.Give("#open-files", paths...)
		v.Until("experiments.says", "collection", "20 graphs")
		v.Push("[data-study=collection] .primary")
		v.Until("experiments.reported", "collection")

		specs, contents := run.InMemory(list[:len(list)-1])
		found, err := connectome.FindScans(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := report(t, study.Order{Study: "collection", Files: specs, Cohort: found.Scans}, contents)
		if shown := v.lines("collection"); !reflect.DeepEqual(shown, want.Lines(3)) {
			t.Errorf("the page shows %q, natively it is %q", shown, want.Lines(3))
		}
		v.Want("[data-study=collection]", want.Findings[0], "tasks done", "Graphs (20)")
		Axe(t, v.Browser)

		var lines [][]string
		v.Read(&lines, "experiments.runMethods", "collection", "random,dgi,graph2vec")
		beside := report(t, study.Order{Study: "collection", Files: specs, Cohort: found.Scans, Methods: "random,dgi,graph2vec", Level: "lite"}, contents)
		if got, expected := figuresOf(lines), figuresOf(beside.Lines(3)); !strings.Contains(fmt.Sprint(got), "DGI") || fmt.Sprint(got) != fmt.Sprint(expected) {
			t.Errorf("beside other methods the page shows %q, natively it is %q", got, expected)
		}

		// A line that lacks its class is named.
		if err := os.WriteFile(paths[len(paths)-1], []byte("graph,class,file\na,,alike-0.npz\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		v.Give("#open-files", paths...)
		v.Until("data.problem", "graphs.csv:2: class")
	})
}

// folderOf writes files below a new folder, in their own folders, and returns where that is.
func folderOf(t *testing.T, list []formats.File) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "graphs")
	for _, f := range list {
		name := filepath.Join(dir, f.Name)
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = os.WriteFile(name, f.Data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFolder opens a folder that has a folder of graphs for each class, and classifies them as the core does natively, whatever
// order they come in; then a folder with the files of one graph, which is opened like these.
func TestFolder(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if engine != "chromium" {
			t.Skip("the driver of " + engine + " hands no folder over")
		}
		list := runtest.Collection(t)
		list = list[:len(list)-1] // no table
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("storage.owned && experiments.card", "collection")
		v.Give("#open-folder", folderOf(t, list))
		v.Until("experiments.says", "collection", "20 graphs")
		v.Want("#status", "The graphs are compared under Experiments.")
		v.Push("[data-study=collection] .primary")
		v.Until("experiments.reported", "collection")

		for i, f := range list {
			list[i].Name = "graphs/" + f.Name
		}
		specs, contents := run.InMemory(list)
		found, err := connectome.FindScans(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := report(t, study.Order{Study: "collection", Files: specs, Cohort: found.Scans}, contents)
		if shown := v.lines("collection"); !reflect.DeepEqual(shown, want.Lines(3)) {
			t.Errorf("the page shows %q, natively it is %q", shown, want.Lines(3))
		}

		var files []formats.File
		for _, name := range firm {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, formats.File{Name: filepath.Base(name), Data: data})
		}
		v.Give("#open-folder", folderOf(t, files))
		v.Until("data.says", "firm")
		v.Check()
	})
}
