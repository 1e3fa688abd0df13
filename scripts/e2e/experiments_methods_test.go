package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
)

// TestLeaderboard compares CaDeM with all other methods on open files, watches the report grow, finds the native figures and
// sentences, sorts the table, and saves it for LaTeX and as CSV.
func TestLeaderboard(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned && experiments.card", "table6")
		v.Give("#open-files", firm...)
		v.Until("data.says && lab.untouched", "firm")
		v.Until("experiments.figures", "table6", "1 model seed, firm_multiplex.edges")
		v.Enter(".orders [name=width]", "16")
		v.Enter(".orders [name=predictions]", "on")
		v.Read(nil, "hand.press", "[data-study=table6] button", "Compare all methods, lite")
		v.Until("address.has", "view.order=methods-lite.width-16.predictions-on")
		v.until(3*patience, "experiments.someLeft", "table6")
		v.until(6*patience, "experiments.reported && !experiments.busy && !see.says", "table6", "[data-study=table6] .report", "not run yet")
		v.Want("[data-study=table6]", "all methods, lite")

		specs, contents := run.InMemory(given(t, firm))
		order := study.Order{Study: "table6", Files: specs, Methods: "all", Level: "lite", Width: 16, Predictions: true}
		want := report(t, order, contents)
		for _, s := range want.Findings {
			v.Want("[data-study=table6]", strings.Split(s, " By the well-fitted reader: ")...) // which may stand in a fold
		}
		shown := v.lines("table6")
		got, expected := figuresOf(shown), figuresOf(want.Lines(3))
		if len(got) == 0 || fmt.Sprint(got) != fmt.Sprint(expected) {
			t.Errorf("the page shows\n%q, natively it is\n%q", got, expected)
		}
		for _, label := range []string{"DGI", "HDMI", "MVGRL", "DMG", "MCGC", "VGAE", "lite"} {
			if !strings.Contains(fmt.Sprint(got), label) {
				t.Errorf("no %s among %q", label, got)
			}
		}
		v.sortedBy("table6", shown, "method")
		save := func(text string) {
			v.Read(nil, "hand.press", "[data-study=table6] button", text)
		}
		save("Table, LaTeX")
		if text := string(download(t, v, "table6.tex")); text != study.LaTeX([]*study.Report{want}) {
			t.Errorf("saved\n%s", text)
		}
		save("Table, CSV")
		if text := string(download(t, v, "table6.csv")); !strings.Contains(text, "DGI,lite,combined") {
			t.Errorf("saved\n%s", text)
		}
		save("Predictions, CSV")
		text := string(download(t, v, "table6.predictions.csv"))
		if line, _, _ := strings.Cut(text, "\n"); line != "study,task,key,target,fold,part,item,class,predicted,fitted" || !strings.Contains(text, ",test,") {
			t.Errorf("saved\n%.500s", text)
		}
		v.Check()
		v.must(v.Navigate("about:blank")) // as a link to another place in the page would not leave it
		v.Load(Small.Link() + "&view.order=methods-lite.width-16.predictions-on.seeds-0.nothing-1")
		v.Until("page.started && see.value", ".orders [name=width]", "16")
		v.Want("#messages", "seeds-0", "nothing-1")
		v.Until("see.value && see.value", ".orders [name=predictions]", "on", ".orders [name=methods]", "lite")
	})
}

// given reads files as a reader gives them.
func given(t *testing.T, paths []string) (files []formats.File) {
	t.Helper()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, formats.File{Name: filepath.Base(path), Data: data})
	}
	return files
}

// sortedBy sorts the figures of a report by a column of text and fails the test unless all of them are there in that order.
func (v *Visit) sortedBy(name string, shown [][]string, title string) {
	v.t.Helper()
	column := 0
	for k, text := range shown[0] {
		if text == title {
			column = k
		}
	}
	v.Push(fmt.Sprintf("[data-study=%s] .report .every-figure th:nth-child(%d) button", name, column+1))
	sorted := v.lines(name)
	for i := 2; i < len(sorted); i++ {
		if strings.ToLower(sorted[i-1][column]) > strings.ToLower(sorted[i][column]) {
			v.t.Errorf("%q stands before %q", sorted[i-1][column], sorted[i][column])
		}
	}
	if len(sorted) != len(shown) {
		v.t.Errorf("%d rows of %d after sorting", len(sorted), len(shown))
	}
}

// figuresOf gives the rows of a table, cells by their titles, without the time that a training took.
func figuresOf(lines [][]string) (rows []map[string]string) {
	for _, line := range lines[1:] {
		row := map[string]string{}
		for k, title := range lines[0] {
			if title != "seconds" {
				row[title] = line[k]
			}
		}
		rows = append(rows, row)
	}
	return rows
}
