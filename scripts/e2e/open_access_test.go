package e2e

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestAxe looks for what would keep people out: on a wide and on a narrow page,
// light and dark, before a run and after one, with everything folded out.
func TestAxe(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "")
		v.Until(`document.querySelector('#metrics table')`)
		look := func() {
			t.Helper()
			for _, width := range []int{1280, 390} {
				if err := v.Resize(width, 800); errors.Is(err, drive.ErrUnsupported) {
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				for _, dark := range []bool{false, true} {
					if err := v.SetMedia(drive.Media{Dark: dark}); errors.Is(err, drive.ErrUnsupported) && dark {
						continue
					} else if err != nil && !errors.Is(err, drive.ErrUnsupported) {
						t.Fatal(err)
					}
					Axe(t, v.Browser)
				}
			}
		}
		look()
		v.must(v.Resize(1280, 800))
		v.Read(nil, "location.hash = args[0]", Small.Link())
		v.Until(untouch)
		v.Finish()
		v.Enter("#options-epochs", "0") // a field with a message
		v.Push("#runs-list [data-act=delete]")
		v.Read(nil, "for (const d of document.querySelectorAll('details')) d.open = true")
		look()
		v.Check()
	})
}

// TestNarrow wants no sideways scrolling on the narrowest of screens.
func TestNarrow(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		if err := v.Resize(320, 640); err != nil {
			t.Skip(err)
		}
		narrow := func(when string) {
			t.Helper()
			var wide []string
			v.Read(&wide, `await new Promise(f => setTimeout(f, 300));
if (document.documentElement.scrollWidth <= innerWidth) return [];
return [document.documentElement.scrollWidth + ' of ' + innerWidth,
	...[...document.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map(e => e.tagName + '.' +
		e.className + '#' + e.id)];`)
			if len(wide) > 0 {
				t.Errorf("%s the page is wider than its window: %v", when, wide)
			}
		}
		v.Until(untouch)
		narrow("before a run")
		v.Finish()
		v.Until(`document.querySelectorAll('#metrics table.score').length > 0`)
		v.Read(nil, "for (const d of document.querySelectorAll('details')) d.open = true")
		narrow("after a run, all folded out,")
		v.Check()
	})
}

// TestKeyboard goes through the page with nothing but the Tab key and finds what
// there is to operate, each time with a focus that can be seen.
func TestKeyboard(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch + " && document.querySelector('#embeddings-view canvas')")
		v.Until(pictured)
		// In a picture, arrows go from node to node and say where.
		v.Read(nil, "document.querySelector('#embeddings-view canvas').focus()")
		v.must(v.Press("ArrowRight", "ArrowRight", "Enter"))
		v.Until(`document.querySelector('.picked') && !document.querySelector('.picked').hidden`)
		v.Want(".picked", "node", "shared: community")
		// A class that is singled out says so, and keeps the focus.
		v.Until("document.querySelector('#embeddings-view .legend .key')")
		v.Read(nil, "document.querySelector('#embeddings-view .legend .key').focus()")
		for _, pressed := range []string{"true", "false"} {
			v.must(v.Press("Enter"))
			v.Until("document.activeElement.getAttribute('aria-pressed') === '" + pressed + "'")
		}
		// The skip link leads past the settings.
		v.Read(nil, "document.querySelector('.skip').focus()")
		v.must(v.Press("Enter"))
		v.Until("document.activeElement.id === 'embeddings'")

		// The whole page. At its end the focus goes to the browser, and stays there.
		v.Read(nil, "document.querySelector('.skip').focus()")
		var seen []string
		for range 150 {
			v.must(v.Press("Tab"))
			var at struct {
				Name          string
				Visible, Here bool
			}
			v.Read(&at, `const e = document.activeElement, name = e.id || e.name || e.className || e.tagName;
if (e === document.body) return {name: '', visible: true, here: true};
await new Promise(f => requestAnimationFrame(() => setTimeout(f)));
const marked = [e, ...(e.labels || []), e.parentElement].some(m => {
	const s = getComputedStyle(m), r = m.getBoundingClientRect();
	return r.width > 6 && r.height > 6 && s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0;
});
const r = e.getBoundingClientRect();
return {name: (e.tagName + ' ' + name).toLowerCase(), visible: marked, here: r.bottom > 0 && r.top < innerHeight};`)
			if at.Name == "" {
				break
			}
			if !at.Visible || !at.Here {
				t.Errorf("the focus on %s cannot be seen (marked: %v, on the screen: %v)", at.Name, at.Visible, at.Here)
			}
			seen = append(seen, at.Name)
		}
		for _, want := range []string{"copy-link", "data", "open-files", "summary", "options-weight_causal", "play", "step", "epoch", "pace", "canvas",
			"colour-by", "export-run", "import-run"} {
			if !slices.ContainsFunc(seen, func(s string) bool { return strings.Contains(s, want) }) {
				t.Errorf("Tab does not reach %q: %v", want, seen)
			}
		}
		t.Logf("%d places to stop at", len(seen))
		v.Check()
	})
}
