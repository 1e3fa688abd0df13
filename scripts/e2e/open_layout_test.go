package e2e

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// TestNothingJumps loads the page, trains, resets, trains again and does what a card asks, on a wide and on a narrow screen. The layout hardly shifts on load
// and not at all afterwards, elements below the pictures do not move, and no picture is black for a moment.
func TestNothingJumps(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := &Visit{Browser: Start(t, engine, drive.Options{}), t: t}
		for _, size := range [][2]int{{1280, 800}, {390, 844}} {
			for _, link := range []string{"", Small.Link(), "#v=1&lesson=2.2"} {
				if err := v.Resize(size[0], size[1]); err != nil {
					t.Skip(err)
				}
				v.Afresh(link)
				v.Until("losses.there && data.described && experiments.any")
				var shifted struct {
					Sum  float64
					What []string
				}
				v.Read(&shifted, "page.shifts", 0)
				t.Logf("%d px, %q: %.4f on load", size[0], link, shifted.Sum)
				if shifted.Sum > 0.02 {
					t.Errorf("%d px, %q: on load the layout shifted by %.3f:\n%s", size[0], link, shifted.Sum, strings.Join(shifted.What, "\n"))
				}
				if link == "" {
					continue
				}
				if strings.Contains(link, "lesson") {
					v.Until("see.visible && page.started", "#lesson-train")
					v.stays(fmt.Sprintf("%d px, the card", size[0]), func() {
						v.must(v.Click("#lesson-train"))
						v.Until("see.there", "[data-state=met]")
					})
					v.Check()
					continue
				}
				v.Finish() // the first scores have no place yet
				v.Until("scores.there")
				if size[0] < 700 {
					v.Push("#more") // and Reset is there
				}
				v.Read(nil, "page.sample")
				v.stays(fmt.Sprintf("%d px, Reset and Train", size[0]), func() {
					v.Push("#reset")
					v.Until("lab.untouched")
					v.Finish()
					v.Until("scores.there")
				})
				var seen struct {
					Places map[string][]int
					Dark   int
					Frames int
				}
				v.Read(&seen, "page.sampled")
				t.Logf("%d px: %d frames, %v", size[0], seen.Frames, seen.Places)
				for id, places := range seen.Places {
					if len(places) > 1 {
						t.Errorf("%d px: during Reset and Train, %s stood at %v", size[0], id, places)
					}
				}
				if seen.Dark > 0 || seen.Frames == 0 {
					t.Errorf("%d px: a picture was black %d times in %d frames", size[0], seen.Dark, seen.Frames)
				}
				v.Check()
			}
		}
	})
}

// stays fails the test if the layout shifts while something is done, where the engine says so.
func (v *Visit) stays(where string, do func()) {
	v.t.Helper()
	var since float64
	v.Read(&since, "page.now")
	do()
	var shifted struct {
		Sum  float64
		What []string
	}
	v.Read(&shifted, "page.shifts", since)
	if shifted.Sum > 0 {
		v.t.Errorf("%s: the layout shifted by %.4f:\n%s", where, shifted.Sum, strings.Join(shifted.What, "\n"))
	}
}

// TestSizedCanvas changes the width of the page: as soon as a picture has its new size it has its ground, and its former content.
func TestSizedCanvas(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link()+"&place=lab&show=embeddings")
		v.Until("lab.untouched && lab.says", "untrained")
		v.Until("embeddings.drawn")
		var bare []string
		v.Read(&bare, "checks.bare")
		for _, b := range bare {
			t.Error(b)
		}
		v.Check()
	})
}

// TestExpectation reads the hint what to look for: it is shown for the settings of an example and
// for no others. The scores of the run say what happened.
func TestExpectation(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until("scores.verdict")
		v.Until("see.starts", "#expect", "You should see: The common embedding starts as one cloud")
		v.Want("#verdict", "the common embedding on shared most: from 0.04 to 0.98")
		var explained bool
		v.Read(&explained, "lab.explained")
		if !explained {
			t.Error("the page says what to see in embeddings before it says what they are")
		}
		v.Load(Small.Link())
		v.Until("lab.untouched && lab.epochs", 12)
		v.Until("see.starts", "#expect", "These are not the settings of the example")
		if text := v.Text("#verdict"); text != "" {
			t.Errorf("without scores the page says %q", text)
		}
		v.Finish()
		v.Until("scores.verdict")
		if text := v.Text("#expect"); strings.Contains(text, "You should see") {
			t.Errorf("with other settings the page says %q", text)
		}
		v.Check()
	})
}

// TestFormulas shows the formulas that the options of a preset mean.
func TestFormulas(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		shown := func() (list []string) {
			v.Read(&list, "lab.terms")
			return list
		}
		released, printed := "matching=mean matching=mean combine=add pairing=permutation pairing=permutation",
			"average=all pairing=all combine=concat combine=concat combine=concat pairing=all pairing=all"
		if got := strings.Join(shown(), " "); got != released {
			t.Errorf("released: %s, want %s", got, released)
		}
		v.Read(nil, "hand.click", "input[name=preset][value=printed]")
		v.Until("settings.preset", "printed")
		if got := strings.Join(shown(), " "); got != printed {
			t.Errorf("printed: %s, want %s", got, printed)
		}
		v.Enter("#options-pairing", "sampled:3")
		v.Until("settings.option", "pairing", "sampled:3")
		v.Want(".term[data-term=causal]", "a few graphs drawn at random")
		v.Check()
	})
}

// TestFirstScreen opens the page on a phone, a tablet both ways, a desk at twice the usual size, and a projector: Train and a whole picture are in sight, in
// the lab with the sliders of all terms and S; and the page itself never scrolls.
func TestFirstScreen(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		for _, size := range [][2]int{{390, 844}, {768, 1024}, {1024, 729}, {640, 720}, {1280, 800}, {2560, 1440}} {
			if err := v.Resize(size[0], size[1]); errors.Is(err, drive.ErrUnsupported) {
				t.Log(err)
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			v.must(v.Reload())
			v.Until("page.ready && lab.drawn && see.there", ".pull")
			for _, place := range []string{"learn", "lab"} {
				v.Go(place)
				parts := []string{"#play", "#embeddings-view canvas"}
				if place == "lab" {
					parts = append(parts, ".pull input[aria-label*=Matching]", ".pull input[aria-label*=Self]", ".pull input[aria-label*=Causal]")
				}
				v.inSight(fmt.Sprintf("%d x %d, %s", size[0], size[1], place), parts...)
				v.hasRoom(fmt.Sprintf("%d x %d, %s", size[0], size[1], place))
			}
			v.chooses(fmt.Sprintf("%d x %d", size[0], size[1]))
			var letters float64 // 15 px, and larger where a hall looks on
			v.Read(&letters, "page.letters")
			if size[0] == 2560 != (letters > 15) {
				t.Errorf("%d px: letters of %g px", size[0], letters)
			}
		}
		if v.Resize(390, 844) != nil {
			v.Check()
			return
		}
		// A card on a phone, with all pictures that it speaks of and the way on.
		v.Load("#lesson=3.2")
		v.Until("exercises.isCalled && lab.drawn", "Matching alone")
		v.inSight("card 3.2 on a phone", "#embeddings-view canvas", "#embeddings-view figure:last-child canvas", "#lesson-next")
		v.Check()
	})
}

// hasRoom fails the test unless every slider of a term that is shown is long enough to be moved, and nothing is cut at the side of who knows
// what or of the list of lessons.
func (v *Visit) hasRoom(where string) {
	v.t.Helper()
	var wrong []string
	v.Read(&wrong, "page.cutOff")
	for _, w := range wrong {
		v.t.Errorf("%s: %s", where, w)
	}
}

// inSight fails the test unless all of some elements are, and the page itself does not scroll.
func (v *Visit) inSight(where string, css ...string) {
	v.t.Helper()
	var hidden []string
	v.Read(&hidden, "page.covered", css)
	if len(hidden) > 0 {
		v.t.Errorf("%s: not in sight: %v", where, hidden)
	}
}

// chooses fails the test unless what is said of a chosen node can be seen, covers no picture and moves none.
func (v *Visit) chooses(where string) {
	v.t.Helper()
	var wrong []string
	v.Read(&wrong, "checks.chooses")
	for _, w := range wrong {
		v.t.Errorf("%s: %s", where, w)
	}
}
