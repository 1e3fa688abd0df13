package e2e

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"cadem.example/scripts/e2e/drive"
)

// TestKill kills every process of the browser in the middle of a run. Started on
// the same profile, the page takes the run up by itself, from a moment shortly
// before, and ends with the bits of an undisturbed one: nothing that was acknowledged is lost, and
// nothing is torn. How old that moment is depends on the machine and is printed; that checkpoints
// are due by the clock is tested beside the clock (TestCheckpointsAreDueByTheClock in wasm/worker).
func TestKill(t *testing.T) {
	Alone(t, func(t *testing.T, engine string) {
		if engine == "webkit" {
			t.Skip("MiniBrowser keeps its storage in memory when driven")
		}
		// At a pace, so it is under way for seconds on a fast machine as well.
		c := Course{Example: "syn2", Data: map[string]any{"nodes": 300}, Options: map[string]any{"epochs": 300, "early_stop": "off", "kmeans_runs": 2}, ModelSeed: 8}
		s, profile := NewSite(t), t.TempDir()
		v := Open(t, engine, s, drive.Options{Profile: profile}, c.Link())
		v.Until("lab.untouched")
		v.Until("storage.owned")
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("storage.saved")

		// When was each step seen last, and which was kept by then?
		type sample struct {
			step, saved int
			at          time.Time
		}
		var seen []sample
		var st State
		for acknowledged := map[int]bool{}; len(acknowledged) < 4 || st.Step < st.Saved+10; {
			st = v.State()
			acknowledged[st.Saved] = true
			if st.Phase != "running" {
				t.Fatalf("the run is too short for this test: %+v", st)
			}
			seen = append(seen, sample{st.Step, st.Saved, time.Now()})
			time.Sleep(20 * time.Millisecond)
		}
		killed := time.Now()
		v.Check()
		v.Kill()
		last := seen[len(seen)-1]

		v = Open(t, engine, s, drive.Options{Profile: profile}, "")
		v.Until("notices.there", "interrupted")
		notice := v.Text("[data-notice=interrupted]")
		m := regexp.MustCompile(`at step (\d+); it goes on`).FindStringSubmatch(notice)
		if m == nil {
			t.Fatalf("the page says %q", notice)
		}
		from, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		age := time.Duration(0) // of the checkpoint: since the last moment when the run was seen before its step
		for _, q := range seen {
			if q.step <= from {
				age = killed.Sub(q.at)
			}
		}
		t.Logf("killed at step %d, taken up at step %d, %.2f s old", last.step, from, age.Seconds())
		if from < last.saved || last.saved == 0 {
			t.Errorf("taken up at step %d, but step %d was acknowledged", from, last.saved)
		}
		v.Until("lab.finished")
		if st, want := v.State(), c.Train(t); st.Hash != want.Hash || st.Step != want.Progress.Step {
			t.Errorf("after step %d the hash is %s; undisturbed it is %s after %d", st.Step, st.Hash, want.Hash, want.Progress.Step)
		}
		v.Check()
	})
}

// again reloads the page and waits until it can be operated.
func (v *Visit) again() {
	v.t.Helper()
	v.must(v.Reload())
	v.Until("page.ready")
}

// TestReload reloads the page after a training: the run is there with its scores, that of the reader's own files, too, and
// later changes are in the form.
func TestReload(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		v.Until("storage.owned")
		was := v.Finish()
		v.again()
		v.Until("lab.finished")
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash || st.Scores != was.Scores {
			t.Errorf("after the reload %+v, before %+v", st, was)
		}
		v.Until("scores.there")
		v.Want("#status", "Finished")

		// Another address is another run.
		v.Enter("#options-epochs", "5")
		v.Until("address.has", "epochs=5")
		v.again()
		v.Until("lab.untouched")

		v.Give("#open-files", firm...)
		v.Until("lab.untouched && settings.data", "files")
		v.Enter("#options-epochs", "20")
		v.Until("lab.untouched && lab.epochs", 20)
		was = v.Finish()
		v.Enter("#options-epochs", "21")
		v.again()
		v.Until("lab.finished")
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash || st.Epochs != 20 {
			t.Errorf("own files: after the reload %+v, before %+v", st, was)
		}
		v.Until("data.layers && settings.option", 3, "epochs", 21)
		v.Want("#messages", "firm", "open again")
		v.Until("see.there", "#run-hint button") // to train with what is set
		v.Check()
	})
}

// TestReloadForgets reloads the page if nothing can be kept, and is told that its data are gone.
func TestReloadForgets(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, scriptOf("refusestorage"))
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until("lab.untouched")
		if n := v.Count("[data-notice=forgotten]"); n != 0 {
			t.Error("the first visit speaks of one before")
		}
		v.Push("#play")
		v.Until("lab.finished")
		v.again()
		v.Until("lab.untouched && notices.there", "forgotten")
		v.Want("[data-notice=forgotten]", "keeps nothing", "gone")
	})
}
