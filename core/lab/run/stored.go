package run

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/json"
	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/base/schema"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
)

// Limits of a record.
const (
	longest = 1000    // characters of a name
	crowd   = 100_000 // entries of a list
	most    = 1 << 24 // of what files of one's own may hold any number of, names of classes among it
)

// Schemas are functions, not variables of the package, which every program would link.
func aCount(at string, v any) error  { return schema.Number(0, 1<<53, true)(at, v) }
func aSeed(at string, v any) error   { return schema.Number(0, 1<<64, true)(at, v) }
func aFigure(at string, v any) error { return schema.Number(-1e300, 1e300, false)(at, v) }
func aName(at string, v any) error   { return schema.Text(0, longest)(at, v) }
func aText(at string, v any) error   { return schema.Text(0, most)(at, v) }
func figures(at string, v any) error { return schema.List(most, schema.Optional(aFigure))(at, v) }
func options(at string, v any) error { return schema.Each(schema.Text(1, 100), schema.Plain)(at, v) }

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

func fileSchema(at string, v any) error {
	return schema.Object(schema.Fields{{"name", schema.Text(1, longest)}, {"size", aCount}, {"sum?", aName}})(at, v)
}

func choiceSchema(at string, v any) error {
	return schema.Object(schema.Fields{
		{"layers?", schema.List(crowd, aName)}, {"features?", aName}, {"labels?", schema.List(crowd, aName)}, {"splits?", schema.List(crowd, aName)},
		{"binary?", schema.Bool}, {"mutual?", schema.Bool}, {"keep?", schema.Number(0, 100, false)}, {"raw?", schema.Bool}, {"columns?", aName},
		{"mention?", schema.Bool},
	})(at, v)
}

func summarySchema(at string, v any) error {
	return schema.Object(schema.Fields{
		{"name", schema.Text(1, longest)}, {"nodes?", aCount}, {"features?", aCount},
		{"layers?", schema.List(crowd, schema.Object(schema.Fields{{"name", aText}}))},
		{"labels?", schema.List(crowd, schema.Object(schema.Fields{
			{"name", aText}, {"classes", schema.List(most, aText)}, {"marks?", schema.List(most, aCount)},
		}))},
		{"subject?", schema.Object(nil)},
	})(at, v)
}

// dataSchema is the schema of a [DataSpec] of a run.
func dataSchema(at string, v any) error {
	err := schema.Object(schema.Fields{
		{"example?", schema.Text(1, longest)}, {"options?", options}, {"data_seed?", aSeed},
		{"files?", schema.List(crowd, fileSchema)}, {"reader?", aCount}, {"choice?", choiceSchema},
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

// runSchema is the schema of a [Record] as the page and the command line write it.
func runSchema(at string, v any) error {
	return schema.Object(schema.Fields{
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
		{"method?", aName}, {"level?", aName}, {"precision?", schema.Number(float64(precision.Single), float64(precision.Double), true)},
		{"model_seed", aSeed}, {"eval_seed?", aSeed},
		{"state", schema.OneOf(Running, Paused, Finished, Cancelled, Failed)},
		{"progress?", schema.Object(schema.Fields{
			{"state?", aName}, {"epoch", aCount}, {"epochs", aCount}, {"step", aCount}, {"steps", aCount},
			{"losses?", schema.Each(schema.Text(1, 100), schema.Optional(aFigure))}, {"rank_S?", aCount},
			{"guessing?", aFigure}, {"step_ms?", aFigure}, {"eta_s?", aFigure}, {"seconds?", aFigure},
		})},
		{"changes?", schema.List(crowd, schema.Each(schema.Text(1, 100), schema.Plain))},
		{"hash?", schema.Text(0, 200)}, {"rank_S?", aCount},
		{"scores?", schema.List(crowd, schema.Object(schema.Fields{
			{"embedding", aName}, {"target", aText}, {"metric", aName},
			{"value?", aFigure}, {"fold_std?", aFigure}, {"standardised?", aFigure}, {"untrained?", aFigure}, {"untrained_standardised?", aFigure},
			{"trivial?", aFigure}, {"probe?", aFigure}, {"untrained_probe?", aFigure},
			{"folds?", figures}, {"untrained_folds?", figures}, {"trivial_folds?", figures}, {"test_share?", aFigure}, {"protocol?", aText}, {"sampled?", aCount},
		}))},
		{"scored_step?", aCount}, {"first_step?", aCount}, {"loss_columns?", schema.Number(2, 1000, true)},
		{"frame?", schema.Object(schema.Fields{{"epoch", aCount}, {"step", aCount}, {"embeddings?", schema.List(crowd, aName)},
			{"dots?", aText}, {"classes?", aText}})},
		{"kept?", schema.List(crowd, schema.Object(schema.Fields{{"epoch", aCount}, {"step", aCount},
			{"explained?", figures}}))},
		{"summary", summarySchema},
		{"task?", aName}, {"expect?", schema.Text(0, 10*longest)},
	})(at, v)
}

// recordingFields are those of a [collection.Run].
func recordingFields() schema.Fields {
	return schema.Fields{
		{"file", aText}, {"confounds?", aText}, {"motion?", aText}, {"outliers?", aText},
		{"tr?", aFigure}, {"modern?", schema.Bool},
	}
}

// scanSchema is the schema of a [collection.Scan].
func scanSchema(at string, v any) error {
	return schema.Object(append(schema.Fields{
		{"subject", aText}, {"condition", aText}, {"graph?", aText}, {"without?", aText}, {"part?", aText},
		{"more?", schema.List(crowd, schema.Object(recordingFields()))}, {"facts?", schema.Each(aText, aText)},
	}, recordingFields()...))(at, v)
}

// studySchema is the schema of stored experiments of the page.
func studySchema(at string, v any) error {
	return schema.Object(schema.Fields{
		{"run", schema.Text(1, 100*longest)}, {"name", aName}, {"created", schema.Moment}, {"updated", schema.Moment},
		{"order", schema.Object(schema.Fields{
			{"study", schema.Text(1, longest)}, {"data?", aName}, {"preset?", aText}, {"seeds?", aCount}, {"data_seeds?", aCount}, {"eval_seed?", aSeed},
			{"options?", options}, {"files?", schema.List(crowd, fileSchema)}, {"reader?", aCount}, {"choice?", choiceSchema},
			{"cohort?", schema.List(crowd, scanSchema)},
			{"example?", aName}, {"methods?", aText}, {"level?", aName},
		})},
		{"state", schema.OneOf("running", "finished", "stopped")}, {"tasks", aCount}, {"finished", aCount},
		{"seconds?", aFigure}, {"timed?", aCount}, {"workers?", aCount},
	})(at, v)
}

// CheckStored reports whether a record and the arrays beside it, as storage lists them, are those of a run or of an experiment:
// every field that the page reads has the type and length that it is written with. The error is a
// [*diag.Error] that names the field.
func CheckStored(record json.RawMessage, slabs []StoredSlab) error {
	var v any
	if err := json.Unmarshal(record, &v); err != nil {
		return &diag.Error{Found: "text that is no JSON", Expected: "the record of a run"}
	}
	if m, ok := v.(map[string]any); ok && m["kind"] == "study" {
		if err := studySchema("", v); err != nil {
			return err
		}
		_, err := checkSlabs("arrays", slabs, func(s *StoredSlab) (string, bool) { return "u8", s.Type == "u8" })
		return err
	}
	if err := runSchema("", v); err != nil {
		return err
	}
	return checkRunSlabs("arrays", v.(map[string]any), slabs)
}

// Check reports whether the page can take over the description in a run archive: the record, its
// settings in their ranges, and the types and sizes of its arrays. A record without an id gets one
// later. The error is a [*diag.Error].
func (s *StoredRun) Check() error {
	var record map[string]any
	if json.Unmarshal(s.Record, &record) != nil || record["data"] == nil {
		return &diag.Error{Where: "run.json", Found: "an archive of something else", Expected: "the description of a run as this page exports it"}
	}
	if record["run"] == nil {
		record["run"] = "new"
	}
	trained, err := trainedBy(record)
	if err != nil {
		return err
	}
	settings := schema.Object(schema.Fields{{"options", inRange(trained)}, {"evaluation", inRange(&evaluate.Options{})}})
	for _, s := range []schema.Schema{runSchema, settings} {
		if err := s("run.json: record", record); err != nil {
			return err
		}
	}
	if n := lossColumns(record); record["method"] == nil && n > len(cadem.Terms) {
		return &diag.Error{Where: "run.json: record.loss_columns", Found: fmt.Sprint(n), Expected: fmt.Sprintf("at most %d", len(cadem.Terms))}
	}
	return checkRunSlabs("run.json: slabs", record, s.Slabs)
}

// checkRunSlabs checks the arrays of a run, and that none of its files is named without its contents.
func checkRunSlabs(at string, record map[string]any, slabs []StoredSlab) error {
	columns := lossColumns(record)
	names, err := checkSlabs(at, slabs, func(s *StoredSlab) (expected string, fits bool) {
		switch shape := s.Shape; {
		case s.Name == "checkpoint", strings.HasPrefix(s.Name, "file:"):
			return "u8 of one dimension", s.Type == "u8" && len(shape) == 1
		case s.Name == "losses":
			rows := len(shape) == 2 && shape[1] == columns
			flat := len(shape) == 1 && shape[0]%columns == 0 // as the page exports them
			return fmt.Sprintf("f32, %d numbers a step", columns), s.Type == "f32" && (rows || flat)
		case s.Name == "xy":
			return "f32 of three dimensions, or without its shape", s.Type == "f32" && (len(shape) == 3 || len(shape) == 1)
		case strings.HasPrefix(s.Name, "plane:"), strings.HasPrefix(s.Name, "tokens:"):
			return "f32", s.Type == "f32"
		}
		return "", true
	})
	if err != nil {
		return err
	}
	files, _ := record["data"].(map[string]any)["files"].([]any)
	for i := range files {
		if name := fmt.Sprintf("file:%d", i); !names[name] {
			return &diag.Error{Where: at, Found: "nothing called " + name, Expected: "the contents of every data file"}
		}
	}
	return nil
}

// checkSlabs checks that every array has a name of its own and the expected type and size; it returns the names.
func checkSlabs(at string, slabs []StoredSlab, fits func(*StoredSlab) (expected string, ok bool)) (names map[string]bool, err error) {
	names = map[string]bool{}
	for i := range slabs {
		s, at := &slabs[i], fmt.Sprintf("%s[%d]", at, i)
		// The page stores arrays in an object that cannot have that name.
		if s.Name == "" || s.Name == "__proto__" || names[s.Name] {
			return nil, &diag.Error{Where: at, Found: fmt.Sprintf("the name %q", s.Name), Expected: "a name that no other array has"}
		}
		names[s.Name] = true
		if expected, ok := fits(s); !ok {
			return nil, &diag.Error{Where: schema.Join(at, s.Name), Found: fmt.Sprintf("%s of shape %v", s.Type, s.Shape), Expected: expected}
		}
	}
	return names, nil
}

// lossColumns returns the number of columns of the stored losses of a record.
func lossColumns(record map[string]any) int {
	if n, ok := record["loss_columns"].(float64); ok {
		return int(n)
	}
	return earlyColumns
}
