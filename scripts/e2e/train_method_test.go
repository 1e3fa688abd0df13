package e2e

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cadem.example/core/synth/examples"
	"cadem.example/scripts/e2e/drive"
)

// TestModelBeforeTrain opens every example, by a link and by choosing it in turn: before anything is pressed a finished run is drawn, but of
// the brain, with the layers; and the boxes of the method have its sizes.
func TestModelBeforeTrain(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		for i, e := range examples.OfPage() {
			c := Course{Example: e.Name}
			if i%2 == 0 {
				v.must(v.Navigate("about:blank"))
				v.Load(c.Link() + "&place=lab")
			} else {
				v.Push(".tab[data-show=all]")
				v.Read(nil, "hand.click", "#data-picker input[value="+e.Name+"]")
			}
			v.Until("settings.data && lab.still && lab.drawn", e.Name)
			v.Until("layers.drawn && embeddings.drawn")
			st := v.State()
			bare := slices.Contains([]string{"cohort", "painted"}, e.Name) // no run of these is shipped
			if bare != (st.Phase == "paused") || bare != (st.Hash == "") || bare != (st.Step == 0) {
				t.Errorf("%s: %+v", e.Name, st)
			}
			v.Reveal("#method")
			d, s := c.Open(t)
			m, o := d.Graph.M(), *s.CaDeM()
			v.Until("see.says", "#method-view .method", fmt.Sprintf("X %d × %d", m, d.Graph.F()))
			v.Want("#method-view .method", fmt.Sprintf("X %d × %d", m, d.Graph.F()), fmt.Sprintf("W₂ %d × %d", o.Hidden, o.Dim), fmt.Sprintf("S %d × %d", m, o.Dim))
		}
		v.Check()
	})
}

// shades has what is drawn in each box of the method, by its symbol; of a blank one nothing.
func (v *Visit) shades() map[string]string {
	v.t.Helper()
	var of map[string]string
	v.Read(&of, "method.colours")
	return of
}

// allDrawn expects every box of the method on a run that is over, each of several shades and with its largest number, and the row of a node lit where rows
// are nodes.
func (v *Visit) allDrawn() {
	v.t.Helper()
	v.Until("see.says", "#method-tables", "ended with its fingerprint")
	v.Until("method.largest", 10)
	v.Read(nil, "method.unselect")
	v.Until("!method.row", "The lit row")
	before := v.shades()
	v.Read(nil, "address.add", "&select=5")
	v.Until("method.row", "The lit row is that of")
	lit := v.shades()
	for _, symbol := range []string{"A", "X", "Z", "W₁", "W₂", "C", "P", "S", "h", "φ", "ψ"} {
		if strings.Count(before[symbol], ",") < 40 {
			v.t.Errorf("%s is blank: %s", symbol, before[symbol])
		}
		if ofNodes := !strings.Contains("W₂ h φ ψ", symbol); (lit[symbol] != before[symbol]) != ofNodes {
			v.t.Errorf("%s changes with the chosen node: %t", symbol, !ofNodes)
		}
	}
}

// tablesDrawn expects the run's A, Z, C, P and S in the boxes and in the picture that is saved, other ones for another layer but for S, and the row of a
// chosen node lit in all of them.
func (v *Visit) tablesDrawn() {
	v.t.Helper()
	shades := v.shades
	drawn := func() bool { return len(shades()) == 5 }
	for end := time.Now().Add(time.Minute); !drawn() && time.Now().Before(end); {
		time.Sleep(200 * time.Millisecond)
	}
	first := shades()
	v.Read(nil, "hand.choose", "#method-layer", 1)
	var other map[string]string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if other = shades(); len(other) == 5 && other["Z"] != first["Z"] {
			break
		}
	}
	for _, name := range []string{"A", "Z", "C", "P", "S"} {
		if first[name] == "" || (first[name] == other[name]) != (name == "S") {
			v.t.Errorf("%s is drawn of the first layer: %v, and the same of the second: %v", name, first[name] != "", first[name] == other[name])
		}
	}
	v.Read(nil, "address.add", "&select=7")
	v.Until("method.row", "The lit row is that of")
	lit := shades()
	for name := range other {
		if lit[name] == other[name] {
			v.t.Errorf("no row of %s is lit", name)
		}
	}
	var whose string
	v.Read(&whose, "see.content", "#method-row")
	v.Push("[aria-label='Save the method as SVG']")
	picture := string(download(v.t, v, "cadem-method.svg"))
	if !strings.Contains(picture, whose) || !strings.Contains(picture, "Layer work.") || strings.Count(picture, "<rect") < 1000 {
		v.t.Errorf("of %d cells, with %q: %.300s", strings.Count(picture, "<rect"), whose, picture)
	}
	v.Push("[aria-label='Save the method as PNG']")
	if c, err := png.DecodeConfig(bytes.NewReader(download(v.t, v, "cadem-method.png"))); err != nil || c.Width < 800 {
		v.t.Errorf("%+v, %v", c, err)
	}
}

// TestMethodBoxByBox goes through the stages of a step with the run's sizes, takes the step, and reads its losses; the formula of the losses has those of
// the table. When the run is over, and of the run that every newcomer sees, every box is drawn.
func TestMethodBoxByBox(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "town", Data: map[string]any{"nodes": 60}, Options: map[string]any{"epochs": 12, "hidden": 16}}
		v := Open(t, engine, NewSite(t), drive.Options{}, c.Link())
		v.Until("lab.untouched")
		v.Reveal("#method")
		v.Until("see.there", ".stage-box .box")
		d, s := c.Open(t)
		o := *s.CaDeM()
		v.Want("#method-view .method", "60 × 60", fmt.Sprintf("%d × 16", d.Graph.F()), fmt.Sprintf("16 × %d", o.Dim), fmt.Sprintf("60 × %d", o.Dim),
			fmt.Sprintf("%d × %d", 3*o.Augmented+3, o.Dim), fmt.Sprintf("%d × 3", 3*o.Augmented+3))
		v.Want(".method-words", "3 layers join the same 60 nodes")
		for range v.Count(".stage-box") - 1 {
			v.Push("#method-next")
		}
		v.Want(".method-words", "step 0, epoch 0")
		v.Push("#method-next")
		v.Until("lab.at && lab.drawn", 1)
		v.Push(".method li:nth-child(6) button")
		v.Want(".method-words", fmt.Sprintf("Blind guessing costs %.4g.", o.Guessing(3)), "the loss is")
		v.tablesDrawn()
		// The formula of C has the numbers that the table of the chosen node has, and after the last step Next goes on, too.
		v.Push(".method li:nth-child(3) button")
		v.Until("see.says", "#method-formulas", ": C = (")
		st := v.Finish()
		v.Push(".method li:nth-child(7) button")
		var losses string
		v.Read(&losses, "losses.last")
		v.Until("see.starts", "#method-formulas", "L = w L_matching + α L_self-supervised + β L_causal = ")
		if text := v.Text("#method-formulas"); !strings.HasSuffix(strings.TrimSpace(text), " = "+losses) {
			t.Errorf("%q, and the total is %s at step %d", text, losses, st.Step)
		}
		v.allDrawn()
		v.Want("#method-next", "Begin again")
		v.Push("#method-next")
		v.Until("see.starts", ".method [aria-current]", "1")
		v.Check()
		v.Afresh("#v=1&place=lab&show=method")
		v.Until("lab.shipped && see.there", "#method-tables")
		v.allDrawn()
		v.Give("#open-files", c.tables(t)...) // and of a reader's own
		v.Until("lab.untouched && settings.data", "files")
		v.Finish()
		v.allDrawn()
		v.Check()
	})
}

// tables writes the links of a course and its first labels as tables of one's own, and returns their paths.
func (c Course) tables(t *testing.T) []string {
	t.Helper()
	d, _ := c.Open(t)
	links, labels := "layer,from,to\n", "node,group\n"
	for _, l := range d.Graph.Layers {
		for i := range d.Graph.M() {
			for _, j := range l.Adjacency.Index[l.Adjacency.Start[i]:l.Adjacency.Start[i+1]] {
				if int(j) > i {
					links += fmt.Sprintf("%s,%s,%s\n", l.Name, d.Graph.NodeName(i), d.Graph.NodeName(int(j)))
				}
			}
		}
	}
	for i, c := range d.Graph.Labels[0].Of {
		labels += fmt.Sprintf("%s,%s\n", d.Graph.NodeName(i), d.Graph.Labels[0].Classes[c])
	}
	paths := []string{filepath.Join(t.TempDir(), "links.csv"), filepath.Join(t.TempDir(), "groups.csv")}
	for k, text := range []string{links, labels} {
		if err := os.WriteFile(paths[k], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}
