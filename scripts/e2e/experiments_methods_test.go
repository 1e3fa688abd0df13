package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cadem/core/formats"
	"cadem/core/run"
	"cadem/core/study"
)

// TestLeaderboard holds CaDeM against all other methods on files that are open, finds the native figures and sentences, sorts the table, and
// saves it for LaTeX.
func TestLeaderboard(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("cadem.state().owner && document.querySelector('[data-study=table6]')")
		v.Give("#open-files", firm...)
		v.Until("document.querySelector('#data-summary').textContent.includes('firm') && " + untouch)
		v.Until("document.querySelector('[data-study=table6] .figures').textContent.startsWith('1 model seed, firm_multiplex.edges')")
		v.Enter(".orders [name=methods]", "lite")
		v.Want("[data-study=table6]", "all methods, lite")
		v.Push("[data-study=table6] .primary")
		v.until("document.querySelector('[data-study=table6] .report table')", 3*patience)

		var files []formats.File
		for _, path := range firm {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, formats.File{Name: filepath.Base(path), Data: data})
		}
		specs, contents := run.InMemory(files)
		want := report(t, study.Order{Study: "table6", Files: specs, Methods: "all", Level: "lite"}, contents)
		v.Want("[data-study=table6]", want.Findings...)
		shown := v.lines("table6")
		got, expected := figuresOf(shown), figuresOf(want.Lines(3))
		if len(got) == 0 || fmt.Sprint(got) != fmt.Sprint(expected) {
			t.Errorf("the page shows\n%q, natively it is\n%q", got, expected)
		}
		if !strings.Contains(fmt.Sprint(got), "DGI") || !strings.Contains(fmt.Sprint(got), "lite") {
			t.Errorf("no lite DGI among %q", got)
		}

		column := 0
		for k, title := range shown[0] {
			if title == "method" {
				column = k
			}
		}
		v.Push(fmt.Sprintf("[data-study=table6] .report .every-figure th:nth-child(%d) button", column+1))
		sorted := v.lines("table6")
		for i := 2; i < len(sorted); i++ {
			if strings.ToLower(sorted[i-1][column]) > strings.ToLower(sorted[i][column]) {
				t.Errorf("%q stands before %q", sorted[i-1][column], sorted[i][column])
			}
		}
		if len(sorted) != len(shown) {
			t.Errorf("%d rows of %d after sorting", len(sorted), len(shown))
		}
		v.Read(nil, "[...document.querySelectorAll('[data-study=table6] button')].find(b => b.textContent === 'Table, LaTeX').click()")
		if text := string(download(t, v, "table6.tex")); text != study.LaTeX([]*study.Report{want}) {
			t.Errorf("saved\n%s", text)
		}
		v.Check()
	})
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
