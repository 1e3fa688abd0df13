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
		v.until(fmt.Sprintf("document.querySelector('#data-summary').textContent.includes('%d nodes')", nodes), patience)
		v.until("cadem.state().phase === 'paused' && cadem.state().pending === 0 && cadem.state().drawn", patience)
		v.Until("performance.getEntriesByType('resource').some(e => e.name.includes('/density.'))")
		v.Until("cadem.state().drawn")
		// The middle of S is the strongest: pixels that are neither ground nor a mark's own colour.
		var shades int
		v.Read(&shades, `const c = document.querySelector('#embeddings-view canvas'), [w, h] = [c.width / 4, c.height / 4];
			const {data} = c.getContext('2d').getImageData(w, h, 2 * w, 2 * h);
			return new Set(Array.from({length: data.length / 4}, (_, p) => data.slice(4 * p, 4 * p + 3).join())).size`)
		if shades < 100 {
			t.Errorf("%d colours in the middle of S, as marks have", shades)
		}
		v.Read(nil, "document.querySelector('#embeddings-view canvas').focus()")
		v.must(v.Press("ArrowRight"))
		v.Until("document.querySelector('#pointed.tells')")
		if tip := v.told(); !strings.Contains(tip, "group: ") {
			t.Errorf("a node in the density is %q", tip)
		}
		v.Enter("#axes-by", "tsne")
		const said = "a sample of 3\u202f000, others put beside it"
		v.until(fmt.Sprintf("document.querySelector('.axes [role=status]')?.textContent.includes(%q)", said), patience)
		v.Check()
	})
}
