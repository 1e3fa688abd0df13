package run

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem/core/cadem"
	"cadem/core/diag"
	"cadem/core/evaluate"
	"cadem/core/json"
	"cadem/core/property"
	"cadem/core/schema"
)

// How much of anything a record may hold.
const (
	longest = 1000    // characters of a name
	crowd   = 100_000 // entries of a list
)

var (
	aCount  = schema.Number(0, 1<<53, true)
	aSeed   = schema.Number(0, 1<<64, true)
	aFigure = schema.Number(-1e300, 1e300, false)
	aName   = schema.Text(0, longest)
	options = schema.Each(schema.Text(1, 100), schema.Plain)
)

// inRange are options whose values, where the table knows them, are in its ranges. Others may come
// from another version.
func inRange(table any) schema.Schema {
	return func(at string, v any) error {
		m, _ := v.(map[string]any)
		known := property.Values(table)
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if _, ok := known[name]; !ok {
				continue
			}
			var wrong *diag.Error
			if errors.As(property.Set(table, name, property.Text(m[name])), &wrong) {
				return schema.Unfit(schema.Join(at, name), m[name], wrong.Expected)
			}
		}
		return nil
	}
}

var fileSchema = schema.Object(schema.Fields{{"name", schema.Text(1, longest)}, {"size", aCount}, {"sum?", aName}})

// dataSchema is that of a [DataSpec] of a run.
func dataSchema(at string, v any) error {
	err := schema.Object(schema.Fields{
		{"example?", schema.Text(1, longest)}, {"options?", options}, {"data_seed?", aSeed},
		{"files?", schema.List(crowd, fileSchema)}, {"reader?", aCount},
		{"choice?", schema.Object(schema.Fields{
			{"layers?", schema.List(crowd, aName)}, {"features?", aName}, {"labels?", schema.List(crowd, aName)},
		})},
	})(at, v)
	if err != nil {
		return err
	}
	m := v.(map[string]any)
	if files, _ := m["files"].([]any); (m["example"] == nil) == (len(files) == 0) {
		return schema.Unfit(at, v, "either an example or files")
	}
	return nil
}

// runSchema is that of a [Record] as the page and the command line write it.
var runSchema = schema.Object(schema.Fields{
	{"run", schema.ID},
	{"kind", func(at string, v any) error {
		if v != nil {
			return schema.Unfit(at, v, "nothing: a run has no kind")
		}
		return nil
	}},
	{"name", schema.Text(1, longest)},
	{"created", schema.Moment}, {"updated", schema.Moment},
	{"data", dataSchema},
	{"options", options},
	{"evaluation?", options},
	{"preset", schema.OneOf(cadem.Presets[:]...)},
	{"model_seed", aSeed}, {"eval_seed?", aSeed},
	{"state", schema.OneOf(Running, Paused, Finished, Cancelled, Failed)},
	{"progress?", schema.Object(schema.Fields{
		{"epoch", aCount}, {"epochs", aCount}, {"step", aCount}, {"steps", aCount},
		{"losses?", schema.Each(schema.Text(1, 100), schema.Optional(aFigure))}, {"rank_S?", aCount},
	})},
	{"changes?", schema.List(crowd, schema.Each(schema.Text(1, 100), schema.Plain))},
	{"hash?", schema.Text(0, 200)}, {"rank_S?", aCount},
	{"scores?", schema.List(crowd, schema.Object(schema.Fields{
		{"embedding", aName}, {"target", aName}, {"metric", aName},
		{"value?", aFigure}, {"fold_std?", aFigure}, {"untrained?", aFigure},
		{"untrained_standardised?", aFigure}, {"probe?", aFigure},
	}))},
	{"scored_step?", aCount}, {"first_step?", aCount}, {"loss_columns?", schema.Number(2, 1000, true)},
	{"frame?", schema.Object(schema.Fields{{"epoch", aCount}, {"step", aCount}, {"embeddings?", schema.List(crowd, aName)},
		{"dots?", schema.Text(0, 100*longest)}, {"classes?", schema.Text(0, 100*longest)}})},
	{"kept?", schema.List(crowd, schema.Object(schema.Fields{{"epoch", aCount}, {"step", aCount},
		{"explained?", schema.List(crowd, aFigure)}}))},
	{"summary", schema.Object(schema.Fields{{"name", schema.Text(1, longest)}})},
	{"task?", aName}, {"expect?", schema.Text(0, 10*longest)},
})

// studySchema is that of what the page keeps of an experiment.
var studySchema = schema.Object(schema.Fields{
	{"run", schema.Text(1, 100*longest)}, {"name", aName}, {"created", schema.Moment}, {"updated", schema.Moment},
	{"order", schema.Object(schema.Fields{{"study", schema.Text(1, longest)}, {"files?", schema.List(crowd, fileSchema)},
		{"cohort?", schema.List(crowd, schema.Object(nil))}})},
	{"state", schema.OneOf("running", "finished", "stopped")}, {"tasks", aCount}, {"finished", aCount},
	{"seconds?", aFigure}, {"timed?", aCount}, {"workers?", aCount},
})

// CheckStored tells whether a record, as storage lists it, is that of a run or of an experiment:
// every field that the page reads has the type and length that it is written with. The error is a
// [*diag.Error] that names the field.
func CheckStored(record json.RawMessage) error {
	var v any
	if err := json.Unmarshal(record, &v); err != nil {
		return &diag.Error{Found: "text that is no JSON", Expected: "the record of a run"}
	}
	if m, ok := v.(map[string]any); ok && m["kind"] == "study" {
		return studySchema("", v)
	}
	return runSchema("", v)
}

// Check tells whether the description in a run archive is one that the page can take over: the
// record, its settings in their ranges, and what its arrays must be. A record without an id gets one
// later. The error is a [*diag.Error].
func (s *StoredRun) Check() error {
	var record map[string]any
	if json.Unmarshal(s.Record, &record) != nil || record["data"] == nil {
		return &diag.Error{Where: "run.json", Found: "an archive of something else", Expected: "the description of a run as this page exports it"}
	}
	if name, ok := record["method"].(string); ok {
		return &diag.Error{Where: "run.json: record.method", Found: name, Expected: "a run of CaDeM; \"cadem train -resume\" opens those of other methods"}
	}
	if record["run"] == nil {
		record["run"] = "new"
	}
	settings := schema.Object(schema.Fields{{"options", inRange(&cadem.Options{})}, {"evaluation", inRange(&evaluate.Options{})}})
	for _, s := range []schema.Schema{runSchema, settings} {
		if err := s("run.json: record", record); err != nil {
			return err
		}
	}
	columns, seen := lossColumns(record), map[string]bool{}
	for i, a := range s.Slabs {
		at := fmt.Sprintf("run.json: slabs[%d]", i)
		if a.Name == "" || seen[a.Name] {
			return &diag.Error{Where: at, Found: fmt.Sprintf("the name %q", a.Name), Expected: "a name that no other array has"}
		}
		seen[a.Name] = true
		var fits bool
		var expected string
		switch shape := a.Shape; {
		case a.Name == "checkpoint", strings.HasPrefix(a.Name, "file:"):
			expected, fits = "u8 of one dimension", a.Type == "u8" && len(shape) == 1
		case a.Name == "losses":
			rows := len(shape) == 2 && shape[1] == columns
			flat := len(shape) == 1 && shape[0]%columns == 0 // as the page exports them
			expected, fits = fmt.Sprintf("f32, %d numbers a step", columns), a.Type == "f32" && (rows || flat) && columns <= len(cadem.Terms)
		case a.Name == "xy":
			expected, fits = "f32 of three dimensions, or without its shape", a.Type == "f32" && (len(shape) == 3 || len(shape) == 1)
		case strings.HasPrefix(a.Name, "plane:"), strings.HasPrefix(a.Name, "tokens:"):
			expected, fits = "f32", a.Type == "f32"
		default:
			fits = true
		}
		if !fits {
			return &diag.Error{Where: schema.Join(at, a.Name), Found: fmt.Sprintf("%s of shape %v", a.Type, a.Shape), Expected: expected}
		}
	}
	files, _ := record["data"].(map[string]any)["files"].([]any)
	for i := range files {
		if name := fmt.Sprintf("file:%d", i); !seen[name] {
			return &diag.Error{Where: "run.json: slabs", Found: "nothing called " + name, Expected: "the contents of every data file"}
		}
	}
	return nil
}

// lossColumns returns how many numbers a step the stored losses of a record have.
func lossColumns(record map[string]any) int {
	if n, ok := record["loss_columns"].(float64); ok {
		return int(n)
	}
	return earlyColumns
}
