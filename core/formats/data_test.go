package formats

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cadem.example/core/internal/formatstest"
	"cadem.example/core/internal/text"
	"cadem.example/core/multiplex"
)

// small reads files of the public data sets beside the repository.
func small(t *testing.T, names ...string) []File {
	t.Helper()
	var files []File
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("../../../shared/data/small", filepath.FromSlash(name)))
		if os.IsNotExist(err) {
			t.Skip("the real data is not there: ../shared/data/small/" + name)
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{Name: filepath.Base(name), Data: data})
	}
	return files
}

type wantLayer struct {
	name                  string
	arcs, edges, isolated int
	direction             text.Direction
}

func checkLayers(t *testing.T, r *Report, want []wantLayer) {
	t.Helper()
	if len(r.Layers) != len(want) {
		t.Fatalf("%d layers, want %d", len(r.Layers), len(want))
	}
	for l, w := range want {
		got := wantLayer{r.Layers[l].Name, r.Layers[l].Arcs, r.Layers[l].Edges, r.Layers[l].Isolated, r.Layers[l].Direction}
		if got != w {
			t.Errorf("layer %d: %+v, want %+v", l, got, w)
		}
	}
}

func checkClasses(t *testing.T, g *multiplex.Graph, set string, want []int, wantMissing int) {
	t.Helper()
	for _, s := range g.Labels {
		if s.Name != set {
			continue
		}
		classes, missing := s.Counts()
		if !slices.Equal(classes, want) || missing != wantMissing {
			t.Errorf("%s: %q %v, %d missing, want %v, %d", set, s.Classes, classes, missing, want, wantMissing)
		}
		return
	}
	t.Errorf("no label set %s", set)
}

func checkNotes(t *testing.T, r *Report, want ...string) {
	t.Helper()
	for _, n := range want {
		if !slices.Contains(r.Notes, n) {
			t.Errorf("no note %q in %q", n, r.Notes)
		}
	}
}

func TestOpenAUCS(t *testing.T) {
	want := []wantLayer{
		{"lunch", 193, 193, 1, OneWay}, {"facebook", 124, 124, 29, OneWay}, {"coauthor", 21, 21, 36, OneWay},
		{"leisure", 88, 88, 14, OneWay}, {"work", 194, 194, 1, OneWay},
	}
	all := []string{"aucs/labels.csv", "aucs/CS-Aarhus_multiplex.edges", "aucs/CS-Aarhus_layers.txt", "aucs/CS-Aarhus_nodes.txt"}
	g, r, err := openChoice(small(t, all...), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	checkLayers(t, r, want)
	checkNotes(t, r, "No layer has a pair in both directions: the edges were taken as undirected.")
	if g.Name != "CS-Aarhus" || g.M() != 61 || r.Nodes != 61 || r.Isolated != 0 || g.NodeName(0) != "U102" || g.NodeName(60) != "U141" {
		t.Errorf("%s, %d nodes, %s to %s, %d isolated", g.Name, g.M(), g.NodeName(0), g.NodeName(60), r.Isolated)
	}
	if len(g.Labels) != 2 {
		t.Errorf("%d label sets, want group and role", len(g.Labels))
	}
	checkClasses(t, g, "group", []int{6, 12, 1, 1, 8, 7, 4, 7, 8, 1}, 6)

	// Without the node file the labels name the nodes.
	g, r, err = openChoice(small(t, all[:3]...), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	checkLayers(t, r, want)
	if g.NodeName(0) != "U102" {
		t.Errorf("node 0 is %s", g.NodeName(0))
	}
	// The list of people has other ids than the edges.
	_, _, err = openChoice(append(small(t, all[1:]...), small(t, "aucs/aucs_nodelist.txt")...), Choice{})
	formatstest.CheckError(t, err, `aucs_nodelist.txt: found a second file of nodes beside CS-Aarhus_nodes.txt, `+
		`expected one: all rows in one table, under the same titles`)
	_, _, err = openChoice(append(small(t, all[1:3]...), small(t, "aucs/aucs_nodelist.txt")...), Choice{})
	formatstest.CheckError(t, err, `CS-Aarhus_multiplex.edges:1: node: found "1", expected one of the 61 nodes of aucs_nodelist.txt`)
}

func TestOpenCKM(t *testing.T) {
	const at = "ckm_physicians/CKM-Physicians-Innovation_"
	g, r, err := openChoice(small(t, at+"nodes.txt", at+"layers.txt", at+"multiplex.edges"), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	checkLayers(t, r, []wantLayer{{"advice", 480, 449, 31, Directed}, {"discussion", 565, 498, 15, Directed}, {"friend", 506, 423, 18, Directed}})
	checkNotes(t, r, "480 arcs of layer advice were made 449 undirected edges.", "5 nodes have no edge in any layer.")
	if g.M() != 246 || r.Isolated != 5 {
		t.Errorf("%d nodes, %d isolated", g.M(), r.Isolated)
	}
	checkClasses(t, g, "nodeCity", []int{117, 50, 44, 35}, 0)
	for _, s := range g.Labels {
		if s.Name == "nodeAdoptionDate" {
			t.Error("the adoption date, with twenty values, became a label set")
		}
	}
}

func TestOpenEUAir(t *testing.T) {
	const at = "eu_air/EUAirTransportation_"
	g, r, err := openChoice(small(t, at+"nodes.txt", at+"layers.txt", at+"multiplex.edges"), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	edges := 0
	for _, l := range r.Layers {
		edges += l.Edges
	}
	if g.M() != 450 || g.N() != 37 || edges != 3588 || r.Layers[1].Edges != 601 || g.Layers[0].Name != "Lufthansa" || len(g.Labels) != 0 {
		t.Errorf("%d nodes, %d layers, %d edges, %+v, %d label sets", g.M(), g.N(), edges, r.Layers[1], len(g.Labels))
	}
	checkNotes(t, r, "EUAirTransportation_nodes.txt: nodeLong, nodeLat hold numbers and no categories: they can colour the pictures, or be chosen as features.")
}
