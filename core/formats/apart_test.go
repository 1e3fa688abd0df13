package formats

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
	"cadem.example/core/formats/npy"
	"cadem.example/core/multiplex"
)

// A paper is one of a small library: layers of 24 nodes, four topics that nothing in the layers is made of, and words.
const papers = 24

func topicOf(i int) int { return i * 7 % papers % 4 }

// oneHot writes classes as a matrix, row by row.
func oneHot(of []int, classes int) []float64 {
	x := make([]float64, len(of)*classes)
	for i, c := range of {
		x[i*classes+c] = 1
	}
	return x
}

func topics() (of []int) {
	for i := range papers {
		of = append(of, topicOf(i))
	}
	return of
}

// bagOf returns a matrix of 0 and 1, in most rows of several 1.
func bagOf(columns int) []float64 {
	r := rand.New(rand.NewPCG(3, 4))
	x := make([]float64, papers*columns)
	for k := range x {
		x[k] = float64(r.IntN(3) / 2)
	}
	return x
}

// library are two layers as arrays, with others beside them by name.
func library(t *testing.T, arrays map[string]*npy.Array) []File {
	t.Helper()
	var files []File
	for k, name := range []string{"paper", "venue"} {
		a := make([]float64, papers*papers)
		for i := range papers {
			j := (i + k + 1) % papers
			a[i*papers+j], a[j*papers+i] = 1, 1
		}
		files = append(files, File{Name: name + ".npy", Data: npyOf(t, &npy.Array{Shape: []int{papers, papers}, Data: a})})
	}
	for name, a := range arrays {
		files = append(files, File{Name: name + ".npy", Data: npyOf(t, a)})
	}
	return files
}

func matrixOf(columns int, x []float64) *npy.Array {
	return &npy.Array{Shape: []int{len(x) / columns, columns}, Data: x}
}

// with returns columns behind those before.
func with(before, x []float64) (all []float64) {
	b, w := len(before)/papers, len(x)/papers
	for i := range papers {
		all = append(append(all, before[i*b:(i+1)*b]...), x[i*w:(i+1)*w]...)
	}
	return all
}

// An array has one role: chosen labels are no features, what may be labels is asked about, and labels among the features are not scored.
func TestOneRole(t *testing.T) {
	hot := matrixOf(4, oneHot(topics(), 4))
	number := make([]float64, papers)
	for i := range number {
		number[i] = float64(topicOf(i))
	}
	y := &npy.Array{Shape: []int{papers}, Data: number}
	missing := oneHot(topics(), 4)
	clear(missing[:20]) // five nodes without a topic
	three := make([]float64, 0, 3*papers)
	for i := range papers {
		three = append(three, oneHot(topics(), 4)[4*i:4*i+3]...)
	}
	scaled := oneHot(topics(), 4)
	for k := range scaled {
		scaled[k] *= 5
	}
	const ask, leak = "which may be features or labels", "which the features hold, too"
	for _, c := range []roleCase{
		{"labels chosen", map[string]*npy.Array{"topic": hot}, Choice{Labels: []string{"topic"}}, "", 0, "topic"},
		{"nothing chosen", map[string]*npy.Array{"topic": hot}, Choice{}, ask, 0, ""},
		{"no labels", map[string]*npy.Array{"topic": hot}, Choice{Labels: []string{NoLabels}}, ask, 0, ""},
		{"no features", map[string]*npy.Array{"topic": hot}, Choice{Features: NoFeatures}, "", 0, "topic"},
		{"features chosen", map[string]*npy.Array{"topic": hot}, Choice{Features: "topic"}, "", 4, ""},
		{"both", map[string]*npy.Array{"topic": hot}, Choice{Features: "topic", Labels: []string{"topic"}}, "which are the features, too", 0, ""},
		{"another name", map[string]*npy.Array{"type_onehot": hot}, Choice{}, ask, 0, ""},
		{"features by name", map[string]*npy.Array{"features": hot}, Choice{}, ask, 0, ""},
		{"some without", map[string]*npy.Array{"topic": matrixOf(4, missing)}, Choice{}, ask, 0, ""},
		{"scaled", map[string]*npy.Array{"topic": matrixOf(4, scaled)}, Choice{}, ask, 0, ""},
		{"across", map[string]*npy.Array{"topic": matrixOf(papers, oneHot(slices.Repeat([]int{1}, 4), papers))}, Choice{}, "", 0, ""},
		{"a column", map[string]*npy.Array{"features": matrixOf(1, number)}, Choice{}, ask, 0, ""},
		{"beside numbers", map[string]*npy.Array{"community": hot, "y": y}, Choice{}, ask, 0, ""},
		{"beside numbers, chosen", map[string]*npy.Array{"community": hot, "y": y}, Choice{Features: "community"}, "", 4, ""},
		{"both chosen", map[string]*npy.Array{"community": hot, "y": y}, Choice{Features: "community", Labels: []string{"y"}}, leak, 0, ""},
		{"one of both", map[string]*npy.Array{"community": hot, "y": y}, Choice{Labels: []string{"community"}}, "", 0, "community"},
		{"a column within", map[string]*npy.Array{"features": matrixOf(10, with(bagOf(9), number)), "y": y}, Choice{}, leak, 0, ""},
		{"columns within", map[string]*npy.Array{"features": matrixOf(13, with(bagOf(9), hot.Data.([]float64))), "y": y}, Choice{}, leak, 0, ""},
		{"all but one within", map[string]*npy.Array{"features": matrixOf(12, with(bagOf(9), three)), "y": y}, Choice{}, leak, 0, ""},
		{"words", map[string]*npy.Array{"words": matrixOf(9, bagOf(9)), "y": y}, Choice{}, "", 9, "y"},
		{"more words", map[string]*npy.Array{"words": matrixOf(400, bagOf(400)), "y": y}, Choice{}, "", 400, "y"},
		{"words before topics", map[string]*npy.Array{"words": matrixOf(9, bagOf(9)), "topic": hot}, Choice{}, "", 9, "topic"},
		{"the identity", map[string]*npy.Array{"features": matrixOf(papers, oneHot([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
			16, 17, 18, 19, 20, 21, 22, 23}, papers)), "y": y}, Choice{}, "", papers, "y"},
	} {
		t.Run(c.name, c.check)
	}
}

type roleCase struct {
	name    string
	arrays  map[string]*npy.Array
	choice  Choice
	refused string
	columns int // of features, 0 for none
	labels  string
}

func (c *roleCase) check(t *testing.T) {
	files := library(t, c.arrays)
	content, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := content.Graph(c.choice)
	_, described := content.Describe(c.choice)
	if c.refused != "" {
		var bad *diag.Error
		if !errors.As(err, &bad) || !strings.Contains(bad.Found, c.refused) || !strings.Contains(err.Error(), "-features none") &&
			c.name != "both" {
			t.Fatalf("%v, expected a refusal: %s", err, c.refused)
		}
		if described == nil || described.Error() != err.Error() {
			t.Errorf("described: %v\nas a graph: %v", described, err)
		}
		return
	}
	if err != nil || described != nil {
		t.Fatalf("%v, %v", err, described)
	}
	var labels []string
	for _, s := range g.Labels {
		labels = append(labels, s.Name)
	}
	x := g.Layers[0].Features
	if x.IsIdentity() != (c.columns == 0) || c.columns > 0 && x.Cols != c.columns || strings.Join(labels, " ") != c.labels {
		t.Errorf("%d features, labels %q", x.Cols, labels)
	}
}

// The same in the other containers: one rule for arrays and tables.
func TestOneRoleOfFormats(t *testing.T) {
	hot := make([]int, 4*papers) // by columns
	for i := range papers {
		hot[topicOf(i)*papers+i] = 1
	}
	mat := func() *matFile {
		m := newMAT(false)
		for k, name := range []string{"paper", "venue"} {
			x := make([]int, papers*papers)
			for i := range papers {
				j := (i + k + 1) % papers
				x[i*papers+j], x[j*papers+i] = 1, 1
			}
			m.add(false, m.matrix(name, mxDouble, []int{papers, papers}, m.ints(2, x...)))
		}
		return m
	}
	m, in := mat(), mat()
	m.add(true, m.matrix("topic", mxDouble, []int{papers, 4}, m.ints(2, hot...)))
	in.add(false, in.matrix("s", mxStruct, []int{1, 1}, in.ints(miInt32, 8), in.element(miInt8, []byte("topic\x00\x00\x00")),
		in.matrix("", mxDouble, []int{papers, 4}, in.ints(2, hot...))))
	var table, numbers strings.Builder
	table.WriteString("id,a,b,c,d\n")
	numbers.WriteString("id,topic\n")
	for i := range papers {
		row := oneHot([]int{topicOf(i)}, 4)
		fmt.Fprintf(&table, "%d,%v,%v,%v,%v\n", i, row[0], row[1], row[2], row[3])
		fmt.Fprintf(&numbers, "%d,t%d\n", i, topicOf(i))
	}
	layers := library(t, nil)
	for name, c := range map[string]struct {
		files  []File
		labels string
	}{
		"mat": {[]File{{Name: "a.mat", Data: m.b}}, "topic"}, "mat, in a structure": {[]File{{Name: "a.mat", Data: in.b}}, "topic"},
		"csv": {append(layers[:2:2], fileOf("features.csv", table.String())), ""}, "csv, labels beside": {append(layers[:2:2],
			fileOf("features.csv", table.String()), fileOf("labels.csv", numbers.String())), ""},
	} {
		_, _, err := openChoice(c.files, Choice{})
		if err == nil || !strings.Contains(err.Error(), "may be features or labels") {
			t.Errorf("%s: %v", name, err)
		}
		if c.labels == "" {
			continue
		}
		g, _, err := openChoice(c.files, Choice{Labels: []string{c.labels}})
		if err != nil || !g.Layers[0].Features.IsIdentity() || len(g.Labels) != 1 || len(g.Labels[0].Classes) != 4 {
			t.Errorf("%s: %v", name, err)
		}
		_, _, err = openChoice(c.files, Choice{Labels: []string{c.labels}, Features: c.labels})
		if err == nil || !strings.Contains(err.Error(), "one use of it") {
			t.Errorf("%s, both: %v", name, err)
		}
	}
}

// Whether features hold labels, by trying all columns one by one on dense numbers.
func TestHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	held := 0
	for trial := range 400 {
		n, f, k := 20+r.IntN(30), 1+r.IntN(6), 2+r.IntN(3)
		s := &multiplex.LabelSet{Name: "y"}
		for c := range k {
			s.Classes = append(s.Classes, fmt.Sprint(c))
		}
		for i := range n {
			s.Of = append(s.Of, i%k)
			if r.IntN(5) == 0 {
				s.Of[i] = multiplex.Missing
			}
		}
		dense := make([]float64, n*f)
		for j := range f {
			kind := r.IntN(4)
			for i := range n {
				x := float64(r.IntN(2))
				if c := s.Of[i]; c >= 0 && kind > 0 { // a number, a column of one class, or of two
					x = []float64{0, float64(c)*2 - 1, oneHot([]int{c}, k)[j%k], float64(min(c, 1))}[kind]
				}
				dense[i*f+j] = x
			}
		}
		want := map[string]bool{}
		rows := map[int]string{}
		for j := range f {
			of, same := map[int]float64{}, true
			for i, c := range s.Of {
				x := dense[i*f+j]
				first, ok := of[c]
				if of[c] = x; c >= 0 && ok && first != x {
					same = false
				}
			}
			for c := 0; same && c < k; c++ {
				rows[c] += fmt.Sprint(" ", of[c])
			}
		}
		for c := range k {
			want[rows[c]] = true
		}
		a := &multiplex.CSR{Rows: n, Cols: f, Start: []int32{0}}
		for i := range n {
			for j := range f {
				if v := dense[i*f+j]; v != 0 {
					a.Index, a.Value = append(a.Index, int32(j)), append(a.Value, v)
				}
			}
			a.Start = append(a.Start, int32(len(a.Index)))
		}
		if got := holds(a, s); got != (len(want) == k) {
			t.Errorf("trial %d: %v, expected %v", trial, got, len(want) == k)
		} else if got {
			held++
		}
	}
	if held < 50 || held > 350 {
		t.Errorf("%d of 400 hold the labels: the trials try little", held)
	}
}

// Runs that were kept before what may be labels was asked about go on with the features that they were trained on.
func TestUnasked(t *testing.T) {
	files := library(t, map[string]*npy.Array{"topic": matrixOf(4, oneHot(topics(), 4))})
	g, r, err := openChoice(files, Choice{Labels: []string{"topic"}, Unasked: true})
	if err != nil || g.Layers[0].Features.Cols != 4 || len(g.Labels) != 1 || !slices.Contains(r.Notes,
		"Labels topic are among the features: their scores say nothing.") {
		t.Errorf("%v %+v", err, r)
	}
}

// The dialog is given no role for what is asked about.
func TestSurveyAsks(t *testing.T) {
	y := make([]float64, papers)
	for i := range y {
		y[i] = float64(topicOf(i))
	}
	files := library(t, map[string]*npy.Array{"community": matrixOf(4, oneHot(topics(), 4)), "y": {Shape: []int{papers}, Data: y}})
	_, s, v := surveyOf(t, files)
	if c := v["community"]; c.Role != "" || !c.Asked || !slices.Contains(c.Roles, AsFeatures) || !slices.Contains(c.Roles, AsLabels) || c.Note == "" {
		t.Errorf("%+v", c)
	}
	if v["y"].Role != AsLabels || v["y"].Asked || s.Guess.Features != "" {
		t.Errorf("%+v, guess %+v", v["y"], s.Guess)
	}
}

// What FieldTrip notes of sensors is neither features, nor labels, nor a layer, and is named; chosen, it is used.
func TestSensors(t *testing.T) {
	const n = 8
	m := newMAT(false)
	square := make([]int, n*n)
	for i := range n {
		j := (i + 1) % n
		square[i*n+j], square[j*n+i] = 1, 1
	}
	var names [][]byte
	for i := range n {
		names = append(names, m.matrix("", mxChar, []int{1, 2}, m.ints(2, 'E', '1'+i)))
	}
	label := func(name string) []byte { return m.matrix(name, mxCell, []int{n, 1}, names...) }
	m.add(false, m.matrix("alpha", mxDouble, []int{n, n}, m.ints(2, square...)))
	m.add(false, m.matrix("beta", mxDouble, []int{n, n}, m.ints(2, square...)))
	m.add(false, label("label"))
	m.add(false, m.matrix("xyz", mxDouble, []int{n, 3}, m.ints(2, square[:3*n]...)))
	fields := []byte("chanpos\x00label\x00\x00\x00tra\x00\x00\x00\x00\x00")
	m.add(false, m.matrix("elec", mxStruct, []int{1, 1}, m.ints(miInt32, 8), m.element(miInt8, fields),
		m.matrix("", mxDouble, []int{n, 3}, m.ints(2, square[:3*n]...)), label(""), m.matrix("", mxDouble, []int{n, n}, m.ints(2, square...))))
	files := []File{{Name: "conn.mat", Data: m.b}}
	g, r, err := openChoice(files, Choice{})
	if err != nil || g.N() != 2 || !g.Layers[0].Features.IsIdentity() || len(g.Labels) != 0 {
		t.Fatalf("%v %+v", err, g)
	}
	said := strings.Join(r.Notes, "\n")
	for _, want := range []string{`"xyz", "elec.chanpos", "elec.label" and 1 more: places, or notes on sensors`, "label was passed over: it has another"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	g, _, err = openChoice(files, Choice{Features: "chanpos", Labels: []string{"elec.label"}, Layers: []string{"alpha", "beta", "tra"}})
	if err != nil || g.N() != 3 || g.Layers[0].Features.Cols != 3 || len(g.Labels) != 1 || len(g.Labels[0].Classes) != n {
		t.Errorf("chosen: %v %+v", err, g)
	}
	// A file by such a name is none of it.
	files = library(t, nil)
	files[0].Name, files[1].Name = "elec.npy", "grad.npy"
	if g, _, err := openChoice(files, Choice{}); err != nil || g.N() != 2 {
		t.Errorf("files: %v", err)
	}
}

// The label -1 is no class, or it is said that it is one, in arrays as in texts.
func TestLabelsBelow0(t *testing.T) {
	layers := library(t, nil)
	for _, c := range []struct {
		name string
		of   func(i int) string
		want string
		said string
	}{
		{"numbers", func(i int) string { return fmt.Sprint(i%4 - 1) }, "[0 1 2], 6 missing", "-1 is no class: 6 nodes have no label"},
		{"many numbers", func(i int) string { return fmt.Sprint(i%13 - 1) }, "[0 1 2 3 4 5 6 7 8 9 10 11], 2 missing", "-1 is no class: 2 nodes have no label"},
		{"another code", func(i int) string { return strings.ReplaceAll(fmt.Sprint(i%3-1), "-1", "-9") }, "[0 1], 8 missing", "-9 is no class"},
		{"two classes", func(i int) string { return fmt.Sprint(i%2*2 - 1) }, "[-1 1], 0 missing", "-1 counts as a class"},
		{"a scale", func(i int) string { return fmt.Sprint(i%5 - 2) }, "[-1 -2 0 1 2], 0 missing", "-1 counts as a class"},
		{"none", func(i int) string { return fmt.Sprint(i % 3) }, "[0 1 2], 0 missing", ""},
	} {
		x := make([]float64, papers)
		var table strings.Builder
		table.WriteString("id,y\n")
		for i := range x {
			fmt.Sscan(c.of(i), &x[i])
			fmt.Fprintf(&table, "%d,%s\n", i, c.of(i))
		}
		m := newMAT(false)
		ints := make([]int, papers)
		for i := range x {
			ints[i] = int(x[i])
		}
		m.add(false, m.matrix("y", mxDouble, []int{papers, 1}, m.ints(9, ints...)))
		for format, f := range map[string]File{
			"npy": {Name: "y.npy", Data: npyOf(t, &npy.Array{Shape: []int{papers}, Data: x})}, "mat": {Name: "a.mat", Data: m.b},
			"csv": fileOf("labels.csv", table.String()),
		} {
			content, err := Read(append(layers[:2:2], f))
			if err != nil {
				t.Fatal(err)
			}
			g, r, err := content.Graph(Choice{})
			if err != nil {
				t.Fatal(err)
			}
			_, missing := g.Labels[0].Counts()
			if got := fmt.Sprintf("%v, %d missing", g.Labels[0].Classes, missing); got != c.want {
				t.Errorf("%s, %s: %s, expected %s", c.name, format, got, c.want)
			}
			if said := strings.Join(r.Notes, "\n"); strings.Contains(said, "Labels y: ") != (c.said != "") || !strings.Contains(said, c.said) {
				t.Errorf("%s, %s: %s", c.name, format, said)
			}
			d, err := content.Describe(Choice{})
			if err != nil || d.Missing != missing || len(d.Classes) != len(g.Labels[0].Classes) {
				t.Errorf("%s, %s: %v, %+v", c.name, format, err, d)
			}
			s, err := content.Survey(Choice{}, func() error { return nil })
			if err != nil || !slices.ContainsFunc(s.Variables, func(v Surveyed) bool {
				return v.Name == "y" && v.Missing == missing && strings.Contains(v.Note, c.said)
			}) {
				t.Errorf("%s, %s: %v, %+v", c.name, format, err, s.Variables)
			}
		}
	}
}
