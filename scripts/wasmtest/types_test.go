package main

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/formats"
	stored "cadem.example/core/lab/run"
	"cadem.example/core/lab/study"
	"cadem.example/core/lab/study/experiments"
)

// sent are the structs that the page gets as JSON, or sends. What they hold is found by itself.
var sent = []any{
	experiments.Catalogue{}, stored.Summary{}, stored.DataSpec{}, formats.Surveyed{}, formats.Survey{}.Ask, study.Order{}, study.Claim{}, study.Sheet{},
	study.Grid{}, cadem.Advice{}, evaluate.LayerIntervention{},
}

// called are the names in the page of what has another one there; said the types of fields of which Go knows less than the page.
var (
	called = map[string]string{
		"experiments.Catalogue": "OptionTable", "export.Format": "ExportFormat", "run.FileSpec": "FileName", "study.Grid": "ReportGrid",
		"run.Scan": "Series",
	}
	said = map[string]string{
		"Property.kind": "'int' | 'float' | 'choice' | 'bool' | 'text'", "Surveyed.rows": "string[][] | null", "GridCell.beside": "string[] | null",
		"Study.needs": "'' | 'graph' | 'cohort' | 'graphs'", "LayerCounts.stored": "'both' | 'one way' | 'directed'",
	}
)

// declarations writes the types of what the Go programs and the page tell each other, as their structs have them.
func declarations() string {
	b := &strings.Builder{}
	b.WriteString("// Written by TestTypes from the Go structs, whose comments say what the fields are.\n")
	known := map[reflect.Type]string{}
	var typeOf func(t reflect.Type) string
	fieldsOf := func(name string, t reflect.Type) {
		var body strings.Builder
		for _, f := range reflect.VisibleFields(t) {
			tag, omit := strings.CutSuffix(f.Tag.Get("json"), ",omitempty")
			if tag == "" || tag == "-" {
				continue
			}
			of, ok := said[name+"."+tag]
			if !ok {
				of = typeOf(f.Type)
			}
			fmt.Fprintf(&body, "  %s%s: %s;\n", tag, map[bool]string{true: "?"}[omit], of)
		}
		fmt.Fprintf(b, "\ninterface %s {\n%s}\n", name, body.String())
	}
	typeOf = func(t reflect.Type) string {
		switch kind := t.Kind(); {
		case t.Name() == "RawMessage":
			return "object"
		case kind == reflect.Pointer:
			return typeOf(t.Elem())
		case kind == reflect.Bool:
			return "boolean"
		case kind == reflect.String:
			return "string"
		case kind == reflect.Interface:
			return "OptionValue"
		case kind == reflect.Slice || kind == reflect.Array:
			return typeOf(t.Elem()) + "[]"
		case kind == reflect.Map:
			return "Record<string, " + typeOf(t.Elem()) + ">"
		case kind != reflect.Struct:
			return "number"
		}
		name, ok := known[t]
		if !ok {
			full, _, _ := strings.Cut(t.String(), "[")
			if name = called[full]; name == "" {
				name = t.Name()
			}
			known[t] = name
			fieldsOf(name, t)
		}
		return name
	}
	for _, s := range sent {
		typeOf(reflect.TypeOf(s))
	}
	return b.String()
}

// TestMessages writes the types of messages where the compiler of TypeScript finds them, at once, as others may read them meanwhile.
func TestMessages(t *testing.T) {
	const path = "../../www/messages.d.ts"
	now := declarations()
	if before, err := os.ReadFile(path); err == nil && string(before) == now {
		return
	}
	f, err := os.CreateTemp("../../www", "*.tmp")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.WriteString(now); err == nil {
		err = f.Close()
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestTypes has the compiler of TypeScript check the types of the page's modules, with those of messages beside them.
func TestTypes(t *testing.T) {
	TestMessages(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed (make setup installs it)")
	}
	cmd := exec.Command(node, "node_modules/typescript/bin/tsc", "--noEmit", "--project", ".")
	cmd.Dir = "../../www"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
