package diag_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
)

func TestErrorNamesWhatItKnows(t *testing.T) {
	for want, e := range map[string]*diag.Error{
		"found 1, expected 2":                              {Found: "1", Expected: "2"},
		"layers: found 1, expected 2":                      {Where: "layers", Found: "1", Expected: "2"},
		"line 7: found 1, expected 2":                      {Line: 7, Found: "1", Expected: "2"},
		"a.edges: found 1, expected 2":                     {File: "a.edges", Found: "1", Expected: "2"},
		"a.edges:7: node 3: found 1, expected 2":           {File: "a.edges", Line: 7, Where: "node 3", Found: "1", Expected: "2"},
		"epochs: found -3, expected at least 1":            diag.Option("epochs", "-3", "at least 1"),
		"preset: released is listed twice":                 diag.Option("preset", "released is listed twice", ""),
		strings.Repeat("é", 80) + "…: found 1, expected 2": {Where: strings.Repeat("é", 81), Found: "1", Expected: "2"},
		strings.Repeat("é", 80) + ": found 1, expected 2":  {Where: strings.Repeat("é", 80), Found: "1", Expected: "2"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

func TestOptionsAreToldFromData(t *testing.T) {
	err := fmt.Errorf("settings: %w", diag.Option("epochs", "-3", "at least 1"))
	var e *diag.Error
	if !errors.As(err, &e) || !e.Option || (&diag.Error{Where: "epochs"}).Option {
		t.Errorf("%+v", e)
	}
}

// A misuse is distinguished from other panics, and by its value from other misuses.
func TestMisuseIsAnErrorValue(t *testing.T) {
	const shape = diag.Misuse("pkg: dimension mismatch")
	defer func() {
		err, ok := recover().(error)
		if !ok || !errors.Is(err, shape) || err.Error() != "pkg: dimension mismatch" {
			t.Errorf("%v", err)
		}
	}()
	panic(shape)
}
