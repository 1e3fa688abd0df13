package e2e

import (
	"strconv"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestSecondTab opens the page twice. The second tab may look and train but
// keeps nothing, and is told so; it can take over when the first is gone.
func TestSecondTab(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		was := v.Finish()

		first, second, err := v.NewTab()
		v.must(err)
		v.Load("")
		v.Until("document.querySelector('[data-notice=storage]')")
		v.Want("[data-notice=storage]", "open in another tab", "nothing is kept")
		item := "[data-run=" + strconv.Quote(was.Run) + "] "
		v.Until("document.querySelector(" + strconv.Quote(item+"[data-act=open]") + ")")
		if n := v.Count("#runs-list [data-act=delete], #runs-list [data-act=rename], #runs-list [data-act=continue]"); n != 0 {
			t.Errorf("the second tab offers %d ways to change the saved runs", n)
		}
		v.Push(item + "[data-act=open]")
		v.Until(finished)
		if st := v.State(); st.Hash != was.Hash || st.Owner {
			t.Errorf("opened in the second tab: %+v", st)
		}
		v.Push("#play")
		v.Until(finished + " && cadem.state().run !== " + strconv.Quote(was.Run))
		trained := v.State()
		if trained.Hash != was.Hash || trained.Saved != 0 || trained.Pending != 0 {
			t.Errorf("trained in the second tab: %+v", trained)
		}
		v.Check()

		// What the first tab does to its runs, the second one hears.
		v.must(v.Switch(first))
		v.Push(item + "[data-act=rename]")
		v.Read(nil, "document.querySelector('#runs-list input').value = 'From the first tab'")
		v.must(v.Press("Enter"))
		v.must(v.Switch(second))
		v.Until(`document.querySelector('#runs-list strong')?.textContent === 'From the first tab'`)

		v.must(v.Switch(first))
		v.Check()
		v.must(v.CloseTab())
		v.must(v.Switch(second))
		v.Push("[data-notice=storage] .actions button") // Try again
		v.Until("cadem.state().owner && " + kept)
		v.Until("document.querySelectorAll('#runs-list li[data-run]').length === 2")
		if n := v.Count("#runs-list [data-act=delete]"); n != 2 {
			t.Errorf("after taking over, %d of 2 runs can be deleted", n)
		}
		v.Load("")
		v.Push("[data-run=" + strconv.Quote(trained.Run) + "] [data-act=open]")
		v.Until(finished)
		if st := v.State(); st.Hash != trained.Hash || st.Scores != trained.Scores {
			t.Errorf("what the second tab had trained is now %+v, was %+v", st, trained)
		}
		v.Check()
	})
}
