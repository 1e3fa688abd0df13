package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// exercises is how many there are.
const exercises = 12

// TestExercises goes through all. Each one does its task and reports a result of the run, the one that it is about.
func TestExercises(t *testing.T) {
	Each(t, func(t *testing.T, engine string) { goThrough(t, engine, "", "met") })
}

// TestExercisesOfAStudent does the same with the seed of a student's number. Whatever that shows, each has an answer, and Next leads on.
func TestExercisesOfAStudent(t *testing.T) {
	Each(t, func(t *testing.T, engine string) { goThrough(t, engine, "4711", "met", "other") })
}

// goThrough has every exercise do what it asks, with a student's number, and expects it to end in one of some states.
func goThrough(t *testing.T, engine, number string, states ...string) {
	v := Open(t, engine, NewSite(t), drive.Options{}, "")
	v.Until("page.ready && see.there", "#lesson-start")
	if number != "" {
		v.Enter("#lesson-number", number)
	}
	v.Push("#lesson-start")
	seen := map[string]bool{}
	for {
		v.Until("exercises.open && !see.disabled || exercises.done", "#lesson-do")
		var name, state string
		v.Read(&name, "exercises.name")
		if seen[name] {
			t.Fatalf("card %s comes again", name)
		}
		seen[name] = true
		if v.Count("#lesson-next.primary") == 0 {
			v.Push("#lesson-do")
		}
		v.Until("exercises.done")
		v.Read(&state, "exercises.state")
		t.Logf("%s %s: %s", name, v.Text("#lesson-card"), v.Text(".card-see"))
		if !slices.Contains(states, state) {
			t.Errorf("card %s is %s: %s", name, state, v.Text(".card-see"))
		}
		if name == "5.4" {
			v.sameProbe()
		}
		if v.Text("#lesson-next") == "Finish" {
			break
		}
		v.Push("#lesson-next")
		v.Until("!exercises.isAt", name)
	}
	if len(seen) != exercises {
		t.Errorf("%d exercises", len(seen))
	}
	v.Check()
}

// sameProbe expects the probe to find as much in the run on screen as in the training with the same losses beside it.
func (v *Visit) sameProbe() {
	v.t.Helper()
	var ends []string
	v.Until("see.count", "#causality-layer tbody .leak", 5)
	v.Read(&ends, "causality.ends")
	if len(ends) != 5 || ends[0] != ends[4] || ends[1] == ends[4] {
		v.t.Errorf("a probe names the layer of C in %v of the cases: the run on screen, matching alone, with more of the losses, with all", ends)
	}
}

// hands does what exercises ask, as a hand does: presses that a person can make, on what is in sight.
type hands struct{ *Visit }

// press clicks what is in sight, or can be scrolled to, and is not covered.
func (h hands) press(css string) {
	h.t.Helper()
	h.Until("see.usable", css)
	h.Read(nil, "hand.centre", css) // from under what stays in sight below the card
	h.must(h.Click(css))
}

func (h hands) state(is string) {
	h.t.Helper()
	h.Until("exercises.is && exercises.doable", is)
}

// answer gives a wrong answer, and the right one.
func (h hands) answer() {
	h.press("#lesson-ask input[value=work]")
	h.state("missed")
	h.Want(".card-see", "groups of A", "Not in all three")
	h.press("#lesson-ask input[value=shared]")
}

// train presses the exercise's own button until that has shown what it is about.
func (h hands) train() {
	h.t.Helper()
	for range 3 {
		h.press("#lesson-train")
		h.Until("!see.disabled || see.there", "#lesson-do", "[data-state=met]")
		if h.Count("[data-state=met]") == 1 {
			return
		}
	}
	h.state("met")
}

// TestExercisesByHand does the task of each, in a fresh profile on a wide and on a narrow screen, by what it says and what is in sight, and
// never by "Do it for me". What it shows is in sight, and the last page has the results.
func TestExercisesByHand(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		for _, size := range [][2]int{{1280, 800}, {390, 844}} {
			v := Open(t, engine, NewSite(t), drive.Options{}, "")
			if v.Resize(size[0], size[1]) != nil {
				t.Skip("this engine cannot be given a size")
			}
			h := hands{v}
			h.press("#lesson-start")
			name := ""
			for range exercises {
				v.Until("!exercises.isAt", name)
				v.Until("exercises.open")
				v.Read(&name, "exercises.name")
				if name == "1.4" {
					h.answer()
				} else if v.Count("[data-state=met]") == 0 {
					h.train()
				}
				h.state("met")
				v.inSight(fmt.Sprintf("%d px, %s", size[0], name), ".card-see")
				t.Logf("%d px, %s: %s", size[0], name, v.Text(".card-see"))
				h.press("#lesson-next")
			}
			v.Until("exercises.foundShown")
			if n, open := v.Count(".found section h4 + p"), v.Count(".found section button"); n != exercises || open != 0 {
				t.Errorf("%d px: %d of the reader's findings, %d are missing", size[0], n, open)
			}
			v.Check()
		}
	})
}

// TestExerciseLink opens an exercise by its link alone, with its data and views, continues from where the reader left, and reports one that
// does not exist. It is gone through by the keyboard. Links to lessons and views of before lead to the scenes that took their place.
func TestExerciseLink(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "#lesson=1.4")
		v.Until("exercises.isCalled && lab.drawn", "Which groups hold in all three?")
		v.Until("settings.layersAs", "matrices")
		tab := func(to string) {
			for range 20 {
				var there bool
				v.Read(&there, "see.focused", to)
				if there {
					return
				}
				v.must(v.Press("Tab"))
			}
			t.Fatalf("Tab does not reach %s", to)
		}
		v.Read(nil, "hand.focus", "#lesson-card")
		tab(".card-ask input")
		v.must(v.Press("Space", "ArrowRight"))
		v.Until("see.there", "[data-state=missed]")
		v.must(v.Press("ArrowRight"))
		v.Until("see.there", "[data-state=met]")
		tab("#lesson-next")
		v.must(v.Press("Enter"))
		v.Until("exercises.isCalled && lab.drawn", "Train it")
		Axe(t, v.Browser)
		w := Open(t, engine, v.Site, drive.Options{}, v.copied()) // in the browser of somebody who was never here
		w.Until("exercises.isCalled && lab.drawn", "Train it")
		w.Check()
		v.Load("")
		v.Until("see.is", "#lesson-start", "Go on: Train it")
		v.Load("#lesson=7.1")
		v.Until("exercises.recalls", "7.1")
		for link, scene := range map[string]int{
			"#lesson=1": 1, "#v=1&data=town&lesson=5.2&lock=1": 6, "#v=1&data=town&place=lab&show=psi": 6,
			"#v=1&data=syn2&d.gamma=0.3&view.guess=0.1.2.3.4.5&show=predict": 4,
		} {
			v.must(v.Navigate("about:blank"))
			v.must(v.Navigate(v.Site.URL + link))
			v.Until("essay.at", scene)
			var share string
			v.Read(&share, "see.valueOf", "#essay [data-key=share]")
			if scene == 4 && share != "1" {
				t.Errorf("%s opens the scene at tick %s of the shares", link, share)
			}
		}
		v.Check()
	})
}

// TestNumberIsAsked looks for the question about a student's number: before the first exercise, and on it as long as nothing was trained. Without a
// number there is no sheet to hand in.
func TestNumberIsAsked(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("page.ready && see.there", "#lesson-number")
		v.Until("exercises.numberFirst")
		v.Push("#lesson-start")
		v.Until("exercises.open && see.visible", "#lesson-asks")
		v.Push(".lesson-turn button:last-of-type") // all exercises
		v.Push("#lesson-found")
		v.Until("see.visible && see.gone", "#found-none", "#found-sheet")
		v.Push("#found-none button")
		v.Until("see.focused", "#lesson-number")
		v.Enter("#lesson-number", "4711")
		v.Push("#lesson-found")
		v.Until("see.visible && see.gone", "#found-sheet", "#found-none")
		v.Push(".found .lesson-turn button:last-of-type")
		v.Push("#lesson-start")
		v.Until("exercises.open && !see.visible", "#lesson-asks")
		v.Check()
	})
}

// TestAnswerSheet trains for an exercise with the seed of a student's number, hands in the sheet, and has the command line mark it.
func TestAnswerSheet(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		for _, number := range []string{"", "4711"} { // a run from before the number is none of it
			v.Until("page.ready && see.there", "#lesson-number")
			if number != "" {
				v.Push(".lesson-turn button:last-of-type") // all exercises
				v.Enter("#lesson-number", number)
				v.Push("#lesson-start")
			} else {
				v.Load("#v=1&lesson=2.2")
			}
			v.Until("see.visible", "#lesson-train:not(.away):not(:disabled)")
			v.Push("#lesson-train")
			v.Until("lab.ended && lab.scored && !lab.scoring && !see.state", ".lesson-card", "open")
		}
		v.Push(".lesson-turn button:last-of-type") // all exercises
		v.Push("#lesson-found")
		v.Read(nil, "hand.press", ".found button", "Answer sheet")
		file := filepath.Join(t.TempDir(), "sheet.json")
		sheet := download(t, v, "cadem-sheet-4711.json")
		if err := os.WriteFile(file, sheet, 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("go", "run", "./scripts/cadem", "verify", file)
		c.Dir = root(t)
		out, err := c.Output()
		if err != nil || !strings.Contains(string(out), ",4711,") || !strings.Contains(string(out), ",1,runs right,") {
			t.Errorf("%v: %s, of the sheet %s", err, out, sheet)
		}
		v.Check()
	})
}
