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
		if len(seen) != 24 {
			t.Errorf("%d cards", len(seen))
		}
		v.Check()
	})
}
