package e2e

import (
	"net/url"
	"strconv"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// TestQuota trains where the site may keep no more, though the disk has room. The page says so, offers an export, trains on in memory, and
// keeps the run when there is room again.
func TestQuota(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		const most = 40 << 20 // for the page itself and some states of the run
		o := drive.Options{}
		switch engine {
		case "firefox": // where one site has a fifth of the room for all
			o.Prefs = map[string]any{"dom.quotaManager.temporaryStorage.fixedLimit": 5 * most >> 10}
		case "webkit":
			t.Skip("its driver has no setting for what a site may keep")
		}
		c := Course{Example: "syn2", Options: map[string]any{"epochs": 8, "kmeans_runs": 2}}
		v := Open(t, engine, NewKeptSite(t), o, c.Link())
		if engine == "chromium" {
			u, err := url.Parse(v.Site.URL)
			v.must(err)
			v.must(v.LimitStorage("http://"+u.Host, most))
		}
		v.Until("lab.untouched")
		v.Until("storage.owned")
		v.Until("page.offline")
		v.Push("#epoch")
		v.Until("lab.pausedAt && lab.kept", 5)
		var taken string
		v.Read(&taken, "checks.takeRoom")
		t.Log(taken)
		v.fullDisk(c, func() {
			v.Push("[data-notice=full] .actions button") // Export this run
			if r := readRecord(t, v); r.Hash != v.State().Hash {
				t.Errorf("the exported record has the hash %s", r.Hash)
			}
			v.Read(nil, "storage.giveRoom")
		})
	})
}

// TestStorageCleared takes the database away in the middle of a run on files of the reader's own, as the browser does where site data
// are cleared. The run is kept anew, with all that belongs to it.
func TestStorageCleared(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		v.Give("#open-files", firm...)
		v.Until("lab.untouched && settings.data", "files")
		v.Enter("#options-epochs", "40")
		v.Until("lab.untouched && lab.epochs", 40)
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("storage.saved")
		v.Read(nil, "storage.erase")
		saved := v.State().Saved
		v.Until("storage.savedPast", saved)
		v.Pace(fullSpeed)
		v.Until("lab.finished && lab.kept")
		st, want := v.State(), Course{Files: firm, Options: map[string]any{"epochs": 40}}.Train(t)
		if st.Hash != want.Hash {
			t.Errorf("hash %s, natively %s", st.Hash, want.Hash)
		}
		v.must(v.Navigate("about:blank"))
		v.Load("")
		v.Until("runs.count", 1)
		v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
		v.Until("lab.finished")
		if again := v.State(); again.Hash != st.Hash || again.Scores != st.Scores {
			t.Errorf("kept anew: %+v, was %+v", again, st)
		}
		v.Check()
	})
}
