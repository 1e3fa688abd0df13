package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/brain/braintest"
	"cadem.example/core/formats"
	"cadem.example/scripts/e2e/drive"
)

// layersOfRegions writes a series, the table of its regions, counts of streamlines in another order, and connectivity, and returns
// the paths by their names.
func layersOfRegions(t *testing.T) map[string]string {
	t.Helper()
	series, regions, atlas := braintest.Subject(t)
	matrix := func(value func(i, j int) float64, backwards bool) []byte {
		var b strings.Builder
		at := func(i int) int {
			if backwards {
				return len(atlas.Names) - 1 - i
			}
			return i
		}
		for i := range atlas.Names {
			b.WriteString("\t" + atlas.Names[at(i)])
		}
		for i := range atlas.Names {
			b.WriteString("\n" + atlas.Names[at(i)])
			for j := range atlas.Names {
				p, q := at(i), at(j)
				fmt.Fprintf(&b, "\t%g", value(min(p, q), max(p, q)))
			}
		}
		return []byte(b.String() + "\n")
	}
	counts := func(i, j int) float64 { return float64((i + 3) * (j + 1) * (j - i) % 23) }
	paths, dir := map[string]string{}, t.TempDir()
	for _, f := range []formats.File{series, regions, {Name: "streamlines.tsv", Data: matrix(counts, true)},
		{Name: "fc.tsv", Data: matrix(func(i, j int) float64 { return float64((i*j+i+j)%41-20) / 20 }, false)}} {
		paths[f.Name] = filepath.Join(dir, f.Name)
		if err := os.WriteFile(paths[f.Name], f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// A matrix of structure opens beside a series, windows of which may be layers; connectivity beside structure is divided by signs in
// the dialog, thresholded there, and has the view of the brain. Each trains as natively.
func TestLayersOfRegions(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		paths := layersOfRegions(t)
		v := OpenReady(t, engine, Small.Link())
		v.Give("#open-files", paths["s.csv"], paths["streamlines.tsv"], paths["regions.csv"])
		v.Until("importing.open")
		v.Want("dialog.import", "series of 60 regions x 90 frames", "matrix of structure between 60 regions, a layer of its own, joined by name")
		v.Enter("#ask-tr", "2")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Until("see.more", "#data-summary tbody tr th", 2)
		v.Want("#data-summary", "60 nodes, 3 layers", "streamlines", "the strongest pairs of streamlines.tsv")
		v.Until("!brain.hidden")

		v.Give("#open-files", paths["fc.tsv"], paths["streamlines.tsv"], paths["regions.csv"])
		v.Until("importing.open")
		v.Want("dialog.import", "Of the links with weights below 0, by their size.", "Keep the strongest links (% of all pairs)")
		roles := v.roles()
		for _, name := range []string{"fc (positive)", "fc (negative)", "streamlines"} {
			if roles[name] != "layer" {
				t.Errorf("%s is used as %q", name, roles[name])
			}
		}
		if roles["network"] != "labels" || roles["y"] == "labels" {
			t.Errorf("labels are %v", roles)
		}
		v.Enter("#import-keep", "0")
		v.Until("importing.blocked")
		v.Want("#import-problem", "a share from 0.01 to 100 %")
		v.Enter("#import-keep", "10")
		v.looked("dialog", [][2]int{{1280, 900}, {390, 844}})
		v.use("streamlines", "")
		v.Push("#import-open")
		v.Until("importing.closed && lab.untouched")
		v.Until("data.layers", 2)
		if got := v.layerTable(); !slices.ContainsFunc(got, func(l [3]string) bool { return l[0] == "fc (negative)" && l[1] == "177" }) {
			t.Errorf("layers %v, expected a tenth of 1770 pairs", got)
		}
		v.Want("#data-summary", "taken for places in a brain")
		v.Until("!brain.hidden")
		v.Enter("#options-epochs", "5")
		v.Until("lab.untouched")
		st := v.Finish()
		c := Course{Files: []string{paths["fc.tsv"], paths["streamlines.tsv"], paths["regions.csv"]}, Options: map[string]any{"epochs": 5},
			Choice: &formats.Choice{Layers: []string{"fc (positive)", "fc (negative)"}, Features: "none", Keep: 10}}
		if want := c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.Reveal("#brain")
		v.Until("see.count", "#brain-view canvas", 2)
		v.looked("brain", [][2]int{{1280, 900}, {390, 844}})
		Axe(t, v.Browser)
		v.Check()
	})
}

// looked leaves pictures of the page in the folder CADEM_LOOK names, light and dark, for eyes to look at.
func (v *Visit) looked(name string, sizes [][2]int) {
	v.t.Helper()
	folder := os.Getenv("CADEM_LOOK")
	if folder == "" {
		return
	}
	for _, size := range sizes {
		for _, dark := range []bool{false, true} {
			v.must(v.SetMedia(drive.Media{Dark: dark}))
			v.must(v.Resize(size[0], size[1]))
			v.must(v.Screenshot(filepath.Join(folder, fmt.Sprintf("%s-%d-%v.png", name, size[0], dark))))
		}
	}
	v.must(v.SetMedia(drive.Media{}))
	v.must(v.Resize(1280, 800))
}
