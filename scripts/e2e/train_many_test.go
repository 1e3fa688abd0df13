package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cadem.example/core/base/rng"
)

// TestManyNodes opens a list of more nodes than marks are drawn of: pictures of embeddings show density, pointing finds nodes in it, and t-SNE lays out a
// sample and says so. It takes minutes: it runs where CADEM_LONG is set.
func TestManyNodes(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		if !long() || engine != "chromium" {
			t.Skip("takes minutes: set CADEM_LONG=1, in Chromium")
		}
		const nodes, patience = 20_100, 10 * time.Minute
		var links, groups strings.Builder
		links.WriteString("source,target,layer\n")
		groups.WriteString("node,group\n")
		draw := rng.New(1, "many nodes")
		for i := range nodes {
			fmt.Fprintf(&groups, "%d,%c\n", i, 'a'+i%4)
			for k := range 8 { // each node has a link in each layer
				j := draw.IntN(nodes)
				if draw.Float64() < .7 {
					j = min(j/4*4+i%4, nodes-1)
				}
				fmt.Fprintf(&links, "%d,%d,%c\n", i, j, 'x'+k%2)
			}
		}
		dir := t.TempDir()
		files := []string{filepath.Join(dir, "links.csv"), filepath.Join(dir, "groups.csv")}
		for k, text := range []string{links.String(), groups.String()} {
			if err := os.WriteFile(files[k], []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		v := OpenReady(t, engine, Small.Link()+"&place=lab&show=embeddings")
		v.Give("#open-files", files...)
		v.until(patience, "data.says", fmt.Sprintf("%d nodes", nodes))
		v.until(patience, "lab.paused && storage.settled && lab.drawn")
		v.Until("page.loaded", "/density.")
		v.Until("lab.drawn")
		// The middle of S is the strongest: pixels that are neither ground nor a mark's own colour.
		var shades int
		v.Read(&shades, "embeddings.shades")
		if shades < 100 {
			t.Errorf("%d colours in the middle of S, as marks have", shades)
		}
		v.Read(nil, "embeddings.focus")
		v.must(v.Press("ArrowRight"))
		v.Until("node.pointed")
		if tip := v.told(); !strings.Contains(tip, "group: ") {
			t.Errorf("a node in the density is %q", tip)
		}
		v.Enter("#axes-by", "tsne")
		const said = "a sample of 3\u202f000, others put beside it"
		v.until(patience, "see.says", ".axes [role=status]", said)
		v.Check()
	})
}
