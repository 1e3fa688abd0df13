package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem/scripts/e2e/drive"
)

// firm are the files of a small invented graph.
var firm = []string{"testdata/firm_multiplex.edges", "testdata/firm_layers.txt", "testdata/firm_nodes.txt", "testdata/firm_labels.csv"}

// layerTable reads the card of the open data: name, edges and isolated nodes of
// every layer.
func (v *Visit) layerTable() [][3]string {
	v.t.Helper()
	var rows [][3]string
	v.Read(&rows, `return [...document.querySelectorAll('#data-summary tbody tr')].map(r => [r.cells[0].firstChild.textContent, `+
		`r.cells[1].textContent, r.cells[2].textContent])`)
	return rows
}

// legend reads the classes that the pictures are coloured by, with their counts.
func (v *Visit) legend() map[string]string {
	v.t.Helper()
	var m map[string]string
	v.Read(&m, `return Object.fromEntries([...document.querySelectorAll('#embeddings-view .legend .key')].map(k => [k.textContent.trim(), k.title]))`)
	return m
}

// colourBy chooses what the colours of the pictures show, once the pictures offer it.
func (v *Visit) colourBy(value string) {
	v.t.Helper()
	v.Until(fmt.Sprintf(`[...document.querySelector('#colour-by').options].some(o => o.value === %q)`, value))
	v.Read(nil, `const s = document.querySelector('#colour-by');
s.value = args[0];
s.dispatchEvent(new Event('change', {bubbles: true}));`, value)
}

// TestOwnFiles opens files, trains on them, and finds them again after a visit.
func TestOwnFiles(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Give("#open-files", firm...)
		v.Until(untouch)
		v.Until(`document.querySelectorAll('#data-summary tbody tr').length === 3`)
		v.Want("#data-summary", "firm", "20 nodes, 3 layers", "58 arcs of layer mail were made 47 undirected edges")
		if got, want := v.layerTable(), [][3]string{{"lunch", "50", "0"}, {"mail", "47", "0"}, {"chat", "44", "1"}}; !slices.Equal(got, want) {
			t.Errorf("layers %v, expected %v", got, want)
		}
		v.colourBy("labels:team")
		v.Until(`document.querySelectorAll('#embeddings-view .legend .key').length === 4`)
		if got := v.legend(); got["red"] != "6 nodes" || got["missing"] != "3 nodes" {
			t.Errorf("legend %v, expected 6 red and 3 missing", got)
		}
		v.Enter("#options-epochs", "20")
		v.Until(untouch)
		st := v.Finish()
		c := Course{Files: firm, Options: map[string]any{"epochs": 20}}
		want := c.Train(t)
		if st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Until(`document.querySelectorAll('#metrics table.score').length > 0`)
		v.wantScores(c, want) // which leaves missing labels out

		v.Load("")
		v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
		v.Until(finished)
		v.Until(`document.querySelectorAll('#data-summary tbody tr').length === 3`)
		if again := v.State(); again.Hash != st.Hash {
			t.Errorf("after another visit: %+v", again)
		}
		v.Check()
	})
}

// TestAUCS opens the employees of a department: 61 people and five kinds of ties.
func TestAUCS(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		dir := filepath.Join(root(t), "..", "shared", "data", "small", "aucs")
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("the AUCS data are not there: %v", err)
		}
		var files []string
		for _, name := range []string{"CS-Aarhus_multiplex.edges", "CS-Aarhus_layers.txt", "CS-Aarhus_nodes.txt", "labels.csv"} {
			files = append(files, filepath.Join(dir, name))
		}
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Give("#open-files", files...)
		v.Until(untouch)
		v.Until(`document.querySelectorAll('#data-summary tbody tr').length === 5`)
		v.Want("#data-summary", "61 nodes, 5 layers", "6 nodes without")
		if got, want := v.layerTable(),
			[][3]string{{"lunch", "193", "1"}, {"facebook", "124", "29"}, {"coauthor", "21", "36"}, {"leisure", "88", "14"},
				{"work", "194", "1"}}; !slices.Equal(got, want) {
			t.Errorf("layers %v, expected %v", got, want)
		}
		v.colourBy("labels:group")
		v.Until(`document.querySelectorAll('#embeddings-view .legend .key').length === 11`)
		if got := v.legend(); got["G2"] != "12 nodes" || got["G2/G3"] != "1 nodes" && got["G2/G3"] != "1 node" || got["missing"] != "6 nodes" {
			t.Errorf("legend %v, expected 12 of G2, 1 of G2/G3, 6 missing", got)
		}
		v.Enter("#options-epochs", "20")
		v.Enter("#evaluation-eval_epochs", "10")
		v.Until(untouch)
		v.Push("#play")
		v.Until(finished)
		c := Course{Files: files, Options: map[string]any{"epochs": 20, "eval_epochs": 10}}
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}

		// Clusters of the common embedding, compared with the groups.
		v.colourBy("clusters:common")
		v.Until(`[...document.querySelectorAll('#embeddings-view .legend .key')].some(k => k.textContent.includes('cluster 1'))`)
		n := 0
		for name, title := range v.legend() {
			count, err := strconv.Atoi(strings.Fields(title)[0])
			if err != nil || !strings.HasPrefix(name, "cluster") {
				t.Errorf("legend: %s: %s", name, title)
			}
			n += count
		}
		if n != 61 {
			t.Errorf("%d nodes in clusters, expected 61", n)
		}
		v.Want("#embeddings-view", "Agreement of these clusters with the labels, ARI: group")
		v.Check()
	})
}
