package subject

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/property"
	"cadem.example/core/base/rng"
	"cadem.example/core/brain/braintest"
	"cadem.example/core/brain/connectome"
	"cadem.example/core/formats"
	"cadem.example/core/formats/npy"
	"cadem.example/core/lab/run"
)

func init() { run.Register(Opener()) }

// surveyed describes files as the dialog has it; nil: they are something else.
func surveyed(files []formats.File) (*Survey, error) {
	s, err := run.SurveyFiles(files)
	if s == nil {
		return nil, err
	}
	return s.(*Survey), err
}

func TestOneSubjectOpens(t *testing.T) {
	series, regions, atlas := braintest.Subject(t)
	d, err := run.OpenFiles([]formats.File{series, regions}, nil, nil)
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
	notes := strings.Join(append(d.Notes, d.Subject.(*Subject).Steps...), "\n")
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
	if d, err = run.OpenFiles([]formats.File{series}, nil, nil); err != nil || d.Graph.Places != nil || len(d.Graph.Labels) != 0 {
		t.Errorf("the series alone: %v", err)
	}
	// Its mistakes are reported as such.
	bad := series
	bad.Data = []byte(string(series.Data) + "1,2\n")
	if _, err = run.OpenFiles([]formats.File{bad}, nil, nil); err == nil || !strings.HasPrefix(err.Error(), "s.csv:") {
		t.Errorf("a row too short: %v", err)
	}
	// Beside an edge list a wide table is one of features.
	edges := formats.File{Name: "a.edges", Data: []byte("1 1 2 1\n1 2 3 1\n2 1 3 1\n")}
	var e *diag.Error
	if _, err = run.OpenFiles([]formats.File{edges, series}, nil, nil); errors.As(err, &e) {
		t.Errorf("edges and a table: %v", err)
	}
}

func TestRealSubjectOpens(t *testing.T) {
	for _, name := range []string{"cifti/s01_rest.ptseries.nii", "hcp/rest/s01.npy"} {
		data, err := os.ReadFile("../../../../shared/data/" + name)
		if err != nil {
			t.Skip("the real data is not there: ../shared/data/" + name)
		}
		d, err := run.OpenFiles([]formats.File{{Name: name, Data: data}}, nil, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if d.Graph.M() != 360 || d.Graph.N() != 2 {
			t.Errorf("%s: %d nodes, %d layers", name, d.Graph.M(), d.Graph.N())
		}
		band := strings.Contains(strings.Join(d.Subject.(*Subject).Steps, "\n"), "band-pass 0.008-0.08 Hz")
		if cifti := strings.HasPrefix(name, "cifti"); band != cifti {
			t.Errorf("%s: band-pass %v; the TR is known: %v", name, band, cifti)
		}
	}
}

// Every step can be changed by name; questions are the ambiguities of the files.
func TestSubjectOptions(t *testing.T) {
	series, regions, _ := braintest.Subject(t)
	files := []formats.File{series, regions}
	usual, err := run.OpenFiles(files, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	options := map[string]any{"tr": 0.72, "keep": 5.0, "crop": 80.0}
	d, err := run.OpenFiles(files, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	if about := d.Subject.(*Subject); about.Quality.Frames != 80 || about.TR != 0.72 ||
		len(d.Graph.Layers[0].Adjacency.Index) >= len(usual.Graph.Layers[0].Adjacency.Index) {
		t.Errorf("%+v", d.Subject)
	}
	var refused *diag.Error
	for name, value := range map[string]any{"keep": -1, "nothing": 1, "rows": "sideways"} {
		if _, err := run.OpenFiles(files, nil, map[string]any{name: value}); !errors.As(err, &refused) || refused.Where != name {
			t.Errorf("%s = %v: %v", name, value, err)
		}
	}
	edges := []formats.File{{Name: "a.edges", Data: []byte("1 1 2 1\n1 2 3 1\n2 1 3 1\n")}}
	if _, err := run.OpenFiles(edges, nil, options); !errors.As(err, &refused) {
		t.Errorf("options of a brain for an edge list: %v", err)
	}

	s, err := surveyed(files)
	if err != nil || !slices.Equal(s.Ask, []string{"tr"}) || s.Files[0].As != "series of 60 regions x 90 frames" ||
		s.Files[1].As != "table of 60 regions in 7 networks" {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := surveyed(edges); s != nil || err != nil {
		t.Errorf("an edge list: %+v, %v", s, err)
	}
	// Noise lies either way.
	noise := rng.New(1, "test")
	var b bytes.Buffer
	x := make([]float64, 40*30)
	for i := range x {
		x[i] = noise.Norm()
	}
	if err := npy.Write(&b, &npy.Array{Shape: []int{40, 30}, Data: x}); err != nil {
		t.Fatal(err)
	}
	unclear := []formats.File{{Name: "x.npy", Data: b.Bytes()}}
	if s, err = surveyed(unclear); err != nil || !slices.Equal(s.Ask, []string{"rows", "tr"}) || s.Guess == "" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err = run.OpenFiles(unclear, nil, nil); err == nil || !strings.Contains(err.Error(), "rows are regions or frames") {
		t.Errorf("unclear: %v", err)
	}
	if d, err = run.OpenFiles(unclear, nil, map[string]any{"rows": "frames"}); err != nil || d.Graph.M() != 30 {
		t.Errorf("told: %v", err)
	}
}

// Errors in a subject's files are reported as such, whatever lies beside the series.
func TestSubjectRefused(t *testing.T) {
	series, regions, _ := braintest.Subject(t)
	table := string(regions.Data)
	first := strings.SplitN(string(series.Data), "\n", 3)
	many := func(rows int) formats.File {
		return formats.File{Name: "s.csv", Data: []byte(strings.Join(strings.SplitAfter(string(series.Data), "\n")[:rows+1], ""))}
	}
	with := func(value string) formats.File {
		row := value + first[1][strings.Index(first[1], ","):]
		return formats.File{Name: "s.csv", Data: []byte(first[0] + "\n" + row + "\n" + first[2])}
	}
	named := func(text string) formats.File { return formats.File{Name: "regions.csv", Data: []byte(text)} }
	for want, files := range map[string][]formats.File{
		"s.csv: regions: found 60 names against 61": {series, named(table + "extra,Visual,0,0,0\n")},
		"unknown: \"":                                           {series, named(strings.Replace(table, "synthetic", "another", 1))},
		"again, expected distinct names":                        {series, named(table + strings.Split(table, "\n")[1] + "\n")},
		"found NaN, expected finite numbers":                    {with("nan"), regions},
		"frames: found 3, expected at least 10":                 {many(3)},
		"c.tsv: frames: found 12, expected 90":                  {series, {Name: "c.tsv", Data: []byte("trans_x\n" + strings.Repeat("1\n", 12))}},
		"anti-activation: found no edges (of the pairs 100.0 %": {{Name: "fc.csv", Data: []byte(strings.Repeat(strings.Repeat("0.5,", 29)+"0.5\n", 30))}},
	} {
		if d, err := run.OpenFiles(files, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s (%v)", err, want, d != nil)
		}
	}
	// Most of it is known before anything is asked.
	if _, err := surveyed([]formats.File{many(3)}); err == nil {
		t.Error("three frames are asked about")
	}
	// A region that does not change stays, alone, and is counted.
	rows := strings.Split(strings.TrimSpace(string(series.Data)), "\n")
	for i := 1; i < len(rows); i++ {
		rows[i] = "7" + rows[i][strings.Index(rows[i], ","):]
	}
	d, err := run.OpenFiles([]formats.File{{Name: "s.csv", Data: []byte(strings.Join(rows, "\n"))}}, nil, nil)
	if err != nil || d.Subject.(*Subject).Quality.Constant != 1 || d.Summary().Layers[0].Isolated != 1 ||
		!strings.Contains(strings.Join(d.Notes, " "), "does not change, and correlates with nothing") {
		t.Errorf("a constant region: %v", err)
	}
}

// The names of settings do not collide, so -set needs no prefix.
func TestSettingNamesDiffer(t *testing.T) {
	for _, p := range connectome.SettingsTable() {
		s := run.Settings{}
		if property.Has(s.CaDeM(), p.Name) || property.Has(&s.Evaluation, p.Name) {
			t.Errorf("%s is also an option of training or evaluation", p.Name)
		}
	}
}
