package e2e

import (
	"bytes"
	"errors"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// coloured are the rules of axe-core that are about colours.
var coloured = []string{"color-contrast", "link-in-text-block"}

// TestAxe looks for what would keep people out: on a wide and on a narrow page,
// light, dark and in forced colours, in every place, before a run and after one, with everything folded out. Only
// rules about colours can find more in other colours.
func TestAxe(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("scores.there")
		look := func(trained bool) {
			t.Helper()
			widths := []int{1280, 390}
			if !trained && !long() {
				widths = widths[:1] // make test-long looks at the narrow page before a run, too
			}
			for _, width := range widths {
				if err := v.Resize(width, 800); errors.Is(err, drive.ErrUnsupported) {
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				media := []drive.Media{{}, {Dark: true}, {Forced: true}}
				if (width < 1000 || !trained) && !long() {
					media = media[:1] // colours are those of the wide page after a run
				}
				for _, m := range media {
					if err := v.SetMedia(m); errors.Is(err, drive.ErrUnsupported) && m != (drive.Media{}) {
						continue
					} else if err != nil && !errors.Is(err, drive.ErrUnsupported) {
						t.Fatal(err)
					}
					var rules []string
					if m != (drive.Media{}) {
						rules = coloured
					}
					for _, place := range places {
						if !trained && !long() && place != "lab" && place != "runs" {
							continue // as it is after a run
						}
						v.Go(place)
						Axe(t, v.Browser, rules...)
					}
				}
			}
		}
		look(false)
		v.must(v.Resize(1280, 800))
		v.Read(nil, "address.go", Small.Link())
		v.Until("lab.untouched")
		v.Finish()
		v.Enter("#options-epochs", "0") // a field with a message
		v.Push("#runs-list [data-act=delete]")
		v.Read(nil, "page.unfold")
		look(true)
		v.Check()
	})
}

// TestAxeOfExercises does the same with an exercise that has its result, with the page of what was found, and with the dialog of links for a class.
// Readers who want no motion get none.
func TestAxeOfExercises(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "#v=1&lesson=1.4")
		v.Until("page.ready && see.there", "#lesson-ask input")
		v.Push("#lesson-do")
		v.Until("see.state", ".lesson-card", "met")
		look := func() {
			t.Helper()
			for _, width := range []int{1280, 390} {
				if v.Resize(width, 800) != nil {
					continue
				}
				for _, m := range []drive.Media{{Dark: true}, {Forced: true}, {}} { // of other colours, rules about these, as above
					if err := v.SetMedia(m); m == (drive.Media{}) {
						Axe(t, v.Browser)
					} else if err == nil && (width > 1000 || long()) {
						Axe(t, v.Browser, coloured...)
					}
				}
			}
		}
		look()
		if err := v.Resize(1280, 800); err != nil {
			t.Log(err)
		}
		v.Push("#share")
		v.Until("see.there", "dialog.share[open]")
		look()
		v.Push("dialog.share .primary")
		v.Push(".lesson-turn button:last-of-type") // all exercises
		v.Push("#lesson-found")
		v.Until("exercises.foundShown")
		look()
		for _, still := range []bool{false, true} {
			if err := v.SetMedia(drive.Media{ReducedMotion: still}); errors.Is(err, drive.ErrUnsupported) {
				t.Log(err)
				break
			} else if err != nil {
				t.Fatal(err)
			}
			v.Load("#v=1&lesson=1.4")
			v.Until("exercises.calledFrom", "Which groups")
			var moving int
			v.Read(&moving, "exercises.nextMoves")
			if still != (moving == 0) {
				t.Errorf("with less motion wanted %v, %d animations run", still, moving)
			}
		}
		v.Check()
	})
}

// TestNarrow expects no sideways scrolling of any place on the narrowest of screens.
func TestNarrow(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		if err := v.Resize(320, 640); err != nil {
			t.Skip(err)
		}
		narrow := func(when string) {
			t.Helper()
			for _, place := range places {
				v.Go(place)
				var wide []string
				v.Read(&wide, "page.tooWide")
				if len(wide) > 0 {
					t.Errorf("%s the page is wider than its window: %v", when, wide)
				}
			}
		}
		v.Until("lab.untouched")
		narrow("before a run")
		v.Finish()
		v.Until("scores.rated")
		v.Read(nil, "page.unfold")
		narrow("after a run, all folded out,")
		v.Check()
	})
}

// TestKeyboard goes through the page with nothing but the Tab key and finds what
// there is to operate, each time with a focus that can be seen.
func TestKeyboard(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until("lab.untouched && see.there", "#embeddings-view canvas")
		v.Until("embeddings.drawn")
		// In a picture, arrows go from node to node and say where.
		v.Read(nil, "embeddings.focus")
		v.must(v.Press("ArrowRight", "ArrowRight", "Enter"))
		v.Until("see.there && !see.hidden", ".picked", ".picked")
		v.wantPicked("node", "shared: community")
		// A class that is singled out says so, and keeps the focus.
		v.Until("see.there", "#embeddings-view .legend .key")
		v.Read(nil, "hand.focus", "#embeddings-view .legend .key")
		for _, pressed := range []string{"true", "false"} {
			v.must(v.Press("Enter"))
			v.Until("see.focusPressed", pressed)
		}
		// The skip link leads past the places.
		v.Read(nil, "hand.focus", ".skip")
		v.must(v.Press("Enter"))
		v.Until("see.focused", "#stage")

		// Every place. At its end the focus goes to the browser, and stays there.
		var seen []string
		for _, place := range places {
			v.must(v.Focus())
			v.Read(nil, "hand.focus", `#places a[href="#`+place+`"]`)
			v.must(v.Press("Enter"))
			v.Until("page.at", place)
			v.Read(nil, "hand.focus", ".skip")
			seen = append(seen, v.tabThrough()...)
		}
		for _, want := range []string{"copy-link", "places", "data", "open-files", "summary", "options-weight_causal", "play", "step", "epoch", "pace", "canvas",
			"colour-by", "tab", "export-run", "import-run"} {
			if !slices.ContainsFunc(seen, func(s string) bool { return strings.Contains(s, want) }) {
				t.Errorf("Tab does not reach %q: %v", want, seen)
			}
		}
		t.Logf("%d places to stop at", len(seen))
		v.Check()
	})
}

// tabThrough goes on with the Tab key to the end of the page, and returns its stops, each with a visible focus.
func (v *Visit) tabThrough() (seen []string) {
	v.t.Helper()
	for range 150 {
		v.must(v.Press("Tab"))
		var at struct {
			Name          string
			Visible, Here bool
		}
		v.Read(&at, "page.focusSeen")
		if at.Name == "" {
			break
		}
		if !at.Visible || !at.Here {
			v.t.Errorf("the focus on %s cannot be seen (marked: %v, on the screen: %v)", at.Name, at.Visible, at.Here)
		}
		seen = append(seen, at.Name)
	}
	return seen
}

// TestCopyFails tells a reader whose browser does not copy that nothing was copied.
func TestCopyFails(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		v.Read(nil, "page.refuseClipboard")
		// Another announcement may follow before it is looked for.
		v.Read(nil, "page.listen")
		v.Push("#copy-link")
		v.Until("see.there && page.announced", "[data-notice=link] input", "could not be copied")
		if text := v.Text("#copy-link"); text != "Copy link" {
			t.Errorf("the button says %q", text)
		}
		v.Check()
	})
}

// TestForcedColours keeps the progress bar where the reader's system chooses all colours.
func TestForcedColours(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		if err := v.SetMedia(drive.Media{Forced: true}); errors.Is(err, drive.ErrUnsupported) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		var at struct{ X, Y, Width, Height float64 }
		v.Read(&at, "lab.halfProgress")
		shot := filepath.Join(t.TempDir(), "page.png")
		v.must(v.Screenshot(shot))
		picture, err := os.ReadFile(shot)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil {
			t.Fatal(err)
		}
		pixel := func(share float64) color.Color { return img.At(int(at.X+share*at.Width), int(at.Y+at.Height/2)) }
		if pixel(0.25) == pixel(0.75) {
			t.Errorf("half a progress bar is %v on both sides", pixel(0.25))
		}
	})
}

// TestMeanings asks symbols what they mean where they stand, in headings, tables, formulas and texts: by the keyboard, by a tap, and by a pointer. What is
// said goes again, and the Tab key does not stop at every one of them.
func TestMeanings(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "#v=1&lesson=5.5")
		v.Until("see.there", ".card-text [data-means]")
		said := func(want string) {
			t.Helper()
			v.Until("see.says", "#means:popover-open", want)
			var in bool
			v.Read(&in, "page.meaningInside")
			if !in {
				t.Errorf("%q is out of sight", want)
			}
		}
		gone := func() {
			t.Helper()
			v.Until("see.gone", "#means:popover-open")
		}
		v.Read(nil, "hand.focus", ".card-text [data-means=ψ]")
		said("while a common part stands beside it")
		v.must(v.Press("Escape"))
		gone()
		v.Load("#v=1&lesson=5.1")
		v.Until("see.there", ".card-text .points")
		v.must(v.Click(".card-text .points"))
		said("trained on C after the model")
		v.must(v.Click("#lesson-card"))
		gone()
		v.must(v.Click("#say-what"))
		said("independent directions")
		v.Load("")
		v.Until("see.there", ".plot figcaption [data-means]")
		for css, keys := range map[string][]string{
			".plot > figcaption": {"S", "P"}, ".knows th": {"S", "P"}, ".how .prose button": {"S", "C", "P", "l"},
			".how .terms math": {"M", "N", "h", "CE", "\u03c6", "\u03c8", "R"}, ".how .total math": {"L", "w", "\u03b1", "\u03b2", "\u03c9"},
			".pull .symbol": {"w", "\u03b1", "\u03b2"}, ".words button": {"S", "C"},
		} {
			var found []string
			v.Read(&found, "page.meanings", css)
			for _, key := range keys {
				if !slices.Contains(found, key) {
					t.Errorf("%s: nothing is said of %s", css, key)
				}
			}
		}
		if n, of := v.Count(".how [data-means=S]:not([tabindex='-1'])"), v.Count(".how [data-means=S]"); of < 4 || n > 4 {
			t.Errorf("the Tab key stops at %d of %d places of S", n, of)
		}
		v.Read(nil, "hand.focus", ".how .prose [data-means=S]")
		said("drawn to it")
		v.must(v.Press("Space"))
		if st := v.State(); st.Phase != "shipped" {
			t.Errorf("a symbol that is pressed begins a run: %+v", st)
		}
		Axe(t, v.Browser)
		v.Check()
	})
}
