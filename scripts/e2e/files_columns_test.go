package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
	"cadem.example/scripts/e2e/drive"
)

// write writes a file for a test and returns its path.
func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// typed is a list of links among 24 people whose header does not say that the last column but one is the layer; its words do.
func typed() string {
	var b strings.Builder
	b.WriteString("from,to,type,weight\n")
	for i := range 24 {
		for _, step := range []int{1, 2, 5} {
			fmt.Fprintf(&b, "user_%02d,user_%02d,likes,%d\n", i, (i+step)%24, 1+i%3)
			fmt.Fprintf(&b, "user_%02d,user_%02d,knows,%d\n", i, (i+2*step)%24, 1+i%2)
		}
	}
	return b.String()
}

// bare is a list of numbers that does not show whether the third column is the layer, or the fourth.
func bare() string {
	var b strings.Builder
	for i := range 30 {
		for step := range 4 {
			fmt.Fprintf(&b, "%d %d %d %d\n", i, (i+1+step)%30, 1+step%2, 1+(i+step/2)%3)
		}
	}
	return b.String()
}

// column chooses what a column is, counted from 1.
func (v *Visit) column(k int, role string) {
	v.t.Helper()
	v.Read(nil, "importing.columnIs", k, role)
}

// columns reads what each column is taken for, and which reading is marked.
func (v *Visit) columns() (roles, reading string) {
	v.t.Helper()
	v.Read(&roles, "importing.columns")
	v.Read(&reading, "importing.reading")
	return roles, reading
}

// keptChoice reads from an exported run what was chosen.
func (v *Visit) keptChoice() *formats.Choice {
	v.t.Helper()
	v.Push("#export-run")
	a, err := archive.Read(download(v.t, v, "*-run.zip"))
	v.must(err)
	u, err := run.Unpack(a)
	v.must(err)
	return u.Record.Data.Choice
}

// fits fails the test unless the dialog fits screens of any width, in both themes, and has no fault that axe finds.
func (v *Visit) fits() {
	v.t.Helper()
	for _, width := range []int{1280, 390} {
		if err := v.Resize(width, 800); errors.Is(err, drive.ErrUnsupported) {
			continue
		}
		for _, dark := range []bool{false, true} {
			if err := v.SetMedia(drive.Media{Dark: dark}); err == nil || !dark {
				Axe(v.t, v.Browser)
			}
		}
		var over int
		v.Read(&over, "importing.tooWide")
		if over > 0 {
			v.t.Errorf("at %d pixels the dialog is %d too wide", width, over)
		}
	}
	_ = v.Resize(1280, 800)
	_ = v.SetMedia(drive.Media{})
}

// TestColumnsDialog opens a list whose layers no title names, says otherwise what the columns are, and finds that again.
func TestColumnsDialog(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		list := write(t, filepath.Join(t.TempDir(), "ties.csv"), typed())
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", list)
		v.Until("lab.untouched && data.layers", 2)
		v.Want("#data-summary", `3 "type" as layer: 2 values`)
		v.Push("#choose-again")
		v.Until("importing.open")
		v.Want("dialog.import", "ties.csv", "Its columns were taken as their titles and their contents have it.", "user_00", "likes")
		if roles, _ := v.columns(); roles != "source,target,layer,weight" {
			t.Errorf("columns %s", roles)
		}
		v.fits()
		v.column(4, "-") // although the header calls it the weight
		v.Push("#import-open")
		v.Until("see.there", "[data-part=knows]")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Until("data.layers", 2)
		if got, want := v.layerTable(), [][3]string{{"knows", "72", "0"}, {"likes", "72", "0"}}; !slices.Equal(got, want) {
			t.Errorf("layers %v, expected %v", got, want)
		}
		v.Enter("#options-epochs", "20")
		v.Until("lab.untouched")
		v.Push("#play")
		v.Until("lab.trained && lab.kept")
		st := v.State()
		c := Course{Files: []string{list}, Options: map[string]any{"epochs": 20}, Choice: &formats.Choice{Columns: "source,target,layer,-"}}
		if want := c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}

		v.Load("")
		v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
		v.Until("lab.trained")
		if again := v.State(); again.Hash != st.Hash {
			t.Errorf("after another visit: %+v", again)
		}
		if choice := v.keptChoice(); choice == nil || choice.Columns != c.Choice.Columns {
			t.Errorf("the exported run has %+v", choice)
		}
		// The answer is there to be changed.
		v.Push("#choose-again")
		v.Until("importing.open")
		if roles, _ := v.columns(); roles != c.Choice.Columns {
			t.Errorf("columns %s, expected those that were chosen", roles)
		}
		v.column(4, "weight")
		v.Push("#import-open")
		v.Until("see.there", "[data-part=knows]")
		v.Want("[data-part=knows]", "float64") // it was bool without weights
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Check()
	})
}

// contacts are links of twelve people as a researcher keeps them, in twelve columns, of which two titles name the ends.
func contacts() string {
	var b strings.Builder
	b.WriteString("record_id,date,Actor_A,Actor_B,channel,hours,site,year,project,language,score,status\n")
	for i := range 12 {
		for k, channel := range []string{"mail", "visit", "phone"} {
			n := 3*i + k
			fmt.Fprintf(&b, "%d,2024-%02d-%02d,person %c,person %c,%s,%d,%s,%d,P%d,%s,%.2f,checked\n", n, 1+n%12, 1+n%28, 'A'+i, 'A'+(i+1+2*k)%12,
				channel, 1+n%7, []string{"Rome", "Oslo"}[n%2], 2019+n%4, n%5, []string{"it", "en", "no"}[(i+k)%3], float64(n%11)/10)
		}
	}
	return b.String()
}

// TestResearchersFile opens a list of twelve columns by two choices: which is the layer, and which the weight.
func TestResearchersFile(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", write(t, filepath.Join(t.TempDir(), "contacts.csv"), contacts()))
		v.Until("importing.open")
		v.Want("dialog.import", "contacts.csv", "No column of this list is known to say the layer of a link.", "Actor_A", "person A", "phone")
		if roles, _ := v.columns(); roles != "-,-,source,target"+strings.Repeat(",-", 8) {
			t.Errorf("columns %s", roles)
		}
		v.fits()
		v.looked("columns", [][2]int{{1280, 800}, {390, 800}})
		v.must(v.SetMedia(drive.Media{}))
		v.must(v.Resize(1280, 800))
		v.column(5, "layer")
		v.column(6, "weight")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched && data.says", "phone")
		if got, want := v.layerTable(), [][3]string{{"mail", "12", "0"}, {"phone", "12", "0"}, {"visit", "12", "0"}}; !slices.Equal(got, want) {
			t.Errorf("layers %v, expected %v", got, want)
		}
		v.Check()
	})
}

// TestLikelyReadings chooses between the ways to read bare numbers, with the keyboard and without, and gives up.
func TestLikelyReadings(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		list := write(t, filepath.Join(t.TempDir(), "net.edges"), bare())
		v := OpenReady(t, engine, Small.Link())
		before := v.State()
		v.Give("#open-files", list)
		v.Until("importing.open")
		v.Want("dialog.import", "net.edges", "The columns of this list can be read in two ways.")
		var readings []string
		v.Read(&readings, "importing.readings")
		if len(readings) < 2 {
			t.Fatalf("readings %q", readings)
		}
		v.fits()
		for _, r := range readings {
			v.Read(nil, "hand.click", "[name=import-reading][value='"+r+"']")
			if roles, now := v.columns(); roles != strings.ReplaceAll(r, "time", "-") || now != r {
				t.Errorf("reading %s: columns %s, marked %q", r, roles, now)
			}
		}
		v.column(2, "source")
		v.Want("#import-problem", "Choose \u201cfrom a node\u201d for one column and \u201cto a node\u201d for another.")
		if _, now := v.columns(); now != "" {
			t.Errorf("marked: %s", now)
		}
		v.Until("importing.blocked")
		v.Read(nil, "hand.press", "dialog.import button", "Cancel")
		v.Until("importing.closed")
		if now := v.State(); now != before {
			t.Errorf("given up: %+v, before %+v", now, before)
		}

		// The keyboard alone: the focus is on the reading that is marked.
		v.Give("#open-files", list)
		v.Until("importing.open")
		v.Until("see.focused", "[name=import-reading]:checked")
		v.must(v.Press("ArrowDown"))
		roles, now := v.columns()
		if now != readings[1] || roles != readings[1] {
			t.Errorf("after the arrow: columns %s, marked %s, expected %s", roles, now, readings[1])
		}
		v.must(v.Press("Enter"))
		c := Course{Files: []string{list}, Choice: &formats.Choice{Columns: readings[1]}}
		d, _ := c.Open(t)
		v.Until("importing.closed && lab.untouched && data.says", fmt.Sprintf("30 nodes, %d layers", len(d.Graph.Layers)))
		v.Check()
	})
}

// TestFeaturesByName opens names and rows of features in another order, and sees that each goes to its node.
func TestFeaturesByName(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		list := write(t, filepath.Join(dir, "edges.csv"), strings.Replace(typed(), "type", "layer", 1))
		var rows []string
		for i := range 24 {
			rows = append(rows, fmt.Sprintf("user_%02d,%d,%d", i, i+1, (i+1)*(i+1)))
		}
		slices.Reverse(rows)
		table := func(rows []string) string { return "id,f0,f1\n" + strings.Join(rows, "\n") + "\n" }
		features := write(t, filepath.Join(dir, "features.csv"), table(rows))
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", list, features)
		v.Until("importing.open")
		v.Read(nil, "importing.unfold")
		var shown []string
		v.Read(&shown, "importing.firstRows")
		if want := []string{"user_00: f0 = 1: f1 = 1", "user_01: f0 = 2: f1 = 4", "user_02: f0 = 3: f1 = 9"}; len(shown) < 3 || !slices.Equal(shown[:3], want) {
			t.Errorf("first rows %q, expected %q", shown, want)
		}
		v.fits()
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched && data.says", "24 nodes, 2 layers, 2 features")

		// An id of no node is named with its line, and nothing opens with it.
		before := v.State()
		stranger := write(t, filepath.Join(dir, "strange", "features.csv"), table(append(rows[:23:23], "user_99,1,1")))
		v.Give("#open-files", list, stranger)
		v.Until("importing.open")
		const problem = `features.csv:25: node: found 1 row of other nodes: "user_99", expected ids among the 24 nodes of edges.csv`
		v.Want("[data-part=features] .problem", problem)
		v.fits()
		v.Push("#import-open")
		v.Until("importing.refused")
		v.Want("#import-problem", problem)
		v.must(v.Press("Escape"))
		v.Until("importing.closed")
		if now := v.State(); now != before {
			t.Errorf("given up: %+v, before %+v", now, before)
		}
		v.Check()
	})
}

// TestFolderOfLayers opens a folder in which files of one name lie in folders of their own, and has it dropped: each is a layer, named
// after both.
func TestFolderOfLayers(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if engine != "chromium" {
			t.Skip("the driver of " + engine + " hands no folder over")
		}
		for _, names := range [][]string{
			{"2015/friends", "2016/friends", "2016/work"},
			{"2015/friends", "2015/work", "2016/friends", "2016/work"}, // as many graphs of two classes would lie
		} {
			net := filepath.Join(t.TempDir(), "net")
			var want [][3]string
			for k, name := range names {
				var b strings.Builder
				for i := range 20 {
					fmt.Fprintf(&b, "%d %d\n%d %d\n", i, (i+1+k)%20, i, (i+7)%20)
				}
				write(t, filepath.Join(net, name+".edges"), b.String())
				want = append(want, [3]string{name, "40", "0"})
			}
			for _, give := range []func(v *Visit){func(v *Visit) { v.Give("#open-folder", net) }, func(v *Visit) { v.must(v.Drop(net)) }} {
				v := OpenReady(t, engine, Small.Link())
				give(v)
				v.Until("lab.untouched && data.says", fmt.Sprintf("20 nodes, %d layers", len(names)))
				if got := v.layerTable(); !slices.Equal(got, want) {
					t.Errorf("layers %v, expected %v", got, want)
				}
				v.Check()
			}
		}
	})
}
