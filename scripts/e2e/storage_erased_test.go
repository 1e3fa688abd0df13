package e2e

import (
	"strings"
	"testing"

	"cadem.example/core/brain/braintest"
)

// TestYourData reads a folder with a table of participants, of which nothing is kept by itself, in reports of which participants have numbers, and
// then erases everything: nothing is left but the program.
func TestYourData(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Until("storage.owned")
		was := v.Finish()
		v.Until("lab.kept")
		v.Give("#open-folder", folderOf(t, braintest.Derivatives(t)))
		v.Until("see.there", "[data-study=contrast] [name=ids]")
		v.Want("#notices", "so nothing of them is kept in this browser", "Keep what is found")
		v.Read(nil, "hand.click", "[data-study=contrast] [name=ids]")
		v.Until("see.kept", "[data-study=contrast] [name=ids]")
		for _, f := range [][2]string{{"first", "rest"}, {"second", "emotion"}, {"permutations", "19"}} {
			v.Enter("[data-study=contrast] [name="+f[0]+"]", f[1])
		}
		v.Push("[data-study=contrast] .primary")
		v.Until("experiments.reports", "contrast", "in both conditions")
		var found []string
		others := func() int {
			t.Helper()
			v.Read(&found, "storage.left")
			n, own := 0, 0
			for _, s := range found {
				if kept := strings.HasPrefix(s, "manifests "); kept && strings.Contains(s, was.Run) {
					own++
				} else if kept {
					n++
				}
			}
			if own == 0 {
				t.Errorf("the run of an example is not kept: %q", found)
			}
			return n
		}
		if others() > 0 {
			t.Errorf("kept of a folder with participants: %q", found)
		}
		v.Push("[data-notice=people] .actions button") // Keep what is found
		v.Until("!see.checked", "#keep-nothing")
		v.Until("experiments.settled")
		if others() == 0 {
			t.Errorf("kept after it was asked for: %q", found)
		}

		v.Go("runs")
		v.Read(nil, "hand.open", "#your-data")
		v.Want("#your-data", "The memory of this tab", "The database of this browser", "hold no recordings unless you ask")
		Axe(t, v.Browser)
		v.Push("#erase")
		v.Push("#erase-sure")
		v.Until("essay.there && see.gone", "#your-data table")
		if v.Read(&found, "storage.left"); len(found) > 0 {
			t.Errorf("left after everything was erased: %q", found)
		}
		v.Check()
	})
}
