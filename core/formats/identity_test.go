package formats

import (
	"archive/zip"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/multiplex"
	"cadem.example/core/multiplex/fingerprint"
)

// person has links, features and a class; the graph below is drawn from a seed.
type person struct {
	name     string
	features []float64
	class    string
}

// An office is a graph of people in two layers, to be written in many formats.
type drawnOffice struct {
	people []person
	links  [][3]string // layer, from, to
	weight []string
}

// drawOffice draws twelve people. Their names are numbers, some of them with leading zeros, or words.
func drawOffice(seed uint64, words bool) *drawnOffice {
	random := rand.New(rand.NewPCG(seed, 1))
	o := &drawnOffice{}
	for i := range 12 {
		name := strconv.Itoa(i + 1)
		if words {
			name = fmt.Sprintf("user_%d", 7*i+3)
		}
		p := person{name: name, class: "xyz"[i%3 : i%3+1]}
		for range 3 {
			p.features = append(p.features, float64(random.IntN(90)+10)/4)
		}
		o.people = append(o.people, p)
	}
	for _, layer := range []string{"lunch", "work 2", "work 10"} {
		for i := range o.people {
			for j := range i {
				if random.IntN(3) == 0 || j == i-1 {
					o.links = append(o.links, [3]string{layer, o.people[j].name, o.people[i].name})
					o.weight = append(o.weight, strconv.FormatFloat(float64(1+random.IntN(8))/2, 'f', -1, 64))
				}
			}
		}
	}
	return o
}

// shuffled returns lines in another order, all but the first few.
func shuffled(text string, head int, random *rand.Rand) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	random.Shuffle(len(lines)-head, func(i, j int) { lines[head+i], lines[head+j] = lines[head+j], lines[head+i] })
	return strings.Join(lines, "")
}

// writings are ways to write an office as files. The number of lines that stay first is that of the header.
var writings = map[string]func(o *drawnOffice) (files []File, heads []int){
	"one list with a header": func(o *drawnOffice) ([]File, []int) {
		var b strings.Builder
		b.WriteString("layer,source,target,weight\n")
		for k, l := range o.links {
			fmt.Fprintf(&b, "%s,%s,%s,%s\n", l[0], l[1], l[2], o.weight[k])
		}
		return []File{fileOf("net.csv", b.String())}, []int{1}
	},
	"a list for each layer": func(o *drawnOffice) (files []File, heads []int) {
		text := map[string]string{}
		for k, l := range o.links {
			text[l[0]] += fmt.Sprintf("%s\t%s\t%s\n", l[1], l[2], o.weight[k])
		}
		for layer, t := range text {
			files, heads = append(files, fileOf(layer+".tsv", "source\ttarget\tweight\n"+t)), append(heads, 1)
		}
		return files, heads
	},
	"GraphML": func(o *drawnOffice) ([]File, []int) {
		var b strings.Builder
		b.WriteString("<graphml><key id='l' for='edge' attr.name='layer'/><key id='w' for='edge' attr.name='weight'/><graph>\n")
		head := 1
		for _, p := range o.people {
			fmt.Fprintf(&b, "<node id='%s'/>\n", p.name)
		}
		for k, l := range o.links {
			fmt.Fprintf(&b, "<edge source='%s' target='%s'><data key='l'>%s</data><data key='w'>%s</data></edge>\n", l[1], l[2], l[0], o.weight[k])
		}
		return []File{fileOf("net.graphml", b.String()+"</graph></graphml>")}, []int{head}
	},
	"multinet": func(o *drawnOffice) ([]File, []int) {
		var b strings.Builder
		b.WriteString("#TYPE\nmultiplex\n#EDGE ATTRIBUTES\nweight,NUMERIC\n#EDGES\n")
		for k, l := range o.links {
			fmt.Fprintf(&b, "%s,%s,%s,%s\n", l[1], l[2], l[0], o.weight[k])
		}
		return []File{fileOf("net.mpx", b.String())}, []int{5}
	},
	"matrices with names": func(o *drawnOffice) (files []File, heads []int) {
		for _, layer := range []string{"lunch", "work 2", "work 10"} {
			cell := map[[2]string]string{}
			for k, l := range o.links {
				if l[0] == layer {
					cell[[2]string{l[1], l[2]}], cell[[2]string{l[2], l[1]}] = o.weight[k], o.weight[k]
				}
			}
			var b strings.Builder
			for _, p := range o.people {
				b.WriteString(";" + p.name)
			}
			for _, p := range o.people {
				b.WriteString("\n" + p.name)
				for _, q := range o.people {
					b.WriteString(";" + cell[[2]string{p.name, q.name}])
				}
			}
			files, heads = append(files, fileOf(layer+".csv", b.String()+"\n")), append(heads, 1)
		}
		return files, heads
	},
}

// tables of features and of classes, keyed by the names of people.
func (o *drawnOffice) tables() []File {
	features, labels := "id,f0,f1,f2\n", "id,team\n"
	for _, p := range o.people {
		features += fmt.Sprintf("%s,%v,%v,%v\n", p.name, p.features[0], p.features[1], p.features[2])
		labels += p.name + "," + p.class + "\n"
	}
	return []File{fileOf("features.csv", features), fileOf("labels.csv", labels)}
}

// check reports whether a graph is the office: every row of features, every class and every link by name.
func (o *drawnOffice) check(t *testing.T, g *multiplex.Graph, weighted bool) {
	t.Helper()
	if g.M() != len(o.people) || g.N() != 3 {
		t.Fatalf("%d nodes and %d layers", g.M(), g.N())
	}
	at := map[string]int{}
	for i := range g.M() {
		at[g.NodeName(i)] = i
	}
	x := g.Layers[0].Features
	for _, p := range o.people {
		i, ok := at[p.name]
		if !ok {
			t.Fatalf("no node %q among %q", p.name, g.Nodes)
		}
		if got := x.Dense[i*x.Cols : (i+1)*x.Cols]; !slices.Equal(got, p.features) {
			t.Errorf("%s has features %v, want %v", p.name, got, p.features)
		}
		if got := g.Labels[0].ClassOf(i); got != p.class {
			t.Errorf("%s is of class %q, want %q", p.name, got, p.class)
		}
	}
	for l, name := range []string{"lunch", "work 2", "work 10"} {
		if g.Layers[l].Name != name {
			t.Fatalf("layer %d is %q, want %q", l, g.Layers[l].Name, name)
		}
	}
	count := 0
	for k, l := range o.links {
		a := g.Layers[slices.Index([]string{"lunch", "work 2", "work 10"}, l[0])].Adjacency
		i, j := at[l[1]], at[l[2]]
		e, ok := slices.BinarySearch(a.Index[a.Start[i]:a.Start[i+1]], int32(j))
		if !ok {
			t.Fatalf("%s: no link of %s and %s", l[0], l[1], l[2])
		}
		if w := fmt.Sprint(a.Value[int(a.Start[i])+e]); weighted && w != o.weight[k] {
			t.Errorf("%s: %s and %s weigh %s, want %s", l[0], l[1], l[2], w, o.weight[k])
		}
		count += 2
	}
	for l := range g.Layers {
		count -= g.Layers[l].Adjacency.NNZ()
	}
	if count != 0 {
		t.Errorf("%d links too few", count)
	}
}

// The order of lines, of rows and of files says nothing, whatever the format: nodes, layers, features and labels are
// joined by their names.
func TestOrderSaysNothing(t *testing.T) {
	for name, write := range writings {
		for _, words := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, words %v", name, words), func(t *testing.T) {
				o := drawOffice(3, words)
				plain, heads := write(o)
				var first string
				for seed := range uint64(6) {
					random := rand.New(rand.NewPCG(seed, 2))
					var files []File
					for k, f := range plain {
						text := string(f.Data)
						if seed > 0 {
							body, end, _ := strings.Cut(text, "</graph>")
							text = shuffled(body, heads[k], random)
							if name == "GraphML" {
								text += "</graph>" + end
							}
						}
						files = append(files, fileOf(f.Name, text))
					}
					for _, f := range o.tables() {
						text := string(f.Data)
						if seed > 0 {
							text = shuffled(text, 1, random)
						}
						files = append(files, fileOf(f.Name, text))
					}
					if seed > 0 {
						random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
					}
					g, _, err := openChoice(files, Choice{Raw: true})
					if err != nil {
						t.Fatal(err)
					}
					o.check(t, g, true)
					g.Name = ""
					if print := fingerprint.Graph(g); first == "" {
						first = print
					} else if print != first {
						t.Errorf("seed %d: another graph", seed)
					}
				}
			})
		}
	}
}

// Nor do separators, quotes, line ends, marks at the beginning, unknown columns, or the names of files.
func TestDressSaysNothing(t *testing.T) {
	o := drawOffice(4, true)
	list, _ := writings["one list with a header"](o)
	plain := append(list, o.tables()...)
	each := func(change func(line string, k int) string) func(string) string {
		return func(s string) string {
			lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
			for k := range lines {
				lines[k] = change(lines[k], k)
			}
			return strings.Join(lines, "\n") + "\n"
		}
	}
	swap := func(to string) func(string) string {
		return func(s string) string { return strings.ReplaceAll(s, ",", to) }
	}
	for name, change := range map[string]func(string) string{
		"semicolons":    swap(";"),
		"tabs":          swap("\t"),
		"a blank after": swap(", "),
		"quotes": each(func(line string, _ int) string {
			return `"` + strings.ReplaceAll(line, ",", `","`) + `"`
		}),
		"decimal commas": func(s string) string { return strings.NewReplacer(",", ";", ".", ",").Replace(s) },
		"CRLF":           func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"CR":             func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
		"BOM":            func(s string) string { return "\ufeff" + s },
		"no end":         func(s string) string { return strings.TrimSuffix(s, "\n") },
		"comments":       func(s string) string { return "# drawn\n% by hand\n-- once\n" + s },
		"an index": each(func(line string, k int) string {
			if k == 0 {
				return "," + line
			}
			return strconv.Itoa(k-1) + "," + line
		}),
		"more columns": each(func(line string, k int) string {
			if k == 0 {
				return line + ",remark,Unnamed: 9"
			}
			return line + ",so and so " + strconv.Itoa(k) + ","
		}),
	} {
		t.Run(name, func(t *testing.T) {
			var files []File
			for _, f := range plain {
				if (name == "an index" || name == "more columns") && f.Name != "net.csv" {
					files = append(files, f)
					continue
				}
				files = append(files, fileOf(f.Name, change(string(f.Data))))
			}
			g, _, err := openChoice(files, Choice{Raw: true})
			if err != nil {
				t.Fatal(err)
			}
			o.check(t, g, true)
		})
	}
	t.Run("other names", func(t *testing.T) {
		var files []File
		for k, name := range []string{"2024 final (1).txt", "x_features_v2.csv", "groups.csv"} {
			files = append(files, fileOf(name, string(plain[k].Data)))
		}
		g, _, err := openChoice(files, Choice{Raw: true})
		if err != nil {
			t.Fatal(err)
		}
		o.check(t, g, true)
	})
}

// Data that do not fit are refused with a count, and nothing is joined by position instead.
func TestJoinsRefused(t *testing.T) {
	const edges = "layer,source,target\nx,ann,bob\nx,bob,cy\ny,ann,cy\ny,cy,dee\n"
	with := func(name, text string) []File { return []File{fileOf("net.csv", edges), fileOf(name, text)} }
	checkRefused(t, []badChoice{
		{"rows of others", with("features.csv", "id,a,b\nann,1,2\nbob,1,2\ncy,1,2\ndee,3,4\neve,5,6\nfay,1,2\n"),
			`features.csv:6: node: found 2 rows of other nodes: "eve", "fay", expected ids among the 4 nodes of net.csv; nodes without links need a ` +
				`node file (nodeID, one a line)`},
		{"nodes without rows", with("features.csv", "id,a,b\nann,1,2\nbob,1,2\n"),
			`features.csv: features: found no row of 2 nodes: "cy", "dee", expected a row for each of the 4 nodes`},
		{"a node twice", with("features.csv", "id,a,b\nann,1,2\nbob,1,2\ncy,1,2\ndee,3,4\nann,1,3\n"),
			`features.csv:6: node: found "ann" again (first in line 2), expected one row a node`},
		{"rows without ids", with("features.csv", "1,2\n1,3\n1,2\n3,4\n"),
			`features.csv: features: found 4 rows without ids beside nodes such as "ann", expected a column of ids, or a node file that lists the nodes ` +
				`in the order of the rows (nodeID, one a line)`},
		{"another way to write a number", []File{fileOf("net.csv", "layer,source,target\nx,01,02\ny,01,02\n"), fileOf("labels.csv", "id,g\n1,a\n2,b\n")},
			`labels.csv:2: id: found "1", expected one of the 2 nodes of net.csv; ids are text, so "01" is another node`},
	})
}

// Ids are text: 1 and 01 are two nodes in every file, and a note says so if a file has both.
func TestIDsAreText(t *testing.T) {
	g, r, err := openChoice([]File{fileOf("net.csv", "layer,source,target\nx,1,01\nx,01,2\ny,2,1\ny,10,01\n"),
		fileOf("features.csv", "id,a,b\n10,4,4\n01,2,2\n2,3,3\n1,1,1\n"), fileOf("labels.csv", "id,g\n2,b\n01,a\n")}, Choice{Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Nodes, []string{"01", "1", "2", "10"}) || !slices.Equal(g.Layers[0].Features.Dense, []float64{2, 2, 1, 1, 3, 3, 4, 4}) ||
		!slices.Equal(g.Labels[0].Of, []int{0, -1, 1, -1}) {
		t.Errorf("%q, %v, %v", g.Nodes, g.Layers[0].Features.Dense, g.Labels)
	}
	checkNotes(t, r, `Ids are text: "01" and "1" are two nodes.`)
}

// Records of runs from before 2027 keep the order in which files mention words.
func TestMention(t *testing.T) {
	files := []File{fileOf("net.csv", "layer,source,target\nwork,Bo,Ana\nlunch,Eva,Bo\n")}
	for _, c := range []struct {
		mention       bool
		nodes, layers string
	}{{true, "Bo Ana Eva", "work lunch"}, {false, "Ana Bo Eva", "lunch work"}} {
		g, _, err := openChoice(files, Choice{Mention: c.mention})
		if err != nil {
			t.Fatal(err)
		}
		if nodes, layers := strings.Join(g.Nodes, " "), g.Layers[0].Name+" "+g.Layers[1].Name; nodes != c.nodes || layers != c.layers {
			t.Errorf("%s; %s", nodes, layers)
		}
	}
	// Rows go where they went when the run was trained, which is said.
	files = append(files, fileOf("features.csv", "id,a,b\nEva,5,6\nAna,1,2\nBo,3,4\n"))
	g, r, err := openChoice(files, Choice{Mention: true, Raw: true})
	if err != nil || !slices.Equal(g.Layers[0].Features.Dense, []float64{5, 6, 1, 2, 3, 4}) {
		t.Errorf("%v, %v", g, err)
	}
	checkNotes(t, r, "Rows of features go to the nodes in their order and not by their ids, as when this run was kept. A new run joins them by ids.")
	// And their lists open as they did, though two readings are as likely today.
	short := []File{fileOf("net.edges", "1 1 2\n1 2 3\n2 1 3\n")}
	if g, _, err := openChoice(short, Choice{Mention: true}); err != nil || g.N() != 2 || g.M() != 3 {
		t.Errorf("%v, %v", g, err)
	}
	if _, _, err := openChoice(short, Choice{}); err == nil {
		t.Error("a list of three links was read without a question")
	}
}

// The layers of one list that was split for training and tests are joined; those of other files are named by the
// differing parts of their names.
func TestWhichFileIsWhat(t *testing.T) {
	const a, b = "1 2\n2 3\n3 4\n1 4\n", "1 3\n2 4\n"
	for _, c := range []struct {
		names []string
		want  []string
	}{
		{[]string{"a.1", "a.2", "b.1"}, []string{"a.1", "a.2", "b.1"}},
		{[]string{"2016/friends.csv", "2015/friends.csv", "2016/work.csv"}, []string{"2015/friends", "2016/friends", "2016/work"}},
		{[]string{"out.work", "out.lunch"}, []string{"out.lunch", "out.work"}},
		{[]string{"work_train.txt", "work_test.txt", "lunch_train.txt"}, []string{"lunch_train", "work"}},
		{[]string{"x/work.txt", "x/lunch.txt"}, []string{"lunch", "work"}},
		{[]string{"x/work.txt", "y/work.txt", "lunch.txt"}, []string{"lunch", "x/work", "y/work"}},
	} {
		var files []File
		for k, name := range c.names {
			files = append(files, fileOf(name, []string{a, b, a}[k]))
		}
		g, _, err := openChoice(files, Choice{})
		if err != nil {
			t.Errorf("%q: %v", c.names, err)
			continue
		}
		var names []string
		for l := range g.Layers {
			names = append(names, g.Layers[l].Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%q make the layers %q, want %q", c.names, names, c.want)
		}
	}
}

// Ids that stand beside arrays in one file are those of their rows, and of matrices that come without links.
func TestIDsBesideArrays(t *testing.T) {
	words := func(list ...string) string {
		b := ""
		for _, w := range list {
			b += w + strings.Repeat("\x00", 4-len(w))
		}
		return string(formatstest.RawNPY(1, fmt.Sprintf("{'descr': '|S4', 'fortran_order': False, 'shape': (%d,), }", len(list)), b))
	}
	array := func(shape []int, x ...float64) string { return string(npyOf(t, &npy.Array{Shape: shape, Data: x})) }
	features := File{Name: "more.npz", Data: formatstest.Zip(t, zip.Store, "nodes.npy", words("cy", "ann", "bob"), "x.npy", array([]int{3, 2}, 5, 6, 1, 2, 3, 4))}
	g, _, err := openChoice([]File{fileOf("net.csv", "layer,source,target\nx,ann,bob\ny,bob,cy\n"), features}, Choice{Raw: true})
	if err != nil || !slices.Equal(g.Layers[0].Features.Dense, []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("%v, %v", g, err)
	}
	matrices := File{Name: "net.npz", Data: formatstest.Zip(t, zip.Store, "names.npy", words("cy", "ann", "bob"),
		"a.npy", array([]int{3, 3}, 0, 1, 0, 1, 0, 0, 0, 0, 0), "b.npy", array([]int{3, 3}, 0, 0, 1, 0, 0, 0, 1, 0, 0))}
	g, _, err = openChoice([]File{matrices, fileOf("labels.csv", "name,team\nann,x\ncy,y\nbob,x\n")}, Choice{})
	if err != nil || !slices.Equal(g.Nodes, []string{"cy", "ann", "bob"}) || !slices.Equal(g.Labels[0].Of, []int{1, 0, 0}) {
		t.Errorf("%v, %v", g, err)
	}
}

// Numbers that no link names are nodes where arrays have a row for them; of several arrays the one that fits says so.
func TestNodesOfArrays(t *testing.T) {
	const edges = "layer,source,target\nx,0,1\nx,1,3\ny,0,3\n" // not 2
	array := func(name string, rows int) File {
		x := make([]float64, 2*rows)
		for i := range x {
			x[i] = float64(i)
		}
		return File{Name: name, Data: npyOf(t, &npy.Array{Shape: []int{rows, 2}, Data: x})}
	}
	g, r, err := openChoice([]File{fileOf("net.csv", edges), array("all_features.npy", 9), array("features.npy", 4)}, Choice{Raw: true})
	if err != nil || g.M() != 4 || r.Isolated != 1 || !slices.Equal(g.Layers[0].Features.Dense, []float64{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("%v, %v", g, err)
	}
	// Counted from 1: the rows are those of nodes 1 to 4.
	g, _, err = openChoice([]File{fileOf("net.csv", "layer,source,target\nx,4,1\nx,1,3\ny,4,3\n"), array("features.npy", 4)}, Choice{Raw: true})
	if err != nil || g.M() != 4 || !slices.Equal(g.Nodes, []string{"1", "2", "3", "4"}) {
		t.Errorf("%v, %v", g, err)
	}
	// From where they count cannot be told.
	_, _, err = openChoice([]File{fileOf("net.csv", "layer,source,target\nx,2,1\nx,1,3\ny,2,3\n"), array("features.npy", 4)}, Choice{})
	formatstest.CheckError(t, err, "features.npy: features: found 4 rows, expected 3, one for each node; nodes without links need a node "+
		"file (nodeID, one a line)")
}

// A file of layers says that the first column of a short list holds them.
func TestLayerFileTellsColumns(t *testing.T) {
	list := fileOf("g.edges", "1 1 2 1\n1 2 3 1\n2 1 3 1\n2 2 3 1\n3 1 2 1\n")
	g, _, err := openChoice([]File{list, fileOf("g_layers.txt", "layerID layerLabel\n1 a\n2 b\n3 c\n")}, Choice{})
	if err != nil || g.N() != 3 || g.M() != 3 || g.Layers[0].Name != "a" {
		t.Errorf("%v, %v", g, err)
	}
}

// Each of several unclear lists of different widths has its own question, and an answer applies to that list only.
func TestUnclearWidths(t *testing.T) {
	var three, four strings.Builder
	three.WriteString("wer,wen,was\n")
	for i := range 30 {
		fmt.Fprintf(&three, "%d,%d,%s\n", i, (i+7)%30, []string{"work", "lunch"}[i%2])
		for step := range 4 {
			fmt.Fprintf(&four, "%d %d %d %d\n", i, (i+1+step)%30, 1+step%2, 1+(i+step/2)%3)
		}
	}
	files := []File{fileOf("three.csv", three.String()), fileOf("four.edges", four.String())}
	c, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	const first, second = "source,target,-", "source,target,weight,-"
	for _, at := range []struct{ columns, file string }{{"", "three.csv"}, {first, "four.edges"}, {second, "three.csv"}, {first + ";" + second, ""}} {
		s, err := c.Survey(Choice{Columns: at.columns}, func() error { return nil })
		switch {
		case err != nil:
			t.Errorf("%s: %v", at.columns, err)
		case at.file != "":
			if s.Ask == nil || s.Ask.File != at.file || len(s.Variables) != 0 {
				t.Errorf("%s: asked %+v, expected %s", at.columns, s.Ask, at.file)
			}
		case s.Ask != nil || len(s.Variables) != 2:
			t.Errorf("%s: asked %+v, %d variables", at.columns, s.Ask, len(s.Variables))
		}
	}
	for choice, want := range map[string]string{
		first:                        `four.edges: columns: found 4 that can be read as`,
		second:                       `-columns "source,target,weight,-;source,target,`,
		first + ";source,target":     `found source,target, expected one name for each of the 3 columns`,
		first + ";source,target,-,?": `source, target, layer, weight, time or -`,
	} {
		if _, _, err := openChoice(files, Choice{Columns: choice}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", choice, err, want)
		}
	}
	g, _, err := openChoice(files, Choice{Columns: first + ";" + second})
	if err != nil || g.M() != 30 || g.N() != 2 {
		t.Errorf("%v, %v", g, err)
	}
}

// Titles that nobody knows are not nodes: what such columns are is asked.
func TestStrangeTitles(t *testing.T) {
	const words = "wer,wen,was\nann,bob,work\nann,cy,work\nbob,cy,lunch\ncy,dee,lunch\nann,dee,work\n"
	_, _, err := openChoice([]File{fileOf("ties.csv", words)}, Choice{})
	if err == nil || !strings.Contains(err.Error(), `ties.csv:1: header: found titles that are not known: "wer", "wen", "was"`) {
		t.Errorf("%v", err)
	}
	c, err := Read([]File{fileOf("ties.csv", words)})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := c.Survey(Choice{}, func() error { return nil }); err != nil || s.Ask == nil || len(s.Ask.Header) != 3 || len(s.Ask.Rows) != 5 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, columns := range []string{"source,target,layer", "source=wer,target=wen,layer=was"} {
		g, _, err := openChoice([]File{fileOf("ties.csv", words)}, Choice{Columns: columns})
		if err != nil || g.M() != 4 || g.N() != 2 || g.Layers[0].Summary().Edges != 2 {
			t.Errorf("%s: %v, %v", columns, g, err)
		}
	}
	// A wider list is one, too, by words that its first two columns share: other columns are proposed as what they may be.
	const wide = "von;nach;datum;dauer;typ;ort\nann;bob;3. Mai;1,5;mail;Bonn\nbob;cy;4. Mai;2;mail;Kiel\n" +
		"cy;ann;5. Mai;0,5;ruf;Bonn\ndee;ann;6. Mai;3;ruf;Ulm\nann;dee;7. Mai;1;mail;Rom\n"
	_, _, err = openChoice([]File{fileOf("kontakte.csv", wide)}, Choice{})
	if err == nil || !strings.Contains(err.Error(), "-columns source=von,target=nach,weight=dauer,layer=typ;") {
		t.Errorf("%v", err)
	}
	g, _, err := openChoice([]File{fileOf("kontakte.csv", wide)}, Choice{Columns: "source=von,target=nach,weight=dauer,layer=typ"})
	if err != nil || g.M() != 4 || g.N() != 2 || g.Layers[0].Name != "mail" || g.Layers[0].Summary().Edges != 3 {
		t.Errorf("%v, %v", g, err)
	}
	// Of people a table says where they were born and live: these words are not links.
	const people = "person;geburtsort;wohnort;alter;beruf;groesse\nann;Bonn;Bonn;3;a;1\nbob;Kiel;Bonn;4;b;2\ncy;Bonn;Kiel;7;a;3\ndee;Ulm;Kiel;8;b;4\n"
	if _, _, err := openChoice([]File{fileOf("people.csv", people)}, Choice{}); err == nil || strings.Contains(err.Error(), "-columns") {
		t.Errorf("%v", err)
	}
	// Numbers below titles that share nothing are a table.
	if c, err := Read([]File{fileOf("table.csv", "a,b\n1,2\n3,4\n")}); err != nil || len(c.Variables) != 1 || c.Variables[0].Shape[0] != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}
