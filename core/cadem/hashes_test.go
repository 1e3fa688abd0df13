package cadem

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/brain/cohort"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

func init() { examples.Register(cohort.Example()) }

//go:embed testdata/hashes.txt
var hashes string

// Every preset, example and precision, one graph and several, has the hash on record, with one to four helpers and
// without, natively and in the browser. If a line differs, stored runs and published figures can no longer be
// reproduced. An example without lines is one whose runs nobody has stored.
func TestHashesStay(t *testing.T) {
	want := map[string]string{}
	for line := range strings.Lines(hashes) {
		at := strings.LastIndexByte(strings.TrimSpace(line), ' ')
		want[line[:at]] = strings.TrimSpace(line[at:])
	}
	seen := 0
	for _, g := range examples.All() {
		if !strings.Contains("\n"+hashes, "\n"+g.Name+" ") {
			continue
		}
		var graphs []*multiplex.Graph
		for seed := range uint64(3) {
			drawn, err := examples.Draw(g.Name, nil, 7+seed)
			if err != nil {
				t.Fatal(err)
			}
			graphs = append(graphs, drawn)
		}
		for _, preset := range Presets {
			for _, p := range precisions() {
				for _, n := range []int{1, len(graphs)} {
					if preset == "evidence" && (!takesEvidence(preset, graphs[:n]...) || graphs[0].M() > 200) { // larger ones take their time
						continue
					}
					o, err := Preset(preset)
					if err != nil {
						t.Fatal(err)
					}
					o.Epochs, o.Hidden, o.Augmented = 3, 32, 4
					name := fmt.Sprintf("%s %s %d-bit %s", g.Name, preset, p, map[bool]string{true: "alone", false: "several"}[n == 1])
					run, err := New(graphs[:n], o, 5, p)
					if err != nil {
						t.Fatal(err)
					}
					finish(t, run)
					if got := run.Hash(); got != want[name] {
						t.Errorf("%s %s, want %q", name, got, want[name])
					}
					seen++
				}
			}
		}
	}
	if seen*len([]precision.Bits{precision.Single, precision.Double}) != len(want)*len(precisions()) {
		t.Errorf("%d runs in %d precisions for %d lines", seen, len(precisions()), len(want))
	}
}
