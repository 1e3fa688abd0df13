package cadem

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/precision"
	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
	"cadem.example/core/synth/examples"
)

// authorsOf returns a graph and options that draw as the authors' program does.
func authorsOf(t *testing.T, set ...string) (*multiplex.Graph, Options) {
	t.Helper()
	g, err := examples.Draw("syn1", nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	o := Released()
	o.Epochs, o.InnerSteps, o.Hidden, o.Augmented, o.Batch, o.Streams = 4, 3, 16, 4, 5, "authors"
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		if err := property.Set(&o, name, value); err != nil {
			t.Fatal(err)
		}
	}
	return g, o
}

// One stream gives the partners of all steps, and yet a run that goes on from a checkpoint ends with the bits of one that was never
// stopped, also when a step is done again.
func TestAuthorsResume(t *testing.T) {
	for _, set := range [][]string{nil, {"graphs=augmented"}, {"augmented=0"}, {"average=all", "combine=concat"}, {"pairing=sampled:3"}, {"augmentation=fresh"},
		{"pairing=own"}, {"dropout=entries"}} {
		g, o := authorsOf(t, set...)
		run := func() *Trainer {
			r, err := New([]*multiplex.Graph{g}, o, 15, precision.Single)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		whole := run()
		finish(t, whole)
		part := run()
		for range 7 {
			if err := part.Step(); err != nil {
				t.Fatal(err)
			}
		}
		var stored bytes.Buffer
		if err := WriteCheckpoint(&stored, part); err != nil {
			t.Fatal(err)
		}
		for range 2 { // what goes beyond is forgotten
			if err := part.Step(); err != nil {
				t.Fatal(err)
			}
		}
		c, err := OpenCheckpoint(bytes.NewReader(stored.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if c.Options.Streams != "authors" {
			t.Errorf("%v: a checkpoint has streams %q", set, c.Options.Streams)
		}
		again, err := c.New([]*multiplex.Graph{g}, Given{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*Trainer{again, part} {
			if err := c.Restore(r); err != nil {
				t.Fatal(err)
			}
			finish(t, r)
			if r.Hash() != whole.Hash() {
				t.Errorf("%v: a run that went on ends with %s, one that was never stopped with %s", set, r.Hash(), whole.Hash())
			}
		}
	}
}

// Draws that the authors' program does not make come from streams of our own, and a note names them.
func TestAuthorsNotes(t *testing.T) {
	for set, want := range map[string]string{
		"dim=8":              "",
		"dropout=entries":    "does not draw dropped entries:",
		"augmentation=fresh": "does not draw fresh augmentation:",
		"pairing=sampled:2":  "does not draw sampled partners:",
		"completion=centred": "does not draw missing directions:",
	} {
		g, o := authorsOf(t, set)
		notes := strings.Join(Seeded([]*multiplex.Graph{g}, &o, 1).Notes(), "\n")
		if !strings.Contains(notes, want) || want == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q among them", set, notes, want)
		}
	}
	g, o := authorsOf(t)
	other, err := examples.Draw("syn1", nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	source := Seeded([]*multiplex.Graph{g, other}, &o, 1)
	if notes := source.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "the graphs after the first") {
		t.Errorf("notes of two graphs: %q", notes)
	}
	if a, b := source.Sets(0)[0], source.Sets(1)[0]; slices.Equal(a.Nodes[0], b.Nodes[0]) || slices.Equal(a.NoiseC[0], b.NoiseC[0]) {
		t.Error("two graphs are augmented alike")
	}
}

// Every draw has a seed of its own: nodes, noise and weights differ between layers, copies and embeddings.
func TestAuthorsDiffer(t *testing.T) {
	g, o := authorsOf(t)
	source := Seeded([]*multiplex.Graph{g}, &o, 15)
	var all [][]float64
	for _, set := range source.Sets(0) {
		all = append(append(all, set.NoiseC...), set.NoiseP...)
		for k, nodes := range set.Nodes {
			if len(nodes) != len(set.Nodes[0]) || !slices.IsSorted(nodes) || len(slices.Compact(slices.Clone(nodes))) != len(nodes) {
				t.Errorf("graph %d keeps %v", k, nodes)
			}
		}
	}
	for _, name := range []string{"l0.W1c", "l0.W1p", "l1.W1c", "l1.W1p"} {
		w := make([]float64, 5*16)
		source.Weights(name, w, 5, 16)
		all = append(all, w)
	}
	for i := range all {
		for j := range i {
			if slices.Equal(all[i], all[j]) {
				t.Errorf("draws %d and %d are the same", j, i)
			}
		}
	}
}
