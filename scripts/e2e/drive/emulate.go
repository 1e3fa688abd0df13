package drive

import "fmt"

// Media are what a page can learn of its reader's wishes.
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

// Resize gives the page a size in CSS pixels. Windows other than Chromium's
// have a least width.
func (b *Browser) Resize(width, height int) error {
	if b.Name == "chromium" {
		return b.cdp("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
	}
	var frame [2]int // what the window takes beside the page
	if err := b.Eval(&frame, "return [outerWidth - innerWidth, outerHeight - innerHeight]"); err != nil {
		return err
	}
	if _, err := b.call("WebDriver:SetWindowRect", map[string]any{"width": width + frame[0], "height": height + frame[1]}); err != nil {
		return err
	}
	var got [2]int
	if err := b.Eval(&got, "return [innerWidth, innerHeight]"); err != nil {
		return err
	}
	if got != [2]int{width, height} {
		return fmt.Errorf("%w: a page of %d by %d (it is %d by %d)", ErrUnsupported, width, height, got[0], got[1])
	}
	return nil
}
