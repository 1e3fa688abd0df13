package e2e

import (
	"reflect"
	"strings"
	"testing"

	"cadem/core/study"
	"cadem/scripts/e2e/drive"
)

// TestExperiments runs an experiment, closes the tab in its middle, goes on after it is
// opened again with nothing run twice, and finds the native report to the digit.
func TestExperiments(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		o := study.Order{Study: "table2", Seeds: 3}
		tasks, err := study.Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		results, err := (&study.Scheduler{}).Run(tasks)
		if err != nil {
			t.Fatal(err)
		}
		want, err := study.Assemble(o, results)
		if err != nil {
			t.Fatal(err)
		}

		s, profile := NewSite(t), t.TempDir()
		v := Open(t, engine, s, drive.Options{Profile: profile}, Small.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		v.Until("document.querySelector('[data-study=table2]')")
		v.Enter(".orders [name=workers]", "1")
		v.Enter(".orders [name=seeds]", "3")
		v.Push("[data-study=table2] .primary")
		// The first result is kept while the others are not there yet.
		v.Until("cadem.experiments.stored('table2')[0]?.finished === 1 && cadem.experiments.pending === 0")
		v.Check()
		v.Kill()

		v = Open(t, engine, s, drive.Options{Profile: profile}, "")
		v.Until("document.querySelector('[data-notice=studies]')")
		v.Want("[data-notice=studies]", "interrupted at 1 of 3")
		v.Read(nil, `globalThis.ran = [];
const run = cadem.pool.run.bind(cadem.pool);
cadem.pool.run = (tasks, o) => { ran.push(...tasks.map(t => t.name)); return run(tasks, o); };`)
		v.Push("[data-notice=studies] button")
		v.Until("document.querySelector('[data-study=table2] .report table')")
		var ran []string
		v.Read(&ran, "return ran")
		if !reflect.DeepEqual(ran, []string{tasks[1].Name, tasks[2].Name}) {
			t.Errorf("after the restart these were run: %q", ran)
		}
		var shown [][]string
		v.Read(&shown, "return [...document.querySelectorAll('[data-study=table2] .report tr')].map(r => [...r.cells].map(c => c.textContent))")
		if lines := want[0].Lines(3); !reflect.DeepEqual(shown, lines) {
			t.Errorf("the page shows %q, natively it is %q", shown, lines)
		}
		v.Want("[data-study=table2]", want[0].Text, want[0].Findings[0], "3 tasks done")

		// A link names the experiment, and its report is there at once.
		var link string
		v.Read(&link, "return location.hash")
		if !strings.Contains(link, "view.study=table2") {
			t.Errorf("the link is %q", link)
		}
		v.Load(link)
		v.Until("document.querySelector('[data-study=table2] .report img')?.naturalWidth > 0")
		v.Want(".study[data-study=table1]", "Run")
		v.Push("[data-study=table2] .actions .quiet")
		v.Until("!document.querySelector('[data-study=table2] .report').children.length && cadem.experiments.pending === 0")
		v.Load("")
		v.Until("document.querySelector('[data-study=table2]')")
		if n := v.Count("[data-study=table2] .report *"); n != 0 {
			t.Errorf("a deleted report is still there, %d elements", n)
		}
		v.Check()
	})
}

// TestStopExperiment stops an experiment; what is running ends, and what is there can be
// looked at.
func TestStopExperiment(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Until("document.querySelector('[data-study=table2]')")
		v.Enter(".orders [name=workers]", "1")
		v.Enter(".orders [name=seeds]", "50")
		v.Push("[data-study=table2] .primary")
		v.Until("cadem.experiments.stored('table2')[0]?.finished > 0")
		v.Push("[data-study=table2] .actions button:nth-child(2)")
		v.Until("cadem.pool.busy === 0 && !cadem.experiments.state({study: 'table2', seeds: 50}).running")
		v.Want("[data-study=table2]", "Stopped with", "of 50 tasks done", "Continue")
		v.Push("[data-study=table2] [aria-expanded]")
		v.Until("document.querySelector('[data-study=table2] .report table')")
		v.Want("[data-study=table2] .report", "of 50 tasks not run yet")
		v.Check()
	})
}
