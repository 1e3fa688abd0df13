package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
	"cadem.example/core/lab/run"
	"cadem.example/core/lab/run/runtest"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/scripts/e2e/drive"
)

// TestExperiments runs an experiment, closes the tab in its middle, goes on after it is
// opened again with nothing run twice, and finds the native report to the digit.
func TestExperiments(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		o := study.Order{Study: "table2", Seeds: 1}
		tasks, err := experiments.All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		results, err := (&study.Scheduler{}).Run(tasks)
		if err != nil {
			t.Fatal(err)
		}
		want, err := experiments.All().Assemble(o, results)
		if err != nil {
			t.Fatal(err)
		}

		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		v.Until("experiments.card", "table2")
		v.Go("experiments") // where cards say how long they take
		v.Until("experiments.estimated", "table2")
		v.Enter(".orders [name=workers]", "1")
		v.Enter(".orders [name=seeds]", "1")
		v.Push("[data-study=table2] .primary")
		// The first result is kept while the others are not there yet.
		v.Until("experiments.finished && experiments.settled", "table2", 1)
		v.Check()
		v = v.Reopen("")
		v.Until("notices.there", "studies")
		v.Want("[data-notice=studies]", fmt.Sprintf("interrupted at 1 of %d", len(tasks)))
		v.Read(nil, "experiments.watchTasks")
		v.Push("[data-notice=studies] button")
		v.Until("experiments.reported", "table2")
		var ran []string
		v.Read(&ran, "experiments.ran")
		left := make([]string, 0, len(tasks))
		for _, t := range tasks[1:] {
			left = append(left, t.Name)
		}
		if !reflect.DeepEqual(ran, left) {
			t.Errorf("after the restart these were run: %q", ran)
		}
		shown := v.lines("table2")
		// Here nothing is timed.
		if lines := want[0].Lines(3); fmt.Sprint(figuresOf(shown)) != fmt.Sprint(figuresOf(lines)) {
			t.Errorf("the page shows %q, natively it is %q", shown, lines)
		}
		v.sameGrids("table2", want[0])
		v.Want("[data-study=table2]", want[0].Findings[0], fmt.Sprintf("%d tasks done", len(tasks)))
		v.Want("[data-study=table2]", strings.Split(want[0].Text, ". ")...) // whose end is folded

		// A link names the experiment, and its report is there at once.
		var link string
		v.Read(&link, "address.hash")
		if !strings.Contains(link, "view.study=table2") {
			t.Errorf("the link is %q", link)
		}
		v.Load(link)
		v.Until("see.loaded", "[data-study=table2] .report img")
		v.Want(".study[data-study=table1]", "Run")
		v.Push("[data-study=table2] .actions .quiet")
		v.Until("see.empty && experiments.settled", "[data-study=table2] .report")
		v.Load("")
		v.Until("experiments.card", "table2")
		if n := v.Count("[data-study=table2] .report *"); n != 0 {
			t.Errorf("a deleted report is still there, %d elements", n)
		}
		v.Check()
	})
}

// TestStopExperiment stops an experiment; running tasks end, and their results can be looked at.
func TestStopExperiment(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("experiments.card", "table2")
		v.Enter(".orders [name=workers]", "1")
		v.Enter(".orders [name=seeds]", "50")
		v.Push("[data-study=table2] .primary")
		v.Until("experiments.begun", "table2")
		v.Push("[data-study=table2] .actions button:nth-child(2)")
		v.Until("!experiments.busy && !experiments.running", "table2", 50)
		v.Want("[data-study=table2]", "Stopped with", "of 103 tasks done", "Continue")
		v.Push("[data-study=table2] [aria-expanded]")
		v.Until("experiments.reported", "table2")
		v.Want("[data-study=table2] .report", "of 103 tasks not run yet")
		v.Check()
	})
}

// TestOwnExperiment runs table VI on files that are open on the page, finds the native report,
// and after a visit goes on with the files that were kept.
func TestOwnExperiment(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		v.Until("experiments.card", "table6")
		v.Want("[data-study=table6]", "1 model seed, "+Small.Example+", 1 data seed", "Compare all methods, lite")
		v.Give("#open-files", firm...)
		v.Until("data.says && lab.untouched", "firm")
		v.Until("experiments.figures", "table6", "1 model seed, firm_multiplex.edges")
		v.Enter(".orders [name=seeds]", "2")
		v.Enter(".orders [name=layer_tag]", "on")
		v.Want("[data-study=table6]", "2 model seeds, firm_multiplex.edges", "layer tag on")
		v.Read(nil, "experiments.watchDescribed")
		v.Push("[data-study=table6] .primary")
		v.Until("experiments.reported", "table6")
		var described int
		if v.Read(&described, "experiments.described"); described != 4 { // once it is wanted, not before
			t.Errorf("%d files were read to be named", described)
		}

		var files []formats.File
		for _, path := range firm {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, formats.File{Name: filepath.Base(path), Data: data})
		}
		specs, contents := run.InMemory(files)
		o := study.Order{Study: "table6", Seeds: 2, Files: specs, Options: map[string]any{"layer_tag": "on"}}
		want := report(t, o, contents)
		shown := v.lines("table6")
		// Here nothing is timed.
		if lines := want.Lines(3); fmt.Sprint(figuresOf(shown)) != fmt.Sprint(figuresOf(lines)) {
			t.Errorf("the page shows %q, natively it is %q", shown, lines)
		}
		v.Want("[data-study=table6]", want.Findings...)

		// More seeds need the files, which are here; after another visit they are still kept.
		v.Enter(".orders [name=workers]", "1")
		v.Enter(".orders [name=seeds]", "4")
		v.Push("[data-study=table6] .primary")
		o.Seeds = 4
		tasks, err := experiments.All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		v.Until("experiments.tasksPast", "table6", len(tasks), len(tasks)/2)
		v.Push("[data-study=table6] .actions button:nth-child(2)")
		v.Until("!experiments.busy && experiments.settled")
		v.Check()
		v = v.Reopen(Small.Link())
		v.Until("see.there", "[data-study=table6] .quiet")
		v.Read(nil, "hand.pressWith", "[data-study=table6] p .quiet", "4 model seeds")
		v.Push("[data-study=table6] .primary")
		v.until(3*patience, "experiments.tasksDone", "table6", len(tasks)) // in one worker
		v.Check()
	})
}

// TestVariantsOfOpenFiles runs table XI on the files that are open, which is offered once there are
// some, and finds the native report; a link that has the experiment's first name leads to its card.
func TestVariantsOfOpenFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&view.study=augmentation")
		v.Until("storage.owned && experiments.card", "table11")
		v.Until("see.focused", "#study-table11")
		v.Until("experiments.figures", "table11", "5 model seeds, 1 data seed")
		if v.visible("[data-study=table11] select") {
			t.Error("without files there is nothing to choose")
		}
		v.Give("#open-files", firm...)
		v.Until("data.says && lab.untouched", "firm")
		v.Until("see.visible", "[data-study=table11] select")
		v.Enter("[data-study=table11] select", "files")
		v.Until("experiments.figures", "table11", "1 model seed, firm_multiplex.edges")
		v.Want("[data-study=table7]", "5 model seeds, 1 data seed")
		v.Check()
		v.Push("[data-study=table11] .primary")
		v.Until("experiments.reported", "table11")
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
		want := report(t, o, contents)
		shown := v.lines("table11")
		if lines := want.Lines(3); !reflect.DeepEqual(shown, lines) {
			t.Errorf("the page shows %q, natively it is %q", shown, lines)
		}
		v.Want("[data-study=table11]", want.Findings...)
		v.Check()
		v.Enter("[data-study=table11] select", "drawn")
		v.Until("experiments.figures && see.starts", "table11", "5 model seeds, 1 data seed", "[data-study=table11] p .quiet", "1 model seed, firm")
	})
}

// TestMergedReport opens what was found elsewhere of an experiment, and goes on with what is missing.
func TestMergedReport(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		o := study.Order{Study: "table11", Seeds: 2, Options: map[string]any{"epochs": "1"}} // an option that the form does not have
		tasks, err := experiments.All().Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		results, err := (&study.Scheduler{}).Run(tasks[1:])
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(map[string]any{"order": o, "results": slices.Collect(maps.Values(results)), "seconds": 2})
		if err != nil {
			t.Fatal(err)
		}
		name, other := filepath.Join(t.TempDir(), "merged.json"), filepath.Join(t.TempDir(), "cut.json")
		if err := errors.Join(os.WriteFile(name, text, 0o644), os.WriteFile(other, text[:len(text)/2], 0o644)); err != nil {
			t.Fatal(err)
		}
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("storage.owned && experiments.card", "table11")
		v.Give("#open-files", other)
		v.Until("data.problem", "cut.json: found a file that is cut off")
		v.Give("#open-files", name)
		v.Until("experiments.reported", "table11")
		v.Want("[data-study=table11]", "Continue (1 left)", fmt.Sprintf("Stopped with %d of %d tasks done", len(tasks)-1, len(tasks)))
		v.Push("[data-study=table11] .primary")
		v.Until("!experiments.goes && experiments.reported && !experiments.reports", "table11", "table11", "table11", "not run yet")
		want := report(t, o, nil)
		if shown := v.lines("table11"); !reflect.DeepEqual(shown, want.Lines(3)) {
			t.Errorf("the page shows %q, natively it is %q", shown, want.Lines(3))
		}
		v.Want("[data-study=table11]", want.Findings...)
		v.Check()
	})
}

// brief are options under which the experiments are over in a moment, "" those of all others.
var brief = map[string]map[string]any{
	"":         {"epochs": 1},
	"gamma":    {"epochs": 1, "nodes": 60},
	"table3":   {"epochs": 1, "nodes": 60, "centres": 1, "label_radius": 1, "kmeans_runs": 2},
	"table4":   {"epochs": 1, "nodes": 60},
	"table5":   {"epochs": 1, "subjects": 4, "regions": 60, "frames": 300},
	"identify": {"epochs": 1, "subjects": 4, "regions": 60},
	"regions":  {"epochs": 1, "subjects": 2, "regions": 60},

	"identifiability": {"epochs": 1, "nodes": 60},
}

// TestReports runs every experiment of the catalogue, as shortly as it goes, and opens its
// report; it then breaks a report, whose card says so while the run on the page goes on untouched.
func TestReports(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned && experiments.card", "regions")
		v.Give("#open-files", firm...)
		v.Until("data.says && lab.untouched", "firm")
		v.Until("experiments.figures", "table6", "1 model seed, firm_multiplex.edges")
		v.Enter(".orders [name=seeds]", "1")
		v.Enter(".orders [name=data_seeds]", "1")
		// The form has no option for this: orders are made short on their way to the engine.
		v.Read(nil, "experiments.shorten", brief)
		v.Give("[data-study=collection] input[type=file]", writeCollection(t, runtest.Collection(t))...)
		v.Until("experiments.says", "collection", "20 graphs")
		var studies []string
		v.Read(&studies, "experiments.names")
		if len(studies) < 13 {
			t.Fatalf("the page has the experiments %q", studies)
		}
		for _, name := range studies {
			if name == "reproduce" { // it has no brief form
				continue
			}
			card := fmt.Sprintf("[data-study=%s]", name)
			v.Push(card + " .primary")
			v.Until("see.filled || see.filled", card+" .report", card+" .problem")
			var shown struct {
				Problem        string
				Prose          int
				Images, Loaded int
				Tables, Cells  int
			}
			v.Read(&shown, "experiments.contents", card)
			if shown.Problem != "" || shown.Prose == 0 || shown.Loaded != shown.Images || shown.Images+shown.Tables == 0 || shown.Tables > 0 && shown.Cells == 0 {
				t.Errorf("%s: %+v", name, shown)
			}
			v.Want(card, "task")
		}
		v.Check()

		before := v.Text("#status")
		v.Read(nil, "experiments.failReports")
		v.Read(nil, "hand.click", "[data-study=tsne] [aria-expanded=true]")
		v.Read(nil, "hand.click", "[data-study=tsne] [aria-expanded=false]")
		v.Until("see.is", "[data-study=tsne] .problem", "This report cannot be made.")
		if after := v.Text("#status"); after != before {
			t.Errorf("the status said %q and says %q", before, after)
		}
		if text := v.Text("#messages"); text != "" {
			t.Errorf("the page says %q", text)
		}
	})
}
