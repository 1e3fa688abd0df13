package baseline

import (
	"errors"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
	"cadem.example/core/train"
)

// Words that all are rare are refused with what would help, and few words are reported.
func TestGraph2vecNeedsWords(t *testing.T) {
	graphs := []*multiplex.Graph{blocks(t, 12), blocks(t, 16)}
	m, err := train.Lookup("graph2vec")
	if err != nil {
		t.Fatal(err)
	}
	o := m.Options().(*Graph2vecOptions)
	property.Defaults(o)
	o.Least = 1000
	var refused *diag.Error
	if _, err := train.Start(m, &train.Setup{Graphs: graphs, Options: o, Seed: 1}); !errors.As(err, &refused) || !strings.Contains(refused.Expected, "least = 1") {
		t.Errorf("no word: %v", err)
	}
	o.Least = 5
	run, err := train.Start(m, &train.Setup{Graphs: graphs, Options: o, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	report := run.Report()
	if words, _ := report.Figure("vocabulary"); words < 1 || words >= fewWords || len(report.Notes) != 1 {
		t.Errorf("%v words, notes %q", words, report.Notes)
	}
}
