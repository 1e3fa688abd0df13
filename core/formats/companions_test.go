package formats

import (
	"archive/zip"
	"reflect"
	"strings"
	"testing"

	"cadem.example/core/internal/formatstest"
)

// Files beside data are left out and named, whatever they hold; alone they are refused.
func TestCompanions(t *testing.T) {
	edges := fileOf("net.csv", "source,target,layer\na,b,x\nb,c,x\na,c,y\n")
	want, _, err := openChoice([]File{edges}, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"README.md":        "# Links\nWho met whom.\n",
		"README":           "a b\nb c\nc a\n", // it would be a list
		"data/LICENSE.txt": "Permission is granted\nto anyone.\n",
		"meta.yaml":        "dataset_name: people\nedge_data:\n- file_name: net.csv\n",
		"net.clu":          "*Vertices 3\n1\n2\n1\n",
		"meta.net":         "name: net\ncode: N\nurl: http://net\n",
		".DS_Store":        "\x00\x00\x00\x01Bud1\x00\x00",
		"plot.png":         "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"about.txt":        "These are links between\npeople\nwho work in an office, or did in\n2019\n",
		"relations.csv":    "person,knows,person\n",
	} {
		g, r, err := openChoice([]File{edges, fileOf(name, text)}, Choice{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		base := name[strings.LastIndex(name, "/")+1:]
		if notes := strings.Join(r.Notes, " "); !strings.Contains(notes, "Left out as no data") || !strings.Contains(notes, base) {
			t.Errorf("%s: %s", name, notes)
		}
		if g.M() != 3 || !reflect.DeepEqual(g, want) {
			t.Errorf("%s changes the graph", name)
		}
		if _, _, err := openChoice([]File{fileOf(name, text)}, Choice{}); err == nil || !strings.Contains(err.Error(), base) {
			t.Errorf("%s alone: %v", name, err)
		}
	}
	zipped := formatstest.Zip(t, zip.Deflate, "a/net.csv", "source,target,layer\na,b,x\nb,c,x\na,c,y\n", "a/README.txt", "Words.\n")
	if g, _, err := openChoice([]File{{Name: "all.zip", Data: zipped}}, Choice{}); err != nil || !reflect.DeepEqual(g, want) {
		t.Errorf("in an archive: %v", err)
	}
}
