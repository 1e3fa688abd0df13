package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/brain/cohort"
	"cadem.example/scripts/e2e/drive"
)

// brain is a small made-up brain.
var brain = Course{Example: "cohort", Data: map[string]any{"regions": 120, "frames": 100}, Options: map[string]any{"epochs": 8, "eval_epochs": 2}}

// marked waits until each layer's networks add up to n marked regions.
func (v *Visit) marked(n int) {
	v.t.Helper()
	v.Until("brain.networksHold", n)
}

// yeo are the marks of networks, wherever one appears.
var yeo = []string{"Visual", "Somatomotor", "Dorsal Attention", "Ventral Attention", "Limbic", "Frontoparietal", "Default"}

// networks expects every network of the brain's legend, of its tables and of the legend of the
// embeddings in the colour of its name, and bold just where it is beyond chance.
func (v *Visit) networks() {
	v.t.Helper()
	v.colourBy("labels:network")
	v.Until("see.says", "#embeddings-view .legend", "Somatomotor")
	var shown [][2]string
	v.Read(&shown, "brain.marks")
	if len(shown) != 4*len(yeo) {
		v.t.Errorf("%d marks of networks: %v", len(shown), shown)
	}
	for _, s := range shown {
		if want := fmt.Sprintf("mark-%d", slices.Index(yeo, s[0])); s[1] != want {
			v.t.Errorf("%s is drawn as %s, expected %s", s[0], s[1], want)
		}
	}
	var rows []struct {
		Bold bool
		P    string
	}
	v.Read(&rows, "brain.networkRows")
	for _, r := range rows {
		p, err := strconv.ParseFloat(r.P, 64)
		if small := strings.HasPrefix(r.P, "<"); !small && err != nil || r.Bold != (small || p < 0.05) {
			v.t.Errorf("p %q, bold: %v", r.P, r.Bold)
		}
	}
}

// TestBrain looks at the brain view before, during and after a run: with the pointer's
// slider, with the keyboard, and in figures. Other data have none.
func TestBrain(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, brain.Link())
		v.Reveal("#brain")
		v.marked(12)
		v.Want("#data-picker", "synthetic")
		v.Want("#brain-view .legend", "Visual", "Default")
		v.networks()
		if n := v.Count("#brain-view canvas"); n != 2 {
			t.Errorf("%d brains, expected one for each layer", n)
		}
		v.Finish()
		v.Read(nil, "hand.set", "#brain-share", 50)
		v.marked(60)
		v.Push("#brain-paper")
		v.marked(12)
		var said []string
		v.Read(&said, "brain.walk")
		for k, want := range []string{": 1 of 12, synthetic ", ": 2 of 12, synthetic ", ": 12 of 12, synthetic "} {
			if len(said) != 3 || !strings.Contains(said[k], want) {
				t.Errorf("the brain says %q, expected %q at %d", said, want, k)
			}
		}
		v.Want("#brain-view .tip", "synthetic", "co-activation")
		v.Read(nil, "hand.open", "#brain-view details")
		v.Until("see.count", "#brain-view .twin tbody tr", 24)
		Axe(t, v.Browser)
		if v.Resize(390, 844) == nil {
			v.inSight("a brain on a phone", "#brain-view .time:has(#brain-share) span", "#brain-view .time:has(#brain-edges) span")
			v.must(v.Resize(1280, 800))
		}
		// Pictures and the table leave as files.
		for kind, begins := range map[string]string{"svg": "<svg xmlns=", "png": "\x89PNG"} {
			v.Push("#brain-view [aria-label='Save the brains as " + strings.ToUpper(kind) + "']")
			b := download(t, v, "cadem-brain."+kind)
			if !strings.HasPrefix(string(b), begins) {
				t.Errorf("%s begins with %.40q", kind, b)
			}
			if svg := string(b); kind == "svg" &&
				(!strings.Contains(svg, "Private P2, anti-activation") || strings.Contains(svg, "NaN") || strings.Count(svg, "<rect") < 2*3*120) {
				t.Errorf("the picture is %.400s", svg)
			}
		}
		v.Read(nil, "hand.press", "#brain-view button", "Save table")
		if rows := strings.Split(strings.TrimSpace(string(download(t, v, "cadem-regions.csv"))), "\n"); len(rows) != 121 ||
			!strings.HasPrefix(rows[0], "region,network,x,y,z,co-activation,co-activation marked") {
			t.Errorf("%d rows, the first %q", len(rows), rows[0])
		}
		// The figure of all conditions, run by the pool.
		v.Read(nil, "hand.set", "[data-study=regions] [name=subjects]", 2)
		v.Push("#brain-conditions")
		v.Until("see.count", "[data-study=regions] .charts img", 6)
		v.Read(nil, "hand.openAll", "[data-study=regions] .report details")
		v.Want("[data-study=regions] .report", "emotion (synthetic), anti-activation", "by chance", "untrained", "nothing here comes from a brain")
		Axe(t, v.Browser)
		v.Read(nil, "hand.click", `#data-picker input[value="syn1"]`)
		v.Until("lab.shipped && brain.hidden")
		v.Check()
	})
}

// TestSubject opens the series of an invented subject with a table of its regions, says what
// the files leave open, changes the steps, and finds them again after a visit and in the same
// run of the command line.
func TestSubject(t *testing.T) {
	o := &cohort.Options{}
	property.Defaults(o)
	o.Regions, o.Frames = 80, 90
	c, err := cohort.New(o, 5)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Series(0, 0)
	series, regions := strings.Join(s.Regions, ",")+"\n", "name,network,x,y,z\n"
	for frame := range s.Frames {
		row := make([]string, s.M())
		for i := range row {
			row[i] = fmt.Sprintf("%.5f", s.Row(i)[frame])
		}
		series += strings.Join(row, ",") + "\n"
	}
	for i, p := range c.Atlas.Centroids {
		regions += fmt.Sprintf("%s,%s,%g,%g,%g\n", c.Atlas.Names[i], c.Atlas.Networks[c.Atlas.Network[i]], p[0], p[1], p[2])
	}
	folder := t.TempDir()
	var files []string
	for _, f := range [][2]string{{"series.csv", series}, {"regions.csv", regions}} {
		file := filepath.Join(folder, f[0])
		if err := os.WriteFile(file, []byte(f[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Give("#open-files", files...)
		v.Until("importing.open")
		v.Want("dialog.import", "series of 80 regions x 90 frames", "table of 80 regions in 7 networks", "Time between frames")
		Axe(t, v.Browser)
		v.Enter("#ask-tr", "soon")
		v.Push("#import-open")
		v.Until("importing.problem", `found "soon", expected a number`)
		v.Enter("#ask-tr", "")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.marked(8)
		v.Want("#data-summary", "80 nodes, 2 layers", "co-activation", "no band-pass", "detrend", "how long one takes is not known", "positive")
		v.networks()
		before := v.State().Run
		v.Enter("#dataOptions-tr", "0.72")
		v.Enter("#dataOptions-keep", "20")
		v.Until("lab.untouched && !runs.current && data.says", before, "the strongest 20 %")
		v.Want("#data-summary", "band-pass 0.008-0.08 Hz", "90 frames of 0.72 s")
		v.marked(8)
		Axe(t, v.Browser)
		course := Course{Files: files, Data: map[string]any{"tr": 0.72, "keep": 20}, Options: map[string]any{"epochs": 6, "eval_epochs": 2}}
		v.Enter("#options-epochs", "6")
		v.Enter("#evaluation-eval_epochs", "2")
		v.Until("lab.untouched && settings.epochs && lab.epochs", 6, 6)
		s := v.Finish()
		if want := course.Train(t).Hash; s.Hash != want {
			t.Errorf("hash %s, natively %s", s.Hash, want)
		}
		v.Load("")
		v.Push("[data-run=" + strconv.Quote(s.Run) + "] [data-act=open]")
		v.Until("lab.finished")
		v.marked(8)
		v.Want("#data-summary", "the strongest 20 %")
		v.Until("settings.dataOption && settings.dataOption && lab.unhinted", "keep", 20, "tr", 0.72)
		v.Check()
	})
}

// turnedAway opens unusable files, and expects to be told why and to find the open data set
// unchanged.
func (v *Visit) turnedAway(want string, files ...string) {
	v.t.Helper()
	run := v.State().Run
	v.Read(nil, "data.forgetProblem")
	v.Give("#open-files", files...)
	v.Until("data.refused && importing.closed")
	v.Want("#files-problem", want)
	if v.State().Run != run {
		v.t.Errorf("%s: another run is open", files)
	}
}

// TestBadSubjects opens files of brains with mistakes.
func TestBadSubjects(t *testing.T) {
	const m, frames = 40, 60
	dir := t.TempDir()
	write := func(name string, line func(row int) string, rows int) string {
		text := ""
		for i := range rows {
			text += line(i) + "\n"
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	names := make([]string, m)
	for i := range names {
		names[i] = fmt.Sprint("r", i)
	}
	series := func(row int) string {
		if row == 0 {
			return strings.Join(names, ",")
		}
		cells := make([]string, m)
		for i := range cells {
			cells[i] = fmt.Sprintf("%.4f", math.Sin(float64(row*(i%5+1))/7)+0.3*math.Sin(float64(row*row+i*i))-float64(i%2)*math.Sin(float64(row)/3))
		}
		return strings.Join(cells, ",")
	}
	atlas := func(extra string) func(int) string {
		return func(row int) string {
			switch {
			case row == 0:
				return "name,network,x,y,z"
			case row > m:
				return extra + ",A,0,0,0"
			}
			return fmt.Sprintf("r%d,A,%d,%d,%d", row-1, row%7, row%5, row%3)
		}
	}
	good := write("good.csv", series, frames+1)
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, brain.Link())
		v.turnedAway("nan.csv:6: region 1 (r0), frame 5: found NaN, expected finite numbers (1 frame of 60 hold others)", write("nan.csv", func(row int) string {
			if row == 5 {
				return "nan" + series(row)[strings.Index(series(row), ","):]
			}
			return series(row)
		}, frames+1))
		v.turnedAway("frames: found 3, expected at least 10", write("three.csv", series, 4))
		v.turnedAway("good.csv: regions: found 40 names against 41, missing: \"other\"", good, write("more.csv", atlas("other"), m+2))
		v.turnedAway("found the name \"r3\" of region 4 in line 5 again, expected distinct names", good, write("twice.csv", atlas("r3"), m+2))
		v.turnedAway("fc.csv: anti-activation: found no edges (of the pairs 100.0 % are positive, 0.0 % negative)",
			write("fc.csv", func(int) string { return strings.Repeat("0.5,", m-1) + "0.5" }, m))
		v.Want("#data-summary", "120 nodes")
		v.Check()
	})
}

// TestRealSubject opens the real files, if there are any.
func TestRealSubject(t *testing.T) {
	data := filepath.Join("..", "..", "..", "shared", "data")
	for _, name := range []string{"cifti/s01_rest.ptseries.nii", "hcp/atlas/glasser360_parcels.csv", "cifti/RSN-networks.32k_fs_LR.CIFTI1.dlabel.nii",
		"cifti/Glasser_Validation210_32k_fs_LR.dlabel.nii", "hcp/aal2/n01_TC_rsfMRI_REST1_LR.mat"} {
		if _, err := os.Stat(filepath.Join(data, name)); err != nil {
			t.Skip("the real data is not there: ../shared/data/" + name)
		}
	}
	at := func(name string) string {
		path, err := filepath.Abs(filepath.Join(data, name))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		// A header that tells the time between frames leaves nothing to ask.
		v.Give("#open-files", at("cifti/s01_rest.ptseries.nii"), at("hcp/atlas/glasser360_parcels.csv"))
		v.Until("lab.untouched")
		v.marked(36)
		v.Want("#data-summary", "360 nodes, 2 layers", "1195 frames of 0.72 s", "band-pass 0.008-0.08 Hz", "77.8 % positive, 22.2 % negative",
			"9 in co-activation, 8 in anti-activation")
		v.turnedAway("found a CIFTI-1 file", at("cifti/RSN-networks.32k_fs_LR.CIFTI1.dlabel.nii"))
		v.turnedAway("no series and no functional connectivity", at("cifti/Glasser_Validation210_32k_fs_LR.dlabel.nii"))
		v.Give("#open-files", at("hcp/aal2/n01_TC_rsfMRI_REST1_LR.mat"))
		v.Until("importing.open")
		v.Want("dialog.import", "series of 94 regions x 1200 frames")
		v.Enter("#ask-tr", "0.72")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Want("#data-summary", "94 nodes, 2 layers", "1200 frames of 0.72 s, 864 s")
		v.Check()
	})
}
