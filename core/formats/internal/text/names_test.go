package text

import (
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"cadem/core/formats/internal/input"
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

// Files in which every name is written in any of its ways make the graph of those that write it in one.
func TestOneNameSpeltInTwoWays(t *testing.T) {
	composed(t)
	people := []string{"Zoë Lee", "Ada Ångström", "Bo", "Việt Trần", "7", "각 시", "naïve"}
	layers := []string{"Büro", "lunch – Küche"}
	pairs := [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {0, 6}}
	teams := []string{"Café rouge", "Thé"}
	type speller func(string) string
	quoted := func(s string) string { return `"` + s + `"` }
	list := func(separator, header string, layered bool) func(speller) string {
		return func(say speller) string {
			b := header
			for l, layer := range layers {
				for k, p := range pairs {
					if row := quoted(say(people[p[0]])) + separator + quoted(say(people[p[1]])); layered {
						b += row + separator + quoted(say(layer)) + "\n"
					} else if (k+l)%3 > 0 {
						b += row + "\n"
					}
				}
			}
			return b
		}
	}
	table := func(say speller) string {
		b := "id,team\n"
		for k, name := range people {
			b += say(name) + "," + say(teams[k%2]) + "\n"
		}
		return b
	}
	matrix := func(say speller) string {
		b := ""
		for _, name := range people {
			b += "," + say(name)
		}
		for i, name := range people {
			b += "\n" + say(name)
			for j := range people {
				b += fmt.Sprint(",", (i+j)%3*(j-i)*(j-i))
			}
		}
		return b + "\n"
	}
	graphml := func(layered, reversed bool) func(speller) string {
		return func(say speller) string {
			var b strings.Builder
			b.WriteString(`<graphml><key id="l" for="edge" attr.name="layer"/><key id="n" for="node" attr.name="name"/><graph edgedefault="undirected">`)
			id := func(k int) int {
				if reversed {
					return len(people) - 1 - k
				}
				return k
			}
			for k, name := range people {
				fmt.Fprintf(&b, `<node id="n%d"><data key="n">`, id(k))
				xml.EscapeText(&b, []byte(say(name)))
				b.WriteString("</data></node>")
			}
			for _, layer := range layers {
				for _, p := range pairs {
					fmt.Fprintf(&b, `<edge source="n%d" target="n%d">`, id(p[0]), id(p[1]))
					if layered {
						fmt.Fprintf(&b, `<data key="l">%s</data>`, say(layer))
					}
					b.WriteString("</edge>")
				}
			}
			return b.String() + "</graph></graphml>"
		}
	}
	for name, files := range map[string]map[string]func(speller) string{
		"commas":     {"a.csv": list(",", "source,target,layer\n", true), "team.csv": table},
		"tabs":       {"a.tsv": list("\t", "source\ttarget\tlayer\n", true), "nodes.csv": table},
		"blanks":     {"a.txt": list(" ", "source target layer\n", true)},
		"no header":  {"a.edges": list(",", "", true)},
		"two files":  {"a.csv": list(",", "from,to\n", false), "b.csv": list(",", "from,to\n", false), "team.csv": table},
		"layers":     {"a.csv": list(",", "source,target,layer\n", true), "a_layers.txt": func(say speller) string { return "1," + say(layers[0]) + "\n2," + say(layers[1]) + "\n" }},
		"matrices":   {"a.csv": matrix, "b.csv": matrix, "team.csv": table},
		"GraphML":    {"a.graphml": graphml(true, false), "team.csv": table},
		"in GraphML": {"a.graphml": graphml(false, false), "b.graphml": graphml(false, true)},
		"multinet": {"a.mpx": func(say speller) string {
			b := "#TYPE\nmultiplex\n#EDGES\n"
			for _, layer := range layers {
				for _, p := range pairs {
					b += say(people[p[0]]) + "," + say(people[p[1]]) + "," + say(layer) + "\n"
				}
			}
			return b
		}},
		"muxViz": {"Büro.txt": list(" ", "", false), "Küche.txt": list(" ", "", false),
			"config.txt": func(say speller) string {
				return norm.NFD.String("Büro.txt") + ";" + say(layers[0]) + "\n" + norm.NFD.String("Küche.txt") + ";" + say(layers[1]) + "\n"
			}},
	} {
		read := func(say speller) (string, string, error) {
			var all []string
			for _, file := range []string{"a.csv", "a.tsv", "a.txt", "a.edges", "a.mpx", "a.graphml", "b.csv", "b.graphml", "Büro.txt", "Küche.txt",
				"config.txt", "team.csv", "nodes.csv", "a_layers.txt"} {
				if write := files[file]; write != nil {
					all = append(all, file+"\n"+write(say))
				}
			}
			s := NewSet()
			for _, f := range all {
				name, text, _ := strings.Cut(f, "\n")
				if err := s.Read(&input.File{Name: name, Data: []byte(text)}); err != nil {
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
			b := ""
			for i := range g.Nodes {
				b += input.Name(g.Nodes[i]) + "|"
				for _, set := range g.Labels {
					b += input.Name(set.ClassOf(i)) + "|"
				}
			}
			for _, l := range g.Layers {
				b += fmt.Sprint(input.Name(l.Name), l.Adjacency.Start, l.Adjacency.Index)
			}
			return b, strings.Join(report.Notes, "\n"), nil
		}
		want, notes, err := read(func(name string) string { return name })
		if err != nil || strings.Contains(notes, "two ways") {
			t.Errorf("%s: %v, %s", name, err, notes)
			continue
		}
		for seed := range uint64(8) {
			r := rand.New(rand.NewPCG(seed, 9))
			got, notes, err := read(func(name string) string { return spell(r, name) })
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			if got != want {
				t.Errorf("%s:\n%q, want\n%q\n%s", name, got, want, notes)
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
	if notes := aboutIDs("node", []string{"1", "1.0", "01", "2", "b", "B"}); len(notes) != 2 || !strings.Contains(notes[0], "as in 2 other pairs") {
		t.Errorf("%q", notes)
	}
}
