package e2e

import (
	"testing"

	"cadem/scripts/e2e/drive"
)

// again reloads the page and waits until it can be operated.
func (v *Visit) again() {
	v.t.Helper()
	v.must(v.Reload())
	v.Until(ready)
}

// TestReload reloads the page after a training: the run is there with its scores, that of the reader's own files, too, and
// what was changed since stands in the form.
func TestReload(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Until("cadem.state().owner")
		was := v.Finish()
		v.again()
		v.Until(finished)
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash || st.Scores != was.Scores {
			t.Errorf("after the reload %+v, before %+v", st, was)
		}
		v.Until(`document.querySelector('#metrics table')`)
		v.Want("#status", "Finished")

		// Another address is another run.
		v.Enter("#options-epochs", "5")
		v.Until(`location.hash.includes('epochs=5')`)
		v.again()
		v.Until(untouch)

		v.Give("#open-files", firm...)
		v.Until(untouch + ` && cadem.settings().data === 'files'`)
		v.Enter("#options-epochs", "20")
		v.Until(untouch + ` && cadem.state().epochs === 20`)
		was = v.Finish()
		v.Enter("#options-epochs", "21")
		v.again()
		v.Until(finished)
		if st := v.State(); st.Run != was.Run || st.Hash != was.Hash || st.Epochs != 20 {
			t.Errorf("own files: after the reload %+v, before %+v", st, was)
		}
		v.Until(`document.querySelectorAll('#data-summary tbody tr').length === 3 && cadem.settings().options.epochs === 21`)
		v.Want("#messages", "firm", "open again")
		v.Until(`document.querySelector('#run-hint button')`) // to train with what is set
		v.Check()
	})
}

// TestReloadForgets reloads the page where nothing can be kept, and is told that what was there is gone.
func TestReloadForgets(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		s.Precede(s.Built.Worker, refuseStorage)
		v := Open(t, engine, s, drive.Options{}, Small.Link())
		v.Until(untouch)
		if n := v.Count("[data-notice=forgotten]"); n != 0 {
			t.Error("the first visit speaks of one before")
		}
		v.Push("#play")
		v.Until(finished)
		v.again()
		v.Until(untouch + ` && document.querySelector('[data-notice=forgotten]')`)
		v.Want("[data-notice=forgotten]", "keeps nothing", "gone")
	})
}
