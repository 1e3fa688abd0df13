package e2e

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem/core/cadem"
	"cadem/scripts/e2e/drive"
)

// TestPictures saves the embeddings as a picture of both kinds: of the same shape, with a mark
// for every node in every plot.
func TestPictures(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch + ` && document.querySelector('#status').textContent.includes('as the pictures show')`)
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
		v.Push("[aria-label='Save the pictures as PNG']")
		c, err := png.DecodeConfig(bytes.NewReader(download(t, v, "cadem-embeddings.png")))
		if err != nil || c.Width != 2*1480 {
			t.Errorf("%+v, %v", c, err)
		}
		v.Check()
	})
}

// TestNodes finds nodes by what they are called: counted from 0, as files count them, and by
// their own names where they have some.
func TestNodes(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch + ` && document.querySelector('#status').textContent.includes('as the pictures show')`) // there are nodes to find
		find := func(text string) string {
			v.Enter("#find-node", text)
			return v.Text("#embeddings-view .picked")
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
		v.Want("#embeddings-view", `no node "90"`)
		v.Give("#open-files", firm...)
		v.Until("document.querySelector('#data-summary').textContent.includes('firm') && " +
			"document.querySelector('#status').textContent.includes('as the pictures show') && " + untouch)
		if got := find("ada"); !strings.HasPrefix(got, "Ada, ") {
			t.Errorf("ada finds %q", got)
		}
		v.aboutNode(t)
		v.Check()
	})
}

// aboutNode opens the card of the node that is chosen, reads whom it is linked to and goes on to one of them.
func (v *Visit) aboutNode(t *testing.T) {
	t.Helper()
	v.Push("#about-node")
	v.Until("document.querySelector('#node-card tbody tr')")
	if title := v.Text("#node-card-title"); title != "Ada" {
		t.Errorf("the card is about %q", title)
	}
	var links [][]string
	v.Read(&links, "return [...document.querySelectorAll('#node-card table')].map(t => [...t.querySelectorAll('tbody td:nth-child(2)')].map(c => c.textContent))")
	if len(links) != 2 || len(links[0]) != v.Count("#layers-view .plot")-1 || len(links[1]) != v.Count("#embeddings-view .plot") {
		t.Errorf("the card has %q", links)
	}
	for _, near := range links[1] {
		if strings.Contains(near, "Ada") || strings.Count(near, ",") > 4 {
			t.Errorf("nearest to Ada are %q", near)
		}
	}
	other := v.Text("#node-card .points")
	v.Push("#node-card .points")
	v.Until(fmt.Sprintf("document.querySelector('#node-card-title').textContent === %q", other))
	v.must(v.Press("Escape"))
	v.Until("document.querySelector('#node-card').hidden")
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
			v.Read(&list, "return [...document.querySelectorAll('.knows td')].map(td => td.title)")
			return list
		}
		last := cells()
		const travel = `const e = document.querySelector('#snapshot');
e.value = args[0];
e.dispatchEvent(new Event('input', {bubbles: true}));`
		v.Read(nil, travel, 0)
		v.Until("document.querySelector('#knows-when').textContent === 'These are the scores of epoch 0.'")
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
		v.Read(nil, travel, 99) // beyond the last
		v.Until("document.querySelector('#knows-when').hidden")
		if again := cells(); !slices.Equal(again, last) {
			t.Errorf("back at the end %v, before %v", again, last)
		}
		if n := v.Count(".knows .wanted"); n != 4 {
			t.Errorf("%d cells are dotted, expected those of S and the shared groups and of each layer with its own", n)
		}

		v.Push(".meter > summary")
		v.Until("document.querySelector('.meter [role=status]').textContent.includes('Chance is 33 %.')")
		var rows [][]string
		v.Read(&rows, "return [...document.querySelectorAll('.meter tbody tr')].map(tr => [...tr.children].map(c => c.textContent))")
		if len(rows) != 7 || rows[0][0] != "0" || rows[6][0] != "12" {
			t.Fatalf("the meter read %v", rows)
		}
		if shared, _, _ := strings.Cut(last[0], ","); rows[6][1] != shared {
			t.Errorf("the meter reads the shared groups at %s at the end, the scores say %s", rows[6][1], shared)
		}
		v.Push("#reset")
		v.Until("cadem.state().phase === 'paused' && cadem.state().step === 0")
		for range 3 {
			v.Push("#epoch") // each gives the meter something to read, and ends that
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
		v.Until("cadem.state().owner")
		st := v.Finish()
		pictures := func() string {
			v.Until("cadem.state().drawn")
			return v.seen(nil)["pictures"]
		}
		seen := map[string]string{pictures(): "principal axes"}
		look := func(axes, said, link string) string {
			t.Helper()
			v.Enter("#axes-by", axes)
			v.Until(fmt.Sprintf("document.querySelector('.axes [role=status]')?.textContent === %q && location.hash.includes(%q)", said, link))
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
		v.Until("location.hash.includes('view.axes=columns%3A1.2')")
		v.Enter(".axes .column", "3")
		v.Until("location.hash.includes('view.axes=columns%3A3.2')")
		v.Push("#common-by-layer")
		v.Until("location.hash.includes('view.of=C') && document.querySelector('#embeddings-view .plots').textContent.includes('C₂')")
		v.Push("#common-by-layer")
		v.Enter("#axes-by", "")
		v.Until("!/view[.](axes|of)/.test(location.hash)")
		if name := seen[pictures()]; name != "principal axes" {
			t.Errorf("back at the principal axes the picture is that of %q", name)
		}
		v.must(v.Navigate("about:blank"))
		v.Load(Small.Link() + "&place=lab&show=embeddings&view.axes=tsne")
		v.Until(finished + " && document.querySelector('.axes [role=status]')?.textContent === 'distances between groups mean little'")
		if again := pictures(); again != layout {
			t.Error("after the page was loaded anew t-SNE gives another picture")
		}
		v.Push("#reset")
		v.Until("cadem.state().phase === 'paused' && cadem.state().step === 0")
		if again := v.Finish(); again.Hash != st.Hash {
			t.Errorf("hash %s, before %s", again.Hash, st.Hash)
		}
		v.Check()
	})
}
