package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// TestLink changes settings, copies the link, and finds the same settings where
// the link is opened.
func TestLink(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		v := Open(t, engine, s, drive.Options{}, "")
		v.Read(nil, "hand.click", "input[name=data][value=social]")
		v.Until("settings.data && lab.shipped", "social")
		v.Enter("#dataOptions-nodes", "40")
		v.Until("settings.dataOption", "nodes", 40)
		v.Enter("#options-weight_causal", "0.25")
		v.Enter("#options-pairing", "sampled:3")
		v.Enter("#options-epochs", "4")
		v.Enter("#evaluation-eval_epochs", "7")
		v.Enter("#seeds-model_seed", "11")
		v.Enter("#seeds-eval_seed", "12")
		v.Read(nil, "hand.click", "input[name=preset][value=printed]")
		v.Until("lab.says", "printed, nodes 40, weight causal 0.25")
		v.Until("lab.untouched")
		v.Want("#status", "model seed 11, \u2026:") // with more the name would be too long
		v.colourBy("labels:lunch_table")
		var settings, again string
		v.Read(&settings, "settings.text")
		link := v.copied()
		t.Log(link)
		v.Push("#play")
		v.Until("lab.finished")
		was := v.State()
		v.Check()

		w := Open(t, engine, s, drive.Options{}, link)
		w.Until("lab.untouched")
		w.Read(&again, "settings.text")
		if !sameJSON(t, settings, again) {
			t.Errorf("settings %s\nfrom the link %s", settings, again)
		}
		var colour, hash string
		w.Until("see.valueOf", "#colour-by") // offered with the first picture
		w.Read(&colour, "see.valueOf", "#colour-by")
		w.Read(&hash, "address.hash")
		if colour != "labels:lunch_table" || hash != link {
			t.Errorf("coloured by %s at %s", colour, hash)
		}
		w.Push("#play")
		w.Until("lab.finished")
		if st := w.State(); st.Hash != was.Hash || st.Scores != was.Scores {
			t.Errorf("trained from the link: %+v, before %+v", st, was)
		}
		w.Check()
	})
}

// copied has the page copy its link, and returns the part after the address of the site.
func (v *Visit) copied() (link string) {
	v.t.Helper()
	v.Push("#copy-link")
	v.Until("page.copied || see.there", "[data-notice=link] input")
	v.Read(&link, "page.link")
	rest, ok := strings.CutPrefix(link, v.Site.URL)
	if !ok {
		v.t.Fatalf("the link %q does not begin with %q", link, v.Site.URL)
	}
	return rest
}

// sameJSON compares values, whatever the order of their fields.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var texts [2]string
	for i, s := range []string{a, b} {
		var v any
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return texts[0] == texts[1]
}

// TestPressWhileOpening presses Train while the run of a link is being made ready.
func TestPressWhileOpening(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		c := Small.With(map[string]any{"nodes": 500}, map[string]any{"epochs": 3})
		v.Read(nil, "lab.openAndTrain", c.Link())
		v.Until("lab.finished")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("%+v, natively %s", st, want.Hash)
		}
		v.Check()
	})
}

// opens has a hesitant compute program hold requests to open data, or release them.
func (v *Visit) opens(what string) {
	v.t.Helper()
	v.Read(nil, "workers.order", what)
}

// TestChangeWhileOpening changes settings while the data of the change before are being opened. In the end status, data and
// pictures are those of the last change.
func TestChangeWhileOpening(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, scriptOf("hesitant"))
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		for i, asked := range []bool{false, true} { // whether the page has asked to open the last change before the first is open
			v.opens("hold")
			v.Read(nil, "workers.awaitTwoHeld")
			v.Enter("#dataOptions-nodes", fmt.Sprint(100+i))
			v.Until("lab.phase", "opening")
			v.Enter("#dataOptions-nodes", fmt.Sprint(110+i))
			v.Enter("#options-epochs", fmt.Sprint(7+i))
			if asked {
				v.Read(nil, "workers.twoHeld")
			}
			v.opens("release")
			v.Until("lab.untouched && lab.epochs && data.says", 7+i, fmt.Sprintf("%d nodes", 110+i))
			v.Want("#status", fmt.Sprintf("nodes %d", 110+i), "untrained")
			v.Until("embeddings.nodes", 110+i)
		}
		c := Small.With(map[string]any{"nodes": 111}, map[string]any{"epochs": 8})
		v.Push("#play")
		v.Until("lab.finished")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("%+v, natively %s", st, want.Hash)
		}
		v.Check()
	})
}
