package e2e

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"cadem.example/core/base/rng"
	"cadem.example/core/cadem"
	"cadem.example/core/evaluate"
	"cadem.example/core/lab/run"
	"cadem.example/scripts/e2e/drive"
)

// TestPictures saves the embeddings as a picture of both kinds: of the same shape, with a mark
// for every node in every plot.
func TestPictures(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until("lab.untouched && lab.says", "as the pictures show")
		v.Push("[aria-label='Save the pictures as SVG']")
		drawn := xml.NewDecoder(bytes.NewReader(download(t, v, "cadem-embeddings.svg")))
		filled := 0
		for {
			token, err := drawn.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "path" {
				for _, a := range e.Attr {
					if a.Name.Local == "fill" && a.Value != "none" {
						filled++
					}
				}
			}
		}
		if want := 4*90 + 3; filled != want { // S and three layers, and the legend
			t.Errorf("%d marks in the SVG, expected %d", filled, want)
		}
		v.colourBy("own") // groups of a layer have marks of their own, and the legend says whose they are
		v.Until("embeddings.groups", 4*3)
		var marks []string
		v.Read(&marks, "embeddings.legendMarks")
		slices.Sort(marks)
		if n := len(slices.Compact(marks)); n != 4*3 {
			t.Errorf("%d marks for 12 groups", n)
		}
		v.Want("#embeddings-view .legend", "shared:", "private 1:", "private 3:")
		v.Push("[aria-label='Save the pictures as PNG']")
		c, err := png.DecodeConfig(bytes.NewReader(download(t, v, "cadem-embeddings.png")))
		if err != nil || c.Width != 2*1480 {
			t.Errorf("%+v, %v", c, err)
		}
		v.Check()
	})
}

// picture saves a view by its buttons, and returns the SVG. The PNG is of the same shape, and is not blank.
func (v *Visit) picture(what, file string) string {
	v.t.Helper()
	v.Push(fmt.Sprintf("[aria-label='Save the %s as SVG']", what))
	drawn := string(download(v.t, v, file+".svg"))
	v.Push(fmt.Sprintf("[aria-label='Save the %s as PNG']", what))
	img, err := png.Decode(bytes.NewReader(download(v.t, v, file+".png")))
	if err != nil {
		v.t.Fatal(err)
	}
	seen := map[color.Color]bool{}
	for x := range img.Bounds().Dx() {
		seen[img.At(x, img.Bounds().Dy()/3)] = true
	}
	size := img.Bounds().Size()
	var width, height float64
	if _, err := fmt.Sscanf(strings.ReplaceAll(drawn[strings.Index(drawn, "width="):], `"`, " "), "width= %g  height= %g", &width, &height); err != nil ||
		math.Abs(float64(size.X)-2*width) > 2 || math.Abs(float64(size.Y)-2*height) > 2 || len(seen) < 5 {
		v.t.Errorf("%s: the PNG is %v with %d colours on a line, the SVG %g by %g: %v", what, size, len(seen), width, height, err)
	}
	return drawn
}

// TestNodes finds nodes by what they are called: counted from 0, as files count them, and by
// their own names where they have some.
func TestNodes(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until("lab.untouched && lab.says", "as the pictures show") // there are nodes to find
		find := func(text string) string {
			v.Enter("#find-node", text)
			return v.Text(".picked")
		}
		d, _ := Small.Open(t)
		labels := d.Graph.Labels[0]
		for _, i := range []int{0, 1, 89} {
			want := fmt.Sprintf("node %d, shared: %s", i, labels.Classes[labels.Of[i]])
			for _, text := range []string{fmt.Sprint(i), fmt.Sprintf("Node %d", i)} {
				if got := find(text); !strings.HasPrefix(got, want) {
					t.Errorf("%q finds %q, expected %q", text, got, want)
				}
			}
		}
		find("90")
		v.Want("#embeddings-view", `no node or group "90"`)
		own := d.Graph.Labels[1]
		both := 0
		for i, c := range labels.Of {
			if c == 0 && own.Of[i] == 1 {
				both++
			}
		}
		text := fmt.Sprintf("%s %s and %s %s", labels.Name, labels.Classes[0], strings.ReplaceAll(own.Name, "_", " "), own.Classes[1])
		find(text)
		v.Want("#embeddings-view", fmt.Sprintf("%d in %s", both, text))
		v.Give("#open-files", firm...)
		v.Until("data.says && lab.says && lab.untouched", "firm", "as the pictures show")
		if got := find("ada"); !strings.HasPrefix(got, "Ada, ") {
			t.Errorf("ada finds %q", got)
		}
		v.aboutNode(t)
		v.newNodes(t)
		v.Check()
	})
}

// aboutNode opens the card of the node that is chosen, reads whom it is linked to and goes on to one of them.
func (v *Visit) aboutNode(t *testing.T) {
	t.Helper()
	v.Push("#about-node")
	v.Until("see.more", "#node-card table", 1) // the layers are known, too
	if title := v.Text("#node-card-title"); title != "Ada" {
		t.Errorf("the card is about %q", title)
	}
	var links [][]string
	v.Read(&links, "node.links")
	if len(links) != 2 || len(links[0]) != v.Count("#layers-view .plot")-1 || len(links[1]) != v.Count("#embeddings-view .plot") {
		t.Errorf("the card has %q", links)
	}
	for _, near := range links[1] {
		if strings.Contains(near, "Ada") || strings.Count(near, ",") > 4 {
			t.Errorf("nearest to Ada are %q", near)
		}
	}
	v.whyHere(t)
	other := v.Text("#node-card .points:not([data-lights])")
	v.Push("#node-card .points:not([data-lights])")
	v.Until("see.is", "#node-card-title", other)
	v.must(v.Press("Escape"))
	v.Until("see.hidden", "#node-card")
}

// TestLossesPicture saves the losses, before there are any and after a training, on both scales:
// four lines of as many points as there are steps, with axes and legend.
func TestLossesPicture(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		points := func() (lines []int, words string) {
			v.Push("[aria-label='Save the losses as SVG']")
			drawn := xml.NewDecoder(bytes.NewReader(download(t, v, "cadem-losses.svg")))
			for {
				token, err := drawn.Token()
				if err == io.EOF {
					return lines, words
				}
				if err != nil {
					t.Fatal(err)
				}
				switch e := token.(type) {
				case xml.CharData:
					words += string(e) + "\n"
				case xml.StartElement:
					for _, a := range e.Attr {
						if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Infinity") {
							t.Errorf("%s: %s=%.100q", e.Name.Local, a.Name.Local, a.Value)
						}
						if n := strings.Count(a.Value, "L") + 1; a.Name.Local == "d" && n > 2 {
							lines = append(lines, n)
						}
					}
				}
			}
		}
		if lines, words := points(); len(lines) != 0 || !strings.Contains(words, "Self-supervised") {
			t.Errorf("before the first step: lines of %v points, %q", lines, words)
		}
		st := v.Finish()
		steps := strconv.Itoa(st.Steps)
		for _, scale := range []string{"linear", "logarithmic"} {
			lines, words := points()
			curves := len(cadem.Terms) - 1 // private matching is off, and not shown
			if len(lines) != curves || slices.Min(lines) != st.Steps || slices.Max(lines) != st.Steps || !strings.Contains(words, "\n"+steps[:1]) ||
				strings.Contains(words, "logarithmic") != (scale == "logarithmic") {
				t.Errorf("%s: lines of %v points for %d steps, %q", scale, lines, st.Steps, words)
			}
			v.Push("[aria-label='Save the losses as PNG']")
			c, err := png.DecodeConfig(bytes.NewReader(download(t, v, "cadem-losses.png")))
			if err != nil || c.Width != 2*760 || c.Height != 2*460 {
				t.Errorf("%+v, %v", c, err)
			}
			v.Push("#log-scale")
		}
		v.Check()
	})
}

// TestEarlierEpochs looks back from the end of a run: the scores are those of the epoch that is looked at, and at epoch 0 those of the untrained model. The
// leak meter reads every epoch, ends where the scores do, and gives way to a training.
func TestEarlierEpochs(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab&show=knows&view.knows=probe")
		st := v.Finish()
		cells := func() (list []string) {
			v.Read(&list, "scores.titles")
			return list
		}
		last := cells()
		v.Read(nil, "lab.travel", 0)
		v.Until("see.is", "#knows-when", "These are the scores of epoch 0.")
		first := cells()
		for k, title := range first {
			trained, untrained, _ := strings.Cut(title, ", before training ")
			if trained == "" || trained != untrained {
				t.Errorf("epoch 0: %q", title)
			}
			if _, before, _ := strings.Cut(last[k], ", before training "); before != untrained {
				t.Errorf("before training %s, at epoch 0 %s", before, untrained)
			}
		}
		v.Read(nil, "lab.travel", 99) // beyond the last
		v.Until("see.hidden", "#knows-when")
		if again := cells(); !slices.Equal(again, last) {
			t.Errorf("back at the end %v, before %v", again, last)
		}
		if n := v.Count(".knows .wanted"); n != 4 {
			t.Errorf("%d cells are framed, expected those of S and the shared groups and of each layer with its own", n)
		}

		v.Push(".meter > summary")
		v.Until("see.says", ".meter [role=status]", "Chance is 33 %.")
		var rows [][]string
		v.Read(&rows, "scores.meter")
		if len(rows) != 7 || rows[0][0] != "0" || rows[6][0] != "12" {
			t.Fatalf("the meter read %v", rows)
		}
		if shared, _, _ := strings.Cut(last[0], ","); rows[6][1] != shared {
			t.Errorf("the meter reads the shared groups at %s at the end, the scores say %s", rows[6][1], shared)
		}
		v.Push("#reset")
		v.Until("lab.pausedAt", 0)
		for k := range 3 {
			v.Push("#epoch") // each gives the meter something to read, and ends that
			v.Until("lab.pausedAt", 5*(k+1))
		}
		if again := v.Finish(); again.Hash != st.Hash {
			t.Errorf("hash %s, before %s", again.Hash, st.Hash)
		}
		v.Check()
	})
}

// TestAxes draws the end of a run along every kind of axes, and with the C_l: each is another picture, is in the link, and the same again after the
// page was loaded anew.
func TestAxes(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab&show=embeddings")
		v.Until("storage.owned")
		st := v.Finish()
		pictures := func() string {
			v.Until("lab.drawn")
			return v.seen(nil)["pictures"]
		}
		seen := map[string]string{pictures(): "principal axes"}
		look := func(axes, said, link string) string {
			t.Helper()
			v.Enter("#axes-by", axes)
			v.Until("see.is && address.has", ".axes [role=status]", said, link)
			p := pictures()
			if other, twice := seen[p]; twice {
				t.Errorf("%s: the picture of %s", axes, other)
			}
			seen[p] = axes
			return p
		}
		look("separating", "chosen with labels", "view.axes=separating")
		layout := look("tsne", "distances between groups mean little", "view.axes=tsne")
		v.Enter("#axes-by", "columns")
		v.Until("address.has", "view.axes=columns%3A1.2")
		v.Enter(".axes .column", "3")
		v.Until("address.has", "view.axes=columns%3A3.2")
		v.Push("#common-by-layer")
		v.Until("address.has && see.says", "view.of=C", "#embeddings-view .plots", "C₂")
		v.Push("#common-by-layer")
		v.Enter("#axes-by", "")
		v.Until("!address.axes")
		if name := seen[pictures()]; name != "principal axes" {
			t.Errorf("back at the principal axes the picture is that of %q", name)
		}
		v.must(v.Navigate("about:blank"))
		v.Load(Small.Link() + "&place=lab&show=embeddings&view.axes=tsne")
		v.Until("lab.finished && see.is", ".axes [role=status]", "distances between groups mean little")
		if again := pictures(); again != layout {
			t.Error("after the page was loaded anew t-SNE gives another picture")
		}
		v.Push("#reset")
		v.Until("lab.pausedAt", 0)
		if again := v.Finish(); again.Hash != st.Hash {
			t.Errorf("hash %s, before %s", again.Hash, st.Hash)
		}
		v.Check()
	})
}

// TestNumbers colours nodes by numbers: how many links they have, with its range and in pictures of layers and embeddings; a column of S, which follows the
// epoch that is looked at; a column of a table of nodes. Each is in the link.
func TestNumbers(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		link := "&place=lab&view.layers=matrices&view.color=number%3Adegree%3A1"
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link()+link)
		scale := func(title string, values []float64) {
			t.Helper()
			text := fmt.Sprintf("%s: %s %s", title, digits(slices.Min(values)), digits(slices.Max(values)))
			v.Until("embeddings.scale && lab.drawn", text)
		}
		d, _ := Small.Open(t)
		var degree []float64
		for i := range d.Graph.M() {
			a := d.Graph.Layers[0].Adjacency
			degree = append(degree, float64(a.Start[i+1]-a.Start[i]))
		}
		v.Until("lab.untouched")
		scale("links in layer 1", degree)
		v.Until("embeddings.drawn && layers.drawn")
		v.Read(nil, "embeddings.focus")
		v.must(v.Press("ArrowRight"))
		v.Until("see.says", "#pointed", "links in layer 1: ")
		v.Push("[aria-label='Save the pictures as SVG']")
		if picture := string(download(t, v, "cadem-embeddings.svg")); !strings.Contains(picture, "links in layer 1: ") {
			t.Error("the picture to keep has no scale")
		}
		v.Finish()
		r := Small.Train(t)
		column := func(x *mat.Dense) []float64 { return mat.Col(nil, 2, x) }
		v.colourBy("number:S:3")
		scale("column 3 of S", column(r.Trained.Consensus))
		v.Until("address.has", "view.color=number%3AS%3A3")
		v.Read(nil, "lab.travel", 0)
		scale("column 3 of S", column(r.Untrained.Consensus))
		v.Check()

		files := slices.Clone(firm)
		files[2] = filepath.Join(t.TempDir(), "firm_nodes.txt")
		text, err := os.ReadFile(firm[2])
		if err != nil {
			t.Fatal(err)
		}
		lines, ages := strings.Split(strings.TrimSpace(string(text)), "\n"), []float64{}
		for i := range lines {
			if i == 0 {
				lines[i] += " age"
				continue
			}
			ages = append(ages, 20.5+float64(3*i))
			lines[i] += fmt.Sprintf(" %g", ages[i-1])
		}
		if err := os.WriteFile(files[2], []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		v.Give("#open-files", files...)
		v.Until("data.layers && lab.untouched", 3)
		v.Want("#data-summary", "age holds numbers and no categories: it can colour the pictures")
		v.colourBy("number:column:age")
		scale("age", ages)
		v.Check()
	})
}

// digits writes a number as the page does, with four digits.
func digits(v float64) string {
	four, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return strings.Replace(strconv.FormatFloat(four, 'f', -1, 64), "-", "\u2212", 1)
}

// TestEarlierClusters has K-means colour an epoch by its own weights, and finds the nodes that are nearest by all columns at the last one, too.
func TestEarlierClusters(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab&show=embeddings")
		v.Finish()
		r, d := Small.Train(t), func() *run.Dataset { d, _ := Small.Open(t); return d }()
		said := func(e *cadem.Embeddings) string {
			found := evaluate.KMeans(e.Consensus, 3, 10, rng.New(run.UsualSeeds.Eval, "clusters/common")).Labels
			return fmt.Sprintf("Agreement of these clusters with the labels, ARI: shared %.2f,", evaluate.ARI(d.Graph.Labels[0].Of, found))
		}
		v.colourBy("clusters:common")
		v.Until("see.starts", "#embeddings-view .figures", said(r.Trained))
		v.Read(nil, "lab.travel", 0)
		v.Until("see.starts", "#embeddings-view .figures", said(r.Untrained))
		v.Read(nil, "lab.travel", 99)
		v.Enter("#find-node", "7")
		v.Push("#about-node")
		v.Until("see.says", "#node-card", "Nearest, epoch 12")
		far := func(i int) float64 {
			return floats.Distance(r.Trained.Consensus.RawRowView(7), r.Trained.Consensus.RawRowView(i), 2)
		}
		first := slices.MinFunc(nodesBut(d.Graph.M(), 7), func(i, j int) int { return cmp.Compare(far(i), far(j)) })
		var name string
		v.Read(&name, "node.nearest")
		if want := d.Graph.NodeName(first); name != want && name != "node "+want {
			t.Errorf("nearest to node 7 in S is %q, expected %q", name, want)
		}
		v.Check()
	})
}

// nodesBut are the numbers below n but one.
func nodesBut(n, but int) (list []int) {
	for i := range n {
		if i != but {
			list = append(list, i)
		}
	}
	return list
}

// whyHere asks what makes the place of the node in a layer; shares add up to all of it. It moves when a link is taken.
func (v *Visit) whyHere(t *testing.T) {
	t.Helper()
	if v.Count("#why:not([hidden])") == 0 {
		t.Error("the card says nothing of what makes the place")
		return
	}
	v.Read(new(any), "node.askOf", "C 0")
	v.Push("#why-ask")
	v.Until("see.there", "#why-answer tbody tr")
	var sum float64
	v.Read(&sum, "node.sum")
	if sum < 99 || sum > 101 {
		t.Errorf("shares add up to %v %%", sum)
	}
	v.Push("#why-answer th .take")
	v.Until("node.why && address.has", "the place moves by", "view.why=C1&view.if=0.")
	v.Until("node.why", "pale marks")
	v.Read(new(any), "node.openWhatIf")
	v.Until("see.there", `#what-if .key[aria-pressed="false"]`)
	v.Push("#what-if .key[aria-pressed=\"false\"]") // which gives the link back
	v.Until("!node.moved && !address.has", "view.if")
	v.Enter("#what-if-node", "Ben")
	v.Push("#what-if-link")
	v.Until("node.movedBy", "a link to Ben in lunch")
	v.Push("#what-if-moved button")
	v.Until("!node.moved")
}

// newNodes opens files in which a run that knows the firm meets somebody new.
func (v *Visit) newNodes(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	more := map[string]string{firm[0]: "1 21 1 1\n2 21 4 1\n3 21 7 1\n3 21 22 1\n", firm[1]: "", firm[2]: "21 Uma\n22 Vic\n"}
	var files []string
	for _, name := range firm[:3] {
		text, err := os.ReadFile(name)
		if err == nil {
			files = append(files, filepath.Join(folder, filepath.Base(name)))
			err = os.WriteFile(files[len(files)-1], append(text, more[name]...), 0o600)
		}
		v.must(err)
	}
	v.Read(nil, "hand.click", "#tabs [data-show=embeddings]")
	v.Push("#add-nodes")
	v.Give("#new-nodes-files", files...)
	v.Until("see.count", "#new-nodes tbody tr", 2)
	v.Want("#new-nodes", "2 nodes of the data are new", "2 ends of links among new nodes are left out", "1 new node without a link", "Uma",
		"Hollow marks", "the run\u2019s own classifier")
	v.Push("#new-nodes .section-head button")
	v.Until("see.hidden", "#new-nodes")
}
