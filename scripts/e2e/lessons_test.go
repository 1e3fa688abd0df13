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

// TestLessons goes through every card of every lesson. Each one does its task and reports a result of the run, the one that the card is about.
func TestLessons(t *testing.T) {
	Each(t, func(t *testing.T, engine string) { goThrough(t, engine, "", "met") })
}

// TestLessonsOfAStudent does the same with the seed of a student's number. Whatever that shows, each card has an answer, and Next leads on.
func TestLessonsOfAStudent(t *testing.T) {
	Each(t, func(t *testing.T, engine string) { goThrough(t, engine, "4711", "met", "other") })
}

// goThrough has every card do what it asks, with a student's number, and expects it to end in one of some states.
func goThrough(t *testing.T, engine, number string, states ...string) {
	v := Open(t, engine, NewSite(t), drive.Options{}, "")
	v.Until(ready + " && document.querySelector('#lesson-start')")
	if number != "" {
		v.Enter("#lesson-number", number)
	}
	v.Push("#lesson-start")
	seen := map[string]bool{}
	const done = "document.querySelector('#lesson-do').textContent === 'Do it for me' && document.querySelector('#lesson-next').matches('.primary')"
	for {
		v.Until("document.querySelector('#lesson-card').textContent && !document.querySelector('#lesson-do').disabled || " + done)
		var name, state string
		v.Read(&name, "return new URLSearchParams(location.hash.slice(1)).get('lesson')")
		if seen[name] {
			t.Fatalf("card %s comes again", name)
		}
		seen[name] = true
		if v.Count("#lesson-next.primary") == 0 {
			v.Push("#lesson-do")
		}
		v.Until(done)
		v.Read(&state, "return document.querySelector('.lesson-card').dataset.state")
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
		v.Until(fmt.Sprintf("new URLSearchParams(location.hash.slice(1)).get('lesson') !== %q", name))
	}
	if len(seen) != 28 {
		t.Errorf("%d cards", len(seen))
	}
	v.Check()
}

// sameProbe expects the probe to find as much in the run on screen as in the training with the same losses beside it.
func (v *Visit) sameProbe() {
	v.t.Helper()
	var ends []string
	v.Until("document.querySelectorAll('#causality-layer tbody .leak').length === 5")
	v.Read(&ends, "return [...document.querySelectorAll('#causality-layer tbody tr')].map(r => r.cells[2].textContent)")
	if len(ends) != 5 || ends[0] != ends[4] || ends[1] == ends[4] {
		v.t.Errorf("a probe names the layer of C in %v of the cases: the run on screen, matching alone, with more of the losses, with all", ends)
	}
}

// hands does what cards ask, as a hand does: presses that a person can make, on what is in sight.
type hands struct{ *Visit }

// press clicks what is in sight, or can be scrolled to, and is not covered.
func (h hands) press(css string) {
	h.t.Helper()
	h.Until(fmt.Sprintf("document.querySelector(%q)?.checkVisibility() && !document.querySelector(%[1]q).disabled", css))
	h.Read(nil, "document.querySelector(args[0]).scrollIntoView({block: 'center'})", css) // from under what stays in sight below the card
	h.must(h.Click(css))
}

func (h hands) state(is string) {
	h.t.Helper()
	h.Until(fmt.Sprintf("document.querySelector('.lesson-card').dataset.state === %q && document.querySelector('#lesson-do').textContent === 'Do it for me'", is))
}

// choose presses one of the radio buttons of a card.
func (h hands) choose(group, value string) {
	h.press(fmt.Sprintf("#lesson-%s input[value=%q]", group, value))
}

// train presses the card's own button until it has shown what it is about.
func (h hands) train() {
	h.t.Helper()
	for range 3 {
		h.press("#lesson-train")
		h.Until("!document.querySelector('#lesson-do').disabled || document.querySelector('[data-state=met]')")
		if h.Count("[data-state=met]") == 1 {
			return
		}
	}
	h.state("met")
}

// byHand has what is done on every card that does not say all by its button.
var byHand = map[string]func(h hands){
	"1.1": func(h hands) {
		h.press("#layers-view canvas")
		h.must(h.Press("ArrowRight"))
	},
	"1.2": func(h hands) { h.choose("look", "matrices") },
	"1.3": func(h hands) { h.choose("look", "labels:friends") },
	"1.4": func(h hands) {
		h.choose("ask", "work")
		h.state("missed")
		h.Want(".card-see", "groups of A", "Not in all three")
		h.choose("ask", "shared")
	},
	"2.3": func(hands) {}, // it has been trained
	"2.4": func(h hands) { h.choose("look", "probe") },
	"3.1": func(h hands) { h.pick("w = 0") },
	"3.3": func(h hands) {
		h.choose("knob", "γ = 0.5")
		h.press("#lesson-train")
		h.Until("document.querySelector('.card-see').textContent.includes('You trained with γ = 0.5. This card asks for γ = 0.')")
		h.pick("γ = 0")
	},
	"3.4": func(h hands) { h.pick("γ = 1") },
	"4.2": func(h hands) {
		if h.Count("[data-state=met]") == 0 {
			h.train()
		}
	},
	"5.3": func(h hands) { h.press(".pairings tbody tr:first-of-type td:last-of-type .cell") },
	"6.2": func(h hands) { h.pick("refined") },
}

// pick chooses what is to be trained, and has it trained.
func (h hands) pick(label string) {
	h.t.Helper()
	h.choose("knob", label)
	h.Until(fmt.Sprintf("document.querySelector('#lesson-train').textContent === %q", "Train with "+label))
	h.train()
}

// TestLessonsByHand does the task of every card, in a fresh profile on a wide and on a narrow screen, by what the card says and what is in sight, and
// never by "Do it for me". The last page has the results.
func TestLessonsByHand(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		for _, size := range [][2]int{{1280, 800}, {390, 844}} {
			v := Open(t, engine, NewSite(t), drive.Options{}, "")
			if v.Resize(size[0], size[1]) != nil {
				t.Skip("this engine cannot be given a size")
			}
			h := hands{v}
			h.press("#lesson-start")
			name := ""
			for n := 0; n < 28; n++ {
				v.Until(fmt.Sprintf("new URLSearchParams(location.hash.slice(1)).get('lesson') !== %q", name))
				v.Until("document.querySelector('#lesson-card').textContent")
				v.Read(&name, "return new URLSearchParams(location.hash.slice(1)).get('lesson')")
				if f, ok := byHand[name]; ok {
					f(h)
				} else if v.Count("[data-state=met]") == 0 {
					h.train()
				}
				h.state("met")
				t.Logf("%d px, %s: %s", size[0], name, v.Text(".card-see"))
				h.press("#lesson-next")
			}
			v.Until("document.querySelector('#found-title')?.checkVisibility()")
			if n, open := v.Count(".found section h4 + p"), v.Count(".found section button"); n != 10 || open != 0 {
				t.Errorf("%d px: %d of the reader's findings, %d are missing", size[0], n, open)
			}
			v.Check()
		}
	})
}

// TestLessonLink opens a card by its link alone, with its data and views, continues it from where the reader left it, and reports a card that
// does not exist. It is gone through by the keyboard.
func TestLessonLink(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "#lesson=1.4")
		const open = "document.querySelector('#lesson-card')?.textContent === %q && cadem.state().drawn"
		v.Until(fmt.Sprintf(open, "Which groups hold in all three?"))
		v.Until("cadem.settings().view.layers === 'matrices'")
		tab := func(to string) {
			for range 20 {
				var there bool
				v.Read(&there, "return document.activeElement.matches(args[0])", to)
				if there {
					return
				}
				v.must(v.Press("Tab"))
			}
			t.Fatalf("Tab does not reach %s", to)
		}
		v.Read(nil, "document.querySelector('#lesson-card').focus()")
		tab(".card-ask input")
		v.must(v.Press("Space", "ArrowRight"))
		v.Until("document.querySelector('[data-state=missed]')")
		v.must(v.Press("ArrowRight"))
		v.Until("document.querySelector('[data-state=met]')")
		tab("#lesson-next")
		v.must(v.Press("Enter"))
		v.Until(fmt.Sprintf(open, "Numbers for every person"))
		Axe(t, v.Browser)
		w := Open(t, engine, v.Site, drive.Options{}, v.copied()) // in the browser of somebody who was never here
		w.Until(fmt.Sprintf(open, "Numbers for every person"))
		w.Check()
		v.Load("")
		v.Until("document.querySelector('#lesson-start')?.textContent.includes('2.1, Numbers for every person')")
		v.Load("#lesson=7.1")
		v.Until("[...document.querySelectorAll('.lesson-contents .notice')].some(n => !n.hidden && n.textContent.includes('7.1'))")
		v.Check()
	})
}

// TestNumberIsAsked looks for the question about a student's number: before the first lesson, and on a card as long as nothing was trained. Without a
// number there is no sheet to hand in.
func TestNumberIsAsked(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until(ready + " && document.querySelector('#lesson-number')")
		v.Until("document.querySelector('#lesson-number').compareDocumentPosition(document.querySelector('#lesson-start')) & 4")
		v.Push("#lesson-start")
		v.Until("document.querySelector('#lesson-card').textContent && document.querySelector('#lesson-asks').checkVisibility()")
		v.Push(".lesson-turn button:last-of-type") // all lessons
		v.Push("#lesson-found")
		v.Until("document.querySelector('#found-none')?.checkVisibility() && !document.querySelector('#found-sheet')")
		v.Push("#found-none button")
		v.Until("document.activeElement.id === 'lesson-number'")
		v.Enter("#lesson-number", "4711")
		v.Push("#lesson-found")
		v.Until("document.querySelector('#found-sheet')?.checkVisibility() && !document.querySelector('#found-none')")
		v.Push(".found .lesson-turn button:last-of-type")
		v.Push("#lesson-start")
		v.Until("document.querySelector('#lesson-card').textContent && !document.querySelector('#lesson-asks').checkVisibility()")
		v.Check()
	})
}

// TestAnswerSheet trains for a card with the seed of a student's number, hands in the sheet, and has the command line mark it.
func TestAnswerSheet(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		for _, number := range []string{"", "4711"} { // a run from before the number is none of it
			v.Until(ready + " && document.querySelector('#lesson-number')")
			if number != "" {
				v.Push(".lesson-turn button:last-of-type") // all lessons
				v.Enter("#lesson-number", number)
				v.Push("#lesson-start")
			} else {
				v.Load("#v=1&lesson=2.2")
			}
			v.Until("document.querySelector('#lesson-train:not(.away):not(:disabled)')?.checkVisibility()")
			v.Push("#lesson-train")
			v.Until("cadem.state().phase === 'finished' && cadem.state().scores > 0 && !cadem.state().scoring && " +
				"document.querySelector('.lesson-card').dataset.state !== 'open'")
		}
		v.Push(".lesson-turn button:last-of-type") // all lessons
		v.Push("#lesson-found")
		v.Read(nil, "[...document.querySelectorAll('.found button')].find(b => b.textContent === 'Answer sheet').click()")
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
