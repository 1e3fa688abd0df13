package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/brain/measures"
	"cadem.example/core/brain/subject"
	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study/measure"
)

// swinging returns the value of a region at a frame: neighbours in time resemble each other, and regions of one kind.
func swinging(i, t int) float64 {
	x := float64(t)
	return math.Sin(x/5+float64(i%3)) + 0.4*math.Sin(x/(7+float64(i)))*float64(1-2*(i%2)) + 0.1*math.Sin(x*x*float64(i+1))
}

// scannedFrames is the length of the series of [subjectFiles].
const scannedFrames = 60

func regionName(i int) string { return fmt.Sprintf("%cH_area_%d", "LR"[i%2], i/2) }

func signalOf(i, t int) string { return fmt.Sprintf("%.5f", swinging(i, t)) }

// tableOf writes a series, with a header and a first column or without.
func tableOf(regions int, header func(i int) string, first func(t int) string, field func(i, t int) string, sep string) string {
	var b strings.Builder
	for t := -1; t < scannedFrames; t++ {
		var fields []string
		if first != nil {
			fields = append(fields, first(t))
		}
		for i := range regions {
			switch {
			case t >= 0:
				fields = append(fields, field(i, t))
			case header != nil:
				fields = append(fields, header(i))
			}
		}
		if t >= 0 || header != nil {
			b.WriteString(strings.Join(fields, sep) + "\n")
		}
	}
	return b.String()
}

// besideTables are matrices with names, as a table and as BrainNet Viewer has them, and confounds.
func besideTables() (directed, alike, edge, node, motion string) {
	directed, alike = "Node", "Node"
	node = "# nodes\n"
	for i := range 24 {
		directed, alike = directed+"\t"+regionName(i), alike+"\t"+regionName(i)
		node += fmt.Sprintf("%d %d %d 1 1 %s\n", i, -i, 2*i, regionName(i))
	}
	for i := range 24 {
		directed, alike = directed+"\n"+regionName(i), alike+"\n"+regionName(i)
		for j := range 24 {
			r := math.Cos(float64(i-j)) * 0.7
			if i == j {
				r = 1
			}
			directed += fmt.Sprintf("\t%.4f", r+float64(max(i-j, 0))/100)
			alike += fmt.Sprintf("\t%.4f", r)
			edge += fmt.Sprintf("%.4f\t", r)
		}
		edge = strings.TrimSuffix(edge, "\t") + "\n"
	}
	motion = "trans_x\ttrans_y\n"
	for t := range scannedFrames {
		motion += fmt.Sprintf("%.4f\t%.4f\n", math.Sin(float64(t)), math.Cos(float64(t*t)))
	}
	return directed, alike, edge, node, motion
}

// subjectCase is the files of a subject by name, and the result.
type subjectCase struct {
	files   map[string]string
	regions int
	refused string // a part of the sentence, "" of those that open
}

// subjectFiles are the files of one subject in the layouts of many programs, by name, with the number of regions of each,
// or a part of the error.
func subjectFiles() map[string]subjectCase {
	region, number, table := regionName, signalOf, tableOf
	title := func(word, format string) func(t int) string {
		return func(t int) string {
			if t < 0 {
				return word
			}
			return fmt.Sprintf(format, t)
		}
	}
	empty := func(i, t int) string {
		if i == 3 {
			return "n/a"
		}
		return number(i, t)
	}
	directed, alike, edge, node, motion := besideTables()
	again := func(t int) string { // the volumes of two runs
		if t < 0 {
			return "Volume"
		}
		return fmt.Sprint(t % (scannedFrames / 2))
	}
	rows := strings.Split(alike, "\n")
	for i := range rows[1:] {
		fields := strings.Split(rows[i+1], "\t")
		clear(fields[i+2:])
		rows[i+1] = strings.Join(fields, "\t")
	}
	triangle := strings.Join(rows, "\n")
	return map[string]subjectCase{
		"plain":                {map[string]string{"ts.csv": table(24, region, nil, number, ",")}, 24, ""},
		"fifteen":              {map[string]string{"100001.txt": table(15, nil, nil, number, " ")}, 15, ""},
		"four":                 {map[string]string{"ts.csv": table(4, region, nil, number, ",")}, 4, ""},
		"header of numbers":    {map[string]string{"ts.csv": table(24, func(i int) string { return fmt.Sprint(i) }, nil, number, ",")}, 24, ""},
		"an index":             {map[string]string{"ts.csv": table(24, region, title("Volume", "%d"), number, ",")}, 24, ""},
		"words for frames":     {map[string]string{"ts.tsv": table(24, region, title("scan", "vol_%04d"), number, "\t")}, 24, ""},
		"a task called motion": {map[string]string{"sub-01_task-motion_timeseries.tsv": table(24, region, nil, number, "\t")}, 24, ""},
		"with confounds": {
			map[string]string{"sub-01_task-motion_bold.tsv": table(24, region, nil, number, "\t"), "sub-01_task-motion_motion.tsv": motion},
			24, ""},
		"1D": {
			map[string]string{"ts.1D": "# roi.py\n# of fifteen regions\n" + table(15, nil, nil, number, " ")},
			15, ""},
		"decimal commas":  {map[string]string{"ts.csv": strings.ReplaceAll(table(24, region, nil, number, ";"), ".", ",")}, 24, ""},
		"an empty region": {map[string]string{"ts.csv": table(24, region, nil, empty, ",")}, 23, ""},
		"connectivity":    {map[string]string{"fc.tsv": alike}, 24, ""},
		"BrainNet":        {map[string]string{"net.edge": edge, "net.node": node}, 24, ""},
		"3dNetCorr": {
			map[string]string{"a.netcc": "# 24  # Number of network ROIs\n# 1  # Number of netcc matrices\n1" + strings.Repeat(" 1", 23) + "\n# CC\n" + edge},
			0, "again, expected distinct names"},
		"directed connectivity": {map[string]string{"gppi.tsv": directed}, 0, "connectivity that is not symmetric"},
		"two subjects in a file": {
			map[string]string{"ts.csv": table(24, region, title("subject", "%d"), number, ",")}, 0, "rows of several subjects or runs in one file"},
		"two runs in a file": {
			map[string]string{"ts.csv": table(24, region, again, number, ",")}, 0, "expected the frames of one run, in the order of time"},
		"one triangle":    {map[string]string{"fc.tsv": triangle}, 24, ""},
		"a row too short": {map[string]string{"ts.csv": table(24, region, nil, number, ",") + "1,2\n"}, 0, "found 2 columns, expected 24"},
		"a frame without a value": {
			map[string]string{"ts.csv": strings.Replace(table(24, region, nil, number, ","), number(5, 7), "nan", 1)},
			0, "(1 frame of 60 hold others)"},
		"a region twice": {
			map[string]string{"ts.csv": table(24, func(i int) string { return region(i / 2 * 2) }, nil, number, ",")},
			0, "expected distinct names"},
		"names of another subject": {
			map[string]string{"ts.csv": table(24, region, nil, number, ","), "regions.csv": "name,network\na,b\nc,d\n"},
			0, "names against 2"},
	}
}

// addSharedCases adds the cases that stand beside the repository, where they are there.
func addSharedCases(t *testing.T, cases map[string]subjectCase) {
	t.Helper()
	for _, name := range []string{"series-header-of-numbers", "series-index-column", "series-name-motion", "series-of-15-regions", "series-word-per-frame",
		"directed-connectivity-named", "pconn-with-empty-parcel", "ptseries-with-empty-parcel", "timeseries-with-empty-parcels", "cpac-1d", "afni-netcc",
		"brainnet-viewer", "conn-results", "decimal-comma-series", "cifti-ras-against-las"} {
		folder := filepath.Join("../../../shared/cases", name)
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Log("not there: ../shared/cases/" + name)
			continue
		}
		c := cases[""]
		c.files = map[string]string{}
		for _, e := range entries {
			if e.Name() != "expected.txt" {
				data, err := os.ReadFile(filepath.Join(folder, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				c.files[e.Name()] = string(data)
			}
		}
		c.regions = map[string]int{"series-of-15-regions": 15, "pconn-with-empty-parcel": 23, "ptseries-with-empty-parcel": 23, "timeseries-with-empty-parcels": 38,
			"cifti-ras-against-las": 22, "directed-connectivity-named": 0}[name]
		if name == "directed-connectivity-named" {
			c.refused = "LH_Vis_1) and region 2 (LH_SomMot_1): found -0.074262 in line 2 and 0.016214 in line 3"
		} else if c.regions == 0 {
			c.regions = 40
		}
		cases[name] = c
	}
}

// The page's looking and opening, train, connectome, inspect and studies read one subject's files alike: the same regions,
// layers and notes, or the same refusal.
func TestOneReaderOfASubject(t *testing.T) {
	cases := subjectFiles()
	addSharedCases(t, cases)
	for what, c := range cases {
		t.Run(what, func(t *testing.T) {
			folder := t.TempDir()
			var paths []string
			var files []formats.File
			for name, data := range c.files {
				path := filepath.Join(folder, name)
				if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
				paths = append(paths, path)
			}
			slices.Sort(paths)
			for _, path := range paths {
				files = append(files, formats.File{Name: filepath.Base(path), Data: []byte(c.files[filepath.Base(path)])})
			}
			survey, surveyErr := run.SurveyFiles(files)
			d, err := run.OpenFiles(files, nil, nil)
			if c.refused != "" {
				sameRefusal(t, c.refused, paths, err)
				if strings.HasSuffix(paths[0], "gppi.tsv") { // the page asks
					if surveyErr != nil || !slices.Equal(survey.Questions(), []string{"directions"}) {
						t.Errorf("%+v, %v", survey, surveyErr)
					}
					if d, err = run.OpenFiles(files, nil, map[string]any{"directions": "mean"}); err != nil || d.Graph.N() != 2 {
						t.Errorf("the mean of both directions: %v", err)
					}
				}
				return
			}
			if err != nil || surveyErr != nil || survey == nil || d.Subject == nil {
				t.Fatalf("%v, %v", err, surveyErr)
			}
			sum := d.Summary()
			if sum.Nodes != c.regions || len(sum.Layers) != 2 {
				t.Errorf("the page opens %d regions, %d layers", sum.Nodes, len(sum.Layers))
			}
			about := d.Subject.(*subject.Subject)
			notes := slices.DeleteFunc(sum.Notes, func(s string) bool { return strings.Contains(s, "there is no band-pass") })

			var inspected inspectOutput
			object(t, &inspected, append([]string{"inspect", "-json"}, paths...))
			if s := inspected.Subject; s == nil || s.Regions != c.regions || s.Frames != about.Quality.Frames || s.TR != about.TR {
				t.Errorf("inspect: %+v", s)
			} else if len(s.Notes) > len(notes) || !slices.Equal(s.Notes, notes[:len(s.Notes)]) {
				t.Errorf("inspect: %q\nthe page: %q", s.Notes, notes)
			}

			var made connectomeOutput
			args := []string{"connectome", "-json"}
			if about.Quality.Frames > 0 && about.TR == 0 {
				args = append(args, "-set", "filter=none")
			}
			object(t, &made, append(args, paths...))
			if made.Regions != c.regions || made.Quality != about.Quality && made.Frames != about.Quality.Frames || !slices.Equal(made.Notes, notes) {
				t.Errorf("connectome: %d regions, %q\nthe page: %q", made.Regions, made.Notes, notes)
			}
			for k, layer := range []string{"co", "anti"} {
				if linked := made.Layers[layer]; linked.Edges > sum.Layers[k].Edges || linked.Edges+len(linked.AddedLinks) < sum.Layers[k].Edges {
					t.Errorf("connectome: %+v, the page: %+v", linked, sum.Layers[k])
				}
			}

			var trained struct{ Notes []string }
			object(t, &trained, append([]string{"train", "-json", "-set", "epochs=2"}, paths...))
			if len(trained.Notes) < len(sum.Notes) || !slices.Equal(trained.Notes[:len(sum.Notes)], d.Notes) {
				t.Errorf("train: %q\nthe page: %q", trained.Notes, d.Notes)
			}
			if about.Quality.Frames > 0 {
				studied(t, files, c.regions)
			}
		})
	}
}

// object runs a command and reads what it prints.
func object(t *testing.T, into any, args []string) {
	t.Helper()
	out, stderr, err := command(t, args...)
	if err == nil {
		err = json.Unmarshal([]byte(out), into)
	}
	if err != nil {
		t.Fatalf("%s: %v %s", args[0], err, stderr)
	}
}

// sameRefusal asks every command for the sentence of the page.
func sameRefusal(t *testing.T, want string, paths []string, page error) {
	t.Helper()
	if page == nil || !strings.Contains(page.Error(), want) {
		t.Fatalf("the page: %v", page)
	}
	series := []string{"connectome", "-json", "-set", "filter=none"}
	if strings.HasSuffix(paths[0], ".netcc") {
		series = series[:2]
	}
	if _, _, err := command(t, append([]string{"inspect"}, paths...)...); err == nil || !strings.Contains(err.Error(), page.Error()) {
		t.Errorf("inspect: %v\nthe page: %v", err, page)
	}
	for _, args := range [][]string{{"train", "-json", "-set", "epochs=2"}, series} {
		if _, _, err := command(t, append(args, paths...)...); err == nil || err.Error() != page.Error() {
			t.Errorf("%s: %v\nthe page: %v", args[0], err, page)
		}
	}
}

// studied prepares the only scan of a cohort.
func studied(t *testing.T, files []formats.File, regions int) {
	t.Helper()
	specs, contents := run.InMemory(files)
	scan := run.Scan{Name: "a scan", File: files[0].Name}
	for _, f := range files {
		if strings.HasSuffix(f.Name, "motion.tsv") {
			scan.Confounds = f.Name
		} else if strings.Contains(f.Name, "dtseries") || strings.HasSuffix(f.Name, "edge") {
			scan.File = f.Name
		}
	}
	r, m, data := &measure.Result{}, measure.Spec{Kind: measures.Scans}, &run.DataSpec{Files: specs, Scans: []run.Scan{scan}}
	err := m.Prepare(r, data, &run.Settings{}, contents, func(int, int) error { return nil })
	if err != nil || r.Array("moments").Shape[1] != 2*regions {
		t.Errorf("a study: %v", err)
	}
}
