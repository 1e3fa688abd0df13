package formats

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"cadem.example/core/base/diag"
)

// opened reads files as far as it goes: to what they hold, the survey and the graph.
func opened(files ...File) error {
	c, err := Read(files)
	if err != nil {
		return err
	}
	if _, err = c.Survey(Choice{}, func() error { return nil }); err != nil {
		return err
	}
	_, _, err = c.Graph(Choice{})
	return err
}

// No error repeats an overlong text, in any line and field of any format: every eleventh of these, and all where CADEM_LONG is set.
func TestErrorsQuoteLittle(t *testing.T) {
	samples := map[string]string{
		"a.edges":      "1 1 2 1\n1 2 3 1\n2 1 3 1\n",
		"b.csv":        "layer,source,target,weight\na,x,y,1\nb,y,z,1\n",
		"c.csv":        "layer;source;target\na;x;y\nb;y;z\n",
		"d_nodes.txt":  "nodeID nodeLabel\n1 Ana\n2 Ben\n",
		"e_labels.csv": "nodeID,team\n1,red\n2,blue\n",
		"f_layers.txt": "layerID layerLabel\n1 lunch\n2 work\n",
		"g.mpx":        "#TYPE multiplex\n#LAYERS\na,UNDIRECTED\nb,UNDIRECTED\n#ACTORS\nx\ny\n#EDGES\nx,y,a\nx,y,b\n",
		"h.graphml": `<graphml><key id="l" for="edge" attr.name="layer"/><graph><node id="1"/><node id="2"/><edge source="1" target="2"><data ` +
			`key="l">a</data></edge></graph></graphml>`,
	}
	seen := 0
	for name, text := range samples {
		marks := []int{}
		for i, r := range text {
			if i == 0 || strings.ContainsRune(" ,;\n<>=\"/", r) {
				marks = append(marks, i, i+1)
			}
		}
		tried := 0
		for _, at := range marks {
			for _, long := range []string{strings.Repeat("x", 5_000), strings.Repeat("é", 5_000), strings.Repeat("9", 5_000), strings.Repeat("x ", 5_000),
				strings.Repeat("x,", 5_000), "\"" + strings.Repeat("x", 5_000)} {
				if tried++; tried%11 > 0 && os.Getenv("CADEM_LONG") == "" {
					continue
				}
				text := text[:at] + long + text[at:]
				for _, files := range [][]File{{{Name: name, Data: []byte(text)}},
					{{Name: "good.edges", Data: []byte(samples["a.edges"])}, {Name: name, Data: []byte(text)}}} {
					err := opened(files...)
					if err == nil {
						continue
					}
					seen++
					var e *diag.Error
					if !errors.As(err, &e) || len([]rune(e.Found)) > 200 || len([]rune(err.Error())) > 500 {
						t.Fatalf("%s with %.3q at %d: an error of %d characters: %.300s", name, long, at, len(err.Error()), err)
					}
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d errors were seen", seen)
	}
}

// A file that brings nothing is refused by its name, and no layer of no edges made of it.
func TestNothingInside(t *testing.T) {
	archive := func(names ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			if _, err := z.Create(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	pair := File{Name: "a.csv", Data: []byte("source,target\n0,1\n1,2\n")}
	other := File{Name: "b.csv", Data: []byte("source,target\n0,2\n1,2\n")}
	for want, files := range map[string][]File{
		"empty.zip: found an archive without files":   {{Name: "empty.zip", Data: archive()}},
		"folders.zip: found an archive without files": {{Name: "folders.zip", Data: archive("a/", "a/b/")}},
		"hidden.zip: found an archive without files":  {{Name: "hidden.zip", Data: archive(".a", "__MACOSX/b")}},
		"c.csv: found no edges":                       {pair, other, {Name: "c.csv", Data: []byte("source,target\n")}},
		"d.edges: found no edges":                     {{Name: "d.edges", Data: []byte("# a comment\n")}},
		"e.csv: found no edges":                       {{Name: "e.csv", Data: []byte("layer,source,target\n")}},
		"f.graphml: found no edges":                   {{Name: "f.graphml", Data: []byte("<graphml><graph><node id='1'/></graph></graphml>")}},
	} {
		if err := opened(files...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q: %v", want, err)
		}
	}
}

// The attributes of an element are bounded: each is compared with those before it.
func TestManyAttributes(t *testing.T) {
	text := func(n int) []byte {
		var b strings.Builder
		b.WriteString("<graphml><graph><node id='1'")
		for i := range n - 1 {
			fmt.Fprintf(&b, " a%d=''", i)
		}
		b.WriteString("/><node id='2'/><edge source='1' target='2'/></graph></graphml>")
		return []byte(b.String())
	}
	for n, refused := range map[int]bool{64: false, 65: true, 50_000: true} {
		_, err := Read([]File{{Name: "a.graphml", Data: text(n)}})
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "more than 64 attributes") {
			t.Errorf("%d attributes: %v", n, err)
		}
	}
}

// A list may be called x, as features are, a table of ids whose rows are links may be said to be a list, and years are no weights.
func TestListsBelieTheirNames(t *testing.T) {
	rows := "Ann, Dee, l2\nCy, Dee, l1\nGus, Hal, l1\nBob, Gus, l1\nAnn, Eve, l1\nBob, Hal, l2\n"
	if c, err := Read([]File{{Name: "x.txt", Data: []byte(rows)}}); err != nil {
		t.Error(err)
	} else if g, _, err := c.Graph(Choice{}); err != nil || g.N() != 2 {
		t.Errorf("a list called x: %v", err)
	}
	ratings := File{Name: "ratings.csv", Data: []byte("user_id,item_id,rating\n1,101,5\n2,101,4\n2,102,5\n3,102,4\n")}
	const advice = "-columns source=user_id,target=item_id"
	c, err := Read([]File{ratings})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = c.Graph(Choice{}); err == nil || !strings.Contains(err.Error(), advice) {
		t.Errorf("%v, expected %s", err, advice)
	}
	const columns = "source=user_id,target=item_id,layer=rating"
	if c, err = Read([]File{ratings}, columns); err != nil {
		t.Fatal(err)
	}
	if g, _, err := c.Graph(Choice{Columns: columns}); err != nil || g.N() != 2 {
		t.Errorf("with the columns: %v", err)
	}
	since := "from,since,to,type\n"
	for i := range 24 {
		since += fmt.Sprintf("n%d,%d,n%d,%s\n", i%12, 2000+i%7, (i+1+i/12)%12, []string{"knows", "likes"}[i/12])
	}
	if c, err = Read([]File{{Name: "since.csv", Data: []byte(since)}}); err != nil {
		t.Fatal(err)
	}
	if g, r, err := c.Graph(Choice{}); err != nil || g.Layers[0].Adjacency.Value != nil || !strings.Contains(strings.Join(r.Notes, " "), "not used: since") {
		t.Errorf("years are no weights: %v", err)
	}
}
