package connectome

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"cadem.example/core/base/diag"
	"cadem.example/core/base/rng"
	"cadem.example/core/formats"
	"cadem.example/core/multiplex"
)

// counts are invented numbers of streamlines between m regions, whole ones, many of them 0.
func streamlines(m int) []float64 {
	src := rng.New(5, "connectome/streamlines")
	x := make([]float64, m*m)
	for i := range m {
		for j := range i {
			v := math.Floor(max(0, 80*src.Float64()-40))
			x[i*m+j], x[j*m+i] = v, v
		}
	}
	return x
}

// square writes some regions of a matrix in an order, with names above and beside it unless there are none.
func square(x []float64, m int, order []int, names []string) string {
	var b strings.Builder
	if names != nil {
		for _, i := range order {
			b.WriteString("\t" + names[i])
		}
		b.WriteString("\n")
	}
	for _, i := range order {
		if names != nil {
			b.WriteString(names[i] + "\t")
		}
		for k, j := range order {
			fmt.Fprintf(&b, "%s%g", []string{"", "\t"}[min(k, 1)], x[i*m+j])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// graphOf opens files as those of one subject.
func graphOf(t *testing.T, o *Options, files ...formats.File) (*multiplex.Graph, *Input) {
	t.Helper()
	in, err := OpenIfBrain(files, nil)
	if err != nil || in == nil {
		t.Fatalf("%v, %v", in != nil, err)
	}
	c, err := in.Compute(o)
	if err != nil {
		t.Fatal(err)
	}
	g, err := c.Graph()
	if err != nil {
		t.Fatal(err)
	}
	return g, in
}

// A matrix of structure is a layer beside those of the series: its strongest pairs, joined by names whatever their order, and by
// order with a word where one of the two has none.
func TestStructure(t *testing.T) {
	const m, frames = 30, 90
	s, names, x := short(m, frames), namesOf(m), streamlines(m)
	series := file("ts.csv", lines(s, names, nothing, nothing))
	o := options()
	o.Filter = "none"
	in := make([]int, m)
	rng.New(9, "connectome/order").Perm(in)
	natural := make([]int, m)
	other := make([]string, m) // Vis_1_L for LH_Vis_1
	for i := range natural {
		natural[i] = i
		other[i] = names[i][3:] + "_" + names[i][:1]
	}
	// The strongest tenth of all pairs, from a list that is sorted whole; pairs that equal the least of them may be in or not.
	want := int(math.Floor(0.1*float64(m*(m-1)/2) + 0.5))
	least := nth(x, m, want)

	var first *multiplex.CSR
	for name, c := range map[string]struct {
		structure formats.File
		use, note string
	}{
		"in order":  {file("streamlines.tsv", square(x, m, natural, names)), "joined by name", ""},
		"shuffled":  {file("streamlines.tsv", square(x, m, in, names)), "joined by name", ""},
		"otherwise": {file("streamlines.tsv", square(x, m, in, other)), "joined by name", ""},
		"no names": {file("streamlines.tsv", square(x, m, natural, nil)), "joined by order",
			"streamlines.tsv names no regions: its rows were taken in the order of those of ts.csv"},
		"fractions":  {file("streamlines.tsv", square(seventh(x), m, in, names)), "joined by name", ""},
		"upper side": {file("streamlines.tsv", square(upper(x, m), m, natural, names)), "joined by name", "values stand above the diagonal alone"},
	} {
		for _, files := range [][]formats.File{{series, c.structure}, {c.structure, series}} {
			g, in := graphOf(t, o, files...)
			if g.N() != 3 || g.Layers[2].Name != "streamlines" || !slices.Equal(g.Nodes, names) || g.F() != 2 {
				t.Fatalf("%s: %d layers, the last %s", name, g.N(), g.Layers[g.N()-1].Name)
			}
			var uses []string
			for _, u := range in.Uses {
				uses = append(uses, u.As)
			}
			if said := strings.Join(append(uses, in.Notes...), "\n"); !strings.Contains(said, c.use) || !strings.Contains(said, c.note) {
				t.Errorf("%s: understood as %s", name, said)
			}
			a := g.Layers[2].Adjacency
			if first == nil {
				first = a
			}
			if !slices.Equal(a.Start, first.Start) || !slices.Equal(a.Index, first.Index) {
				t.Errorf("%s: another layer", name)
			}
			if strong := strongPairs(a, x, m, least); strong < want || a.NNZ()/2 < want {
				t.Errorf("%s: %d links, %d of them among the %d strongest", name, a.NNZ()/2, strong, want)
			}
		}
	}
}

// A series keeps its layers; it takes the names of the matrix where it has none; regions are left out of both, and brought into the
// order of a table.
func TestStructureFollows(t *testing.T) {
	const m, frames = 30, 90
	s, names, x := short(m, frames), namesOf(m), streamlines(m)
	series := file("ts.csv", lines(s, names, nothing, nothing))
	o := options()
	o.Filter = "none"
	in, natural := make([]int, m), make([]int, m)
	rng.New(9, "connectome/order").Perm(in)
	for i := range natural {
		natural[i] = i
	}
	alone, _ := graphOf(t, o, series)
	both, _ := graphOf(t, o, series, file("streamlines.tsv", square(x, m, in, names)))
	for l := range alone.Layers {
		if alone.Layers[l].Adjacency.Hash() != both.Layers[l].Adjacency.Hash() {
			t.Errorf("layer %d is another one", l)
		}
	}
	g, opened := graphOf(t, o, file("ts.csv", lines(s, nil, nothing, nothing)), file("streamlines.tsv", square(x, m, natural, names)))
	if g.Layers[2].Adjacency.Hash() != both.Layers[2].Adjacency.Hash() || !slices.Equal(g.Nodes, names) ||
		!strings.Contains(strings.Join(opened.Notes, " "), "ts.csv names no regions: they were taken in the order of the rows of streamlines.tsv") {
		t.Errorf("names of the matrix: %q", opened.Notes)
	}
	for f := range frames {
		s.Row(7)[f] = 0
	}
	table := "name,network,x,y,z\n"
	for _, i := range in {
		table += fmt.Sprintf("%s,Vis,%d,0,0\n", names[i], i)
	}
	g, _ = graphOf(t, o, file("ts.csv", lines(s, names, nothing, nothing)), file("streamlines.tsv", square(x, m, in, names)), file("regions.csv", table))
	at := slices.Index(in, 7)
	kept := slices.Delete(slices.Clone(in), at, at+1)
	if g.M() != m-1 || g.Nodes[0] != names[kept[0]] {
		t.Fatalf("%d nodes, the first %s", g.M(), g.Nodes[0])
	}
	want := int(math.Floor(0.1*float64((m-1)*(m-2)/2) + 0.5))
	y := make([]float64, 0, (m-1)*(m-1))
	for _, i := range kept {
		for _, j := range kept {
			y = append(y, x[i*m+j])
		}
	}
	for i := range m - 1 { // no stored pair is weaker than one that is not
		for k := g.Layers[2].Adjacency.Start[i]; k < g.Layers[2].Adjacency.Start[i+1]; k++ {
			if j := int(g.Layers[2].Adjacency.Index[k]); y[i*(m-1)+j] == 0 {
				t.Errorf("%s and %s are joined by nothing", g.Nodes[i], g.Nodes[j])
			}
		}
	}
	if strong := strongPairs(g.Layers[2].Adjacency, y, m-1, nth(y, m-1, want)); strong < want {
		t.Errorf("with a table and a region without data %d of %d strongest pairs", strong, want)
	}
}

// seventh divides all values by 7, which changes no order.
func seventh(x []float64) []float64 {
	y := slices.Clone(x)
	for k := range y {
		y[k] /= 7
	}
	return y
}

// upper leaves what is above the diagonal.
func upper(x []float64, m int) []float64 {
	y := slices.Clone(x)
	for i := range m {
		clear(y[i*m : i*m+i])
	}
	return y
}

// nth returns the n-th largest value of the pairs of a matrix.
func nth(x []float64, m, n int) float64 {
	var all []float64
	for i := range m {
		all = append(all, x[i*m+i+1:(i+1)*m]...)
	}
	slices.Sort(all)
	return all[len(all)-n]
}

// strongPairs counts the stored pairs of at least some strength.
func strongPairs(a *multiplex.CSR, x []float64, m int, least float64) (n int) {
	for i := range m {
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			if int(j) > i && x[i*m+int(j)] >= least {
				n++
			}
		}
	}
	return n
}

// What does not go together is refused in words that help, and what is no brain stays none.
func TestStructureRefused(t *testing.T) {
	const m = 24
	s, names, x := short(m, 60), namesOf(m), streamlines(m)
	natural := make([]int, m)
	for i := range natural {
		natural[i] = i
	}
	renamed := slices.Clone(names)
	renamed[3] = "Somewhere"
	series := file("ts.csv", lines(s, names, nothing, nothing))
	signed := slices.Clone(x)
	signed[1], signed[m] = -2.5, -2.5
	asymmetric := slices.Clone(x)
	asymmetric[1]++
	for want, files := range map[string][]formats.File{
		"sc.tsv: regions: found 24 names against 24, unknown: \"Somewhere\", missing: \"RH_SomMot_1\", expected the regions of ts.csv by name": {
			series, file("sc.tsv", square(x, m, natural, renamed))},
		"sc.tsv: regions: found 20, expected 24, as ts.csv has: without names of regions in both they are joined by their order": {
			series, file("sc.tsv", square(x, m, natural[:20], nil))},
		"in both directions; directions=mean takes the mean of both": {series, file("sc.tsv", square(asymmetric, m, natural, names))},
	} {
		if _, err := OpenIfBrain(files, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v\nwant %s", err, want)
		}
	}
	_, err := Open([]formats.File{series, file("fc.tsv", square(signed, m, natural, names))}, nil)
	var e *diag.Error
	if !errors.As(err, &e) || e.Found != "a matrix with negative values beside the series ts.csv" {
		t.Errorf("connectivity beside its series: %v", err)
	}
	if _, err := Open([]formats.File{file("a.tsv", square(x, m, natural, names)), file("b.tsv", square(x, m, natural, names))}, nil); err == nil ||
		!strings.Contains(err.Error(), "b.tsv: file: found a second matrix without negative values beside a.tsv") {
		t.Errorf("two matrices of structure: %v", err)
	}
	whole := short(m, 60)
	for k, v := range whole.Values {
		whole.Values[k] = math.Abs(math.Round(9 * v))
	}
	for name, files := range map[string][]formats.File{
		"counts of words":  {file("words.csv", lines(whole, nil, nothing, nothing)), file("links.tsv", square(x, m, natural, nil))},
		"features by name": {file("features.csv", lines(s, nil, nothing, nothing)), file("links.tsv", square(x, m, natural, nil))},
		"two matrices":     {series, file("a.tsv", square(x, m, natural, nil)), file("b.tsv", square(x, m, natural, nil))},
	} {
		if in, err := OpenIfBrain(files, nil); in != nil || err != nil {
			t.Errorf("%s are a brain (%v)", name, err)
		}
	}
}

// Windows are layers, each of the correlations of its frames alone, which gonum takes one by one.
func TestWindows(t *testing.T) {
	const m, frames = 25, 160
	s := smooth(m, frames)
	s.TR = 2
	o := options()
	o.Raw()
	o.Windows, o.Isolates = "60:40", "keep"
	c, err := Compute(s, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Layers) != 3 || c.Layers[1].Name != "co-activation 41-100" {
		t.Fatalf("%d layers", len(c.Layers))
	}
	pairs := int(math.Floor(0.1*float64(m*(m-1)/2) + 0.5))
	for k, l := range c.Layers {
		r := make([]float64, m*m)
		for i := range m {
			for j := range m {
				r[i*m+j] = stat.Correlation(s.Row(i)[40*k:40*k+60], s.Row(j)[40*k:40*k+60], nil)
			}
		}
		least := nth(r, m, pairs)
		if len(l.Edges) != pairs {
			t.Errorf("window %d: %d links, not %d", k, len(l.Edges), pairs)
		}
		for _, e := range l.Edges {
			if r[e[0]*m+e[1]] < least-1e-9 {
				t.Errorf("window %d: pair %v of %v is among the strongest, beyond %v", k, e, r[e[0]*m+e[1]], least)
			}
		}
	}
	if said := strings.Join(c.Steps, "\n"); !strings.Contains(said, "windows: 3 of 60 frames, 40 from one to the next; 3 layers of them") {
		t.Error(said)
	}
	if said := strings.Join(c.Notes, "\n"); !strings.Contains(said, "The last 20 frames are in no window.") {
		t.Error(said)
	}
	if g, err := c.Graph(); err != nil || g.N() != 3 || g.F() != 2 {
		t.Error(err)
	}
}

// Seconds are frames; both signs are two layers a window; what makes no windows is refused.
func TestWindowsAsTold(t *testing.T) {
	const m, frames = 25, 160
	s := smooth(m, frames)
	s.TR = 2
	o := options()
	o.Raw()
	o.Isolates = "keep"
	in := func(windows, signs string) *Connectome {
		t.Helper()
		of := *o
		of.Windows, of.Signs = windows, signs
		c, err := Compute(s, nil, &of)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	same := func(a, b *Layer) bool { return a.Name == b.Name && slices.Equal(a.Edges, b.Edges) }
	if !slices.EqualFunc(in("120s:80s", "auto").Layers, in("60:40", "auto").Layers, same) {
		t.Error("seconds give other windows")
	}
	if both := in("60:40", "both"); len(both.Layers) != 6 || both.Layers[5].Name != "anti-activation 81-140" {
		t.Errorf("%d layers of both signs", len(both.Layers))
	}
	whole, part := in("", "co"), in("159:1", "co")
	if len(whole.Layers) != 1 || whole.Layers[0] != whole.Co || len(part.Layers) != 2 || len(part.Layers[0].Edges) != len(whole.Co.Edges) {
		t.Errorf("%d and %d layers of one sign", len(whole.Layers), len(part.Layers))
	}
	if _, err := whole.Graph(); err == nil || !strings.Contains(err.Error(), "at least 2") {
		t.Errorf("one layer: %v", err)
	}
	s.TR = 0
	for windows, want := range map[string]string{
		"20:10":    "windows of 20 frames, expected at least 30 frames",
		"60":       `found "60", expected a length and a step in frames, as 100:50, or in seconds`,
		"60:0":     "expected a length and a step",
		"60:30s":   "expected a length and a step",
		"60.5:30":  "expected a length and a step",
		"60s:30s":  "does not say how long a frame takes",
		"150:100":  "makes 1 window of 150 frames of 160, expected from 2 to 64",
		"30:1":     "makes 131 windows",
		"1e9:1":    "expected a length",
		"NaN:10":   "expected a length",
		"-60s:-9s": "expected a length",
	} {
		of := *o
		of.Windows = windows
		if _, err := Compute(s, nil, &of); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", windows, err, want)
		}
	}
	of := *o
	of.Windows = "60:40"
	if _, err := (&Input{FC: []float64{1, 0.5, 0.5, 1}}).Compute(&of); err == nil || !strings.Contains(err.Error(), "windows of connectivity") {
		t.Errorf("windows of a matrix: %v", err)
	}
}

// Links beside numbers of nodes are a graph and its features, unless something speaks of a brain.
func TestStructureNeedsEvidence(t *testing.T) {
	const m, frames = 24, 64
	s, names, x := smooth(m, frames), namesOf(m), streamlines(m)
	in, people := make([]int, m), make([]string, m)
	for i := range in {
		in[i], people[i] = i, fmt.Sprintf("person%c", 'a'+i)
	}
	byNode := written(s.Values, m, frames, nil, nil)
	features, links := file("nodes.csv", byNode), file("links.tsv", square(x, m, in, nil))
	vertical := func(title string, words []string) string { return title + "\n" + strings.Join(words, "\n") + "\n" }
	table := "id,name\n"
	for i, s := range people {
		table += fmt.Sprintf("%d,%s\n", i+1, s)
	}
	for name, c := range map[string]struct {
		files []formats.File
		want  bool
	}{
		"features":             {[]formats.File{features, links}, false},
		"features and persons": {[]formats.File{features, links, file("names.txt", vertical("name", people))}, false},
		"a table of persons":   {[]formats.File{features, links, file("people.csv", table)}, false},
		"features by node":     {[]formats.File{file("nodes.csv", written(s.Values, m, frames, people, nil)), file("links.tsv", square(x, m, in, people))}, false},
		"a title of nodes":     {[]formats.File{file("nodes.csv", numberedBy("node", byNode)), links}, false},
		"a title of regions":   {[]formats.File{file("nodes.csv", numberedBy("roi", byNode)), links}, true},
		"names of regions":     {[]formats.File{features, links, file("names.txt", vertical("name", names))}, true},
		"regions of links":     {[]formats.File{features, file("links.tsv", square(x, m, in, names))}, true},
		"a column a node":      {[]formats.File{file("ts.csv", lines(s, people, nothing, nothing)), file("links.tsv", square(x, m, in, people))}, true},
		"a recording's name":   {[]formats.File{file("sub-01_task-rest_timeseries.tsv", strings.ReplaceAll(byNode, ",", "\t")), links}, true},
		"confounds":            {[]formats.File{features, links, file("sub-01_confounds.tsv", "trans_x\ttrans_y\n"+strings.Repeat("1\t2\n", frames))}, true},
	} {
		opened, err := OpenIfBrain(c.files, nil)
		if got := opened != nil || err != nil; got != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if opened, err := OpenIfBrain([]formats.File{features, links}, &Hints{OfBrain: true}); opened == nil || err != nil {
		t.Errorf("as told: %v", err)
	}
}

// numberedBy puts a column that numbers the rows before a table without a header.
func numberedBy(title, table string) string {
	rows := strings.Split(strings.TrimSpace(table), "\n")
	text := title
	for j := range strings.Count(rows[0], ",") + 1 {
		text += fmt.Sprintf(",f%c%c", 'a'+j/26, 'a'+j%26)
	}
	for i, row := range rows {
		text += fmt.Sprintf("\n%d,%s", i+1, row)
	}
	return text + "\n"
}

// Fractions of streamlines are small: those of a directed tractography differ by more than rounding, and of two that differ by
// rounding a layer has one.
func TestStructureOfFractions(t *testing.T) {
	const m = 24
	series, names, in := file("ts.csv", lines(short(m, 60), namesOf(m), nothing, nothing)), namesOf(m), make([]int, m)
	x, directed, rounded := streamlines(m), make([]float64, m*m), make([]float64, m*m)
	for i := range m {
		in[i] = i
		x[i*m+i] = 1e7 // what begins and ends in a region counts for nothing
		for j := range m {
			v := x[i*m+j] * 1e-7
			directed[i*m+j], rounded[i*m+j] = v, v
			if i < j {
				directed[i*m+j], rounded[i*m+j] = v*1.5, v*(1+1e-7)
			}
		}
	}
	if _, err := OpenIfBrain([]formats.File{series, file("sc.tsv", square(directed, m, in, names))}, nil); err == nil ||
		!strings.Contains(err.Error(), "directions=mean takes the mean of both") {
		t.Errorf("a directed matrix: %v", err)
	}
	opened, err := OpenIfBrain([]formats.File{series, file("sc.tsv", square(rounded, m, in, names))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m {
		for j := range i {
			if a, b := opened.Structures[0].Values[i*m+j], opened.Structures[0].Values[j*m+i]; a != b || a == 0 != (x[i*m+j] == 0) {
				t.Fatalf("regions %d and %d: %v and %v", i, j, a, b)
			}
		}
	}
}

// Files of one name make layers of different names, none of them those of the signs.
func TestNamesOfStructures(t *testing.T) {
	const m = 24
	x, in := streamlines(m), make([]int, m)
	for i := range in {
		in[i] = i
	}
	files := []formats.File{file("ts.csv", lines(short(m, 60), namesOf(m), nothing, nothing))}
	for _, name := range []string{"a/sc.csv", "b/sc.csv", "sc.tsv.gz", "co.csv", "anti.tsv", "co-activation.csv"} {
		files = append(files, file(name, strings.ReplaceAll(square(x, m, in, namesOf(m)), "\t", ",")))
	}
	opened, err := Open(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := options()
	o.Filter = "none"
	c, err := opened.Compute(o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range c.Layers {
		names = append(names, l.Name)
	}
	if got := strings.Join(names, ", "); got != "co-activation, anti-activation, sc, sc (2), sc (3), co (2), anti (2), co-activation (2)" {
		t.Error(got)
	}
}

// Steps and notes speak of the layers of the graph, not of those that windows or one sign replace.
func TestNotesOfTheLayersThatThereAre(t *testing.T) {
	const m, frames = 25, 160
	s := smooth(m, frames)
	for i := range m { // all correlations are positive
		for f := range frames {
			s.Row(i)[f] += 60 * math.Sin(float64(f)/9)
		}
	}
	for _, c := range []struct {
		windows, signs string
		notes, step    string
	}{
		{"", "both", "The anti-activation layer is empty", "isolated nodes: 4 and 0 linked"},
		{"", "co", "", "isolated nodes: 4 linked"},
		{"60:40", "auto", "", "windows: 3 of 60 frames"},
		{"60:40", "anti", "The anti-activation 1-60 layer is empty", "windows: 3 of 60 frames"},
	} {
		o := options()
		o.Raw()
		o.Windows, o.Signs = c.windows, c.signs
		got, err := Compute(s, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		notes, steps := strings.Join(got.Notes, "\n"), strings.Join(got.Steps, "\n")
		if !strings.Contains(notes, c.notes) || c.notes == "" && strings.Contains(notes, "layer") || !strings.Contains(steps, c.step) ||
			c.windows != "" && strings.Contains(steps, "isolated nodes: ") {
			t.Errorf("windows %q, signs %s:\n%s\n%s", c.windows, c.signs, notes, steps)
		}
	}
}
