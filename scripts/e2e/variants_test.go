package e2e

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"cadem/core/formats"
	"cadem/core/run"
	"cadem/core/study"
	"cadem/core/study/experiments"
	"cadem/scripts/e2e/drive"
)

// TestVariantsOfOpenFiles runs table XI on the files that are open, which is offered once there are
// some, and finds the native report; a link that has the experiment's first name leads to its card.
func TestVariantsOfOpenFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link()+"&view.study=augmentation")
		v.Until(untouch)
		v.Until("cadem.state().owner && document.querySelector('[data-study=table11]')")
		v.Until("document.activeElement.id === 'study-table11'")
		v.Until("document.querySelector('[data-study=table11] .figures').textContent.startsWith('5 model seeds, 1 data seed')")
		if v.visible("[data-study=table11] select") {
			t.Error("without files there is nothing to choose")
		}
		v.Give("#open-files", firm...)
		v.Until("document.querySelector('#data-summary').textContent.includes('firm') && " + untouch)
		v.Until("document.querySelector('[data-study=table11] select').checkVisibility()")
		v.Enter("[data-study=table11] select", "files")
		v.Until("document.querySelector('[data-study=table11] .figures').textContent.startsWith('1 model seed, firm_multiplex.edges')")
		v.Want("[data-study=table7]", "5 model seeds, 1 data seed")
		v.Check()
		v.Push("[data-study=table11] .primary")
		v.Until("document.querySelector('[data-study=table11] .report table')")
		var files []formats.File
		for _, path := range firm {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, formats.File{Name: filepath.Base(path), Data: data})
		}
		specs, contents := run.InMemory(files)
		o := study.Order{Study: "table11", Files: specs}
		tasks, err := experiments.All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		results, err := (&study.Scheduler{Files: contents}).Run(tasks)
		if err != nil {
			t.Fatal(err)
		}
		want, err := experiments.All().Assemble(o, results)
		if err != nil {
			t.Fatal(err)
		}
		var shown [][]string
		v.Read(&shown, "return [...document.querySelectorAll('[data-study=table11] .report tr')].map(r => [...r.cells].map(c => c.textContent))")
		if lines := want[0].Lines(3); !reflect.DeepEqual(shown, lines) {
			t.Errorf("the page shows %q, natively it is %q", shown, lines)
		}
		v.Want("[data-study=table11]", want[0].Findings...)
		v.Check()
		v.Enter("[data-study=table11] select", "drawn")
		v.Until("document.querySelector('[data-study=table11] .figures').textContent.startsWith('5 model seeds, 1 data seed') && " +
			"document.querySelector('[data-study=table11] p .quiet')?.textContent.startsWith('1 model seed, firm')")
	})
}
