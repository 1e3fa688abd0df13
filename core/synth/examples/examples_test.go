package examples

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/property"
	"cadem.example/core/multiplex"
)

func generate(t *testing.T, name string, options any, seed uint64) *multiplex.Graph {
	t.Helper()
	g, err := Draw(name, options, seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestUnknownExample(t *testing.T) {
	want := `data: found "syn9", expected one of ` + strings.Join(Names(), ", ") + `; did you mean syn1?`
	if g, err := Draw("syn9", nil, 1); g != nil || err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestEveryGeneratorByDefault(t *testing.T) {
	sets := map[string][]string{
		"syn1":    {"final", "layer_1", "layer_2", "layer_3"},
		"syn2":    {"shared", "private_1", "private_2", "private_3"},
		"syn3":    {"foreground_1", "region_1", "foreground_2", "region_2"},
		"syn4":    nil,
		"cohort":  {"network"},
		"latent":  {"shared", "private_1", "private_2", "private_3"},
		"town":    {"shared", "friends", "work", "lunch"},
		"painted": {"blocks"},
		"social":  {"team", "lunch_table", "friends_circle", "work_project", "online_channel"},
	}
	for _, gen := range All() {
		if gen.Large {
			continue
		}
		g := generate(t, gen.Name, nil, 3)
		var names []string
		for _, s := range g.Labels {
			names = append(names, s.Name)
		}
		if want, listed := sets[gen.Name]; listed && !slices.Equal(names, want) {
			t.Errorf("%s: label sets %q", gen.Name, names)
		}
		if !reflect.DeepEqual(g, generate(t, gen.Name, gen.Options(), 3)) {
			t.Errorf("%s: the same seed gave another graph", gen.Name)
		}
		if reflect.DeepEqual(g, generate(t, gen.Name, nil, 4)) {
			t.Errorf("%s: another seed gave the same graph", gen.Name)
		}
		for i := range g.Layers {
			if s := g.Layers[i].Summary(); s.SelfLoops != 0 && gen.Name != "latent" || s.Weighted { // whose nodes have no other link
				t.Errorf("%s: %+v", gen.Name, s)
			}
		}
		for _, p := range property.Table(gen.Options()) {
			if p.Group != "data" {
				t.Errorf("%s: %s is in group %q", gen.Name, p.Name, p.Group)
			}
		}
	}
}

// A graph belongs to its seed: saved runs and links name it by that. These sums hold
// on every machine; a change here changes what every saved seed means.
func TestSeedsKeepTheirGraphs(t *testing.T) {
	for name, want := range map[string]string{
		"syn1":    "8f637218717f7530",
		"syn2":    "d846d1515d3792a1",
		"syn3":    "85e25cc9a5620652",
		"syn4":    "c70b89a0b372f0e2",
		"cohort":  "8bc9590beb778777",
		"social":  "d5b1c885abc56204",
		"town":    "e5ca5c8e2e20d07e",
		"latent":  "abfe6618f9cbf1fe",
		"painted": "497dba213257509a",
	} {
		g := generate(t, name, nil, 7)
		h := sha256.New()
		for _, s := range g.Labels {
			for _, c := range s.Of {
				binary.Write(h, binary.LittleEndian, int32(c))
			}
		}
		for _, l := range g.Layers {
			binary.Write(h, binary.LittleEndian, l.Adjacency.Start)
			binary.Write(h, binary.LittleEndian, l.Adjacency.Index)
			binary.Write(h, binary.LittleEndian, l.Features.Dense)
		}
		for i := range g.M() {
			h.Write([]byte(g.NodeName(i) + "\n"))
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
