package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/e2e/drive"
)

// TestOutOfMemory lets the program run out of memory while it reads a large file beside a run. The page says so, and the run goes on in
// another program, to the bits of an undisturbed one.
func TestOutOfMemory(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Files: firm, Options: map[string]any{"epochs": 60, "early_stop": "off"}}
		s := NewSite(t)
		s.Precede(s.Built.Worker, scriptOf("starving"))
		v := Open(t, engine, s, drive.Options{}, "")
		v.Give("#open-files", firm...)
		v.Until("lab.untouched && settings.data", "files")
		v.Until("storage.owned")
		v.Enter("#options-epochs", "60")
		v.Enter("#options-early_stop", "off")
		v.Until("lab.untouched && lab.epochs", 60)
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("storage.saved")
		run := v.State().Run

		large := filepath.Join(t.TempDir(), "large.edges")
		rows := bytes.Repeat([]byte("1 1 2 1\n1 2 3 1\n2 1 3 1\n2 2 3 1\n"), 60<<20/32)
		if err := os.WriteFile(large, rows, 0o644); err != nil {
			t.Fatal(err)
		}
		v.die("starve")
		v.Give("#open-files", large)
		v.Until("notices.there", "engine")
		v.Want("[data-notice=engine]", "The engine stopped and was started again", "goes on from step", "out of memory")
		v.Until("see.gone", "dialog.import[open]")
		v.Pace(fullSpeed)
		v.Until("lab.ended && lab.kept")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Run != run {
			t.Errorf("after it ran out of memory: %+v, undisturbed %s", st, want.Hash)
		}
		// A program that has memory reads on.
		v.Give("#open-files", twoLayers(t))
		v.Until("lab.untouched && data.says", "40 nodes")
		v.Check()
	})
}

// TestDeadlock has the program wait for what never comes. Pause gets no answer: the page ends the program, brings the run back, and
// it goes on to the bits of an undisturbed one.
func TestDeadlock(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 80, "early_stop": "off"})
		v := doomed(t, engine, "stuck", c)
		saved := v.State().Saved
		v.Read(nil, "workers.stick")
		v.Push("#play")
		v.Until("notices.there && lab.paused", "engine")
		v.Want("[data-notice=engine]", "The engine stopped and was started again", "goes on from step", "did not answer")
		if st := v.State(); st.Step < saved {
			t.Errorf("it goes on from step %d, step %d was kept", st.Step, saved)
		}
		v.Until("see.shows", "#runs-list", "paused")
		v.Load("") // which would go on with a run that was interrupted
		v.Until("page.ready")
		if st := v.State(); st.Phase == "running" || v.Count("[data-notice=interrupted]") > 0 {
			t.Errorf("a run that was paused by force is %s on the next visit", st.Phase)
		}
		v.Push("#runs-list [data-act=open]")
		v.Until("lab.paused")
		v.Pace(fullSpeed)
		v.Push("#play")
		v.Until("lab.finished && lab.kept")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("after a deadlock: %+v, undisturbed %s", st, want.Hash)
		}
		v.Check()
	})
}

// TestLostServiceWorker takes service worker and caches away in the middle of a run, as the browser does with data of sites that
// it clears. The run ends as ever, what is still to be loaded comes from the network, and the next visit keeps the page again.
func TestLostServiceWorker(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 80, "early_stop": "off"})
		v := Open(t, engine, NewKeptSite(t), drive.Options{}, c.Link())
		v.Until("storage.owned")
		v.Until("page.offline")
		v.Load("?again" + c.Link()) // which the service worker serves
		v.Until("lab.untouched")
		v.Until("storage.owned")
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("storage.saved")
		v.Read(nil, "page.forgetScripts")
		v.Push("#export-npz") // by the whole program
		if b := download(t, v, "*-embeddings.npz"); len(b) == 0 {
			t.Error("an empty file")
		}
		v.Pace(fullSpeed)
		v.Until("lab.finished && lab.kept")
		st, want := v.State(), c.Train(t)
		if st.Hash != want.Hash {
			t.Errorf("without service worker: %+v, undisturbed %s", st, want.Hash)
		}
		v.must(v.Navigate("about:blank"))
		v.Load("")
		v.Until("page.offline")
		v.Site.Stop()
		v.Load("?offline")
		v.Push("[data-run=" + strconv.Quote(st.Run) + "] [data-act=open]")
		v.Until("lab.finished")
		if again := v.State(); again.Hash != st.Hash {
			t.Errorf("opened without network: %+v, was %+v", again, st)
		}
		for _, p := range v.Problems() {
			if !strings.Contains(p, "sw.js") { // the browser's own look for a new version
				t.Error(p)
			}
		}
	})
}

// TestProgramDamaged has the first program come cut short, as a page of something else, or where the policy forbids to compile it.
// The page shows what it has and says what is missing. Once the program is sound it is tried again, or on the next visit where the policy
// of this one forbids it.
func TestProgramDamaged(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		for _, kind := range []struct {
			name   string
			damage func(sound []byte) []byte
			policy string
		}{
			{"cut short", func(sound []byte) []byte { return sound[:len(sound)/2] }, ""},
			{"of another type", func([]byte) []byte { return []byte("<!doctype html><title>Sign in to the network</title>") }, ""},
			{"blocked", func(sound []byte) []byte { return sound }, strings.Replace(builder.HeaderPolicy, "'wasm-unsafe-eval'", "", 1)},
		} {
			t.Run(kind.name, func(t *testing.T) {
				s := NewSite(t)
				names := []string{s.Built.First.Packed, s.Built.First.Plain}
				sound := map[string][]byte{}
				s.Stop()
				for _, name := range names {
					sound[name] = s.Files[name]
					s.Files[name] = kind.damage(sound[name])
				}
				s.Policy = kind.policy
				s.Start()
				v := &Visit{Browser: Start(t, engine, drive.Options{}), Site: s, t: t}
				v.must(v.Navigate(s.URL + lab))
				v.Until("notices.there", "engine")
				v.Want("[data-notice=engine]", "The engine could not be loaded, so nothing can be trained here")
				v.Want("#status", "The engine could not be loaded.")
				t.Log(v.Text("[data-notice=engine]"))
				v.Until("embeddings.drawn")

				s.Stop()
				for _, name := range names {
					s.Files[name] = sound[name]
				}
				s.Policy = ""
				s.Start()
				if kind.policy == "" {
					v.Push("[data-notice=engine] .actions button") // Try again
					v.Until("page.ready && storage.owned")
					v.Read(nil, "address.go", Small.Link())
				} else {
					v.Load("?again" + Small.Link()) // which the browser has not kept with that policy
				}
				v.Until("lab.untouched")
				if n := v.Count("[data-notice=engine]"); n > 0 {
					t.Error("the notice is still there")
				}
				if st, want := v.Finish(), Small.Train(t); st.Hash != want.Hash {
					t.Errorf("%+v, natively %s", st, want.Hash)
				}
			})
		}
	})
}

// TestLostStart loses what the page sends to the first of its workers: no answer comes, and no error. The page makes another one.
func TestLostStart(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.App(), scriptOf("hasty")+scriptOf("loststart"))
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		if st, want := v.Finish(), Small.Train(t); st.Hash != want.Hash {
			t.Errorf("%+v, natively %s", st, want.Hash)
		}
		v.Check()
	})
}

// TestSlowProgram keeps the first program back. The page says that it still waits, and no more once the program is there.
func TestSlowProgram(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.App(), scriptOf("hasty"))
		release := s.Hold(s.Built.First.Packed)
		defer release()
		v := &Visit{Browser: Start(t, engine, drive.Options{}), Site: s, t: t}
		v.must(v.Navigate(s.URL + Small.Link()))
		v.Until("notices.there", "engine")
		v.Want("[data-notice=engine]", "still loading")
		release()
		v.Until("lab.untouched")
		v.Until("!notices.there", "engine")
		v.Check()
	})
}

// TestTablesProgram lets the program that writes the tables end: by a panic, broken off by the browser, and again. Another writes them
// anew. The third end comes just when there is an error to report: the page reports it anyway, and that the program is gone.
func TestTablesProgram(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Finish()
		var before, after []string
		v.Until("page.tablesFilled")
		v.Read(&before, "page.tables")
		v.Read(nil, "page.breakable")
		for _, end := range []string{"", "{}"} {
			v.Read(nil, "page.emptyAndEnd", end)
			v.Until("see.shows", "[data-notice=page]", "had to be started again")
			v.Until("page.programmed && page.tablesFilled")
			if v.Read(&after, "page.tables"); !slices.Equal(after, before) {
				t.Errorf("after an end by %q: %q, before %q", end, after, before)
			}
		}
		v.Read(nil, "page.breakAt", `"level":"error"`)
		torn := filepath.Join(t.TempDir(), "torn.tar")
		if err := os.WriteFile(torn, []byte("PK"), 0o644); err != nil {
			t.Fatal(err)
		}
		v.Give("#import-run", torn)
		v.Until("see.shows", "[data-notice=page]", "ended three times. Reload the page")
		v.Want("#messages", "torn.tar")
		v.Want("#status", "Finished") // nothing is wrong with the run
		v.Read(nil, "hand.clear", "#status")
		v.Push("#play")
		v.Until("lab.says", "Finished")
		v.Check()
	})
}
