package formats

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/input"
)

func surveyOf(t *testing.T, files []File) (*Content, *Survey, map[string]Surveyed) {
	t.Helper()
	c, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Survey(Choice{}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]Surveyed{}
	for _, v := range s.Variables {
		byName[v.Name] = v
	}
	return c, s, byName
}

// The survey of matrices says what each may be, how it is used, and how it begins.
func TestSurveyMatrices(t *testing.T) {
	files := []File{
		fileOf("a.txt", "0 1\n1 0\n2 2\n"), fileOf("b.txt", "0 1 2\n0 2 0.5\n1 0 2\n"),
		fileOf("features.csv", "1,0,3\n0,0,0\n5,1,2\n"),
		{Name: "y.npy", Data: npyOf(t, &npy.Array{Shape: []int{3}, Data: []int32{1, 0, 1}})},
		{Name: "test_idx.npy", Data: npyOf(t, &npy.Array{Shape: []int{2}, Data: []int32{0, 2}})},
		{Name: "square.npy", Data: npyOf(t, &npy.Array{Shape: []int{3, 3}, Data: []float64{0, 1.5, 0, 1.5, 0, 0, 0, 0, 1}})},
		{Name: "cube.npy", Data: npyOf(t, &npy.Array{Shape: []int{2, 3, 4}, Data: make([]float64, 24)})},
		{Name: "other.npy", Data: npyOf(t, &npy.Array{Shape: []int{3, 3}, Data: []float64{0, 1, 1, 0, 0, 0, 0, 0, 0}})},
	}
	_, s, v := surveyOf(t, files[3:])
	if s.Nodes != 3 || s.Plain || !slices.Equal(s.Guess.Layers, []string{"other", "square"}) {
		t.Fatalf("%+v", s)
	}
	q := v["square"]
	if q.Role != AsLayer || !slices.Contains(q.Roles, AsFeatures) || q.NNZ != 3 || q.Layer.SelfLoops != 1 || !q.Layer.Symmetric || q.Layer.Isolated != 1 ||
		!slices.Equal(q.Degrees, []int{1, 2}) {
		t.Errorf("square: %+v, %+v", q, q.Layer)
	}
	if !slices.Equal(q.Rows[1], []string{"1", "1.5", "0", "0"}) || len(q.Rows) != 3 {
		t.Errorf("it begins with %v", q.Rows)
	}
	if o := v["other"]; o.Layer.Symmetric || o.Layer.NNZ != 2 || !slices.Equal(o.Degrees, []int{0, 2, 1}) {
		t.Errorf("other: %+v, %+v", o, o.Layer)
	}
	if y := v["y"]; y.Role != AsLabels || !slices.Equal(y.Classes, []string{"0", "1"}) || !slices.Equal(y.Counts, []int{1, 2}) {
		t.Errorf("y: %+v", y)
	}
	if i := v["test_idx"]; i.Role != AsSplit || !slices.Contains(i.Roles, AsSplit) || slices.Contains(i.Roles, AsLabels) {
		t.Errorf("test_idx: %+v", i)
	}
	if k := v["cube"]; k.Role != "" || len(k.Roles) != 0 {
		t.Errorf("cube: %+v", k)
	}

	c, _, _ := surveyOf(t, files[3:])
	if g, _, err := c.Graph(Choice{Labels: []string{NoLabels}}); err != nil || len(g.Labels) != 0 {
		t.Errorf("without labels: %+v, %v", g, err)
	}

	// A matrix beside an edge list is features or nothing.
	c, s, v = surveyOf(t, append(files[:3:3], files[5]))
	if s.Plain || !slices.Equal(s.Guess.Layers, []string{"a", "b"}) || v["features"].Role != AsFeatures || v["features"].NNZ != 5 {
		t.Errorf("%+v", s)
	}
	if v["a"].Weights || !v["b"].Weights {
		t.Error("b has weights, a has none")
	}
	if b := v["b"]; b.Layer == nil || b.Layer.Isolated != 0 || b.Type != "float64" || !slices.Equal(b.Rows[2], []string{"2", "0"}) {
		t.Errorf("b: %+v", b)
	}
	g, _, err := c.Graph(Choice{Layers: []string{"b", "a"}, Features: "square", Binary: true})
	if err != nil || g.Layers[0].Name != "b" || g.Layers[0].Adjacency.Value != nil || g.F() != 3 {
		t.Errorf("%+v, %v", g, err)
	}
}

// The survey names variables that cannot be used as chosen, and describes the rest.
func TestSurveyProblems(t *testing.T) {
	a := File{Name: "a.npy", Data: npyOf(t, &npy.Array{Shape: []int{2, 2}, Data: []float64{0, 1, 1, 0}})}
	b := File{Name: "b.npy", Data: npyOf(t, &npy.Array{Shape: []int{2, 2}, Data: []float64{0, 1, 1, 0}})}
	for _, c := range []struct {
		file File
		want string
	}{
		{File{Name: "c.npy", Data: npyOf(t, &npy.Array{Shape: []int{3, 3}, Data: make([]float64, 9)})},
			"c.npy: c: found a layer of 3 nodes, expected 2 as the other layers have"},
		{File{Name: "c.npy", Data: npyOf(t, &npy.Array{Shape: []int{2, 2}, Data: []float64{0, 1e300, 1, 0}})}, "found the weight 1e+300 in row 0, column 1"},
		{File{Name: "label.npy", Data: npyOf(t, &npy.Array{Shape: []int{3}, Data: []int32{0, 1, 1}})},
			"label.npy: label: found labels of shape [3], expected 2 labels, one a node"},
	} {
		_, s, v := surveyOf(t, []File{a, b, c.file})
		got := v[input.Stem(c.file.Name)]
		if !strings.Contains(got.Problem, c.want) || !slices.Contains(got.Roles, got.Role) || len(s.Variables) != 3 || v["a"].Problem != "" {
			t.Errorf("%+v, expected %q", got, c.want)
		}
	}
	c, err := Read([]File{a, b})
	if err != nil {
		t.Fatal(err)
	}
	for want, file := range map[string]File{
		"No layer: -1 in row 0, column 1.": {Name: "c.npy",
			Data: npyOf(t, &npy.Array{Shape: []int{2, 2}, Data: []float64{0, -1, 2.5, 0}})},
		"No layer: 3 x 2, not square. No features or labels: 3 rows for 2 nodes.": {Name: "c.npy",
			Data: npyOf(t, &npy.Array{Shape: []int{3, 2}, Data: []float64{0, 1, 1, 0, .5, 1}})},
		ofSplits: {Name: "train_idx.npy", Data: npyOf(t, &npy.Array{Shape: []int{1}, Data: []int32{1}})},
	} {
		c, s, v := surveyOf(t, []File{a, b, file})
		if got := v[input.Stem(file.Name)]; got.Note != want || len(s.Guess.Layers) != 2 || slices.Contains(s.Guess.Labels, input.Stem(file.Name)) {
			t.Errorf("%+v, expected %q", got, want)
		}
		_, report, err := c.Graph(Choice{})
		if err != nil {
			t.Fatal(err)
		}
		const alone = "train_idx sounds like a part of a split and is not used: a split has a training and a test part, such as train_mask and test_mask."
		if told := slices.Contains(report.Notes, alone); told != (file.Name == "train_idx.npy") {
			t.Errorf("%s: %q", file.Name, report.Notes)
		}
	}
	stop := errors.New("enough")
	if _, err := c.Survey(Choice{}, func() error { return stop }); err != stop {
		t.Errorf("%v", err)
	}
}

// Files that say themselves what they are leave nothing to choose.
func TestSurveyEdgeList(t *testing.T) {
	c, s, v := surveyOf(t, []File{fileOf("e.edges", "1 1 2 1\n1 2 3 1\n2 3 1 1\n2 1 3 1\n"), fileOf("labels.csv", "id,team\n1,x\n2,y\n3,\n")})
	if !s.Plain || s.Nodes != 3 || len(s.Variables) != 3 {
		t.Fatalf("%+v", s)
	}
	if l := v["layer 2"]; l.Role != AsLayer || !l.Layer.Symmetric || l.Layer.NNZ != 2 || l.NNZ != 2 || !slices.Equal(l.Degrees, []int{1, 2}) {
		t.Errorf("%+v, %+v", l, l.Layer)
	}
	if l := v["team"]; l.Role != AsLabels || l.Missing != 1 || !slices.Equal(l.Counts, []int{1, 1}) || !slices.Equal(l.Rows[2], []string{"3", ""}) {
		t.Errorf("%+v", l)
	}
	if g, _, err := c.Graph(Choice{Labels: []string{NoLabels}}); err != nil || len(g.Labels) != 0 {
		t.Errorf("without labels: %+v, %v", g, err)
	}
	if g, _, err := c.Graph(s.Guess); err != nil || g.N() != 2 || len(g.Labels) != 1 {
		t.Errorf("the guess makes %+v, %v", g, err)
	}
}

func TestSurveyACM(t *testing.T) {
	_, s, v := surveyOf(t, realFiles(t, "acm/ACM3025.mat"))
	if s.Nodes != 3025 || v["PAP"].Role != AsLayer || v["feature"].Role != AsFeatures || v["label"].Role != AsLabels {
		t.Errorf("%+v", s.Guess)
	}
	for _, x := range s.Variables {
		t.Logf("%s %s %v %s: role %q of %q, nnz %d, %+v, degrees %v, counts %v, %s", x.Name, x.Form, x.Shape, x.Type, x.Role, x.Roles, x.NNZ, x.Layer, x.Degrees,
			x.Counts, x.Problem)
	}
}

// A layer is symmetric in what it means. A list that has each link once is, for it is taken as
// undirected; how it is stored is said beside.
func TestStored(t *testing.T) {
	const one, both, some, weights = "source,target\na,b\nb,c\n", "source,target\na,b\nb,a\nb,c\nc,b\n", "source,target\na,b\nb,a\nb,c\n",
		"source,target,weight\na,b,1\nb,a,2\n"
	for text, want := range map[string]LayerCounts{
		one: {NNZ: 2, Stored: OneWay, Symmetric: true}, both: {NNZ: 4, Stored: BothWays, Symmetric: true},
		some: {NNZ: 3, Stored: Directed}, weights: {NNZ: 2, Stored: Directed},
	} {
		c, err := Read([]File{fileOf("tie.csv", text), fileOf("other.csv", both)})
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.Describe(Choice{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Survey(Choice{}, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(s.Variables, func(v Surveyed) bool { return v.Name == "tie" })
		for _, got := range []LayerCounts{d.Layers["tie"], *s.Variables[k].Layer} {
			if got.NNZ != want.NNZ || got.Stored != want.Stored || got.Symmetric != want.Symmetric {
				t.Errorf("%q: %+v, want %+v", text, got, want)
			}
		}
	}
}
