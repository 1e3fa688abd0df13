// Command messages writes www/messages.d.ts: the types of what the page and the Go programs send each other, for the compiler of TypeScript.
//
//	go run ./scripts/build/messages
//
// They are those of the structs that the programs read and write, as the table of requests lists them. git does not keep the file.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"cadem.example/core/brain"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/brain/subject"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/study/experiments"
	"cadem.example/scripts/build/builder"
	"cadem.example/wasm/store"
	"cadem.example/wasm/worker"
)

// called are the names in the page of what has another one there; said the types of fields of which Go knows less than the page.
var (
	called = map[string]string{
		"experiments.Catalogue": "OptionTable", "export.Format": "ExportFormat", "run.FileSpec": "FileName", "study.Grid": "ReportGrid",
		"run.Scan": "Series", "evaluate.ScoreOf": "Score", "worker.section": "Report", "worker.picture": "ReportChart", "bridge.Error": "Failure",
		"connectome.Question": "ScanQuestion", "evidence.Found": "Evidence", "worker.progress": "TrainingProgress", "worker.leaks": "Leak", "study.Task": "StudyTask",
		"measure.Result": "TaskResult", "measure.Array": "TaskArray", "worker.surveyedFiles": "Survey", "subject.Survey": "SurveyedSubject",
	}
	said = map[string]string{
		"Property.kind": "'int' | 'float' | 'choice' | 'bool' | 'text'", "Surveyed.rows": "string[][] | null", "GridCell.beside": "string[] | null",
		"Study.needs": "'' | 'graph' | 'cohort' | 'graphs'", "LayerCounts.stored": "'both' | 'one way' | 'directed'",
		"Clustered.scores": "{labels: string; ari: number; nmi: number}[]", "MarkedLayer.networks": "NetworkCount[]",
		"Survey.subject": "SurveyedSubject", "Imported.record": record, "Listing.runs": record + "[]", "Got.record": record,
		"PlanArgs.tasks":     task + "[]",
		"ReportArgs.results": "Omit<TaskResult, 'arrays'>[]", "AmountArgs.tasks": task + "[]", "MethodTaskArgs.task": task, "TaskGraphsArgs.task": task,
	}
)

// The page's own shapes: of runs, which it adds fields to, and of tasks.
const record, task = "import('./types.js').RunRecord", "import('./types.js').Task"

func main() {
	root, err := builder.FindRoot(".")
	if err == nil {
		err = write(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "messages:", err)
		os.Exit(1)
	}
}

// write puts the file in place at once, as others may read it meanwhile, and leaves one alone that says the same.
func write(root string) error {
	text, path := declarations(), filepath.Join(root, "www", "messages.d.ts")
	if before, err := os.ReadFile(path); err == nil && string(before) == text {
		return nil
	}
	next := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	if err := os.WriteFile(next, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(next, path)
}

// A writer writes types of Go as those of TypeScript, each once.
type writer struct {
	strings.Builder
	known map[string]reflect.Type
}

// declarations returns the types of all messages.
func declarations() string {
	w := &writer{known: map[string]reflect.Type{}}
	w.WriteString("// Written by scripts/build/messages from Go structs, whose comments say what fields are.\n\ntype OptionValue = number | string | boolean;\n")
	for _, v := range []any{experiments.Catalogue{}, evaluate.ScoreOf[*float64]{}, connectome.NetworkCount{}, subject.Survey{}} {
		w.of(reflect.TypeOf(v)) // which no request names
	}
	rows := map[string]string{}
	all := worker.New(nil, nil, worker.Runs, worker.CaDeM, worker.Compared, worker.Files, worker.Splits, worker.Imports, worker.Questions,
		worker.Brains(subject.Answers{}), worker.Subjects(brain.Graphs), worker.Studies, worker.OtherMethods)
	all.Messages(func(kind string, args, result any) {
		of := "object"
		if kind == "scans" {
			result = subject.Scans{} // which the worker does not know
		}
		if result != nil {
			of = w.of(reflect.TypeOf(result))
		}
		rows[kind] = fmt.Sprintf("{args: Partial<%s>; result: %s}", w.of(reflect.TypeOf(args)), of)
	})
	w.table("ComputeRequests", rows)
	rows = map[string]string{}
	for kind, result := range store.Results() {
		rows[kind] = fmt.Sprintf("{args: Partial<%s>; result: %s}", w.of(reflect.TypeOf(store.Arguments{})), w.of(reflect.TypeOf(result)))
	}
	w.table("StorageRequests", rows)
	rows = map[string]string{}
	for name, fields := range worker.Events() {
		rows[name] = w.of(reflect.TypeOf(fields))
	}
	w.table("Events", rows)
	return w.String()
}

func (w *writer) table(name string, rows map[string]string) {
	fmt.Fprintf(w, "\ninterface %s {\n", name)
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(w, "  %s: %s;\n", key, rows[key])
	}
	w.WriteString("}\n")
}

// of returns the name of a type, and writes what it is made of.
func (w *writer) of(t reflect.Type) string {
	switch kind := t.Kind(); {
	case t.Name() == "RawMessage":
		return "object"
	case kind == reflect.Pointer:
		return w.of(t.Elem())
	case kind == reflect.Bool:
		return "boolean"
	case kind == reflect.String:
		return "string"
	case kind == reflect.Interface:
		return "OptionValue"
	case kind == reflect.Slice || kind == reflect.Array:
		return w.of(t.Elem()) + "[]"
	case kind == reflect.Map:
		return "Record<string, " + w.of(t.Elem()) + ">"
	case kind != reflect.Struct:
		return "number"
	}
	full, _, _ := strings.Cut(t.String(), "[")
	name := called[full]
	if name == "" {
		name = strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	}
	if before, ok := w.known[name]; !ok {
		w.known[name] = t
		w.fields(name, t)
	} else if before != t && full != "evaluate.ScoreOf" { // whose numbers may be missing
		panic(fmt.Sprintf("messages: %v and %v would both be %s, expected a name for each in called", before, t, name))
	}
	return name
}

func (w *writer) fields(name string, t reflect.Type) {
	rows := map[string]string{}
	for _, f := range reflect.VisibleFields(t) {
		tag, omit := strings.CutSuffix(f.Tag.Get("json"), ",omitempty")
		if tag == "" || tag == "-" {
			continue
		}
		of, ok := said[name+"."+tag]
		if !ok {
			of = w.of(f.Type)
		}
		if omit {
			tag += "?"
		} else if f.Type.Kind() == reflect.Pointer {
			of += " | null"
		}
		rows[tag] = of
	}
	w.table(name, rows)
}
