package e2e

import (
	"bytes"
	"errors"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"cadem/scripts/e2e/drive"
)

// TestCopyFails tells a reader whose browser does not copy that nothing was copied.
func TestCopyFails(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link())
		v.Until(untouch)
		v.Read(nil, `navigator.clipboard.writeText = () => Promise.reject(new Error('no'));`)
		// What is announced may be followed by something else before it is looked for.
		v.Read(nil, `globalThis.announced = '';
new MutationObserver(() => { announced += document.querySelector('#live').textContent; }).observe(document.querySelector('#live'),
	{childList: true, characterData: true, subtree: true});`)
		v.Push("#copy-link")
		v.Until("document.querySelector('[data-notice=link] input') && announced.includes('could not be copied')")
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
		v.Read(&at, `const bar = document.querySelector('#progress'), half = bar.cloneNode(); // which the page does not move
half.value = half.max / 2;
bar.replaceWith(half);
const r = half.getBoundingClientRect();
return {x: r.x, y: r.y, width: r.width, height: r.height};`)
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
