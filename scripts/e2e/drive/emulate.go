package drive

import (
	"fmt"
	"time"
)

// Media are the reader's preferences that a page can query.
type Media struct {
	Dark          bool // prefers-color-scheme: dark instead of light
	ReducedMotion bool // prefers-reduced-motion: reduce
	Forced        bool // forced-colors: active; of Chromium alone
}

// SetMedia lets the page see the given wishes from now on.
func (b *Browser) SetMedia(m Media) error {
	scheme, motion := "light", "no-preference"
	if m.Dark {
		scheme = "dark"
	}
	if m.ReducedMotion {
		motion = "reduce"
	}
	forced := "none"
	if m.Forced {
		forced = "active"
	}
	switch {
	case b.Name == "chromium":
		return b.cdp("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]any{
			{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}, {"name": "forced-colors", "value": forced}}})
	case b.Name == "firefox" && !m.Forced:
		prefs := map[string]int{"layout.css.prefers-color-scheme.content-override": 1, "ui.prefersReducedMotion": 0}
		if m.Dark {
			prefs["layout.css.prefers-color-scheme.content-override"] = 0
		}
		if m.ReducedMotion {
			prefs["ui.prefersReducedMotion"] = 1
		}
		return b.setPrefs(prefs)
	}
	return fmt.Errorf("%w: media", ErrUnsupported)
}

// leastWidth is the smallest width that every window can have: Firefox's stop at 500 pixels, WebKit's at 447.
const leastWidth = 500

// Resize gives the page a size in CSS pixels. Pages of engines other than Chromium are not narrower than a window can be.
func (b *Browser) Resize(width, height int) error {
	if b.Name == "chromium" {
		return b.cdp("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
	}
	if width < leastWidth {
		return fmt.Errorf("%w: a page of %d by %d (its window may be no narrower than %d)", ErrUnsupported, width, height, leastWidth)
	}
	var got [2]int
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var frame [2]int // what the window takes beside the page
		if err := b.Eval(&frame, "return [outerWidth - innerWidth, outerHeight - innerHeight]"); err != nil {
			return err
		}
		if _, err := b.call("WebDriver:SetWindowRect", map[string]any{"width": width + frame[0], "height": height + frame[1]}); err != nil {
			return err
		}
		// A page that is busy learns of its size later than the driver.
		if err := b.Eval(&got, "return [innerWidth, innerHeight]"); err != nil {
			return err
		}
		if got == [2]int{width, height} {
			return nil
		}
	}
	return fmt.Errorf("drive: a page of %d by %d is still %d by %d", width, height, got[0], got[1])
}
