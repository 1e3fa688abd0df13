package e2e

import (
	"strconv"
	"strings"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// TestOffline takes the server away after one visit.
func TestOffline(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewKeptSite(t)
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		v.Until("storage.owned")
		was := v.Finish()
		v.Until("page.offline")
		v.Check()

		s.Stop()
		v.Load("")
		v.Until("lab.shipped && embeddings.pictures", 4)
		v.Push("[data-run=" + strconv.Quote(was.Run) + "] [data-act=open]")
		v.Until("lab.finished")
		if st := v.State(); st.Hash != was.Hash {
			t.Errorf("the run opened without network: %+v", st)
		}
		v.Push("#play") // the same course again
		v.Until("lab.finished && !runs.current", was.Run)
		if st := v.State(); st.Hash != was.Hash {
			t.Errorf("trained without network: %+v, before %s", st, was.Hash)
		}
		v.Load("index.html" + Small.With(nil, map[string]any{"epochs": 2}).Link())
		v.Until("lab.untouched")
		if st := v.State(); st.Epochs != 2 {
			t.Errorf("a link without network: %+v", st)
		}
		v.Give("#open-files", twoLayers(t)) // by the whole program, which nothing has asked for so far
		v.Until("data.says", "40 nodes, 2 layers")
		v.Until("lab.untouched")
		for _, p := range v.Problems() {
			// The browser's own check for a new version fails here.
			if !strings.Contains(p, "sw.js") {
				t.Error(p)
			}
		}
	})
}

// TestEndedServiceWorker has requests of the page to the service worker fail, as they do while a busy browser ends its process
// and starts another one. If a browser can simulate it, they do not arrive. Requests for its workers' scripts do.
func TestEndedServiceWorker(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if engine != "chromium" {
			t.Skip("Chromium alone takes files out of the cache without the service worker")
		}
		s := NewKeptSite(t)
		s.Precede("sw.js", scriptOf("endedworker"))
		v := Open(t, engine, s, drive.Options{}, "")
		v.Until("page.activated")
		v.must(v.Navigate("about:blank"))
		v.Load(Small.Link())
		v.Until("lab.untouched")
		v.Check()
	})
}

// TestUpdate puts a newer site in the place of the one visited. It is offered,
// the page goes on with the old one until asked, and no file of the two is mixed.
func TestUpdate(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewKeptSite(t)
		v := Open(t, engine, s, drive.Options{}, "")
		v.Until("page.offline")
		version := func() (text string) { // wherever it stands: WebKit has no innerText of what is folded in
			v.Read(&text, "see.content", "#version")
			return text
		}
		old := version()

		const newer = "0123456789ab"
		s.Update(newer)
		v.Load("")
		v.Until("notices.there", "update")
		v.Want("[data-notice=update]", "new version", "Reload")
		if now := version(); now != old {
			t.Errorf("the page went from %q to %q without being asked to", old, now)
		}
		v.Load("")
		v.Until("notices.there", "update")
		if now := version(); now != old {
			t.Errorf("another visit went from %q to %q without being asked to", old, now)
		}

		// In the middle of a run, which must not be lost by it; one that does not end before it is looked at.
		v.Enter("#options-epochs", "100000")
		v.Enter("#options-early_stop", "off")
		v.Until("settings.endless && !lab.shipped && !lab.waits")
		v.Push("#play")
		v.Until("lab.running && lab.past", 0)
		run := v.State().Run
		v.Push("[data-notice=update] .actions button")
		v.Until("page.version", newer)
		v.Until("page.ready")
		v.Until("see.shows", "#runs-list", "paused")
		v.Push("[data-run=" + strconv.Quote(run) + "] [data-act=continue]")
		v.Until("lab.running")
		v.Check()
	})
}
