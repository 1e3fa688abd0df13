package text

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"cadem.example/core/internal/input"
)

func composed(t *testing.T) {
	before := input.Composed
	t.Cleanup(func() { input.Composed = before })
	input.Composed = norm.NFC.String
}

// spell writes a name in one of the ways that look the same.
func spell(r *rand.Rand, name string) string {
	if r.IntN(2) == 0 {
		name = norm.NFD.String(name)
	}
	name = strings.ReplaceAll(name, " ", []string{" ", "\u00a0", "\u202f", "\u2007"}[r.IntN(4)])
	if k := r.IntN(6); k < 2 {
		name += []string{"\u200b", "\u2060"}[k]
	}
	return name
}

// What the files of the test below hold.
var (
	speltPeople = []string{"Zoë Lee", "Ada Ångström", "Bo", "Việt Trần", "7", "각 시", "naïve"}
	speltLayers = []string{"Büro", "lunch – Küche"}
	speltPairs  = [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {0, 6}}
	speltTeams  = []string{"Café rouge", "Thé"}
)

// A speller writes a name in one of its ways, a spelt file is one of which only the ways are open.
type (
	speller func(name string) string
	spelt   func(speller) string
)

func speltList(separator, header, mark string, layered bool) spelt {
	return func(say speller) string {
		b := header
		for l, layer := range speltLayers {
			for k, p := range speltPairs {
				row := mark + say(speltPeople[p[0]]) + mark + separator + mark + say(speltPeople[p[1]]) + mark
				if layered {
					b += row + separator + mark + say(layer) + mark + "\n"
				} else if (k+l)%3 > 0 {
					b += row + "\n"
				}
			}
		}
		return b
	}
}

func speltTable(say speller) string {
	b := "id,team\n"
	for k, name := range speltPeople {
		b += say(name) + "," + say(speltTeams[k%2]) + "\n"
	}
	return b
}

func speltMatrix(say speller) string {
	b := ""
	for _, name := range speltPeople {
		b += "," + say(name)
	}
	for i, name := range speltPeople {
		b += "\n" + say(name)
		for j := range speltPeople {
			b += fmt.Sprint(",", (i+j)%3*(j-i)*(j-i))
		}
	}
	return b + "\n"
}

// speltGraphML counts the nodes from either end.
func speltGraphML(layered, reversed bool) spelt {
	return func(say speller) string {
		id := func(k int) int {
			if reversed {
				return len(speltPeople) - 1 - k
			}
			return k
		}
		b := `<graphml><key id="l" for="edge" attr.name="layer"/><key id="n" for="node" attr.name="name"/>` +
			`<graph edgedefault="undirected">`
		for k, name := range speltPeople {
			b += fmt.Sprintf(`<node id="n%d"><data key="n">%s</data></node>`, id(k), say(name))
		}
		for _, layer := range speltLayers {
			for _, p := range speltPairs {
				b += fmt.Sprintf(`<edge source="n%d" target="n%d">`, id(p[0]), id(p[1]))
				if layered {
					b += `<data key="l">` + say(layer) + `</data>`
				}
				b += "</edge>"
			}
		}
		return b + "</graph></graphml>"
	}
}

// speltGraph reads files and returns the graph with its names in one form, as text, and the notes.
func speltGraph(files map[string]spelt, say speller) (graph, notes string, err error) {
	s := NewSet("")
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := s.Read(&input.File{Name: file, Data: []byte(files[file](say))}); err != nil {
			return "", "", err
		}
	}
	if _, err := s.Sort(); err != nil {
		return "", "", err
	}
	g, report, err := s.Graph(Options{})
	if err != nil {
		return "", "", err
	}
	for i := range g.Nodes {
		graph += input.Name(g.Nodes[i]) + "|"
		for _, set := range g.Labels {
			graph += input.Name(set.ClassOf(i)) + "|"
		}
	}
	for _, l := range g.Layers {
		graph += fmt.Sprint(input.Name(l.Name), l.Adjacency.Start, l.Adjacency.Index)
	}
	return graph, strings.Join(report.Notes, "\n"), nil
}

// Files in which every name is written in any of its ways make the graph of those that write it in one.
func TestOneNameSpeltInTwoWays(t *testing.T) {
	composed(t)
	commas := speltList(",", "source,target,layer\n", `"`, true)
	one := speltList(",", "from,to\n", "", false)
	for name, files := range map[string]map[string]spelt{
		"commas":    {"a.csv": commas, "team.csv": speltTable},
		"tabs":      {"a.tsv": speltList("\t", "source\ttarget\tlayer\n", "", true), "nodes.csv": speltTable},
		"blanks":    {"a.txt": speltList(" ", "source target layer\n", `"`, true)},
		"no header": {"a.edges": speltList(",", "", "", true)},
		"two files": {"a.csv": one, "b.csv": one, "team.csv": speltTable},
		"layers": {"a.csv": commas, "a_layers.txt": func(say speller) string {
			return "1," + say(speltLayers[0]) + "\n2," + say(speltLayers[1]) + "\n"
		}},
		"matrices":   {"a.csv": speltMatrix, "b.csv": speltMatrix, "team.csv": speltTable},
		"GraphML":    {"a.graphml": speltGraphML(true, false), "team.csv": speltTable},
		"in GraphML": {"a.graphml": speltGraphML(false, false), "b.graphml": speltGraphML(false, true)},
		"multinet":   {"a.mpx": speltList(",", "#TYPE\nmultiplex\n#EDGES\n", "", true)},
		"muxViz": {"Büro.txt": speltList(" ", "", `"`, false), "Küche.txt": speltList(" ", "", `"`, false), "muxviz.txt": func(say speller) string {
			return norm.NFD.String("Büro.txt") + ";" + say(speltLayers[0]) + "\n" + norm.NFD.String("Küche.txt") + ";" + say(speltLayers[1]) + "\n"
		}},
	} {
		want, notes, err := speltGraph(files, func(name string) string { return name })
		if err != nil || strings.Contains(notes, "two ways") {
			t.Errorf("%s: %v, %s", name, err, notes)
		}
		for seed := range uint64(8) {
			r := rand.New(rand.NewPCG(seed, 9))
			if got, notes, err := speltGraph(files, func(name string) string { return spell(r, name) }); err != nil || got != want {
				t.Errorf("%s: %v,\n%q, want\n%q\n%s", name, err, got, want, notes)
				break
			}
		}
	}
}

// Names that are written in one way stay as they are, in their order: it decides on the results.
func TestNamesStayAsTheyAre(t *testing.T) {
	composed(t)
	for _, name := range []string{norm.NFD.String("Zoë"), "Ada\u00a0Lee", "x\u200by", "\ufb01n", "Å"} {
		_, nodes, notes, err := linksOf(t, Options{}, "a.csv\nsource,target\n"+name+",b\nb,c\n")
		if err != nil || nodes[0] != name && nodes[2] != name || strings.Contains(notes, "two ways") {
			t.Errorf("%q: %q, %v, %s", name, nodes, err, notes)
		}
	}
}

// Ids that are two and look alike are said to be two.
func TestLookAlikes(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"1", "1.0"}: true, {"01", "1"}: true, {"1.00", "01"}: true, {"Ann", "ann"}: true, {"Ada Lee", "AdaLee"}: true, {"Ada Lee", "ada  lee"}: true,
		{"10", "1"}: false, {"1.5", "1"}: false, {"1.10", "1.1"}: false, {"Ann", "Anna"}: false, {"1.", "1"}: true, {"a.0", "a"}: false,
		{"É", "é"}: true, {"+1", "1"}: true, {"0", "0.0"}: true, {"-1", "1"}: false,
	} {
		_, nodes, notes, err := linksOf(t, Options{}, fmt.Sprintf("a.csv\nsource,target,layer\n%s,x,k\n%s,y,k\nx,y,m\n", pair[0], pair[1]))
		if err != nil || len(nodes) != 4 || strings.Contains(notes, "Ids are text") != want {
			t.Errorf("%q: %q, %v, %s", pair, nodes, err, notes)
		}
		_, _, notes, err = linksOf(t, Options{}, fmt.Sprintf("a.csv\nsource,target,layer\nv,x,%s\nv,y,%s\nx,y,z\n", pair[0], pair[1]))
		if err != nil || strings.Contains(notes, "are two layers") != want {
			t.Errorf("layers %q: %v, %s", pair, err, notes)
		}
	}
	notes, err := aboutIDs("node", []string{"1", "1.0", "01", "2", "b", "B", "c", "d"})
	if err != nil || len(notes) != 2 || !strings.Contains(notes[0], "as in 2 other pairs") {
		t.Errorf("%q, %v", notes, err)
	}
}
