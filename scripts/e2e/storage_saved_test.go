package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cadem.example/scripts/e2e/drive"
)

// seen returns a person's view of a run, as soon as it is the wanted one, or, for nil, no longer changes from one frame to
// the next; the last one after a time.
func (v *Visit) seen(wanted map[string]string) (last map[string]string) {
	v.t.Helper()
	v.Read(nil, "hand.rest")
	for end := time.Now().Add(patience / 6); time.Now().Before(end); {
		var now map[string]string
		v.Read(&now, "page.look")
		if maps.Equal(now, wanted) || wanted == nil && last != nil && maps.Equal(now, last) {
			return now
		}
		last = now
	}
	return last
}

// TestSavedRuns finishes a run, reloads the page and finds the run unchanged.
func TestSavedRuns(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		was := v.Finish()
		item := fmt.Sprintf("[data-run=%q] ", was.Run)
		act := func(name string) string { return item + "[data-act=" + name + "]" }
		v.Until("scores.rated")
		v.Go("lab") // whose side leaves the pictures another room than the lessons do
		before := v.seen(nil)

		v.Load("")
		v.Until("lab.shipped")
		v.Want("#runs-list", "nodes 90", "finished")
		v.Push(act("open"))
		v.Until("lab.finished")
		if st := v.State(); st.Hash != was.Hash || st.Scores != was.Scores || st.Run != was.Run || st.Step != was.Step {
			t.Errorf("opened again: %+v, was %+v", st, was)
		}
		v.Until("scores.rated")
		v.Go("lab")
		after := v.seen(before)
		for part := range before {
			if after[part] != before[part] {
				t.Errorf("%s of the run opened again:\n%s\nbefore:\n%s", part, after[part], before[part])
			}
		}

		v.Push(act("rename"))
		v.Read(nil, "hand.write", "#runs-list input", "My first run")
		v.must(v.Press("Enter"))
		v.Until("see.is", "#runs-list strong", "My first run")
		v.Load("")
		v.Want("#runs-list", "My first run")

		v.Push(act("delete"))
		v.Until("runs.count", 0)
		v.Push("#runs-list [role=status] button")
		v.Until("runs.count", 1)
		v.Load("")
		v.Want("#runs-list", "My first run")

		v.Push(act("delete"))
		v.Until("runs.count", 0)
		v.Until("see.count", "#runs-list [role=status] button", 0) // the time to think again is over
		v.Load("")
		v.Until("storage.owned")
		if n := v.Count("#runs-list li[data-run]"); n != 0 {
			t.Errorf("%d runs are left after the only one was deleted", n)
		}
		v.Check()
	})
}

// TestAskedToStay keeps a run. With the next click the page asks the browser, once, not to clear what it keeps.
func TestAskedToStay(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		if engine == "webkit" {
			t.Skip("WebKitGTK has no StorageManager, so that there is nobody to ask")
		}
		s := NewSite(t)
		for _, name := range s.Built.FirstLoad {
			if strings.HasPrefix(name, "app.") {
				s.Precede(name, scriptOf("persist"))
			}
		}
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		asked := func(want int) {
			t.Helper()
			v.Go("runs")
			var times int
			if v.Read(&times, "page.askedToPersist"); times != want {
				t.Errorf("asked %d times, expected %d", times, want)
			}
		}
		v.Until("lab.untouched")
		v.Until("storage.owned")
		asked(0)
		v.Finish()
		asked(1)
		v.Finish()
		asked(1)
		v.Check()
	})
}

// TestLeave leaves a run in the middle for another one, comes back, and finds it at the same step.
func TestLeave(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 60, "early_stop": "off"})
		v := OpenReady(t, engine, c.Link())
		v.Until("storage.owned")
		v.Pace(tenASecond)
		for range 2 {
			v.Read(nil, "lab.play") // wherever the page is being scrolled to
			v.Until("lab.running && lab.fromEpoch", 3)
			// Opened again by its own entry in the list, which must not be older than the screen.
			run := v.State().Run
			var left, back int
			v.Read(&left, "lab.leaveFor", run)
			v.Until("lab.paused && !lab.waits")
			v.Read(&back, "lab.step")
			if back < left || left == 0 {
				t.Errorf("left at step %d, opened again at step %d", left, back)
			}
		}
		v.Pace(fullSpeed)
		v.Push("#play")
		v.Until("lab.finished")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("hash %s, undisturbed %s", st.Hash, want.Hash)
		}
		v.Until("losses.rows", 12)
		v.Check()
	})
}

// keepEpoch trains an epoch, waits until it is kept, and loads the page anew.
func keepEpoch(t *testing.T, engine string, s *Site) (v *Visit, run string) {
	v = Open(t, engine, s, drive.Options{}, Small.Link())
	v.Until("lab.untouched")
	v.Until("storage.owned")
	v.Push("#epoch")
	v.Until("lab.pausedAt && lab.kept", 5)
	run = v.State().Run
	v.Load("")
	return v, run
}

// TestContinue reloads the page in the middle of a paused run, continues it and
// ends where an undisturbed run ends.
func TestContinue(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		keepAndContinue(t, engine, NewSite(t))
	})
}

func keepAndContinue(t *testing.T, engine string, s *Site) {
	v, run := keepEpoch(t, engine, s)
	v.Push(fmt.Sprintf("[data-run=%q] [data-act=continue]", run))
	v.Until("lab.finished")
	if st, want := v.State(), Small.Train(t); st.Hash != want.Hash || st.Run != run {
		t.Errorf("continued: %+v, natively %s", st, want.Hash)
	}
	v.Until("losses.rows", 12)
	v.Check()
}

// TestBack leaves the page for another visit of it and comes back by the browser's button. Each visit keeps the runs,
// also in a browser that does not end a page that is left.
func TestBack(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, run := keepEpoch(t, engine, NewSite(t))
		listed := fmt.Sprintf("[data-run=%q] [data-act=continue]", run)
		v.Until("storage.owned && see.there", listed)
		v.Read(nil, "page.backSoon")
		v.Until("address.any")
		v.Until("page.ready")
		v.Until("storage.owned && see.there", listed)
		v.Check()
	})
}

// TestRunPicture looks at the picture of a run in the list: it follows the run, and is not made anew for anything else.
func TestRunPicture(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v, run := keepEpoch(t, engine, NewSite(t))
		in := func(css string) string { return fmt.Sprintf("[data-run=%q] %s", run, css) }
		v.Until("storage.owned && see.there", in("[data-act=continue]"))
		v.Read(nil, "runs.notePicture", run)
		v.Push(in("[data-act=continue]"))
		v.Until("lab.finished && storage.upToDate")
		v.Until("runs.redrawn", run)
		v.Read(nil, "runs.notePicture", run)
		v.Push(in("[data-act=pin]"))
		v.Until("see.is", in("[data-act=pin]"), "Unpin")
		var same bool
		if v.Read(&same, "runs.samePicture", run); !same {
			t.Error("the picture of a run was made anew when the run was pinned")
		}
		v.Check()
	})
}

// TestSecondTab opens the page twice. The second tab may look and train but
// keeps nothing, and is told so; it can take over when the first is gone.
func TestSecondTab(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		was := v.Finish()

		first, second, err := v.NewTab()
		v.must(err)
		v.Load("")
		v.Until("notices.there", "storage")
		v.Want("[data-notice=storage]", "open in another tab", "nothing is kept")
		item := "[data-run=" + strconv.Quote(was.Run) + "] "
		v.Until("see.there", item+"[data-act=open]")
		if n := v.Count("#runs-list [data-act=delete], #runs-list [data-act=rename], #runs-list [data-act=continue]"); n != 0 {
			t.Errorf("the second tab offers %d ways to change the saved runs", n)
		}
		v.Push(item + "[data-act=open]")
		v.Until("lab.finished")
		if st := v.State(); st.Hash != was.Hash || st.Owner {
			t.Errorf("opened in the second tab: %+v", st)
		}
		v.Push("#play")
		v.Until("lab.finished && !runs.current", was.Run)
		trained := v.State()
		if trained.Hash != was.Hash || trained.Saved != 0 || trained.Pending != 0 {
			t.Errorf("trained in the second tab: %+v", trained)
		}
		v.Check()

		// The second tab hears of changes by the first one to its runs.
		v.must(v.Switch(first))
		v.Push(item + "[data-act=rename]")
		v.Read(nil, "hand.write", "#runs-list input", "From the first tab")
		v.must(v.Press("Enter"))
		v.must(v.Switch(second))
		v.Until("see.is", "#runs-list strong", "From the first tab")

		v.must(v.Switch(first))
		v.Check()
		v.must(v.CloseTab())
		v.must(v.Switch(second))
		v.Push("[data-notice=storage] .actions button") // Keep runs here
		v.Until("storage.owned && lab.kept")
		v.Until("runs.count", 2)
		if n := v.Count("#runs-list [data-act=delete]"); n != 2 {
			t.Errorf("after taking over, %d of 2 runs can be deleted", n)
		}
		v.Load("")
		v.Push("[data-run=" + strconv.Quote(trained.Run) + "] [data-act=open]")
		v.Until("lab.finished")
		if st := v.State(); st.Hash != trained.Hash || st.Scores != trained.Scores {
			t.Errorf("what the second tab had trained is now %+v, was %+v", st, trained)
		}
		v.Check()
	})
}

// TestTakeOver has a second tab keep the runs while the first one trains, which saves its state, lets go and says so, and takes
// them back. A run that both continued is there twice then, and nothing of it is lost.
func TestTakeOver(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 600, "early_stop": "off"}) // a minute at that pace: the second tab is up before
		v := OpenReady(t, engine, c.Link())
		v.Until("storage.owned")
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("lab.running && lab.fromEpoch", 3)
		const here = "[data-notice=storage] .actions button" // Keep runs here

		first, second, err := v.NewTab()
		v.must(err)
		v.Load("")
		v.Push(here)
		v.Until("storage.owned && !notices.there", "storage")
		v.must(v.Switch(first))
		v.Until("notices.there && lab.paused", "storage")
		v.Want("[data-notice=storage]", "Another tab keeps the runs now", "The training here was paused", "nothing is kept")
		was := v.State()
		if was.Owner || was.Step < 15 {
			t.Errorf("the first tab is %+v", was)
		}

		v.must(v.Switch(second))
		item := "[data-run=" + strconv.Quote(was.Run) + "] "
		v.Until("see.shows", item, "paused")
		v.Push(item + "[data-act=continue]")
		v.Until("lab.finished && lab.kept")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash {
			t.Errorf("what the first tab had kept goes on to %s, natively %s", st.Hash, want.Hash)
		}

		v.must(v.Switch(first))
		v.Push("#epoch")
		v.Until("lab.paused && lab.past", was.Step)
		v.Push(here)
		v.Until("storage.owned && lab.kept")
		v.Until("runs.count", 2)
		v.Want("#runs-list", "finished", "paused", "(2)")
		v.Check()
		v.must(v.Switch(second))
		v.Until("!storage.owned && runs.count", 2)
		v.Check()
	})
}

// TestSamePicture trains the same run by other ways: at once, step by step, after the page was loaded anew in its middle, and
// opened again. The end and every epoch that is kept are the same pictures each time.
func TestSamePicture(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		v.Finish()
		v.Read(nil, "hand.leave")
		var want map[string]string
		v.Read(&want, "lab.stops")
		if got := slices.Sorted(maps.Keys(want)); strings.Join(got, " ") != "0 1 12 2 3 5 8" {
			t.Errorf("the slider stops at epochs %v", got)
		}
		same := func(way string) {
			t.Helper()
			v.Read(nil, "hand.leave")
			var got map[string]string
			v.Read(&got, "lab.stops")
			for epoch := range want {
				if got[epoch] != want[epoch] {
					t.Errorf("%s: another picture of epoch %s", way, epoch)
				}
			}
		}
		v.must(v.Navigate("about:blank"))
		v.Load(Small.Link())
		v.Until("lab.finished")
		same("opened again")
		v.Push("#reset")
		v.Until("lab.pausedAt", 0)
		for step := range 7 {
			v.Push("#step")
			v.Until("lab.at && lab.drawn", step+1)
		}
		v.Push("#epoch")
		v.Until("lab.at && lab.kept", 10)
		v.must(v.Navigate("about:blank"))
		v.Load(Small.Link())
		v.Until("lab.pausedAt && lab.timesTo", 10, "2")
		v.Finish()
		same("step by step, and resumed")
		v.Check()
	})
}
