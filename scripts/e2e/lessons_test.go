package e2e

import (
	"fmt"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestLessons goes through every card of every lesson. Each one does what it asks, tells what the run shows, and that is what the card is about.
func TestLessons(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until(ready + " && document.querySelector('#lesson-start')")
		v.Push("#lesson-start")
		seen := map[string]bool{}
		for {
			v.Until("document.querySelector('#lesson-card').textContent && !document.querySelector('#lesson-do').disabled || document.querySelector('[data-state=met]')")
			var name string
			v.Read(&name, "return new URLSearchParams(location.hash.slice(1)).get('lesson')")
			if seen[name] {
				t.Fatalf("card %s comes again", name)
			}
			seen[name] = true
			if v.Count("[data-state=met]") == 0 {
				v.Push("#lesson-do")
			}
			v.Until("document.querySelector('#lesson-do').textContent === 'Do it for me' && !['open'].includes(document.querySelector('.lesson-card').dataset.state)")
			t.Logf("%s %s: %s", name, v.Text("#lesson-card"), v.Text(".card-see"))
			if v.Count("[data-state=met]") != 1 {
				t.Errorf("card %s: %s", name, v.Text(".card-see"))
			}
			if v.Text("#lesson-next") == "Finish" {
				break
			}
			v.Push("#lesson-next")
			v.Until(fmt.Sprintf("new URLSearchParams(location.hash.slice(1)).get('lesson') !== %q", name))
		}
		if len(seen) != 26 {
			t.Errorf("%d cards", len(seen))
		}
		v.Check()
	})
}

// TestLessonLink opens a card by its link alone, with its data and what views show, takes it up again where the reader left it, and says which
// card there is not. It is gone through by the keyboard.
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
		v.must(v.Press("ArrowLeft"))
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
