package e2e

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/multiplex"
	"cadem.example/scripts/e2e/drive"
)

// TestLayers looks at the layers of a small graph as links and as matrices: a node that is pointed at tells its links in
// every layer, one that is chosen is chosen in all pictures, and a link keeps how layers are shown.
func TestLayers(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		d, _ := Small.Open(t)
		v.Until("lab.untouched && layers.drawn")
		if n := v.Count("#layers-view canvas"); n != d.Graph.N()+1 {
			t.Errorf("%d pictures of %d layers", n, d.Graph.N())
		}
		tips := func() string {
			v.Until("node.pointed")
			return v.told()
		}
		focus := func() {
			v.Read(nil, "layers.focus")
		}
		focus()
		v.must(v.Press("ArrowRight"))
		wantLinks(t, tips(), d.Graph)
		v.must(v.Press("Enter"))
		v.Until("see.there && !see.hidden", ".picked", ".picked")
		node := strings.SplitN(v.told(), "\n", 2)[0]
		v.wantPicked(node)

		v.Push("#layers-view input[value=matrices]")
		v.Until("address.has", "view.layers=matrices")
		v.Until("layers.matrices && layers.drawn", 4)
		v.Read(nil, "layers.focus")
		v.must(v.Press("Home"))
		text := tips()
		shared := d.Graph.Labels[0]
		if first := fmt.Sprintf("node %d\n", slices.Index(shared.Of, 0)); !strings.HasPrefix(text, first) {
			t.Errorf("the matrix begins with %q, expected %q, the first node of the first group", text, first)
		}
		wantLinks(t, text, d.Graph)

		v.Read(nil, "hand.open", "#layers-view details")
		v.Until("see.there", "#layers-view tbody tr")
		for l, layer := range d.Graph.Layers {
			var cells []string
			v.Read(&cells, "layers.cells", l)
			s := layer.Summary()
			want := []string{fmt.Sprintf("Layer %d", l+1), fmt.Sprint(s.Edges), fmt.Sprint(s.Isolated)}
			for _, set := range d.Graph.Labels {
				want = append(want, fmt.Sprintf("%.0f %%", 100*within(layer.Adjacency, set.Of)))
			}
			if !slices.Equal(cells, want) {
				t.Errorf("layer %d: the table says %v, expected %v", l, cells, want)
			}
		}
		v.Load(v.hash())
		v.Until("layers.matrices && layers.drawn", 4)
		v.Check()
	})
}

// TestLayersPicture saves the layers as a picture: as links every link inside a group is a line, or every link where all are asked for, as matrices every
// class has its bands; and both kinds of files.
func TestLayersPicture(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		d, _ := Small.Open(t)
		v.Until("lab.untouched && layers.drawn")
		picture := func() string {
			v.Push("[aria-label='Save the layers as SVG']")
			return string(download(t, v, "cadem-layers.svg"))
		}
		all, inside := 0, 0
		for _, layer := range d.Graph.Layers {
			all += layer.Summary().Edges
			inside += int(math.Round(within(layer.Adjacency, d.Graph.Labels[0].Of) * float64(layer.Summary().Edges)))
		}
		for _, want := range []int{inside, all} {
			lines := 0
			for _, path := range regexp.MustCompile(`<path d="([^"]*)" fill="none"`).FindAllStringSubmatch(picture(), -1) {
				if !strings.Contains(path[1], "Z") { // or it is the rim of a mark
					lines += strings.Count(path[1], "M")
				}
			}
			if lines != 2*want { // each layer, and all at once
				t.Errorf("%d lines, expected two for each of %d links", lines, want)
			}
			v.Read(nil, "layers.showWhole")
		}
		v.Push("#layers-view input[value=matrices]")
		v.Until("layers.matrices && layers.drawn", 4)
		if text := picture(); strings.Count(text, "<rect") < 4*3*2 || !strings.Contains(text, "Rows and columns are the nodes") {
			t.Errorf("the picture of the matrices has %d bands", strings.Count(text, "<rect"))
		}
		v.Push("[aria-label='Save the layers as PNG']")
		c, err := png.DecodeConfig(bytes.NewReader(download(t, v, "cadem-layers.png")))
		if err != nil || c.Width != 2*1480 {
			t.Errorf("%+v, %v", c, err)
		}
		v.Check()
	})
}

// TestLayersOfManyNodes opens a graph of 1000 nodes: its layers are matrices. Those of the finished run that the page comes with are links, of
// people with names, drawn before anything is trained.
func TestLayersOfManyNodes(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("lab.shipped && layers.drawn")
		v.Until("layers.graphs", 4)
		v.Want("#layers-view", "Friends", "Work", "Lunch", "All at once")
		v.Read(nil, "layers.focus")
		v.must(v.Press("ArrowRight"))
		v.Until("node.pointed")
		if tip := v.told(); strings.HasPrefix(tip, "node") || !strings.Contains(tip, "shared: group") {
			t.Errorf("somebody of the town is %q", tip)
		}
		v.Load("?#v=1&data=syn2&o.epochs=20")
		v.Until("lab.untouched && layers.matrices && layers.drawn", 4)
		if n := v.Count("#layers-view input[value=matrices]:checked"); n != 1 {
			t.Error("1000 nodes are not shown as matrices")
		}
		v.Push("#layers-view input[value=links]")
		v.Until("layers.graphs && layers.drawn", 4)
		v.Finish()
		v.Until("layers.drawn")
		v.Check()
	})
}

// TestLayersWithoutLabels opens a graph without labels, which has one colour.
func TestLayersWithoutLabels(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "#v=1&data=syn4")
		v.Until("layers.drawn")
		v.Push("#layers-view input[value=matrices]")
		v.Until("layers.matrices", 3)
		v.Until("layers.sized")
		v.Check()
	})
}

// wantLinks fails the test unless a tip on a node has its number of links in every layer.
func wantLinks(t *testing.T, tip string, g *multiplex.Graph) {
	t.Helper()
	var node int
	if _, err := fmt.Sscanf(tip, "node %d", &node); err != nil {
		t.Errorf("a tip that names no node: %q", tip)
		return
	}
	for l, layer := range g.Layers {
		a := layer.Adjacency
		if want := fmt.Sprintf("Layer %d: %d links", l+1, a.Start[node+1]-a.Start[node]); !strings.Contains(tip, want) {
			t.Errorf("the tip of node %d is %q, expected %q in it", node, tip, want)
		}
	}
}

// told returns the note on the node pointed at, in lines.
func (v *Visit) told() (text string) {
	v.t.Helper()
	v.Read(&text, "node.pointedText")
	return text
}

// within returns the share of links inside a class.
func within(a *multiplex.CSR, of []int) float64 {
	inside, all := 0, 0
	for i := range a.Rows {
		for _, j := range a.Index[a.Start[i]:a.Start[i+1]] {
			if of[i] >= 0 && of[j] >= 0 {
				all++
				if of[i] == of[j] {
					inside++
				}
			}
		}
	}
	return float64(inside) / float64(all)
}

func (v *Visit) hash() string {
	v.t.Helper()
	var h string
	v.Read(&h, "address.hash")
	return h
}

// TestCalm looks at the Lab as it comes: four views ahead, the others under More, pulls where they are used alone, the paper's experiments first, and
// one form of settings, in a card. Who is chosen can be let go from every view, by its button and by Escape.
func TestCalm(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "#v=1&data=town&place=lab&select=3")
		v.Until("page.ready && lab.drawn && node.picked")
		ahead := func() (n int) {
			v.Read(&n, "lab.tabs")
			return n
		}
		if n := ahead(); n != 3 { // none is pinned
			t.Errorf("%d views are ahead", n)
		}
		v.Push(".tab:not([data-show])")
		if n := ahead(); n < 7 {
			t.Errorf("%d views with those under More", n)
		}
		v.Push(".tab[data-show=layers]")
		if n := ahead(); n != 3 || v.visible("#pulls") {
			t.Errorf("%d views are ahead of the layers, pulls beside them: %v", n, v.visible("#pulls"))
		}
		v.Push(".picked button:last-child")
		v.Until("!node.picked")
		v.Read(nil, "address.go", "#v=1&data=town&place=lab&show=losses&select=5.6")
		v.Until("node.picked && see.visible", "#pulls")
		v.must(v.Press("Escape"))
		v.Until("!node.picked")
		v.Read(nil, "hand.click", `#places a[href="#experiments"]`)
		var first string
		v.Read(&first, "experiments.shownNames")
		if want := "table1 table2 table3 table4 table7 table11 gamma tsne reproduce table5 table6"; first != want {
			t.Errorf("the experiments in sight are %s, want %s", first, want)
		}
		v.Push("[data-study=gamma] details summary")
		v.Until("see.visible", "[data-study=gamma] .orders")
		v.Push("[data-study=table2] details summary")
		v.Until("see.visible && see.gone", "[data-study=table2] .orders", "[data-study=gamma] [open]")
		v.Check()
	})
}
