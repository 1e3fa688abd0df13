package e2e

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"cadem.example/core/formats/archive"
	"cadem.example/core/lab/run"
)

// TestControls steers a run by mouse and by keyboard.
func TestControls(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 2000, "early_stop": "off"})
		v := OpenReady(t, engine, c.Link())
		v.Push("#step")
		v.Until("lab.pausedAt", 1)
		v.Push("#step")
		v.Until("lab.pausedAt", 2)
		v.Push("#epoch")
		v.Until("lab.pausedAt", 5) // the epoch ends with its fifth step
		if st := v.State(); st.Epoch != 1 {
			t.Errorf("after an epoch: %+v", st)
		}

		v.Read(nil, "hand.leave")
		v.must(v.Press("."))
		v.Until("lab.pausedAt && lab.says", 6, "step 6") // as a person sees it
		v.must(v.Press("Space"))
		v.Until("lab.running")
		v.Until("lab.past", 6)
		v.must(v.Press("Space"))
		v.Until("lab.paused")
		paused := v.State()
		v.Push("#step")
		v.Until("lab.pausedAt", paused.Step+1) // so that it took no step by itself

		// How fast it goes at a pace is tested beside the clock (wasm/worker).
		v.Pace(slowest)
		v.Push("#play")
		v.Until("lab.running && lab.past", paused.Step+1)
		slow := v.State()
		v.Pace(fullSpeed)
		v.Until("lab.pastEpoch", slow.Epoch+20)

		v.Push("#reset")
		v.Until("lab.untouched")
		if st := v.State(); st.Run == paused.Run || st.Hash != "" || st.Scores != 0 {
			t.Errorf("after Reset: %+v", st)
		}
		v.Check()
	})
}

// TestSpaceOnButton presses Space on a button, which has its own meaning there:
// the run must not be started and stopped at once.
func TestSpaceOnButton(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Read(nil, "hand.focus", "#step")
		v.must(v.Press("Space"))
		v.Until("lab.pausedAt", 1)
		v.must(v.Press("Space"))
		v.Until("lab.pausedAt", 2) // and none between the two
		v.must(v.Press("Space"))
		v.Push("#play") // at once: what is pressed during a step comes after it
		v.Until("lab.finished")
		v.Check()
	})
}

// TestFollow looks at figures that follow a run only where they can be seen.
func TestFollow(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.With(nil, map[string]any{"epochs": 200}).Link())
		v.Pace(tenASecond)
		v.Push("#play")
		v.Read(nil, "page.top")
		v.Until("lab.fromEpoch", 3)
		var hidden string
		v.Read(&hidden, "losses.hiddenText")
		if hidden != "No steps yet." {
			t.Errorf("off screen and closed they show %q", hidden)
		}
		v.Read(nil, "losses.reveal")
		v.Until("lab.running && losses.moving")
		v.Check()
	})
}

// TestDrawnApart looks at the pictures of a run that goes on: each is drawn in a
// task of its own, so what waits meanwhile waits for one.
func TestDrawnApart(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.With(nil, map[string]any{"epochs": 200}).Link())
		v.Pace(tenASecond)
		// The page ends a task by a message to itself; a channel of the test's own would be heard in no certain order.
		v.Read(nil, "page.watchPaint")
		v.Push("#play")
		v.Until("lab.running && page.painted", 20)
		var together int
		v.Read(&together, "page.paintedTogether")
		if together > 0 {
			t.Errorf("%d pictures were drawn in the task of another one", together)
		}
		v.Check()
	})
}

// TestLiveChange changes a weight while the run goes on. The record says when,
// and who does the same at the same step natively gets the same bits.
func TestLiveChange(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 60})
		v := OpenReady(t, engine, c.Link())
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("lab.fromEpoch", 2)
		v.Enter("#options-weight_causal", "2.5")
		if st := v.State(); st.Phase != "running" {
			t.Fatalf("the run did not go on: %+v", st)
		}
		v.Pace(fullSpeed)
		v.Until("lab.finished")
		st := v.State()
		v.Push("#export-run")
		record := readRecord(t, v)
		if len(record.Changes) != 1 || record.Changes[0].Step < 10 || record.Changes[0].Step >= st.Steps || record.Changes[0].Causal != 2.5 {
			t.Fatalf("changes in the record: %s", record.raw)
		}

		changed, undisturbed := c.TrainChanged(t, record.Changes[0].Step, 2.5), c.Train(t).Hash
		if st.Hash != changed || st.Hash == undisturbed {
			t.Errorf("hash %s, natively with the change at step %d %s, without it %s", st.Hash, record.Changes[0].Step, changed, undisturbed)
		}
		v.Check()
	})
}

// TestEvaluateAmid asks for scores in the middle of a run, which goes on after
// them by itself, and has those of its end in the end.
func TestEvaluateAmid(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Small.With(nil, map[string]any{"epochs": 60})
		v := OpenReady(t, engine, c.Link())
		v.Pace(tenASecond)
		v.Push("#play")
		v.Until("lab.fromEpoch", 2)
		v.Push("#evaluate")
		v.Until("lab.scored && !lab.scoring")
		scored := v.State()
		v.Until("lab.running")
		v.Until("lab.past", scored.Step)
		v.Until("scores.rated")
		v.Push("#every-number summary")
		amid := v.Text("#metrics")
		v.Pace(fullSpeed)
		v.Until("lab.finished")
		want := c.Train(t)
		if st := v.State(); st.Hash != want.Hash || scored.Step >= st.Steps {
			t.Errorf("scored at step %d, hash %s, natively %s", scored.Step, st.Hash, want.Hash)
		}
		if err := v.Await(patience/6, "!scores.are", amid); err != nil {
			t.Error("the scores at the end are those of the middle")
		}
		v.wantScores(c, want)
		v.Check()
	})
}

// An exported is the description of a run in a run file.
type exported struct {
	Hash    string
	State   string
	Scores  []struct{ Embedding string }
	Changes []struct {
		Step   int
		Causal float64 `json:"weight_causal"`
	}
	raw json.RawMessage
}

// readRecord waits for the run file and reads its record.
func readRecord(t *testing.T, v *Visit) exported {
	t.Helper()
	p, err := v.Download("*-run.zip", patience)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var stored run.StoredRun
	if err := json.Unmarshal(a.Run, &stored); err != nil {
		t.Fatal(err)
	}
	e := exported{raw: json.RawMessage(stored.Record)}
	if err := json.Unmarshal(stored.Record, &e); err != nil {
		t.Fatalf("%v in %s", err, stored.Record)
	}
	return e
}

// TestPause pauses a run of the opening example at many moments, while pictures are drawn,
// clusters found and checkpoints taken. The run holds where it is, and so is it kept; one step
// more is the next one.
func TestPause(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		c := Course{Example: "syn2", Options: map[string]any{"epochs": 1000}, ModelSeed: 5}
		v := OpenReady(t, engine, c.Link())
		random := rand.New(rand.NewPCG(1, 2)) // decides when, not what comes out
		for _, colour := range []string{"labels:shared", "clusters:common"} {
			v.colourBy(colour)
			took := make([]float64, map[bool]int{true: 10, false: 2}[long()])
			for i := range took {
				v.Push("#play")
				v.Until("lab.running")
				v.Read(&took[i], "lab.pauseAfter", random.IntN(700))
				held := v.State().Step
				v.Until("lab.kept") // which the engine answers after all that it had to do before
				if st := v.State(); st.Phase != "paused" || st.Step != held || held >= st.Steps {
					t.Fatalf("paused at step %d, and afterwards %+v", held, st)
				}
			}
			slices.Sort(took)
			t.Logf("pause while coloured by %s: median %.1f ms, longest %.1f ms of %d", colour, took[len(took)/2], took[len(took)-1], len(took))
		}
		held := v.State().Step
		v.Push("#step")
		v.Until("lab.past", held)
		if st := v.State(); st.Phase != "paused" || st.Step != held+1 {
			t.Errorf("a step after step %d: %+v", held, st)
		}
		v.Check()
	})
}
