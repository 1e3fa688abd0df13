package formats

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/multiplex"
)

// realData is the folder of the public data sets beside the repository.
const realData = "../../../shared/data"

// realFiles opens files of the public data sets, to be read from front to back.
func realFiles(t *testing.T, names ...string) []File {
	t.Helper()
	var files []File
	for _, name := range names {
		f, err := os.Open(filepath.Join(realData, filepath.FromSlash(name)))
		if os.IsNotExist(err) {
			t.Skip("the real data is not there: ../shared/data/" + name)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{Name: filepath.Base(name), Reader: f, Size: info.Size()})
	}
	return files
}

// publishedSets are the sets in every container they are published in.
var publishedSets = []struct {
	set    string
	layers string // names in the statistics, in the order of Guess
	links  bool   // one direction, no self loops
	files  []string
}{
	{"acm", "PAP PLP PMP PTP", false, []string{"acm/ACM3025.mat"}},
	{"acm", "PAP PLP", false, []string{"acm/ACM3025_sparse_cells.mat"}},
	{"imdb", "mam mdm", false, []string{"imdb/mdm.npz", "imdb/mam.npz", "imdb/feature.npz", "imdb/labels.npy", "imdb/splits.npz"}},
	{"imdb", "mdm mam", true, []string{"imdb/imdb_lil_edges.pkl"}},
	{"imdb", "mdm mam", false, []string{"imdb/imdb_csr_proto2.pkl"}},
	{"imdb", "mdm mam", false, []string{"imdb/imdb_csr_proto5.pkl"}},
	{"imdb", "mdm mam", false, []string{"imdb/imdb_hdmi_layout.pkl.gz"}},
	{"imdb5k", "MAM MDM third", false, []string{"imdb/imdb5k_sparse_cells.mat"}},
	{"imdb5k", "", true, []string{"imdb/imdb5k_lil_edges.pkl"}},
	{"freebase", "mam mdm mwm", false, []string{"freebase/mam.npz", "freebase/mdm.npz", "freebase/mwm.npz", "freebase/labels.npy", "freebase/train_20.npy"}},
	{"acm4019", "pap psp", false, []string{"acm4019/pap.npz", "acm4019/psp.npz", "acm4019/p_feat.npz", "acm4019/labels.npy", "acm4019/test_60.npy"}},
	{"dblp4057", "apa apcpa aptpa", false,
		[]string{"dblp4057/apa.npz", "dblp4057/apcpa.npz", "dblp4057/aptpa.npz", "dblp4057/a_feat.npz", "dblp4057/labels.npy"}},
}

// Every container of the published sets gives the counts that are known of the set and,
// layer for layer, one hash.
func TestPublishedSets(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(realData, "stats.json"))
	if err != nil {
		t.Skip("the real data is not there: ../shared/data/stats.json")
	}
	type counts struct {
		Nodes   int
		Classes []int
		Layers  map[string]struct {
			LayerCounts
			Edges int `json:"undirected_edges_no_loops"`
		}
		Feature *FeatureCounts
	}
	var stats map[string]counts
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	stats = map[string]counts{}
	for name, v := range raw {
		var c counts
		if json.Unmarshal(v, &c) == nil {
			stats[name] = c
		}
	}
	hashes := map[string]string{}
	for _, c := range publishedSets {
		t.Run(strings.Join(c.files, " "), func(t *testing.T) {
			content, err := Read(realFiles(t, c.files...))
			if err != nil {
				t.Fatal(err)
			}
			d, err := content.Describe(Choice{})
			if err != nil {
				t.Fatal(err)
			}
			want := stats[c.set]
			if d.Nodes != want.Nodes || !slices.Equal(d.Classes, want.Classes) {
				t.Errorf("%d nodes, classes %v, want %d, %v", d.Nodes, d.Classes, want.Nodes, want.Classes)
			}
			if (d.Features == nil) != (want.Feature == nil) || d.Features != nil &&
				(!slices.Equal(d.Features.Shape, want.Feature.Shape) || d.Features.NNZ != want.Feature.NNZ) {
				t.Errorf("features %+v, want %+v", d.Features, want.Feature)
			}
			for k, name := range strings.Fields(c.layers) {
				v, err := content.find("layers", d.Guess.Layers[k])
				if err != nil {
					t.Fatal(err)
				}
				got, want := d.Layers[content.short(v)], want.Layers[name]
				if c.links {
					want.NNZ, want.SelfLoops, want.Symmetric, want.Stored = want.Edges, 0, true, OneWay
				} else if want.Stored = Directed; want.Symmetric {
					want.Stored = BothWays
				}
				want.Hash = got.Hash
				if got != want.LayerCounts {
					t.Errorf("%s: %+v, want %+v", name, got, want.LayerCounts)
				}
				key := c.set + " " + name
				if hashes[key] != "" && hashes[key] != got.Hash {
					t.Errorf("%s: hash %s, %s in another container", name, got.Hash, hashes[key])
				}
				hashes[key] = got.Hash
			}
		})
	}
}

// The layers of an edge list are counted as the statistics count them, too.
func TestDescribeEdgeList(t *testing.T) {
	c, err := Read(small(t, "aucs/labels.csv", "aucs/CS-Aarhus_multiplex.edges", "aucs/CS-Aarhus_layers.txt", "aucs/CS-Aarhus_nodes.txt"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Describe(Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Classes, []int{6, 12, 1, 1, 8, 7, 4, 7, 8, 1}) || d.Missing != 6 {
		t.Errorf("classes %v", d.Classes)
	}
	l := d.Layers["lunch"]
	if d.Nodes != 61 || len(d.Layers) != 5 || l.NNZ != 193 || l.SelfLoops != 0 || l.Stored != OneWay || !l.Symmetric || l.Isolated != 1 || l.MaxDegree != 15 ||
		d.Features != nil {
		t.Errorf("%+v", d)
	}
}

func openChoice(files []File, choice Choice) (*multiplex.Graph, *Report, error) {
	c, err := Read(files)
	if err != nil {
		return nil, nil, err
	}
	return c.Graph(choice)
}

func TestChoice(t *testing.T) {
	g, r, err := openChoice(realFiles(t, "acm/ACM3025.mat"), Choice{Layers: []string{"PLP", "PAP"}, Features: "feature", Labels: []string{"label"}})
	if err != nil {
		t.Fatal(err)
	}
	if g.N() != 2 || g.Layers[0].Name != "PLP" || g.Layers[0].Adjacency.Value != nil || r.Layers[0].Edges != 1103868 || g.F() != 1870 || len(g.Labels) != 1 {
		t.Errorf("%d layers, %+v", g.N(), r)
	}
	x := g.Layers[0].Features.Sparse
	sum := 0.0
	for k := x.Start[7]; k < x.Start[8]; k++ {
		sum += x.Value[k]
	}
	if sum < 1-1e-12 || sum > 1+1e-12 {
		t.Errorf("the features of a node add up to %v", sum)
	}
	raw, _, err := openChoice(realFiles(t, "acm/ACM3025.mat"), Choice{Layers: []string{"PLP", "PAP"}, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	if raw.Layers[1].Features.Sparse.Value != nil {
		t.Error("truth values became numbers")
	}
}
