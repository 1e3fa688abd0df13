package formats

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats/npy"
	"cadem.example/core/internal/formatstest"
	"cadem.example/core/multiplex"
)

// A spelling writes a matrix of weights between people as a program does; order says who stands in each row.
type spelling func(name []string, w [][]float64, order []int) string

// rows writes the numbers of a matrix, with names beside if there are any.
func rows(head string, beside []string, w [][]float64, order []int) string {
	var b strings.Builder
	b.WriteString(head)
	for _, i := range order {
		var fields []string
		if beside != nil {
			fields = append(fields, beside[i])
		}
		for _, j := range order {
			fields = append(fields, fmt.Sprint(w[i][j]))
		}
		b.WriteString(strings.Join(fields, ",") + "\n")
	}
	return b.String()
}

func above(corner string, name []string, order []int, spell func(string) string) string {
	var fields []string
	if corner != "-" {
		fields = append(fields, corner)
	}
	for _, i := range order {
		fields = append(fields, spell(name[i]))
	}
	return strings.Join(fields, ",") + "\n"
}

// spelledByR is make.names of R for the names of this test.
func spelledByR(s string) string {
	s = strings.NewReplacer(" ", ".", "-", ".", "(", ".", ")", ".").Replace(s)
	if s[0] >= '0' && s[0] <= '9' {
		s = "X" + s
	}
	return s
}

func asIs(s string) string { return s }

var spellings = map[string]spelling{
	"above alone": func(name []string, w [][]float64, order []int) string {
		return rows(above("-", name, order, asIs), nil, w, order)
	},
	"of R": func(name []string, w [][]float64, order []int) string {
		return rows(above(`""`, name, order, spelledByR), name, w, order)
	},
	"of R, without a title above the rows": func(name []string, w [][]float64, order []int) string {
		return rows(above("-", name, order, spelledByR), name, w, order)
	},
	"of R, above alone": func(name []string, w [][]float64, order []int) string {
		return rows(above("-", name, order, spelledByR), nil, w, order)
	},
	"rows that only count": func(name []string, w [][]float64, order []int) string {
		count := make([]string, len(name))
		for k, i := range order {
			count[i] = fmt.Sprint(k + 1)
		}
		return rows(above(`""`, name, order, asIs), count, w, order)
	},
	"columns that only count": func(name []string, w [][]float64, order []int) string {
		head := `""`
		for k := range order {
			head += fmt.Sprintf(",V%d", k+1)
		}
		return rows(head+"\n", name, w, order)
	},
	"above and beside": func(name []string, w [][]float64, order []int) string {
		return rows(above(`""`, name, order, asIs), name, w, order)
	},
}

// Matrices of the same people, each in an order of its own and with names as programs write them, give one graph: links and their
// weights by name are those that were drawn, whatever two spellings stand beside each other.
func TestNamesDecide(t *testing.T) {
	people := map[string][]string{
		"numbers": {"101", "102", "103", "104", "105", "106", "107"},
		"blanks":  {"Ada Lee", "Ben Lee", "Cleo-Ann", "Dan (II)", "Eva", "Finn", "Gus"},
		"counts":  {"1", "2", "3", "4", "5", "6", "7"},
	}
	for who, name := range people {
		for first, one := range spellings {
			for second, other := range spellings {
				t.Run(who+"/"+first+"/"+second, func(t *testing.T) {
					r := rand.New(rand.NewPCG(68, 9))
					n := len(name)
					texts := map[string]string{}
					want := map[string][][]float64{}
					for k, spell := range []spelling{one, other} {
						w := make([][]float64, n)
						for i := range w {
							w[i] = make([]float64, n)
							for j := range i {
								w[i][j] = float64(r.IntN(3) * r.IntN(90))
								w[j][i] = w[i][j]
							}
						}
						w[0][1], w[1][0] = 5, 5
						order := r.Perm(n)
						layer := string(rune('a' + k))
						texts[layer+".csv"], want[layer] = spell(name, w, order), w
					}
					g, _, err := graphOf(t, texts)
					if counts := strings.Contains(first+second, "count"); who == "counts" && counts {
						return // numbers that only count are no names beside those that are
					}
					if err != nil {
						// Numbers above numbers are no header to a reader who sees no names.
						if bare := strings.HasPrefix(first, "above alone") || strings.HasPrefix(second, "above alone"); !bare || who == "blanks" {
							t.Fatal(err)
						}
						return
					}
					spelled := g.Nodes
					for k := range g.Layers {
						l := &g.Layers[k]
						a := l.Adjacency
						got := map[[2]string]float64{}
						for i := range a.Rows {
							for at := a.Start[i]; at < a.Start[i+1]; at++ {
								got[[2]string{spelledByR(spelled[i]), spelledByR(spelled[a.Index[at]])}] = a.Dense()[i*a.Cols+int(a.Index[at])]
							}
						}
						for i := range n {
							for j := range n {
								if w := want[l.Name][i][j]; got[[2]string{spelledByR(name[i]), spelledByR(name[j])}] != w {
									t.Fatalf("layer %s: %s and %s: found %g, expected %g; nodes %q", l.Name, name[i], name[j],
										got[[2]string{spelledByR(name[i]), spelledByR(name[j])}], w, spelled)
								}
							}
						}
					}
				})
			}
		}
	}
}

// graphOf opens texts by name.
func graphOf(t *testing.T, texts map[string]string) (*multiplex.Graph, []string, error) {
	t.Helper()
	var files []File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		files = append(files, File{Name: name, Data: []byte(texts[name])})
	}
	c, err := Read(files)
	if err != nil {
		return nil, nil, err
	}
	g, report, err := c.Graph(Choice{})
	if err != nil {
		return nil, nil, err
	}
	return g, report.Notes, nil
}

// sixPeople writes the matrix of six people whose links weigh 10 i + j, i < j their places in the alphabet, in an order of its own.
func sixPeople(head string, order ...int) string {
	w := make([][]float64, 6)
	for i := range w {
		for j := range w {
			w[i] = append(w[i], float64(10*min(i, j)+max(i, j)))
		}
		w[i][i] = 0
	}
	return head + rows("", nil, w, order)
}

var (
	alphabet = sixPeople("Ada,Ben,Cleo,Dan,Eva,Finn\n", 0, 1, 2, 3, 4, 5)
	benFirst = sixPeople("Ben,Ada,Cleo,Dan,Eva,Finn\n", 1, 0, 2, 3, 4, 5)
)

// Matrices whose names do not fit together are refused, in words that name both.
func TestNamesThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct{ a, b, nodes, want string }{
		"no names beside some": {alphabet, sixPeople("", 1, 0, 2, 3, 4, 5), "", "b.csv: b: found a matrix without names beside a.csv, which has some"},
		"another name": {alphabet, sixPeople("Ada,Ben,Cleo,Dan,Eva,Gus\n", 0, 1, 2, 3, 4, 5), "",
			`found 6 nodes, "Gus" among them, expected the 6 of a.csv: "Ada", "Ben", "Cleo" and 3 more`},
		"two kinds of nodes": {alphabet, ",bee,fly,wasp,ant,moth,gnat\noak,0,1,2,0,0,0\nelm,1,0,3,0,0,0\nash,2,3,0,0,0,0\nyew,0,0,1,0,0,1\n" +
			"fir,0,0,1,0,0,1\nlime,0,0,1,0,0,1\n", "", `found rows called "oak", "elm", "ash" and 3 more and columns called "bee"`},
		"a name twice": {alphabet, sixPeople("Ada,Ben,Ben,Dan,Eva,Finn\n", 0, 1, 2, 3, 4, 5), "", `"Ben" among them`},
		"two people whom R calls alike": {sixPeople("Ada.Lee,B,C,D,E,F\n", 0, 1, 2, 3, 4, 5), sixPeople("Ada-Lee,Ada Lee,C,D,E,F\n", 0, 1, 2, 3, 4, 5),
			"", `"Ada.Lee" among them, expected the 6 of b.csv`},
		"a node file of others": {alphabet, benFirst, "nodeID\nU\nV\nW\nX\nY\nZ\n", `expected the 6 of nodes.csv: "U", "V", "W"`},
	} {
		t.Run(name, func(t *testing.T) {
			texts := map[string]string{"a.csv": c.a, "b.csv": c.b}
			if c.nodes != "" {
				texts["nodes.csv"] = c.nodes
			}
			g, _, err := graphOf(t, texts)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v", g, err)
			}
		})
	}
}

// The order of a node file is that of the nodes, and ids of labels are the names of matrices. Runs that were kept before names decided
// go on by place.
func TestNamesBesideOtherFiles(t *testing.T) {
	texts := map[string]string{"a.csv": alphabet, "b.csv": benFirst, "nodes.csv": "nodeID,nodeLabel\n1,Cleo\n2,Ada\n3,Ben\n4,Dan\n5,Eva\n6,Finn\n"}
	g, _, err := graphOf(t, texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range g.Layers {
		if w := l.Adjacency.Dense(); w[1] != 2 || w[2] != 12 || w[6+2] != 1 || g.Nodes[0] != "Cleo" || g.Nodes[2] != "Ben" {
			t.Errorf("%s: %v of %q", l.Name, w, g.Nodes)
		}
	}
	delete(texts, "nodes.csv")
	texts["labels.csv"] = "node,team\nBen,red\nAda,blue\nCleo,blue\nDan,red\nEva,red\nFinn,blue\n"
	if g, _, err = graphOf(t, texts); err != nil || g.Labels[0].ClassOf(0) != "blue" || g.Labels[0].ClassOf(1) != "red" || g.Nodes[1] != "Ben" {
		t.Fatalf("%v, %v", g, err)
	}
	c, err := Read([]File{{Name: "a.csv", Data: []byte(alphabet)}, {Name: "b.csv", Data: []byte(benFirst)}})
	if err != nil {
		t.Fatal(err)
	}
	if old, _, err := c.Graph(Choice{ByPlace: true}); err != nil || old.Nodes != nil || old.Layers[0].Adjacency.Hash() == old.Layers[1].Adjacency.Hash() {
		t.Errorf("by place: %v, %v", old, err)
	}
	if now, _, err := c.Graph(Choice{}); err != nil || now.Layers[0].Adjacency.Hash() != now.Layers[1].Adjacency.Hash() {
		t.Errorf("by name: %v", err)
	}
}

// Names in an archive of arrays decide as those of a table do: two archives in two orders give the same layer.
func TestNamesInArchives(t *testing.T) {
	w := func(order ...int) (x []float64, names []string) {
		for _, i := range order {
			names = append(names, string(rune('A'+i)))
			for _, j := range order {
				if i == j {
					x = append(x, 0)
				} else {
					x = append(x, float64(1+min(i, j)+3*max(i, j)))
				}
			}
		}
		return x, names
	}
	var files []File
	for k, order := range [][]int{{0, 1, 2, 3}, {2, 0, 3, 1}} {
		x, names := w(order...)
		ids := formatstest.RawNPY(1, "{'descr': '|S1', 'fortran_order': False, 'shape': (4,), }", strings.Join(names, ""))
		files = append(files, File{Name: string(rune('a'+k)) + ".npz", Data: npzOf(t, "adj", &npy.Array{Shape: []int{4, 4}, Data: x}, "nodes", []byte(ids))})
	}
	c, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := c.Graph(Choice{})
	if err != nil || g.Layers[0].Adjacency.Hash() != g.Layers[1].Adjacency.Hash() || g.Nodes[2] != "C" {
		t.Errorf("%v, %v", g, err)
	}
}

// Names that differ in the width of their blanks, which may be none, are one: those of matrices, and that of a label set in a choice.
func TestBlanksOfNamesInChoices(t *testing.T) {
	const wide = "\u00a0"
	names, cells := []string{"Ada Lee", "Ben Lee", "Eva", "Finn", "Gus", "Ida"}, ""
	for i := range names {
		row := []string{"0", "0", "0", "0", "0", "0"}
		row[(i+1)%6], row[(i+5)%6] = fmt.Sprint((i+1)%6+1), fmt.Sprint(i+1) // a ring
		cells += strings.Join(row, ",") + "\n"
	}
	a := strings.Join(names, ",") + "\n" + cells
	slices.Reverse(names)
	b := strings.NewReplacer(" ", wide, "Eva", "Eva\u2060").Replace(strings.Join(names, ",")) + "\n" + cells
	groups := strings.ReplaceAll("node,the group,other\nAda Lee,x,u\nBen Lee,x,v\nEva,y,v\nFinn,y,u\nGus,x,u\nIda,x,v\n", " ", wide)
	g, _, err := openChoice([]File{fileOf("a.csv", a), fileOf("b.csv", b), fileOf("groups.csv", groups)},
		Choice{Labels: []string{"the group"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Labels) != 1 || g.Labels[0].ClassOf(2) != "y" || g.Labels[0].ClassOf(0) != "x" {
		t.Errorf("%+v", g.Labels)
	}
	// The second ring begins with Ida and ends with Ada: Ada and Ben are its nodes 5 and 4.
	if w := g.Layers[1].Adjacency; w.Index[0] != 1 || w.Value[0] != 6 || g.Layers[0].Adjacency.Value[0] != 2 {
		t.Errorf("%+v", w)
	}
}
