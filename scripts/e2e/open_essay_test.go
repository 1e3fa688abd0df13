package e2e

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/synth/examples"
	"cadem.example/scripts/e2e/drive"
)

const (
	scenes   = 9
	essayDot = "#essay .dots button:nth-child(%d)"
)

// openEssay opens the page as it comes, without motion.
func openEssay(t *testing.T, engine, link string, m drive.Media) *Visit {
	t.Helper()
	s := NewSite(t)
	s.Precede(s.App(), scriptOf("essaypen"))
	v := &Visit{Browser: Start(t, engine, drive.Options{}), Site: s, t: t}
	if err := v.SetMedia(m); err != nil {
		t.Skip(err)
	}
	v.must(v.Resize(1280, 700))
	v.must(v.Navigate(s.URL + link))
	v.Until("essay.open")
	return v
}

func (v *Visit) toScene(k int) {
	v.t.Helper()
	v.Read(nil, "essay.go", k)
	v.Until("essay.at", k)
	v.Until("essay.settled", k)
}

// TestEssayFits walks through the scenes at eight sizes, in make test at four of them: few words, few controls, nothing overlaps and nothing is cut. The
// essay is drawn without any program.
func TestEssayFits(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := openEssay(t, engine, "", drive.Media{ReducedMotion: true})
		for i, size := range [][2]int{{1920, 1080}, {1280, 800}, {1280, 720}, {820, 1180}, {1024, 768}, {390, 844}, {320, 640}, {390, 664}} {
			if i%2 == 1 && !long() || v.Resize(size[0], size[1]) != nil {
				continue
			}
			for k := range scenes {
				v.toScene(k)
				v.Read(nil, "page.frames")
				var wrong []string
				v.Read(&wrong, "checks.essayFits", k)
				for _, w := range wrong {
					t.Errorf("%d by %d, scene %d: %s", size[0], size[1], k, w)
				}
			}
		}
		for _, name := range v.Site.Requests() {
			if strings.Contains(name, ".wasm") || strings.HasPrefix(name, "lab.") {
				t.Errorf("the essay asked for %s", name)
			}
		}
		v.Check()
	})
}

// TestEssayAccessible has axe look at every scene, and at the colours of every scene in dark: nothing else differs there.
func TestEssayAccessible(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := openEssay(t, engine, "#essay", drive.Media{ReducedMotion: true})
		for k := range scenes {
			v.toScene(k)
			Axe(t, v.Browser)
		}
		v.must(v.SetMedia(drive.Media{ReducedMotion: true, Dark: true}))
		for k := range scenes {
			v.toScene(k)
			Axe(t, v.Browser, coloured...)
		}
		v.Check()
	})
}

// TestEssayGestures goes through the essay by every way, and does what scenes ask for by mouse, touch and keys.
func TestEssayGestures(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := openEssay(t, engine, "", drive.Media{ReducedMotion: true})
		at := 0
		arrives := func(k int, how string) {
			t.Helper()
			if err := v.Await(patience/8, "essay.at", k); err != nil {
				t.Fatalf("%s did not lead from scene %d to scene %d", how, at, k)
			}
			v.Until("essay.settled", k)
			at = k
		}
		v.must(v.Click("#essay .way > button:last-child"))
		arrives(1, "Next")
		v.Read(nil, "essay.arrow")
		arrives(2, "an arrow key")
		v.Read(nil, "essay.wheel")
		arrives(3, "the wheel")
		if engine == "chromium" {
			v.must(v.Touch("#essay canvas", [2]float64{0.5, 0.7}, [2]float64{0.5, 0.3}))
			arrives(4, "a swipe")
		}
		v.must(v.Click(fmt.Sprintf(essayDot, 2)))
		arrives(1, "a dot")

		v.changes(1, "an arrow key on the figure", "essay.keyIn", "ArrowRight")
		v.changes(1, "a press on a person", "essay.pressIn", 0.5, 0.9)
		for k, act := range [][]any{{"essay.moveIn", "station", 1}, nil, {"essay.clickIn", "[name=by][value=own]"},
			{"essay.clickIn", "[name=paint][value=\"2\"]"}, {"essay.moveIn", "share", 3}, {"essay.moveIn", "epoch", 4}, {"essay.clickIn", "[data-act=swap]"}} {
			if act != nil {
				v.toScene(k)
				v.changes(k, "its control", act[0].(string), act[1:]...)
			}
		}
		v.essaySums()
		v.essayDepth(4)
		v.toScene(6)
		v.changes(6, "an arrow key on the figure", "essay.keyIn", "ArrowRight")
		v.essayDepth(6)
		v.Read(nil, "hand.click", "#scene-6 [data-act=deep]")
		v.changes(6, "an arrow key that chooses", "essay.keyIn", "ArrowRight")
		v.changes(6, "Enter", "essay.keyIn", "Enter")
		v.Want("#scene-6 .say", "You said ", "100 times the usual weight")
		v.changes(6, "a swap", "essay.clickIn", "#scene-6 [data-act=swap]")
		v.changes(6, "a press on a sector", "essay.pressIn", 0.5, 0.3)
		v.Read(nil, "hand.click", "#scene-6 [data-act=deep]")
		v.Check()
	})
}

// essaySums asks what makes a place: by keys map after map, by the mouse with a press, and with a finger by the second one.
func (v *Visit) essaySums() {
	v.t.Helper()
	v.toScene(3)
	v.Read(nil, "essay.keyIn", 3, "ArrowRight")
	for _, name := range []string{"S", "P₁", "P₂", "P₃"} {
		var drawn bool
		v.Read(&drawn, "essay.enterDraws")
		if got := v.Text("#scene-3 .say"); !drawn || !strings.HasPrefix(got, name+": their own group takes") {
			v.t.Errorf("Enter says %q, draws something new: %v; expected what makes a place in %s", got, drawn, name)
		}
	}
	v.changes(3, "Enter at the last map", "essay.keyIn", "Enter")
	var dot [2]float64 // the first one that is found
	v.Read(&dot, "essay.sumDot")
	if dot[0] == 0 {
		v.t.Error("no press on a dot says what makes its place in S, and another one no longer")
	}
	for _, shown := range []bool{false, true} {
		if err := v.Touch("#figure", dot); err != nil {
			return // in this engine
		}
		if got := strings.HasPrefix(v.Text("#scene-3 .say"), "S: "); got != shown {
			v.t.Errorf("a finger's press shows what makes a place: %v, expected %v", got, shown)
		}
	}
}

// essayDepth opens the depth of a scene, which fits as the scene does, and closes it.
func (v *Visit) essayDepth(k int) {
	v.t.Helper()
	deep := fmt.Sprintf("#scene-%d [data-act=deep]", k)
	for _, size := range [][2]int{{320, 640}, {390, 844}, {1280, 700}} {
		_ = v.Resize(size[0], size[1])
		v.toScene(k)
		v.changes(k, "its depth", "essay.clickIn", deep)
		v.Read(nil, "page.frames")
		var wrong []string
		v.Read(&wrong, "checks.essayFits", k)
		if len(wrong) > 0 {
			v.t.Errorf("%d wide, the depth of scene %d: %q", size[0], k, wrong)
		}
		v.changes(k, "its depth again", "essay.clickIn", deep)
	}
}

// changes does something in a scene, which has to say something else then.
func (v *Visit) changes(k int, how, act string, with ...any) {
	v.t.Helper()
	var before string
	v.Read(&before, act, append([]any{k}, with...)...)
	if v.Await(patience/16, "essay.changed", k) != nil {
		v.t.Errorf("scene %d still says %q after %s", k, before, how)
	}
}

// TestEntry opens addresses: a bare one is the essay's until this browser keeps a run, every other one is the Lab's as before.
func TestEntry(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := openEssay(t, engine, "", drive.Media{})
		v.must(v.Click("#essay nav a:last-child"))
		v.Until("essay.left && page.ready")
		v.must(v.Click("#to-essay"))
		v.Until("essay.open")
		for link, place := range map[string]string{"#data": "data", "#experiments": "experiments", "#lab": "lab", "#v=1&data=syn2": "learn", "?big=1": "learn"} {
			v.must(v.Navigate("about:blank"))
			v.must(v.Navigate(v.Site.URL + link))
			v.Until("essay.left && page.at", place)
		}
		v.must(v.Navigate("about:blank"))
		v.must(v.Navigate(v.Site.URL + "#scene=4&share=50"))
		v.Until("essay.at", 4)
		if got := v.Text("#scene-4 .say"); !strings.Contains(got, "1.00") {
			t.Errorf("at half a share, scene 4 says %q", got)
		}
		v.must(v.Navigate("about:blank"))
		v.Load(Small.Link())
		v.Finish()
		v.must(v.Navigate("about:blank"))
		v.must(v.Navigate(v.Site.URL))
		v.Until("essay.left")
		v.Check()
	})
}

// TestEssayOwnFile gives the essay files of the reader's own: layers are drawn at once with what they share, a question opens the dialog of
// roles, an error stays here, and what cannot be drawn opens in the Lab, which says why.
func TestEssayOwnFile(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := openEssay(t, engine, "#scene=2", drive.Media{ReducedMotion: true})
		says := func(what string) {
			v.t.Helper()
			v.must(v.Await(patience/6, "essay.says", 8, what))
		}
		give := func(file string) { v.t.Helper(); v.Give("#essay input[type=file]", file) }
		if file := townFile(t); errors.Is(v.Drop(file), drive.ErrUnsupported) {
			give(file)
		}
		says("2 directions are shared, by friends, lunch and work. Their own: friends 2, lunch 2, work 2. How sure: ")
		for _, width := range []int{390, 1280} {
			_ = v.Resize(width, 844)
			v.toScene(8)
			var wrong, words []string
			v.Read(&wrong, "checks.essayFits", 8)
			v.Read(&words, "essay.words")
			if len(wrong) > 0 || !slices.Contains(words, "lunch") {
				t.Errorf("%d wide: %q, on the canvas stands %q", width, wrong, words)
			}
		}
		Axe(t, v.Browser)
		for _, width := range []int{390, 1280} {
			_ = v.Resize(width, 844)
			v.toScene(8)
			v.Read(nil, "essay.openDepth", 8)
			says("Trained here.")
			var wrong, words []string
			v.Read(&wrong, "checks.essayFits", 8)
			v.Read(&words, "essay.words")
			if len(wrong) > 0 || !slices.Contains(words, "S common") {
				t.Errorf("trained, %d wide: %q, on the canvas stands %q", width, wrong, words)
			}
		}
		set := dialogSet(t, filepath.Join(t.TempDir(), "set.npz"))
		give(set)
		v.Until("importing.open")
		v.must(v.Press("Escape"))
		says("Nothing was opened.")
		give(townFile(t))
		says("How sure")
		give(set)
		v.Until("importing.open")
		v.Push("#import-open")
		says("the best one agrees to")
		give(written(t, "bad.csv", "layer,from,to\na,1,2\nb,2\n"))
		says("bad.csv:3")
		many := "layer,from,to\n"
		for l := range 10 {
			many += fmt.Sprintf("l%d,a,b\nl%d,b,c\n", l, l)
		}
		give(written(t, "many.csv", many))
		v.must(v.Await(patience/6, "essay.left && settings.data", "files"))
		v.Want("#notices", "10 layers, 3 nodes")
		v.Check()
	})
}

// townFile writes the town as a person would have it.
func townFile(t *testing.T) string {
	t.Helper()
	g, err := examples.Draw("town", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("layer,from,to\n")
	for _, l := range g.Layers {
		links, _ := l.Adjacency.Links(math.MaxInt)
		for k := 0; k < len(links); k += 2 {
			fmt.Fprintf(&b, "%s,%s,%s\n", l.Name, g.Nodes[links[k]], g.Nodes[links[k+1]])
		}
	}
	return written(t, "town.csv", b.String())
}

// TestEssayTrains guesses a mark by its keys and trains: the bits are those of the run that ships, and so are the scores.
func TestEssayTrains(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := openEssay(t, engine, "#scene=7", drive.Media{ReducedMotion: true})
		for _, preset := range []string{"released", "refined"} {
			v.Read(nil, "hand.click", "[name=run][value="+preset+"]")
			v.changes(7, "an arrow key on the figure", "essay.keyIn", "ArrowRight")
			v.must(v.Click("[data-act=after]"))
			v.Until("essay.says", 7, "Trained here")
			var hash string
			v.Read(&hash, "essay.hash", preset)
			want := map[string]string{"released": "Rose: S 0.04 to 0.98, P₁ 0.06 to 0.07. Fell: P₃ 0.18 to 0.13.", "refined": "P₂ 0.78 to 1.00"}[preset]
			if got := v.Text("#scene-7 .say"); !strings.Contains(got, want) || !strings.Contains(got, hash) {
				t.Errorf("%s: the scene says %q, expected %q and the fingerprint %s", preset, got, want, hash)
			}
			var ticks []string
			v.Read(&ticks, "see.texts", "#scene-7 .ticks i")
			if got := strings.Join(ticks, " "); got != "0 1 2 3 5 8 13 21 34 55 60" {
				t.Errorf("%s: stations %s, expected every epoch that is kept", preset, got)
			}
			for k, want := range map[int]string{0: "Before training.", 3: "After epoch 3. "} {
				v.Read(nil, "hand.set", "[data-key=turn]", k)
				if got := v.Text("#scene-7 .say"); !strings.HasPrefix(got, want) {
					t.Errorf("%s, station %d says %q, expected %q", preset, k, got, want)
				}
			}
		}
		v.Check()
	})
}
