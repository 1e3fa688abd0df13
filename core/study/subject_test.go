package study

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cadem/core/connectome"
	"cadem/core/formats"
	"cadem/core/property"
	"cadem/core/synth"
)

// subjectFiles are the series of an invented subject, frames in rows, and its regions.
func subjectFiles(t *testing.T) (series, regions formats.File, atlas *connectome.Atlas) {
	t.Helper()
	o := &synth.CohortOptions{}
	property.Defaults(o)
	o.Subjects, o.Regions, o.Frames = 2, 60, 90
	c, err := synth.NewCohort(o, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Series(0, 1)
	var text, table strings.Builder
	text.WriteString(strings.Join(s.Regions, ",") + "\n")
	for frame := range s.Frames {
		for i := range s.M() {
			fmt.Fprintf(&text, "%s%.6f", []string{"", ","}[min(i, 1)], s.Row(i)[frame])
		}
		text.WriteString("\n")
	}
	// Regions in another order than in the series.
	table.WriteString("name,network,x,y,z\n")
	for i := range s.M() {
		k := s.M() - 1 - i
		p := c.Atlas.Centroids[k]
		fmt.Fprintf(&table, "%s,%s,%g,%g,%g\n", c.Atlas.Names[k], c.Atlas.Networks[c.Atlas.Network[k]], p[0], p[1], p[2])
	}
	return formats.File{Name: "s.csv", Data: []byte(text.String())}, formats.File{Name: "regions.csv", Data: []byte(table.String())}, c.Atlas
}

func TestOneSubjectOpens(t *testing.T) {
	series, regions, atlas := subjectFiles(t)
	d, err := OpenFiles([]formats.File{series, regions}, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := d.Graph
	if g.M() != 60 || g.N() != 2 || g.F() != 2 || g.Layers[1].Name != "anti-activation" {
		t.Fatalf("%d nodes, %d layers, %d features", g.M(), g.N(), g.F())
	}
	for i, name := range g.Nodes {
		k := slices.Index(atlas.Names, name)
		if k != 59-i || g.Places[i] != atlas.Centroids[k] || g.Labels[0].Classes[g.Labels[0].Of[i]] != atlas.Networks[atlas.Network[k]] {
			t.Fatalf("region %d is %s at %v", i, name, g.Places[i])
		}
	}
	notes := strings.Join(d.Notes, "\n")
	for _, want := range []string{"there is no band-pass", "detrend", "the strongest 10 %"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
	// The graph is that of the steps taken one by one.
	in, err := connectome.Open([]formats.File{series, regions}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := &connectome.Options{}
	property.Defaults(o)
	o.Filter = "none"
	c, err := in.Compute(o)
	if err != nil {
		t.Fatal(err)
	}
	same, err := c.Graph()
	if err != nil {
		t.Fatal(err)
	}
	for l := range same.Layers {
		if !slices.Equal(g.Layers[l].Adjacency.Index, same.Layers[l].Adjacency.Index) || !slices.Equal(g.Layers[l].Features.Dense, same.Layers[l].Features.Dense) {
			t.Errorf("layer %d is another one", l)
		}
	}

	// By itself, without places.
	if d, err = OpenFiles([]formats.File{series}, nil); err != nil || d.Graph.Places != nil || len(d.Graph.Labels) != 0 {
		t.Errorf("the series alone: %v", err)
	}
	// Its mistakes are told as such.
	bad := series
	bad.Data = []byte(string(series.Data) + "1,2\n")
	if _, err = OpenFiles([]formats.File{bad}, nil); err == nil || !strings.HasPrefix(err.Error(), "s.csv:") {
		t.Errorf("a row too short: %v", err)
	}
	// Beside an edge list a wide table is one of features.
	edges := formats.File{Name: "a.edges", Data: []byte("1 1 2 1\n1 2 3 1\n2 1 3 1\n")}
	var e *connectome.Error
	if _, err = OpenFiles([]formats.File{edges, series}, nil); errors.As(err, &e) {
		t.Errorf("edges and a table: %v", err)
	}
}

func TestRealSubjectOpens(t *testing.T) {
	for _, name := range []string{"cifti/s01_rest.ptseries.nii", "hcp/rest/s01.npy"} {
		data, err := os.ReadFile("../../../shared/data/" + name)
		if err != nil {
			t.Skip("the real data is not there: ../shared/data/" + name)
		}
		d, err := OpenFiles([]formats.File{{Name: name, Data: data}}, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if d.Graph.M() != 360 || d.Graph.N() != 2 {
			t.Errorf("%s: %d nodes, %d layers", name, d.Graph.M(), d.Graph.N())
		}
		band := strings.Contains(strings.Join(d.Notes, "\n"), "band-pass 0.008-0.08 Hz")
		if cifti := strings.HasPrefix(name, "cifti"); band != cifti {
			t.Errorf("%s: band-pass %v; the TR is known: %v", name, band, cifti)
		}
	}
}
