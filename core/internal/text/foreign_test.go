package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/internal/input"
	"cadem.example/core/multiplex"
)

// opened reads texts by name and makes their graph.
func opened(texts ...string) (*multiplex.Graph, *Report, error) {
	s := NewSet("")
	for k := 0; k < len(texts); k += 2 {
		if err := s.Read(&input.File{Name: texts[k], Data: []byte(texts[k+1])}); err != nil {
			return nil, nil, err
		}
	}
	if _, err := s.Sort(); err != nil {
		return nil, nil, err
	}
	return s.Graph(Options{})
}

// A graph of METIS has the links that a list of them has, whatever the degrees of its nodes and however many empty lines end its file.
func TestMETIS(t *testing.T) {
	r := rand.New(rand.NewPCG(1203, 1))
	for n := 3; n < 40; n++ {
		near := make([][]int, n)
		join := func(i, j int) {
			if i != j && !slices.Contains(near[i], j) {
				near[i], near[j] = append(near[i], j), append(near[j], i)
			}
		}
		for i := range n {
			join(i, (i+1+n%2)%n)
			if n%5 == 0 {
				join(i, r.IntN(n))
			}
		}
		edges, metis, list := 0, "", ""
		for i := range n {
			var fields []string
			for _, j := range near[i] {
				fields = append(fields, fmt.Sprint(j+1))
				if i < j {
					edges++
					list += fmt.Sprintf("%d %d\n", i+1, j+1)
				}
			}
			metis += strings.Join(fields, " ") + "\n"
		}
		metis = fmt.Sprintf("%% a comment\n%d %d\n%s", n, edges, metis)
		g, _, err := opened("work.txt", list, "lunch.txt", list)
		if err != nil || g.M() != n {
			t.Fatalf("a list of %d nodes: %v:\n%s", n, err, list)
		}
		for _, end := range []string{"", "\n", "\n\n"} {
			m, _, err := opened("work.graph", metis+end, "lunch.graph", metis+end)
			if err != nil || m.M() != n || m.Layers[0].Adjacency.Hash() != g.Layers[0].Adjacency.Hash() {
				t.Errorf("%d nodes: %v:\n%s", n, err, metis)
			}
		}
	}
}

// Dictionaries of attributes are read, and nodes that are tuples refused by name; brackets and braces inside of names are names.
func TestListsOfOtherPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"(0, 'work') (1, 'work') 8\n(0, 'work') (2, 'work') 2\n": "nodes that are tuples, (0, 'work')",
		"# a comment\n('Ada', 1) ('Ben', 1) {}\n":                "nodes that are tuples",
		"Ada Ben {'weight': 8}\nAda Cy weight\n":                 "net.edgelist:2: found \"Ada Cy weight\", expected two nodes and a dictionary",
	} {
		if _, _, err := opened("net.edgelist", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	const attributes = "0 1 {'weight': 8, 'type': 'work'}\n0 2 {\"type\": \"work\", 'weight': 2.5}\n1 2 {'type': \"O'Neill's\", 'weight': 1}\n" +
		"0 1 {'type': \"O'Neill's\"}\n0 2 {'type': \"O'Neill's\"}\n0 3 {'type': 'work'}\n"
	if g, _, err := opened("net.edgelist", attributes); err != nil || g.M() != 4 || g.N() != 2 || g.Layers[0].Name != "O'Neill's" ||
		g.Layers[1].Adjacency.Value[0] != 8 || g.Layers[1].Adjacency.Value[1] != 2.5 {
		t.Errorf("%v, %v", g, err)
	}
	for _, text := range []string{
		"(S)-alanine glycine\nglycine serine\n(S)-alanine serine\nserine leucine\n",
		"(a) {b}\n{b} c\n(a) c\nc d\n",
		"source,target,layer,note\n(a b),c,x,{}\nc,d,x,{}\n(a b),d,y,{}\n",
	} {
		if _, _, err := opened("a.edges", text, "b.edges", text); err != nil && !strings.Contains(err.Error(), "a second file") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What is done with two weights of a pair, with the names of two tables and with a column beside signed weights is said.
func TestWhatIsDoneIsSaid(t *testing.T) {
	_, report, err := opened("e.csv", "source,target,layer,weight\na,b,x,2\nb,a,x,5\na,c,x,1\nc,a,x,1\na,b,y,1\n")
	if notes := strings.Join(report.Notes, "\n"); err != nil || !strings.Contains(notes, "with the larger of the two weights of a pair") {
		t.Errorf("%v:\n%s", err, notes)
	}
	_, report, err = opened("e.csv", "source,target,layer,weight\na,b,x,2\nb,a,x,2\na,c,x,1\na,b,y,1\n")
	if notes := strings.Join(report.Notes, "\n"); err != nil || strings.Contains(notes, "larger") {
		t.Errorf("weights that do not differ, %v:\n%s", err, notes)
	}
	g, _, err := opened("edges.csv", "source,target,layer\np0,p1,x\np0,f0,x\np1,f1,y\nf0,f1,y\n",
		"people.csv", "id,name\np0,Ada\np1,Lea\n", "firms.csv", "id,name\nf0,Lea\nf1,Kim Ltd\n")
	if want := []string{"Lea (f0)", "Kim Ltd", "Ada", "Lea"}; err != nil || !slices.Equal(g.Nodes, want) {
		t.Errorf("%v, %v", g, err)
	}
	signed := "source,target,year,weight\n"
	for k := range 24 {
		signed += fmt.Sprintf("%d,%d,%d,%d\n", k%7, (k+1+k/7)%7, 2000+k%3, 1-2*(k%2))
	}
	_, report, err = opened("edges.csv", signed)
	if notes := strings.Join(report.Notes, "\n"); err != nil || !strings.Contains(notes, "-columns layer=year takes one") {
		t.Errorf("%v:\n%s", err, notes)
	}
}
